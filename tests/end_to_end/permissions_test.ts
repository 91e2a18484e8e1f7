/**
 * The permissions of the task `start`, in a copy of the project: what works with them, what breaks without one of them,
 * and that neither a plugin nor the proxy can change the project.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { ENGINE_FLAGS } from "../../src/cli/engine_flags.ts";
import project from "../../deno.json" with { type: "json" };
import { functionTool } from "../support/chat_tools.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** What the program reads of its own project. */
const COPIED = ["src", "rules", "plugins", "main.ts", "deno.json", "deno.lock"];

/** A plugin that tries to write, and reports what it could do. */
const WRITER = `
const tried = {};
for (const path of ["src/cli/serve.ts", "src/new.ts", "rules/new.yaml", "rules/hermes.yaml", "plugins/new.ts", "main.ts",
  "deno.json", "deno.lock", "dragoman.yaml", "../outside.txt", "mine.txt", "writer.ts", "deno.jsonc", "package.json", ".npmrc",
  ".env", "node_modules/deno/deno", ".git/hooks/post-checkout", "logs/mine.txt", "captures/mine.txt", "my_rules/mine.txt"]) {
  try {
    Deno.writeTextFileSync(path, "changed", { append: true });
    tried[path] = "written";
  } catch (error) {
    tried[path] = error.name;
  }
}
for (const [name, act] of Object.entries({
  rename: () => Deno.renameSync("src", "other"),
  remove: () => Deno.removeSync("rules", { recursive: true }),
  link: () => Deno.symlinkSync("src", "link"),
  run: () => new Deno.Command("true").outputSync(),
})) {
  try {
    act();
    tried[name] = "done";
  } catch (error) {
    tried[name] = error.name;
  }
}
console.log("tried " + JSON.stringify(tried));
export default { name: "writer", onEvent: () => undefined };
`;

const TOOLS = JSON.stringify([functionTool("dig", { depth: "integer" })]);

const README = await Deno.readTextFile(join(ROOT, "README.md"));

/** The request that the README sends to the sample model. */
const CHAT = /curl -s http:\S+\/v1\/chat\/completions [^']*'content-type: application\/json' -d '([^']+)'/
  .exec(README)![1]!;

/** The flags between `deno run` and the program in a task. */
function flagsOf(task: { readonly command: string }): string[] {
  return task.command.split(" ").slice(2).filter((word) => word.startsWith("--"));
}

async function copyTree(from: string, to: string): Promise<void> {
  if (!(await Deno.stat(from)).isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) await copyTree(join(from, name), join(to, name));
}

/** All tests use one copy of the project, whose modules are compiled once: a copy for each took longer than the tests. */
let copy: Promise<string> | undefined;
Deno.test.afterAll(async () => {
  if (copy !== undefined) await Deno.remove(join(await copy, ".."), { recursive: true });
});

async function copyProject(): Promise<string> {
  const folder = join(await Deno.makeTempDir(), "dragoman");
  await Deno.mkdir(folder);
  await Promise.all(COPIED.map((path) => copyTree(join(ROOT, path), join(folder, path))));
  return folder;
}

/** Runs in the copy, and removes what the program and the test added. */
async function withProject(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = await (copy ??= copyProject());
  try {
    await act(folder);
  } finally {
    for await (const { name } of Deno.readDir(folder)) {
      if (!COPIED.includes(name)) await Deno.remove(join(folder, name), { recursive: true });
    }
  }
}

/** Runs the program in a folder; once it is ready, `use` runs and the program is stopped. */
async function runProgram(
  folder: string,
  { flags, args, use }: { flags: string[]; args: string[]; use?: (origin: string) => Promise<void> },
): Promise<{ code: number; printed: string }> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--frozen", "--no-prompt", ...flags, "main.ts", ...args],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let printed = "";
  let isUsed = false;
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      printed += text;
      const origin = /Give your agent this base URL:\s+(http:\S+)/.exec(printed)?.[1];
      if (origin === undefined || isUsed) continue;
      isUsed = true;
      try {
        await use?.(origin);
      } finally {
        process.kill("SIGINT");
      }
    }
  };
  await Promise.all([read(process.stdout), read(process.stderr)]);
  return { code: (await process.status).code, printed };
}

