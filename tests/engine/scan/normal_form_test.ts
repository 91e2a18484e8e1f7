import assert from "node:assert/strict";
import { GAP, NormalForm } from "../../../src/engine/scan/normal_form.ts";
import { piecesOf } from "../../support/cuts.ts";

/** The normal form of a text that arrives in pieces; `gaps` shows dropped whitespace as `_` and line ends as `/`. */
function normalForm(pieces: readonly string[], gaps = false): string {
  let form = "";
  const normal = new NormalForm({
    unit: (unit) => form += String.fromCharCode(unit),
    gap: (gap) => gaps && (form += gap === GAP.line ? "/" : "_"),
  });
  for (const piece of pieces) normal.feed(piece);
  normal.end();
  return form;
}

const CASES: readonly [what: string, text: string, form: string][] = [
  ["whitespace goes", " a \t b\u00a0c\u200bd\ufeffe\r\n\r\n f ", "abcdef"],
  ["entities are decoded", "&lt;a&gt; &#60;b&#x3E; &quot;&apos;&amp;", "<a><b>\"'&"],
  ["entities are decoded twice", "&amp;lt;a&amp;amp;gt;", "<a>"],
  [
    "what is not an entity stays",
    "a && b &c; &toolongforanentity; &#xzz; &l",
    "a&&b&c;&toolongforanentity;&#xzz;&l",
  ],
  ["JSON escapes are decoded", 'a\\"b\\\\\\"c\\/d\\u003ce\\x3ef', 'a"b"c/d<e>f'],
  ["an escaped entity is decoded", "\\u0026lt;a", "<a"],
  ["escaped whitespace goes", "a\\nb\\\\nc\\r\\n\\td", "abcd"],
  ["half an escape stays", "\\u00g \\u0 \\", "u00gu0"],
  ["line numbers go", "  1 | a\n 12→b\n3:c\n4\td\n5. e\n6) f\n7-<g>\n8 h", "abcdef<g>h"],
  ["an empty numbered line is empty", "1 | a\n2 |\n3\t\n4 | b", "ab"],
  ["a number on its own line is a value", "<a>\n10\n</a>\n 3.14\n20 \n", "<a>10</a>3.1420"],
  ["a numbered number keeps its value", "5\t10\n6 | 7\n", "107"],
  ["a number in a line stays", "a 1 | b\nx10", "a1|bx10"],
  ["a slash that begins a path, and bars in a line, stay", "/etc | x\n/ y |\n| z | q", "/etc|x/yz|q"],
  ["diffs, quotations and lists lose their marks", "+ a\n-b\n> > c\n| d\n * e\n// f\n# g", "abcdefg"],
  ["a text may begin in the middle of a line", ">\n>a", ">a"],
  ["numbers and marks go together", "12 + a\n> 3 | b", "ab"],
];

for (const [what, text, form] of CASES) {
  Deno.test(`NormalForm: ${what}`, () => {
    for (const pieces of [[text], [...text], piecesOf(text, [2, 3])]) assert.equal(normalForm(pieces), form);
  });
}

Deno.test("NormalForm reports whitespace and line ends", () => {
  assert.equal(normalForm(["a b\n  c\\nd"], true), "a_b/c/d");
});

Deno.test("NormalForm of every notation is the normal form of the text", () => {
  const text =
    "<tool_call>\n<function=f>\n<parameter=path>\na b\n</parameter>\n\n- item\n</function>\n</tool_call>";
  const lines = text.split("\n");
  const disguises = [
    text.replaceAll("\n", "\r\n"),
    JSON.stringify(text).slice(1, -1),
    JSON.stringify(JSON.stringify(text)).slice(3, -3),
    lines.map((line, at) => `${at + 1} | ${line}`).join("\n"),
    lines.map((line) => `+ ${line}`).join("\n"),
    text.replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    lines.map((line) => `   > ${line}  `).join("\n\n"),
  ];
  for (const disguise of disguises) assert.equal(normalForm([disguise]), normalForm([text]), disguise);
});
