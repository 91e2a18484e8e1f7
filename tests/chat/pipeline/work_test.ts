import assert from "node:assert/strict";
import { finish, type Work } from "../../../src/chat/pipeline/work.ts";

Deno.test("finish does work to its end, however often it pauses", () => {
  let pauses = 0;
  function* work(): Work<string> {
    for (; pauses < 3; pauses++) yield;
    return "done";
  }
  assert.deepEqual([finish(work()), pauses], ["done", 3]);
});
