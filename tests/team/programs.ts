/**
 * The servers of a team as real processes: Redis or Valkey, replicas of Dragoman, and a balancer with the configuration
 * that `src/docs/guide/team.md` shows.
 *
 * @module
 */
import { join } from "node:path";
import { findProgram } from "../support/find_program.ts";
import { freePort, isOpen } from "../support/server_process.ts";
import type { Certificate } from "./certificate.ts";

const MAIN = new URL("../../main.ts", import.meta.url).pathname;
const PAGE = new URL("../../src/docs/guide/team.md", import.meta.url);

/** How long a server may take to answer, in milliseconds. */
const START_MS = 60_000;

/** The path of the store's program, or undefined. */
export async function findStore(): Promise<string | undefined> {
  return await findProgram("valkey-server") ?? await findProgram("redis-server");
}

/** A test that needs programs; without them, its name states why it is skipped. */
export function programTest(
  name: string,
  programs: Readonly<Record<string, string | undefined>>,
  run: () => Promise<void>,
): void {
  const missing = Object.entries(programs).filter(([, path]) => path === undefined).map(([each]) => each);
  const isSkipped = missing.length > 0;
  const why = `SKIPPED: not installed: ${missing.join(", ")}`;
  if (isSkipped) console.log(`${name}: ${why}`);
  Deno.test({ name: isSkipped ? `${name} (${why})` : name, ignore: isSkipped, fn: run });
}

class Running {
  readonly process: Deno.ChildProcess;
  #printed = "";
  readonly #isRead: Promise<unknown>;

  constructor(program: string, options: Deno.CommandOptions) {
    this.process = new Deno.Command(program, { ...options, stdin: "null", stdout: "piped", stderr: "piped" })
      .spawn();
    const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
      for await (const text of stream.pipeThrough(new TextDecoderStream())) this.#printed += text;
    };
    this.#isRead = Promise.all([read(this.process.stdout), read(this.process.stderr)]);
  }

  get printed(): string {
    return this.#printed;
  }

  async end(signal: Deno.Signal): Promise<number> {
    try {
      this.process.kill(signal);
    } catch {
      // It has ended already.
    }
    const { code } = await this.process.status;
    await this.#isRead;
    return code;
  }
}

