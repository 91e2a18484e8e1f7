import assert from "node:assert/strict";
import { ClosingTail } from "../../../src/engine/scan/closing_tail.ts";

Deno.test("ClosingTail finds the closers at the end of a call", () => {
  const cases: [text: string, closers: string][] = [
    ["<p=a>x</p></f>", "</p></f>"],
    ['{"a":"b"}}</c>', '"}}</c>'],
    ["<|begin|>x<|end|>", "<|end|>"],
  ];
  for (const [text, closers] of cases) {
    const tail = new ClosingTail();
    for (let at = 0; at < text.length; at++) tail.push(text.charCodeAt(at));
    assert.deepEqual([tail.text, tail.start, tail.length], [
      closers,
      text.length - closers.length,
      text.length,
    ], text);
  }
});
