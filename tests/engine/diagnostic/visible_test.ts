import assert from "node:assert/strict";
import { escaped, escapedLines, visible, visibleJson } from "../../../src/engine/diagnostic/visible.ts";

for (
  const [text, lengthMax, expected] of [
    ["a b", 10, "a b"],
    ["a \r\n\t b", 10, "a b"],
    ["\x1b[2Ja\x07", 10, "\\u001b[2Ja\\u0007"],
    ["\u009b2J\u202eabc", 10, "\\u009b2J\\u202eabc"],
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

/** What a terminal obeys: ESC, CR, LF, C1 CSI, DEL, direction marks and overrides, separators, half a pair, BOM. */
const OBEYED = "\x1b\r\n\u009b\x7f\u061c\u200e\u200f\u202a\u202e\u2066\u2069\u2028\u2029\ud83d\ufeff";

Deno.test("escaped leaves nothing that a terminal obeys, and ordinary text of any language alone", () => {
  assert.equal(
    escaped(`a${OBEYED}b`),
    "a\\u001b\\u000d\\u000a\\u009b\\u007f\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069\\u2028\\u2029\\ud83d\\ufeffb",
  );
  const plain = 'qwen3-coder:30b héllo שלום 日本 👩‍💻 \\ "';
  assert.equal(escaped(plain), plain);
});

Deno.test("escapedLines keeps only line feeds", () => {
  assert.equal(escapedLines("a\r\nb\x1b"), "a\\u000d\nb\\u001b");
});

Deno.test("visibleJson means the same value, and shows nothing that a terminal obeys", () => {
  const value = { [`name${OBEYED}`]: [`x${OBEYED}`, 1, null] };
  for (const indent of [undefined, 2]) {
    const json = visibleJson(value, indent);
    assert.deepEqual(JSON.parse(json), value);
    assert.equal(escapedLines(json), json);
  }
});
