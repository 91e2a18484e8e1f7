import assert from "node:assert/strict";
import { findOverlaps } from "../../../src/engine/rule/overlap.ts";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";

function ruleText(rule: string, pattern: string, confidence: number): { file: string; text: string } {
  const example = `{ name: one, offered: [f], input: '<c f>{}</c>', calls: [{ tool: f }] }`;
  const text =
    `rule: ${rule}\npattern: '${pattern}'\nbody: json\nconfidence: ${confidence}\nexamples: [${example}]\n`;
  return { file: `${rule}.yaml`, text };
}

function overlaps(...texts: { file: string; text: string }[]) {
  return findOverlaps(readRules([texts], noSettings), { only: ({ rule }) => rule === "mine" });
}

Deno.test("findOverlaps names the other rule, the text that both read, and which one wins", () => {
  const [found, ...more] = overlaps(
    ruleText("mine", "<c {tool}>(?<body>…)</c>", 0.9),
    ruleText("theirs", "<c\\s{tool}>(?<body>…)</c>", 0.95),
    ruleText("other", "<x {tool}>(?<body>…)</x>", 0.95),
  );
  assert.deepEqual([found?.code, found?.severity, more], ["rules_overlap", "warning", []]);
  assert.match(found?.message ?? "", /"theirs" reads what rule "mine"/);
  assert.match(found?.help ?? "", /"<c f>\{\}<\/c>"; `theirs` wins: it is more confident/);
});

Deno.test("findOverlaps finds nothing where no other rule reads the examples", () => {
  assert.deepEqual(overlaps(ruleText("mine", "<c {tool}>(?<body>…)</c>", 0.9)), []);
});
