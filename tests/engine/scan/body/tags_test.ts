import assert from "node:assert/strict";
import { isTags, OpenTags } from "../../../../src/engine/scan/body/tags.ts";

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

Deno.test("OpenTags counts the tags of a closer's name, with any prefix", () => {
  const cases: [text: string, isOpen: boolean][] = [
    ["", false],
    ["<par", false],
    ["a parameter > b", false],
    ["<x parameter", false],
    ['<parameter name="a">x', true],
    ['<parameter name="a">x</parameter>', false],
    ['<parameter name="a">x</parameter> <parameter', true],
    ["<parameter></ns:parameter>", false],
    ["</ns:parameter> <ns:parameter> <｜x｜parameter", true],
  ];
  for (const [text, isOpen] of cases) {
    assert.equal(new OpenTags().has(text, "\n</parameter>\n</parameter>"), isOpen, text);
  }
  const tags = new OpenTags();
  const growing = [
    "<x:par",
    "<x:parameter",
    "<x:parameter></x:parameter",
    "<x:parameter></x:parameter></parameter> <parameter",
  ];
  assert.deepEqual(growing.map((text) => tags.has(text, "</parameter>")), [false, true, false, false]);
  assert.equal(tags.has(`${growing.at(-1)}> <path>`, "</path>"), true);
  assert.equal(new OpenTags().has("<path>", "</path></path>"), true);
  assert.equal(new OpenTags().has("<", "</>"), false);
});