async function chat(origin: string): Promise<void> {
  const answer = await fetch(`${origin}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: CHAT,
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  assert.match(text, /"tool_calls":\[\{[^]*"name":"read_file"/);
}

const SERVE = ["serve", "--port", "0", "--audit", "logs/audit.jsonl", "--record", "captures"];

Deno.test("the README's commands are tasks of a clone", () => {
  const named = Array.from(README.matchAll(/npx -y deno@[\d.]+ task ([\w:]+)/g), ([, name = ""]) => name);
  for (const name of ["start", "demo"]) assert.ok(named.includes(name), name);
  for (const name of named) assert.ok(name in project.tasks, name);
});

Deno.test("the task start runs the engine as every other form of the program does", () => {
  assert.ok(flagsOf(project.tasks.start).includes(ENGINE_FLAGS));
});

for (
  const [name, task] of [["start", project.tasks.start], ["dragoman", project.tasks.dragoman]] as const
) {
  Deno.test(`the task ${name} serves, logs and records with its permissions, and no plugin changes the project`, () =>
    servesWithoutChanges(task));
}

function servesWithoutChanges(task: { readonly command: string }): Promise<void> {
  return withProject(async (folder) => {
    await Deno.writeTextFile(join(folder, "writer.ts"), WRITER);
    await Deno.writeTextFile(join(folder, "dragoman.yaml"), "plugins: [./writer.ts]\n");
    const { code, printed } = await runProgram(folder, { flags: flagsOf(task), args: SERVE, use: chat });
    assert.equal(code, 0, printed);
    const tried = JSON.parse(/tried (\{.*\})/.exec(printed)?.[1] ?? "{}") as Record<string, string>;
    const allowed = Object.keys(tried).filter((what) => tried[what] !== "NotCapable");
    assert.deepEqual(allowed, ["logs/mine.txt", "captures/mine.txt", "my_rules/mine.txt"], printed);
    for (
      const path of [
        "main.ts",
        "deno.json",
        "deno.lock",
        "rules/hermes.yaml",
        "src/cli/serve.ts",
      ]
    ) {
      assert.equal(
        await Deno.readTextFile(join(folder, path)),
        await Deno.readTextFile(join(ROOT, path)),
        path,
      );
    }
    assert.match(await Deno.readTextFile(join(folder, "logs", "audit.jsonl")), /"kind":"request"/);
    assert.equal((await Array.fromAsync(Deno.readDir(join(folder, "captures")))).length, 1, printed);
  });
}

Deno.test("the task start doesn't start where it can't write what it was told to, and names a place that it can", () =>
  withProject(async (folder) => {
    const flags = flagsOf(project.tasks.start);
    for (
      const [flag, path, place] of [
        ["--audit", "src/audit.jsonl", "logs/audit.jsonl"],
        ["--audit", "rules/audit.jsonl", "logs/audit.jsonl"],
        ["--audit", "audit.jsonl", "logs/audit.jsonl"],
        ["--audit", "../audit.jsonl", "logs/audit.jsonl"],
        ["--record", "recorded", "captures"],
        ["--record", "..", "captures"],
      ].filter((_, at) => IS_THOROUGH || at % 2 === 0) as [string, string, string][]
    ) {
      const { code, printed } = await runProgram(folder, {
        flags,
        args: ["serve", "--port", "0", flag, path],
      });
      assert.equal(code, 1, printed);
      assert.match(printed, /file_unwritable[^]*Cannot write (?:the audit log|answers into) /);
      assert.ok(printed.includes(`help: name ${join(folder, place)}\n`), printed);
      assert.doesNotMatch(printed, /allow-write/);
      await assert.rejects(Deno.stat(join(folder, path, "audit.jsonl")));
    }
    // What the advice names works.
    const args = ["serve", "--port", "0", "--audit", join(folder, "logs", "audit.jsonl")];
    const { code, printed } = await runProgram(folder, { flags, args, use: chat });
    assert.equal(code, 0, printed);
  }));

for (
  const [permission, symptom] of [
    ["--allow-net", /--allow-net/],
    ["--allow-read", /Requires read access/],
    ["--allow-env", /Requires env access/],
    ["--allow-write", /Cannot write the audit log/],
  ] as const
) {
  Deno.test(`the task start needs ${permission}`, () =>
    withProject(async (folder) => {
      const flags = flagsOf(project.tasks.start).filter((flag) => flag.split("=")[0] !== permission);
      assert.ok(flags.length < flagsOf(project.tasks.start).length);
      const { printed } = await runProgram(folder, { flags, args: SERVE, use: chat });
      assert.match(printed, symptom);
    }));
}

Deno.test("the task dragoman writes a configuration and a derived rule, but no sources", () =>
  withProject(async (folder) => {
    const flags = flagsOf(project.tasks.dragoman);
    const first = await runProgram(folder, {
      flags,
      args: ["init", "--server", "ollama", "--agent", "openai-sdk"],
    });
    assert.ok((await Deno.stat(join(folder, "dragoman.yaml"))).isFile, first.printed);
    await Deno.writeTextFile(join(folder, "answer.txt"), "Sure.\n@@invoke dig\n@arg depth = 3\n@@end\n");
    await Deno.writeTextFile(join(folder, "tools.json"), TOOLS);
    const args = ["derive", "--answers", "answer.txt", "--tools", "tools.json", "--name", "mine"];
    const derived = await runProgram(folder, { flags, args });
    assert.equal(derived.code, 0, derived.printed);
    assert.match(await Deno.readTextFile(join(folder, "my_rules", "mine.yaml")), /^rule: mine$/m);
    const denied = await runProgram(folder, { flags, args: [...args, "--ignore-known", "--output", "src"] });
    assert.notEqual(denied.code, 0, denied.printed);
    await assert.rejects(Deno.stat(join(folder, "src", "mine.yaml")), Deno.errors.NotFound);
  }));
