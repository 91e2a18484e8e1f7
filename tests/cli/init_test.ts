import assert from "node:assert/strict";
import { join } from "node:path";
import { init, initialize } from "../../src/cli/init.ts";
import choices from "../../src/cli/init_choices.json" with { type: "json" };
import { resolveConfig } from "../../src/proxy/config/resolve.ts";
import { readConfigFile } from "../../src/proxy/config/file.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { runVerb } from "../support/run_verb.ts";

const DEFAULT_SERVER = Object.keys(choices.servers)[0]!;

async function run(values: Record<string, string>, before?: string) {
  const ran = await runVerb(init, { values, files: before === undefined ? {} : { "dragoman.yaml": before } });
  const text = await Deno.readTextFile(join(ran.workingDirectory, "dragoman.yaml")).catch(() => "");
  return { ...ran, text };
}

Deno.test("init writes a configuration without mistakes for every server, and says what to set in every agent", async () => {
  for (const [server, { url }] of Object.entries(choices.servers)) {
    const { code, text } = await run({ server });
    const { config, diagnostics } = resolveConfig({
      document: readConfigFile({ file: "dragoman.yaml", text }),
      flags: {},
      readEnvironment: (name) => name.endsWith("_API_KEY") ? "key" : undefined,
    });
    assert.deepEqual([code, diagnostics, config.upstreams[0]?.url], [0, [], url]);
    assert.equal(config.audit.file, "logs/audit.jsonl");
  }
  for (const agent of Object.keys(choices.agents)) {
    const { stdout } = await run({ agent });
    assert.ok(
      stdout.includes(`Set in ${agent}, `) && /http:\/\/127\.0\.0\.1:8787(?:\/v1)?\b/.test(stdout),
      stdout,
    );
    assert.doesNotMatch(stdout, /\{(?:base|origin|key)\}/);
    const settings = stdout.split("\n").filter((line) => line.startsWith("    ")).join("\n");
    if (settings.trimStart().startsWith("{")) assert.equal(typeof JSON.parse(settings), "object");
  }
});

Deno.test("init asks for a client key where the host is not this machine", async () => {
  const { text, stdout } = await run({ host: "0.0.0.0" });
  const source = { file: "dragoman.yaml", text };
  const resolve = (key?: string) =>
    resolveConfig({
      document: readConfigFile(source),
      flags: {},
      readEnvironment: (name) => name === "DRAGOMAN_KEY" ? key : undefined,
    });
  assert.equal(resolve("a-long-random-client-key").diagnostics.length, 0);
  assert.deepEqual(resolve().diagnostics.map(({ code }) => code), ["environment_missing"]);
  assert.match(stdout, /Set DRAGOMAN_KEY to a long random string/);
  assert.ok(!(await run({})).stdout.includes("DRAGOMAN_KEY"));
  const codex = await run({ host: "0.0.0.0", agent: "codex" });
  assert.match(
    codex.stdout,
    /base_url = "http:\/\/THIS-MACHINE:8787\/v1"\n.*\n {4}env_key = "DRAGOMAN_KEY"\n/,
  );
});

Deno.test("init overwrites nothing, and suggests a name for a misspelt one", async () => {
  const there = await run({}, "mine");
  assert.deepEqual([there.code, there.text], [1, "mine"]);
  assert.match(there.stderr, /file_exists/);
  const wrong = await run({ server: "olama" });
  assert.deepEqual([wrong.code, wrong.text], [2, ""]);
  assert.match(wrong.stderr, /did you mean `ollama`/);
});

Deno.test("init takes the running server and its model, asks on a terminal only, and checks the file", async () => {
  const workingDirectory = await temporaryFolder();
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => Response.json({ data: [{ id: "org/first" }, { id: "second" }] }),
  );
  const url = `http://127.0.0.1:${server.addr.port}/v1`;
  const closed = { name: "closed", url: "http://127.0.0.1:1/v1" };
  const servers = { [DEFAULT_SERVER]: closed, closed, mine: { name: "mine", url } };
  const initAt = async (config: string, { values = {}, answers }: {
    values?: Record<string, string>;
    answers?: string[];
  }) => {
    const context = {
      ...createTestContext({ workingDirectory }),
      command: "npx dragoman",
      ask: answers && (() => answers.shift()),
    };
    const input = { values: { config, ...values }, positionals: [] };
    const code = await initialize(input, { context, servers });
    return { code, text: await Deno.readTextFile(join(workingDirectory, config)), ...context.printed };
  };
  const silent = await initAt("a.yaml", { values: { agent: "qwen-code" } });
  assert.deepEqual([silent.code, silent.stderr], [0, ""]);
  // A clone may move.
  assert.ok(!silent.text.includes(Deno.cwd()) && !silent.text.includes("file://"), silent.text);
  assert.match(
    silent.text,
    new RegExp(`^# yaml-language-server: \\$schema=.*\\n[^]*url: ${url}\\n[^]*npx dragoman report`),
  );
  for (
    const line of [
      "OPENAI_BASE_URL=http://127.0.0.1:8787/v1",
      "OPENAI_API_KEY=any",
      "OPENAI_MODEL=org/first",
    ]
  ) {
    assert.ok(silent.stdout.includes(line), silent.stdout);
  }
  assert.ok(silent.stdout.startsWith("Wrote a.yaml"), silent.stdout);
  const asked = await initAt("b.yaml", { answers: ["", "opencode", "2"] });
  assert.match(asked.stdout, /Which model server do you use\?\n {3}1 {2}mine {2}\(it runs\)\n/);
  assert.match(asked.stdout, /Set in opencode[^]*"model": "dragoman\/second"/);
  const named = await initAt("c.yaml", { values: { server: "closed" }, answers: ["qwen-code"] });
  assert.match(named.text, /url: http:\/\/127\.0\.0\.1:1\/v1/);
  assert.match(named.stdout, /OPENAI_MODEL=MODEL/);
});

Deno.test("init writes the size of the model's context into the settings of agents that need it", async () => {
  const workingDirectory = await temporaryFolder();
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => Response.json({ data: [{ id: "first", max_model_len: 40_960 }] }),
  );
  const servers = { mine: { name: "mine", url: `http://127.0.0.1:${server.addr.port}/v1` } };
  const sized: Readonly<Record<string, RegExp>> = {
    codex: /^ {4}model_context_window = 40960$/m,
    opencode: /"limit": \{ "context": 40960, "output": 10240 \}/,
    pi: /"contextWindow": 40960/,
    continue: /^ {8}defaultCompletionOptions: \{ contextLength: 40960 \}$/m,
    "qwen-code": /And in ~\/\.qwen\/settings\.json:\n\n.*"contextWindowSize": 40960/,
    "gemini-cli": /And in ~\/\.gemini\/settings\.json:\n\n.*"compressionThreshold": 0\.0313 /,
  };
  for (const [agent, line] of Object.entries(sized)) {
    const context = { ...createTestContext({ workingDirectory }), command: "npx dragoman" };
    const input = { values: { config: `${agent}.yaml`, agent, server: "mine" }, positionals: [] };
    assert.equal(await initialize(input, { context, servers }), 0);
    const { stdout } = context.printed;
    assert.match(stdout, line);
    assert.match(stdout, /has a context size of 40960 tokens/);
    const settings = stdout.split("\n").filter((line) => line.startsWith("    ")).join("\n");
    if (settings.trimStart().startsWith("{")) assert.equal(typeof JSON.parse(settings), "object");
    assert.doesNotMatch((await run({ agent })).stdout, /[«»]|\{context\}|model_context_window/);
  }
});
