/**
 * What a newcomer does, from an empty folder with an empty home: installs the package by `npx` and an agent by `npm`, finds that
 * the model's calls reach the agent as text, derives a rule, and sees the agent work. Everything is real but the model, which speaks a dialect that
 * no rule reads.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { buildPackage } from "../../src/cli/build/package.ts";
import { freePort } from "../support/server_process.ts";
import { type Arrived, type Script, startUpstream } from "../support/scripted_upstream.ts";

/** The agent: it runs on the oldest Node that the package supports, and needs nothing but three variables. */
const AGENT = "@qwen-code/qwen-code@0.15.10";

const MODEL = "new-model-7b";

const PROMPT = "Write Hello into hello.md";

/** Commands as the page shows them, and what they print without what differs from run to run. */
export interface Story {
  readonly init: string;
  readonly serve: string;
  readonly install: string;
  readonly leak: string;
  readonly nearMiss: string;
  readonly derive: string;
  readonly reload: string;
  readonly works: string;
  readonly line: string;
  /** How long all of it took. */
  readonly seconds: number;
}

/** What a test can do while the near miss is on the page. */
export type Look = (origin: string) => Promise<void>;

/** Plays the story in a folder that must be empty. */
export async function playNewcomer(root: string, look: Look = async () => {}): Promise<Story> {
  const began = performance.now();
  const file = await buildPackage(join(root, "package"));
  // One temporary folder in 16 has a shorter name, and long paths are cut off on the page.
  const home = join(root, "home".padEnd(25 - root.length, "_"));
  const folder = join(home, "project");
  await Deno.mkdir(folder, { recursive: true });
  await using upstream = startUpstream((request) => answer(request, folder));
  const port = freePort();
  const npx = `npx -y --package=${file} dragoman`;
  const env = {
    HOME: home,
    PATH: `${join(home, ".npm-global/bin")}:${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`,
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    npm_config_prefix: join(home, ".npm-global"),
    npm_config_update_notifier: "false",
    // An npm that runs the tests leaves settings in the environment that another npm warns of.
    npm_config_loglevel: "error",
    DRAGOMAN_PORT: String(port),
    DRAGOMAN_UPSTREAM: upstream.url,
  };
  /** What a person sees: the paths, ports and times of no machine. */
  const shown = (text: string) =>
    text.replaceAll(npx, "npx dragoman").replaceAll(`127.0.0.1:${port}`, "127.0.0.1:8787")
      .replaceAll(folder, "~/project").replaceAll(home, "~")
      .replace(/\d\d:\d\d:\d\d/g, "09:05:07").replace(/; \d+ rules on/, "").replace(
        / +\d+ ms +(?:\d+ ms|[\d.]+ s)/g,
        "  412 ms  2.31 s",
      )
      .replace(/captures\/\d[^ ]*\.json/g, "captures/2026-05-01T09-05-07.000Z_0123abcd.json");
  /** Runs commands in a shell; gives them with what they print. */
  const type = async (...commands: string[]): Promise<string> => {
    const lines: string[] = [];
    for (const command of commands) {
      const real = command.replaceAll("npx dragoman", npx).replaceAll("127.0.0.1:8787", `127.0.0.1:${port}`);
      const shell = new Deno.Command("sh", { args: ["-c", `${real} 2>&1`], cwd: folder, env, stdin: "null" });
      const { success, stdout } = await shell.output();
      const printed = shown(new TextDecoder().decode(stdout)).trimEnd();
      // What a person looks at may not be there yet.
      if (!success && !command.startsWith("cat ")) throw new Error(`${command}:\n${printed}`);
      lines.push(`$ ${shown(command)}`, printed);
    }
    return lines.filter((line) => line !== "").join("\n");
  };
  const guard = new URL("../agents/guard.cjs", import.meta.url).pathname;
  /** The agent only reaches this machine; that isn't part of the story. */
  const ask = async () => {
    const variables = `OPENAI_BASE_URL=http://127.0.0.1:8787/v1 OPENAI_API_KEY=any OPENAI_MODEL=${MODEL}`;
    const command = `qwen --yolo --prompt '${PROMPT}'`;
    const hidden = `NODE_OPTIONS=--require=${guard} GUARD_LOG=${join(root, "refused.log")} ${variables}`;
    const printed = await type(`${hidden} ${command}`, "cat hello.md");
    return printed.replace(shown(hidden), `${variables} \\\n `);
  };

  const init = await type(`npx dragoman init --server llama.cpp --agent qwen-code --model ${MODEL}`);
  const terminal = openTerminal(npx, { folder, env });
  try {
    const ready = await terminal.until(/Dragoman \S+ is ready[^]*?\/v1\n/);
    const install = await type(`npm install -g ${AGENT}`);
    const leak = await ask();
    const [nearMiss = ""] = await terminal.until(/[^\n]*near_miss: [^\n]*\n[^\n]*--output \S+\n/);
    await look(`http://127.0.0.1:${port}`);
    const derive = await type(nearMiss.trim().split("\n")[1]!.trim());
    const [reload = ""] = await terminal.until(/[^\n]*Reloaded: rule [^\n]*\n/);
    const works = await ask();
    const [line = ""] = await terminal.until(/[^\n]* ×1\n/);
    return {
      init,
      serve: `$ npx dragoman serve --record captures\n${shown(ready[0]!).trimEnd()}\n…`,
      install: install.split("\n")[0]!,
      leak,
      nearMiss: shown(nearMiss).trimEnd(),
      derive,
      reload: shown(reload).trimEnd(),
      works,
      line: shown(line).trimEnd(),
      seconds: Math.round((performance.now() - began) / 1000),
    };
  } finally {
    await terminal.close();
  }
}

/** The model: asked by the person, it prints a call in its own dialect; after the result it ends. */
function answer({ body }: Arrived, folder: string): Script {
  const { messages = [], tools = [] } = JSON.parse(body || "{}");
  const last = messages.at(-1);
  if (last?.role === "tool") return { text: "hello.md is written." };
  if (tools.length === 0 || !JSON.stringify(last?.content ?? "").includes(PROMPT)) return { text: "ok" };
  const path = join(folder, "hello.md");
  return {
    text: `I will write it.\n@@invoke write_file\n@arg file_path = ${path}\n@arg content = Hello\n@@end\n`,
  };
}

/** The terminal in which the proxy runs. */
function openTerminal(npx: string, { folder, env }: { folder: string; env: Record<string, string> }) {
  const child = new Deno.Command("sh", {
    args: ["-c", `exec ${npx} serve --record captures`],
    cwd: folder,
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
    detached: true,
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let printed = "";
  return {
    /** Waits until the rest of what is printed has a text, and forgets what is before its end. */
    async until(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const found = pattern.exec(printed);
        if (found !== null) {
          printed = printed.slice(found.index + found[0].length);
          return found;
        }
        const { value } = await reader.read();
        if (value === undefined) throw new Error(`The proxy ended after:\n${printed}`);
        printed += value;
      }
    },
    async close() {
      // npx, its shell, the command and Deno are one group.
      Deno.kill(-child.pid, "SIGTERM");
      while ((await reader.read()).value !== undefined);
      await child.status;
    },
  };
}
