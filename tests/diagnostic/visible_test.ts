import assert from "node:assert/strict";
import { visible } from "../../src/diagnostic/visible.ts";

for (
  const [text, lengthMax, expected] of [
    ["a b", 10, "a b"],
    ["a \r\n\t b", 10, "a b"],
    ["\x1b[2Ja\x07", 10, "\ufffd[2Ja\ufffd"],
    ["abcdef", 6, "abcdef"],
    ["abcdefg", 6, "abcde…"],
    ["😀😀😀😀", 3, "😀😀…"],
    ["", 3, ""],
  ] as const
) {
  Deno.test(`visible shows ${JSON.stringify(text)} in ${lengthMax} characters`, () => {
    assert.equal(visible(text, { lengthMax }), expected);
  });
}

Deno.test("visible shows at most 80 characters unless told otherwise", () => {
  assert.equal([...visible("x".repeat(200))].length, 80);
});
