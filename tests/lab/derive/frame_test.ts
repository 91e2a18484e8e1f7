import assert from "node:assert/strict";
import {
  atBoundaryEnd,
  atBoundaryStart,
  commonPrefix,
  commonSuffix,
  frameOf,
  MASK,
} from "../../../src/lab/derive/frame.ts";

const NAME = MASK.name;

Deno.test("frameOf tells a wrapper from what is around each call", () => {
  const frame = frameOf([{
    head: `<calls>\n<call name="${NAME}">`,
    betweens: [`</call>\n<call name="${NAME}">`],
    tail: "</call>\n</calls>",
  }]);
  assert.deepEqual([frame.wrapperOpener, frame.opener, frame.closer, frame.wrapperCloser], [
    "<calls>",
    `<call name="${NAME}">`,
    "</call>",
    "</calls>",
  ]);
});

Deno.test("frameOf takes a balanced outer pair for a wrapper that may be missing", () => {
  const frame = frameOf([{ head: `<tool>\n<do=${NAME}>`, betweens: [], tail: "</do>\n</tool>" }]);
  assert.deepEqual([frame.wrapperOpener, frame.opener], ["<tool>", `<do=${NAME}>`]);
  assert.deepEqual([frame.closer, frame.wrapperCloser], ["</do>", "</tool>"]);
});

Deno.test("frameOf reads a list of calls as one body", () => {
  const frame = frameOf([{ head: "[CALLS][", betweens: [", "], tail: "]" }]);
  assert.deepEqual([frame.opener, frame.closer, frame.isList], ["[CALLS]", "", true]);
});

Deno.test("common ends do not cut a tag in half", () => {
  assert.equal(atBoundaryEnd(commonPrefix(["</a>\n<b>", "</a>\n<c>"])), "</a>\n");
  assert.equal(atBoundaryStart(commonSuffix(["<x>\n<b ", "</y>\n<b "])), "\n<b ");
});
