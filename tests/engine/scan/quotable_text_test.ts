import assert from "node:assert/strict";
import { QUOTABLE_MAXIMUM, QuotableText } from "../../../src/engine/scan/quotable_text.ts";

Deno.test("QuotableText joins the normal forms of messages and records their ends", () => {
  const quotable = new QuotableText(["a b", "c"]);
  assert.equal(quotable.text, "abc");
  assert.equal(quotable.gapBefore(1), 1);
  assert.deepEqual([quotable.nextMessageEnd(1), quotable.messageEnd(2), quotable.messageEnd(1)], [2, 2, -1]);
});

Deno.test("QuotableText adds a message again without its line marks", () => {
  assert.equal(new QuotableText(["a:1:<x>\na:2:y"]).text, "a:1:<x>a:2:y<x>y");
});

Deno.test("QuotableText keeps the newest text within its limit", () => {
  assert.equal(new QuotableText(["a", "b".repeat(QUOTABLE_MAXIMUM)]).text.length, QUOTABLE_MAXIMUM);
});
