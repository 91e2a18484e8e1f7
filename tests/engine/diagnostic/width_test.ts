import assert from "node:assert/strict";
import { textWidth } from "../../../src/engine/diagnostic/width.ts";

Deno.test("textWidth counts two columns for CJK and emoji, one for everything else", () => {
  const cases = [["", 0], ["abc", 3], ["é", 1], ["字", 2], ["한글", 4], ["😀", 2], ["a字b", 4]] as const;
  for (const [text, width] of cases) assert.equal(textWidth(text), width, text);
});
