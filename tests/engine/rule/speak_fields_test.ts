import assert from "node:assert/strict";
import { checkSpeak } from "../../../src/engine/rule/speak_fields.ts";
import { ruleSchema } from "../../../src/engine/rule/schema.ts";

const SPEAK = { announce: "{tools}", call: "{name}", result: "{content}" };

function pathsOf(speak: Record<string, unknown>, body = "json"): string[] {
  const rule = ruleSchema.parse({ rule: "r", pattern: "", body, speak: { ...SPEAK, ...speak } });
  return checkSpeak(rule).map(({ path }) => path.join("."));
}

Deno.test("checkSpeak finds placeholders and parts that don't fit", () => {
  assert.deepEqual(pathsOf({}), []);
  assert.deepEqual(pathsOf({ announce: "{tools} {name}", calls: "none" }), ["speak.announce", "speak.calls"]);
  assert.deepEqual(pathsOf({ result: "<result {name}>" }), ["speak.result"]);
  assert.deepEqual(pathsOf({ result: "{content_json}" }), []);
  assert.deepEqual(pathsOf({ call: "{name}{items}" }), ["speak.call"]);
  assert.deepEqual(pathsOf({ item: "{key}" }), ["speak.item"]);
  assert.deepEqual(pathsOf({ tool: "{each_parameter}", parameter: "{name}{fields}", field: "{key}" }), []);
  assert.deepEqual(pathsOf({ values: "marked" }), ["speak.values"]);
  assert.deepEqual(pathsOf({}, "opaque"), ["speak"]);
});
