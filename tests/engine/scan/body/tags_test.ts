import assert from "node:assert/strict";
import { isTags } from "../../../../src/engine/scan/body/tags.ts";

Deno.test("isTags recognizes closing tags and control tokens, and nothing else", () => {
  const cases: [text: string, isTags: boolean][] = [
    ["", true],
    ["</think>", true],
    [" </arg_value>\n<|im_end|> <｜end｜>", true],
    ["ok", false],
    ["</think> ok", false],
    ["<think>", false],
    ["</think", false],
    ["</a</b>", false],
    [`</${"x".repeat(80)}>`, false],
  ];
  for (const [text, expected] of cases) assert.equal(isTags(text), expected, text);
});
