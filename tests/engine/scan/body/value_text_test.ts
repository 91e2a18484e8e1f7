import assert from "node:assert/strict";
import { endsWithForeignTag, lineBreaksIn, ValueText } from "../../../../src/engine/scan/body/value_text.ts";

const value = {
  isText: true,
  isList: false,
  unsent: undefined,
  isComplete: (text: string, isDelimited: boolean) => text === "5" && isDelimited,
  write: () => {},
  finish: () => ({ isKeptAsText: false, isRepaired: false }),
  next: () => {},
};

function textOf(text: string, isEdge = true, isFirst = true): ValueText {
  const all = new ValueText(value, { isEdge, isFirst });
  if (text === "") return all;
  all.see(text);
  all.write(text);
  return all;
}

Deno.test("ValueText is unsure of whitespace that can belong to the value", () => {
  const cases: [text: string, space: string, isEdge: boolean, isUnsure: boolean][] = [
    ["", "", true, true],
    ["x", "", true, false],
    ["x", "\n", true, false],
    ["x", "\n\n", true, false],
    ["x", "\n\n\n", true, true],
    ["x", " ", true, true],
    ["x\ny", "\n", true, false],
    ["x\ny", "\n\n", true, true],
    ["x", "\n", false, false],
    ["x\ny", "\n", false, true],
    ["x</p>", "", true, true],
  ];
  for (const [text, space, isEdge, isUnsure] of cases) {
    assert.equal(textOf(text, isEdge).isUnsure(space), isUnsure, JSON.stringify([text, space, isEdge]));
  }
});

Deno.test("ValueText shows that it is whole by its line or its type", () => {
  const cases: [text: string, space: string, isEdge: boolean, next: "call" | "end", isWhole: boolean][] = [
    ["x", "\n", true, "end", true],
    ["x", "", true, "end", false],
    ["x", "\n", false, "end", false],
    ["x", "\n", false, "call", false],
    ["x", "\n", true, "call", true],
    ["x", "", false, "call", false],
    ["x\ny", "\n", true, "end", false],
    ["x\ny", "\n", true, "call", false],
    ["5", "", false, "end", false],
    ["5", " ", false, "call", false],
    ["5", "\n", false, "end", true],
    ["x</p>", "\n", true, "end", false],
  ];
  for (const [text, space, isEdge, next, isWhole] of cases) {
    const about = JSON.stringify([text, space, isEdge, next]);
    assert.equal(textOf(text, isEdge).isWhole(space, next), isWhole, about);
  }
});

Deno.test("ValueText takes a line at the end for the first of several unless it is the call's first value", () => {
  const later = textOf("x", true, false);
  assert.deepEqual([later.isWhole("\n", "end"), later.isWhole("\n", "call")], [false, true]);
});

Deno.test("ValueText compares a short value with a repetition", () => {
  assert.equal(textOf("x").isRepeatedBy("\nx"), true);
  const long = "x".repeat(65 * 1024);
  assert.equal(textOf(long).isRepeatedBy(long), false);
});

Deno.test("endsWithForeignTag finds a closing tag that nothing in the text opens", () => {
  for (const text of ["x</p>", "x\n</param>\n", "x<|im_end|>"]) {
    assert.equal(endsWithForeignTag(text), true, text);
  }
  for (const text of ["<p>x</p>", "x>", "a < b", "</p> x"]) {
    assert.equal(endsWithForeignTag(text), false, text);
  }
});

Deno.test("lineBreaksIn counts only line breaks", () => {
  assert.deepEqual(["", "\n", "\r\n\n", "\n "].map(lineBreaksIn), [0, 1, 2, undefined]);
});
