import assert from "node:assert/strict";
import { checkRules, checkWithoutExamples } from "../../../src/engine/rule/check.ts";
import { proveSpeech } from "../../../src/chat/prompt/proof.ts";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";

function check(text: string) {
  const loaded = readRules([[{ file: "mine.yaml", text }]], noSettings);
  const options = {
    isTarget: () => true,
    isBuiltIn: () => false,
    diagnostics: loaded.diagnostics,
    prove: proveSpeech,
  };
  const { diagnostics, exampleCount } = checkRules(loaded, options);
  const codes = (found: typeof diagnostics) => found.map(({ code }) => code);
  return { all: codes(diagnostics), some: codes(checkWithoutExamples(loaded, options)), exampleCount };
}

const CASE = `examples: [{ name: a, offered: [f], input: '<c f>{}</c>', calls: [] }]\n`;

Deno.test("checkRules finds what an author can't want", () => {
  const text = `rule: mine\npattern: '.*<c {tool}>(?<body>…)</c>'\nbody: json\n`;
  assert.ok(check(text).some.includes("opener_swallows"));
});

Deno.test("checkRules runs no examples of a rule that can't be read", () => {
  const text = `rule: mine\npattern: '<c {tool}>(?<body>…)</c>'\nbody: jsn\n${CASE}`;
  const { all, exampleCount } = check(text);
  assert.deepEqual([all, exampleCount], [["wrong_value"], 0]);
});
