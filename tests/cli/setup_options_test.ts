import assert from "node:assert/strict";
import { SERVE_OPTIONS, SETUP_OPTIONS, setupFlags } from "../../src/cli/setup_options.ts";
import { replay } from "../../src/cli/replay.ts";
import { trace } from "../../src/cli/trace.ts";
import { transform } from "../../src/cli/transform.ts";
import type { Verb, VerbInput } from "../../src/cli/verb.ts";
import { runVerb } from "../support/run_verb.ts";
import { functionTool } from "../support/chat_tools.ts";

Deno.test("setupFlags hands every flag on", () => {
  const values = {
    config: "c.yaml",
    host: "127.0.0.2",
    port: "2",
    upstream: "http://localhost:1",
    enable: ["a"],
    disable: ["b"],
    "min-confidence": "0.5",
    "upstream-name": "b",
    "tool-mode": "auto",
    rules: ["more"],
    "dry-run": true,
    audit: "audit.jsonl",
  };
  const {
    "min-confidence": minimumConfidence,
    "upstream-name": upstreamName,
    "tool-mode": toolMode,
    "dry-run": dryRun,
    ...same
  } = values;
  const flags = { ...same, minimumConfidence, upstreamName, toolMode, dryRun };
  assert.deepEqual(setupFlags({ values, positionals: [] }), flags);
  for (const name of Object.keys(values)) assert.ok(name in SETUP_OPTIONS || name in SERVE_OPTIONS, name);
});

const GUARD = `export default {
  name: "guard",
  onCall(call) {
    if (call.arguments.path === "/") return { refuse: "not the root" };
    if (call.arguments.path === "stop") return { verdict: { kind: "reject", code: "NO", message: "never" } };
    return { arguments: { ...call.arguments, path: "safe" } };
  },
};
`;

const callOf = (path: string) =>
  `<tool_call>\n<function=read_file>\n<parameter=path>\n${path}\n</parameter>\n</function>\n</tool_call>`;

const TOOLS = [functionTool("read_file")];

/** Runs a verb in a folder with the plugin, on an answer or a capture. */
function run(verb: Verb, answer: string, values: VerbInput["values"] = {}) {
  return runVerb(verb, {
    values,
    positionals: ["answer"],
    files: {
      "guard.ts": GUARD,
      "dragoman.yaml": "plugins: [./guard.ts]\n",
      "tools.json": JSON.stringify(TOOLS),
      answer,
    },
  });
}

Deno.test("transform runs the configured plugins, with tools and without, whole and streamed, and not with --no-plugins", async () => {
  for (const values of [{}, { tools: "tools.json" }, { tools: "tools.json", stream: true }]) {
    assert.match((await run(transform, callOf("a.txt"), values)).stdout, /\\"path\\":\\"safe\\"|safe/);
    const without = await run(transform, callOf("a.txt"), { ...values, "no-plugins": true });
    assert.ok(!without.stdout.includes("safe"), without.stdout);
  }
  const refused = await run(transform, callOf("/"));
  assert.equal(JSON.parse(refused.stdout).content, callOf("/"));
  const stopped = await run(transform, callOf("stop"));
  assert.equal(stopped.code, 1);
  assert.match(stopped.stderr, /A plugin refuses the answer: NO: never/);
});

Deno.test("trace shows a plugin's refusal as the one decision about a call", async () => {
  const { stdout } = await run(trace, callOf("/"), { json: true });
  const found = JSON.parse(stdout);
  assert.deepEqual(found.map(({ reason, detail }: Record<string, string>) => [reason, detail]), [
    ["plugin_refused", "guard: not the root"],
  ]);
  const without = JSON.parse((await run(trace, callOf("/"), { json: true, "no-plugins": true })).stdout);
  assert.equal(without[0].reason, "transformed");
});

Deno.test("replay changes nothing in answers that the plugins decided about", async () => {
  const capture = {
    v: 1,
    time: "2026-05-01T10:00:00.000Z",
    request: "r",
    client: "openai",
    model: null,
    tools: TOOLS,
    system: null,
    text: `${callOf("a.txt")}\n${callOf("/")}`,
    calls: [{ tool: "read_file", rule: "qwen_xml", arguments: '{"path":"safe"}' }],
    refused: ["plugin_refused"],
  };
  assert.equal((await run(replay, JSON.stringify(capture))).stdout, "1 capture, 0 changed\n");
  assert.equal((await run(replay, JSON.stringify(capture), { "no-plugins": true })).code, 1);
});