/** Waits until something is so. */
export async function until(isSo: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const began = performance.now();
  while (!await isSo()) {
    if (performance.now() - began > START_MS) throw new Error(`Not within ${START_MS} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The store, which keeps over a crash what it has confirmed. */
export class StoreProgram {
  readonly port: number = freePort();
  readonly url: string = `valkey://127.0.0.1:${this.port}`;
  readonly #program: string;
  readonly #folder: string;
  readonly #certificate: Certificate | undefined;
  #running: Running | undefined;

  /** With a certificate, it takes only encrypted connections. */
  constructor(program: string, folder: string, certificate?: Certificate) {
    this.#program = program;
    this.#folder = folder;
    this.#certificate = certificate;
  }

  async start(): Promise<void> {
    const address = this.#certificate === undefined
      ? ["--port", `${this.port}`]
      : encryptedAt(this.port, this.#certificate);
    const args = ["--save", "", "--appendonly", "yes", "--appendfsync", "always", "--dir", this.#folder];
    const running = new Running(this.#program, { args: [...address, ...args, "--bind", "127.0.0.1"] });
    this.#running = running;
    let hasEnded = false;
    void running.process.status.then(() => hasEnded = true);
    await until(async () => hasEnded || await isOpen(this.port), "the store accepts connections");
    if (hasEnded) throw new Error(`The store has ended:\n${running.printed}`);
  }

  /** A connection that sends commands unchanged; gives the beginning of each reply. */
  async connect(): Promise<{ send(...words: string[]): Promise<string>; close(): void }> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: this.port });
    return {
      async send(...words) {
        const sizes = words.map((word) => `$${new TextEncoder().encode(word).length}\r\n${word}\r\n`);
        await connection.write(new TextEncoder().encode(`*${words.length}\r\n${sizes.join("")}`));
        const reply = new Uint8Array(1000);
        return new TextDecoder().decode(reply.subarray(0, await connection.read(reply) ?? 0));
      },
      close: () => connection.close(),
    };
  }

  /** Stops it without ending it: it answers nothing until it goes on. */
  freeze(): void {
    this.#running?.process.kill("SIGSTOP");
  }

  /** Lets it go on. */
  thaw(): void {
    this.#running?.process.kill("SIGCONT");
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    await this.#running?.end("SIGKILL");
  }
}

function encryptedAt(port: number, { authority, certificate, key }: Certificate): string[] {
  const files = ["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", authority];
  return ["--port", "0", "--tls-port", `${port}`, ...files, "--tls-auth-clients", "no"];
}

/** One Dragoman of a team. It keeps its port over a restart. */
export class Replica {
  readonly port: number = freePort();
  readonly #folder: string;
  readonly #config: string;
  readonly #env: Readonly<Record<string, string>>;
  #running: Running | undefined;
  #printed = "";

  constructor(folder: string, config: string, env: Readonly<Record<string, string>> = {}) {
    this.#folder = folder;
    this.#config = config;
    this.#env = env;
  }

  /** What it printed, over all its starts. */
  get printed(): string {
    return this.#printed + (this.#running?.printed ?? "");
  }

  async start(): Promise<void> {
    const file = join(this.#folder, `${this.port}.yaml`);
    await Deno.writeTextFile(file, this.#config);
    const permissions = ["--allow-net", "--allow-read", "--allow-env"];
    const args = ["run", ...permissions, MAIN, "serve", "--port", `${this.port}`, "--config", file];
    this.#running = new Running(Deno.execPath(), { args, cwd: this.#folder, env: { ...this.#env } });
    await until(async () => {
      const response = await fetch(`http://127.0.0.1:${this.port}/health/ready`).catch(() => undefined);
      await response?.body?.cancel();
      return response?.ok === true;
    }, `the replica is ready:\n${this.printed}`);
  }

  /** Ends it as an update does: by SIGTERM. */
  async stop(): Promise<number> {
    const code = await this.#running?.end("SIGTERM") ?? 0;
    this.#printed = this.printed;
    this.#running = undefined;
    return code;
  }

  async restart(): Promise<void> {
    const code = await this.stop();
    if (code !== 0) throw new Error(`The replica ended with ${code}:\n${this.printed}`);
    await this.start();
  }

  async metrics(): Promise<string> {
    return await (await fetch(`http://127.0.0.1:${this.port}/metrics`)).text();
  }
}

/** The block of a page in one language, with the names of its replicas and its port replaced. */
async function shownConfig(language: string, { ports, port }: { ports: readonly number[]; port: number }) {
  const page = await Deno.readTextFile(PAGE);
  const block = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "m").exec(page)?.[1];
  if (block === undefined) throw new Error(`No ${language} in ${PAGE.pathname}`);
  return block
    .replace(/dragoman([1-3]):8787/g, (_, index) => `127.0.0.1:${ports[Number(index) - 1]}`)
    .replace("bind :8787", `bind 127.0.0.1:${port}`)
    .replace("listen 8787", `listen 127.0.0.1:${port}`);
}

/** A balancer before three replicas. */
export interface Balancer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface BalancerOptions {
  readonly program: string;
  /** Where it may write. */
  readonly folder: string;
  readonly ports: readonly number[];
}

/** Starts HAProxy with the page's configuration. */
export async function startHaproxy({ program, folder, ports }: BalancerOptions): Promise<Balancer> {
  const port = freePort();
  const file = join(folder, "haproxy.cfg");
  await Deno.writeTextFile(file, await shownConfig("haproxy", { ports, port }));
  return await started(port, new Running(program, { args: ["-db", "-f", file] }));
}

/** Starts nginx with the page's configuration. */
export async function startNginx({ program, folder, ports }: BalancerOptions): Promise<Balancer> {
  const port = freePort();
  const file = join(folder, "nginx.conf");
  await Deno.writeTextFile(file, inNginx(await shownConfig("nginx", { ports, port }), folder));
  const args = ["-p", folder, "-c", file, "-e", join(folder, "error.log"), "-g", "daemon off;"];
  return await started(port, new Running(program, { args }));
}

async function started(port: number, running: Running): Promise<Balancer> {
  await until(() => isOpen(port), `the balancer accepts connections:\n${running.printed}`);
  return { url: `http://127.0.0.1:${port}`, stop: async () => void await running.end("SIGTERM") };
}

/** The rest of a configuration of nginx: where it may write. */
function inNginx(shown: string, folder: string): string {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, name)};`);
  return `pid ${join(folder, "nginx.pid")};
worker_processes 1;
events { worker_connections 2048; }
http {
access_log off;
${paths.join("\n")}
${shown}
}
`;
}
