import assert from "node:assert/strict";
import { readNested } from "../../../../src/engine/scan/body/nested.ts";
import { RuleAutomata } from "../../../../src/engine/scan/rule_automata.ts";
import { programOf } from "../../../support/matcher_events.ts";

const program = programOf({
  rule: "r",
  pattern: "<{tool}>(?<body>…)</>",
  body: "tagged",
  item: "!<(?<key>\\w+)>(?<value>…)!</\\k<key>>",
  nested: true,
});
const rule = program.rules[0]!;
assert.ok(rule.body.kind === "tagged");
const options = { body: rule.body, automata: new RuleAutomata(program.automata, rule, {}) };

Deno.test("readNested reads items in a value, even with the same name", () => {
  const element = readNested("a", " !<b>!<b>2 <b>!</b>!</b> !<c>!</c>", options);
  assert.deepEqual(element, {
    name: "a",
    text: "  ",
    children: [
      { name: "b", text: "", children: [{ name: "b", text: "2 <b>", children: [] }] },
      { name: "c", text: "", children: [] },
    ],
  });
});

Deno.test("readNested fails if items are not closed, nest too deeply or have text between them", () => {
  for (
    const value of [
      "x!<b>1!</b>",
      "!<b>1!<b>2!</b>!</b>",
      "!<b>1",
      "!<b>1!</c>",
      "1!</a>",
      "!<b>".repeat(40) + "!</b>".repeat(40),
    ]
  ) {
    assert.equal(readNested("a", value, options), undefined);
  }
});
