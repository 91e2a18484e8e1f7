import assert from "node:assert/strict";
import { createShownCheck } from "../../../src/chat/near_miss/shown.ts";
import { loadRules } from "../../../src/engine/rule/load.ts";
import { noSettings } from "../../../src/engine/rule/read.ts";

const { program } = await loadRules({ folders: [], settings: noSettings, workingDirectory: Deno.cwd() });
const isShown = createShownCheck(program);

const TEXTS: readonly [text: string, isShown: boolean][] = [
  ["Now CALL done", false],
  ["```\nCALL\n```\nSo it goes.", true],
  ["Write `CALL` there.", true],
  ["> CALL\n", true],
  ["<think>\nI could CALL it\n</think>\nNo.", true],
  ["<think>\nHm.\n</think>\nCALL", false],
];

for (const [text, expected] of TEXTS) {
  Deno.test(`createShownCheck: ${JSON.stringify(text)} ${expected ? "shows" : "makes"} the call`, () => {
    const start = text.indexOf("CALL");
    assert.equal(isShown({ text, start, end: start + 4, beginsInReasoning: false }), expected);
  });
}

Deno.test("createShownCheck knows that an answer begins in the reasoning", () => {
  const part = { text: "I could CALL it\n</think>\nNo.", start: 8, end: 12 };
  assert.ok(isShown({ ...part, beginsInReasoning: true }));
  // Nothing closes the reasoning, so this answer opened none.
  const others = [["I could CALL it", false], ["```\nCALL\n```\nNo.", true]] as const;
  for (const [text, expected] of others) {
    const start = text.indexOf("CALL");
    assert.equal(isShown({ text, start, end: start + 4, beginsInReasoning: true }), expected);
  }
});
