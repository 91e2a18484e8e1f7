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

Deno.test("OpenTags counts the tags of a closer's name while a text grows", () => {
  const tags = new OpenTags();
  const cases: [text: string, isOpen: boolean][] = [
    ["", false],
    ["<par", false],
    ['<parameter name="a">x', true],
    ['<parameter name="a">x</parameter>', false],
    ['<parameter name="a">x</parameter> <parameter', true],
    ['<parameter name="a">x</parameter> <parameter></ns:parameter>', false],
    ['<parameter name="a">x</parameter> <parameter></ns:parameter><ns:parameter>', true],
    [
      '<parameter name="a">x</parameter> <parameter></ns:parameter><ns:parameter></parameter><x parameter',
      false,
    ],
  ];
  for (const [text, isOpen] of cases) {
    assert.equal(tags.has(text, "\n</parameter>\n</parameter>"), isOpen, text);
  }
  assert.equal(tags.has("<path>", "</path></path>"), true);
  assert.equal(tags.has("[path]", "[/path]"), false);
});
