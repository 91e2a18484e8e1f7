import assert from "node:assert/strict";
import { check } from "../../src/cli/check.ts";
import { rules, whereOn } from "../../src/cli/rules.ts";
import { configSchema } from "../../src/proxy/config/schema.ts";
import { loadRules, readAnswer } from "../../src/library/mod.ts";
import { ruleSchema } from "../../src/engine/rule/schema.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { runVerb } from "../support/run_verb.ts";

function run(positionals: string[], { json = false, stdin = "" } = {}) {
  return runVerb(rules, { values: json ? { json } : {}, positionals, stdin });
}

Deno.test("rules lists every rule with what it looks like", async () => {
  const { code, stdout } = await run([]);
  assert.equal(code, 0);
  assert.match(stdout, /^rule +on +confidence +dialects +looks like\n/);
  assert.match(stdout, /^hermes +yes +0\.95 +hermes-json, .*<tool_call>/m);
  assert.match(stdout, /^shell_block +no /m);
  assert.match(stdout, /^fence +yes +- /m);
  const list = JSON.parse((await run(["list"], { json: true })).stdout) as { rule: string; on: string }[];
  assert.ok(list.some(({ rule, on }) => rule === "react" && on === "yes"));
});

Deno.test("rules show tells what decides about a rule's calls", async () => {
  const { stdout } = await run(["show", "bare_json"]);
  assert.match(stdout, /^commit +close: only the text after the call decides/m);
  assert.match(stdout, /^begins +at the start of the answer\nfollowed by +nothing\nin code +never$/m);
  assert.match(stdout, /^speaks +yes, to .*\*llama-3\*/m);
  assert.match((await run(["show", "openai_json"])).stdout, /^speaks +no$/m);
  assert.match((await run(["show", "think"])).stdout, /^precedence +before_calls$/m);
  const json = JSON.parse((await run(["show", "qwen_xml"], { json: true })).stdout) as { commit: string };
  assert.equal(json.commit, "first_item");
});

Deno.test("rules export prints a rule as a response template, and what is lost beside it", async () => {
  const context = createTestContext();
  const values = { "response-template": true };
  const run = (name: string) => rules.run({ values, positionals: ["export", name] }, context);
  assert.equal(await run("hermes"), 0);
  const { response_template: { fields } } = JSON.parse(context.printed.stdout);
  assert.equal(fields.tool_calls.close_pattern, "</tool_call>");
  assert.match(context.printed.stderr, /^Not carried over: offered tools/m);
  assert.equal(await run("lfm2"), 1);
  assert.match(
    context.printed.stderr,
    /^No template: A template has no content type equivalent to the body `call_list`$/m,
  );
  assert.equal(await run("hermess"), 2);
  assert.equal(await rules.run({ values: {}, positionals: ["export", "hermes"] }, context), 2);
});

Deno.test("rules show of an unknown name suggests the nearest", async () => {
  const { code, stderr } = await run(["show", "hermess"]);
  assert.equal(code, 2);
  assert.match(stderr, /did you mean `hermes`/);
});

Deno.test("rules nearest says where a text leaves the rules, and which of them read it", async () => {
  const near = await run(["nearest", '<function=read_file path="a">']);
  assert.match(near.stdout, /qwen_xml +yes +1:21 +<function=read_file +wants .*`>`.*finds `p`/);
  const read = await run(["nearest", "-"], {
    stdin: '<tool_call>{"name": "f", "arguments": {}}</tool_call>',
  });
  assert.match(read.stdout, /^hermes .*reads a call$/m);
  assert.deepEqual((await run(["nearest", "Nothing here."])).code, 1);
});

Deno.test("rules of anything else shows the usage", async () => {
  assert.equal((await run(["nothing"])).code, 2);
});

Deno.test("whereOn states for which models and upstreams a rule makes calls", () => {
  const config = configSchema.parse({
    models: { "odd-*": { rules: ["mine"] } },
    upstreams: [{ name: "own", url: "http://127.0.0.1/v1", rules: ["other"] }],
  });
  const rule = (name: string, fields: object = {}) =>
    ruleSchema.parse({
      rule: name,
      pattern: "<c {tool}>(?<body>…)</c>",
      body: "json",
      confidence: 1,
      ...fields,
    });
  assert.equal(whereOn(rule("mine", { enabled: false }), config), "for odd-*");
  assert.equal(whereOn(rule("other"), config), "yes, but not for odd-*");
  assert.equal(whereOn(rule("third"), config), "yes, but not for odd-*, upstream own");
  assert.equal(whereOn(rule("third", { enabled: false }), config), "no");
  assert.equal(whereOn(rule("mine", { confidence: 0.5 }), config), "below the threshold");
});

Deno.test("rules new writes a rule that passes check, and never overwrites one", async () => {
  const workingDirectory = await temporaryFolder();
  const context = createTestContext({ workingDirectory });
  const make = (name: string) => rules.run({ values: {}, positionals: ["new", name] }, context);
  assert.equal(await make("my_model"), 0);
  const text = await Deno.readTextFile(`${workingDirectory}/rules/my_model.yaml`);
  assert.match(
    text,
    /^# yaml-language-server: \$schema=file:\/\/\/.*\/rule\.schema\.json\nrule: my_model\n/,
  );
  assert.equal(await check.run({ values: {}, positionals: ["rules/my_model.yaml"] }, context), 0);
  assert.match(context.printed.stdout, /Checked 1 rule, 0 clients, 2 examples: 0 errors, 0 warnings/);
  assert.equal(await make("my_model"), 2);
  assert.equal(await make("hermes"), 2);
  assert.equal(await make("My-Model"), 2);
});

const RULES = new URL("../../rules", import.meta.url).pathname;

Deno.test("rules compile prints rules as data that the library loads, and none if one has an error", async () => {
  const folder = await temporaryFolder();
  const { code, stdout } = await run(["compile", `${RULES}/hermes.yaml`]);
  assert.equal(code, 0);
  const read = readAnswer('<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>', {
    rules: loadRules(JSON.parse(stdout)),
  });
  assert.deepEqual(read.calls.map(({ tool, rule }) => [tool, rule]), [["f", "hermes"]]);
  assert.deepEqual(JSON.parse((await run(["compile", RULES])).stdout).rules.length > 100, true);
  await Deno.writeTextFile(`${folder}/bad.yaml`, "rule: bad\nbody: json\n");
  const failed = await run(["compile", `${folder}/bad.yaml`]);
  assert.deepEqual([failed.code, failed.stdout], [1, ""]);
  assert.match(failed.stderr, /pattern/);
  assert.equal((await run(["compile", `${folder}/none.yaml`])).code, 1);
});
