import assert from "node:assert/strict";
import { readAlone } from "../../../src/engine/rule/reading.ts";
import { ruleSchema } from "../../../src/engine/rule/schema.ts";
import { anyTool, offer } from "../../../src/engine/tool/offered.ts";

const RULE = ruleSchema.parse({
  rule: "r",
  enabled: false,
  pattern: "<do {tool}>(?<body>…)</do>",
  body: "tagged",
  tagged: { item: "<(?<key>\\w{1,9})=>(?<value>…)</>" },
  confidence: 0.1,
});

/** A text, and where the rule stops with which arguments. */
const TEXTS: readonly [text: string, at: number | undefined, json: string, reason?: string][] = [
  ["<do f><a=>1</></do>", undefined, '{"a":"1"}'],
  ["<do f><a=>1</>od>", 14, '{"a":"1"', "truncated"],
  ["<do f>text</do>", 6, "", "malformed"],
  ["<do f><a=>1", 11, '{"a":"1', "truncated"],
];

for (const [text, at, json, reason] of TEXTS) {
  Deno.test(`readAlone stops in ${text} at ${at ?? "no place"}`, () => {
    const { stop, arguments: given, calls } = readAlone(RULE, { text, offered: anyTool });
    assert.deepEqual([stop?.at, stop?.reason, calls], [at, reason, at === undefined ? 1 : 0]);
    assert.ok(given.startsWith(json.slice(0, -1)), given);
  });
}

Deno.test("readAlone states what the rule expects", () => {
  const expected = (text: string) =>
    readAlone(RULE, { text, offered: offer([{ name: "f" }]) }).stop?.expected;
  assert.equal(expected("<do f><a=>1"), "`<KEY=>…</>` or `</do>`");
  assert.equal(expected("<do g><a=>1"), "the name of an offered tool");
});
