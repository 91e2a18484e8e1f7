import assert from "node:assert/strict";
import {
  firstTag,
  lastTag,
  lastTagAt,
  marksAfter,
  marksBefore,
  openTagAt,
} from "../../../src/analysis/derive/mark_token.ts";

Deno.test("firstTag and lastTag take brackets of a kind together", () => {
  assert.equal(firstTag("<<a>>b"), "<<a>>");
  assert.equal(lastTag("a⟦/b⟧"), "⟦/b⟧");
  assert.equal(firstTag("a<b>"), undefined);
});

Deno.test("openTagAt and lastTagAt find where a tag opens", () => {
  assert.equal(openTagAt("<a><<b "), 3);
  assert.equal(openTagAt("<a>"), undefined);
  assert.equal(lastTagAt("<a>[b]"), 3);
});

const BEFORE: readonly (readonly [text: string, marks: string])[] = [
  ["I'll do that.\n@@call ", "@@call "],
  ["I'll call ", ""],
  ["Done.<|begin|><|call|>", "<|begin|><|call|>"],
  ['Now:\n<calls>\n<call name="', '<calls>\n<call name="'],
  ["All good.\nAction: ", "Action: "],
  ["Noted.<|sep|>\n\nfunction call<|role|>\n", "<|sep|>\n\nfunction call<|role|>\n"],
  ["A <b>bold</b> word <call>", "<call>"],
  ["<|sep|> one two three call<|role|>", "call<|role|>"],
];

Deno.test("marksBefore goes back over marks and stops at prose", () => {
  for (const [text, marks] of BEFORE) assert.equal(text.slice(marksBefore(text)), marks);
});

Deno.test("marksAfter goes on over marks and stops at prose", () => {
  const text = "</call>\n</calls>\nThat was it.";
  assert.equal(text.slice(0, marksAfter(text)), "</call>\n</calls>");
});
