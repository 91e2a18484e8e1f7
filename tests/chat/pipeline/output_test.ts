import assert from "node:assert/strict";
import { Output } from "../../../src/chat/pipeline/output.ts";

Deno.test("Output is the text itself while nothing is replaced", () => {
  assert.equal(new Output("abc").end(3), undefined);
  assert.equal(new Output("abc").end(2), "ab");
  assert.equal(new Output("").end(0), undefined);
});

Deno.test("Output keeps what stands between the replaced stretches", () => {
  const output = new Output("one two three");
  output.replace({ from: 4, to: 7, by: "2" });
  output.replace({ from: 7, to: 7, by: "!" });
  assert.equal(output.end(13), "one 2! three");
});
