import assert from "node:assert/strict";
import type { PlaygroundSetup } from "../../../../src/admin/routes/playground.ts";
import { freeName, listRules } from "../../../../src/admin/page/playground/rule_list.ts";

const file = (path: string, text: string) => ({ file: path, text });

Deno.test("listRules has each rule once, as it is in force, the user's own first", () => {
  const rules = [
    [file("rules/a.yaml", "rule: a\nold"), file("rules/b.yaml", "rule: b"), file("rules/c.yaml", "no rule")],
    [file("my_rules/a.yaml", "rule: a\nnew"), file("my_rules/z.yaml", "rule: z")],
  ];
  const found = listRules({ rules, folder: "my_rules" } as unknown as PlaygroundSetup);
  assert.deepEqual(found.map(({ name, isOwn }) => [name, isOwn]), [["a", true], ["z", true], ["b", false]]);
  assert.equal(found[0]?.text, "rule: a\nnew");
});

Deno.test("freeName adds a number to a name that is taken", () => {
  assert.equal(freeName("a", new Set(["b"])), "a");
  assert.equal(freeName("a", new Set(["a", "a_2"])), "a_3");
});
