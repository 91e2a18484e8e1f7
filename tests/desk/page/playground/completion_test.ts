import assert from "node:assert/strict";
import { choicesAt } from "../../../../src/desk/page/playground/completion.ts";

function labels(path: readonly (string | number)[], isValue = false) {
  return choicesAt(path, isValue).choices.map(({ label }) => label);
}

Deno.test("choicesAt gives the keys of a rule, of its mappings and of its lists", () => {
  const [first] = choicesAt([], false).choices;
  assert.deepEqual([first?.label, first?.detail], ["rule", "a text"]);
  assert.match(first?.description ?? "", /name/);
  assert.ok(labels([]).includes("pattern"));
  assert.ok(labels(["envelope"]).includes("keyed"));
  assert.ok(labels(["examples", 0]).includes("offered"));
  assert.deepEqual(labels(["nowhere"]), []);
});

Deno.test("choicesAt gives the values of a field", () => {
  assert.ok(labels(["body"], true).includes("tagged"));
  assert.deepEqual(labels(["enabled"], true), ["true", "false"]);
  assert.deepEqual(labels(["pattern"], true), []);
});
