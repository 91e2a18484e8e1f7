import assert from "node:assert/strict";
import { Transcript } from "../../../src/chat/event/transcript.ts";

Deno.test("Transcript cites what it keeps, by the offsets of the whole text", () => {
  const transcript = new Transcript();
  transcript.append("a".repeat(2000));
  transcript.keepFrom(() => 1998);
  for (const text of ["def", "ghi"]) transcript.append(text);
  assert.equal(transcript.cite(1999, 2004), "adefg");
  for (const [start, end] of [[1997, 2004], [1999, 2008], [2000, 2000]] as const) {
    assert.equal(transcript.cite(start, end), undefined);
  }
  assert.equal(transcript.beginning(3), undefined);
});

Deno.test("Transcript gives the beginning of a text that something can still cite", () => {
  const transcript = new Transcript();
  transcript.append("abc".repeat(1000));
  transcript.keepFrom(() => 0);
  assert.equal(transcript.beginning(4), "abca");
});

Deno.test("Transcript keeps a short text whole, and nothing of one beyond its limit", () => {
  const transcript = new Transcript();
  transcript.append("abc");
  transcript.keepFrom(() => 3);
  assert.equal(transcript.cite(0, 3), "abc");
  transcript.append("x".repeat(4 * 1024 * 1024));
  transcript.keepFrom(() => 0);
  assert.equal(transcript.cite(0, 3), undefined);
  transcript.append("yz");
  assert.equal(transcript.cite(4 * 1024 * 1024 + 3, 4 * 1024 * 1024 + 5), "yz");
});
