import assert from "node:assert/strict";
import fc from "fast-check";
import { isScalar, parseDocument, Scalar, stringify } from "yaml";
import { scalarOffsets } from "../../../src/engine/document/scalar.ts";

/** The value at `key` with the source character that each of its characters comes from. */
function sourceOf(text: string): { value: string; source: string[] } {
  const node = parseDocument(text, { keepSourceTokens: true }).getIn(["key"], true);
  assert.ok(isScalar(node) && typeof node.value === "string" && node.srcToken !== undefined, text);
  const offsets = scalarOffsets(node.srcToken, node.value);
  assert.ok(offsets !== undefined, text);
  return { value: node.value, source: offsets.slice(0, -1).map((offset) => text[offset] ?? "") };
}

Deno.test("scalarOffsets maps each character of a value to its place in the file", () => {
  const cases: [string, string, string][] = [
    ["key: plain # no", "plain", "plain"],
    ["key: plain\n  folded", "plain folded", "plain\nfolded"],
    ["key: 'it''s'", "it's", "it's"],
    ["key: 'a  \n  b\n\n  c'", "a b\nc", "a b\nc"],
    ['key: "a\\n\\u0041\\tb"', "a\nA\tb", "a\\\\\\b"],
    ['key: "a \\\n   b"', "a b", "a b"],
    ["key: |\n  a\n   b\n", "a\n b\n", "a\n b\n"],
    ["key: |-\n\n    a\n\n    b", "\na\n\nb", "\na\n\nb"],
    ["key: |2\n    a\n", "  a\n", "  a\n"],
    ["key: >\n  a\n  b\n\n  c\n", "a b\nc\n", "a\nb\nc\n"],
    ["key: |\r\n  a\r\n  b\r\n", "a\nb\n", "a\rb\r"],
  ];
  for (const [text, value, source] of cases) {
    assert.deepEqual(sourceOf(text), { value, source: source.split("") }, text);
  }
});

Deno.test("scalarOffsets puts every ordinary character at itself, however the text is quoted", () => {
  const types: Scalar.Type[] = [
    Scalar.PLAIN,
    Scalar.QUOTE_SINGLE,
    Scalar.QUOTE_DOUBLE,
    Scalar.BLOCK_LITERAL,
    Scalar.BLOCK_FOLDED,
  ];
  const character = fc.constantFrom("a", "b", "'", '"', "\\", " ", "\n", "😀", "…", "#", "\t");
  const text = fc.string({ unit: character, maxLength: 40 }).filter((value) => value.trim() !== "");
  fc.assert(
    fc.property(text, fc.constantFrom(...types), (value, type) => {
      const scalar = new Scalar(value);
      scalar.type = type;
      const text = stringify({ key: scalar }, { lineWidth: 20 });
      const found = sourceOf(text);
      found.source.forEach((unit, index) => {
        if ("ab#…".includes(found.value[index] ?? "")) assert.equal(unit, found.value[index]);
      });
    }),
    { numRuns: 500 },
  );
});
