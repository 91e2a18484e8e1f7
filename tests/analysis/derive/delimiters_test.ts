import assert from "node:assert/strict";
import {
  atBoundaryEnd,
  atBoundaryStart,
  commonPrefix,
  commonSuffix,
  delimitersOf,
  MASK,
} from "../../../src/analysis/derive/delimiters.ts";

const NAME = MASK.name;

Deno.test("delimitersOf tells a wrapper from what is around each call", () => {
  const delimiters = delimitersOf([{
    head: `<calls>\n<call name="${NAME}">`,
    betweens: [`</call>\n<call name="${NAME}">`],
    tail: "</call>\n</calls>",
  }]);
  assert.deepEqual(
    [delimiters.wrapperOpener, delimiters.opener, delimiters.closer, delimiters.wrapperCloser],
    ["<calls>", `<call name="${NAME}">`, "</call>", "</calls>"],
  );
});

Deno.test("delimitersOf takes a balanced outer pair for a wrapper that may be missing", () => {
  const delimiters = delimitersOf([{ head: `<tool>\n<do=${NAME}>`, betweens: [], tail: "</do>\n</tool>" }]);
  assert.deepEqual([delimiters.wrapperOpener, delimiters.opener], ["<tool>", `<do=${NAME}>`]);
  assert.deepEqual([delimiters.closer, delimiters.wrapperCloser], ["</do>", "</tool>"]);
});

Deno.test("delimitersOf reads a list of calls as one body", () => {
  const delimiters = delimitersOf([{ head: "[CALLS][", betweens: [", "], tail: "]" }]);
  assert.deepEqual([delimiters.opener, delimiters.closer, delimiters.isList], ["[CALLS]", "", true]);
});

Deno.test("common ends do not cut a tag in half", () => {
  assert.equal(atBoundaryEnd(commonPrefix(["</a>\n<b>", "</a>\n<c>"])), "</a>\n");
  assert.equal(atBoundaryStart(commonSuffix(["<x>\n<b ", "</y>\n<b "])), "\n<b ");
});
