import assert from "node:assert/strict";
import { endTurn, Turns } from "../../../src/proxy/exchange/turns.ts";
import type { Work } from "../../../src/chat/pipeline/work.ts";

function* pausing(turns: Turns, seen: string[], pauses = 1): Work<string> {
  if (pauses === 0) return "done";
  while (!turns.isPauseDue);
  seen.push("first turn");
  yield;
  assert.equal(turns.isPauseDue, false);
  seen.push("second turn");
  return "done";
}

Deno.test("endTurn lets others run only after a long piece of work", async () => {
  const seen: string[] = [];
  const other = new Promise((resolve) => setTimeout(resolve, 0)).then(() => seen.push("another request"));
  await endTurn(performance.now() + 1000);
  seen.push("after short work");
  await endTurn(performance.now() - 1000);
  seen.push("after long work");
  await other;
  assert.deepEqual(seen, ["after short work", "another request", "after long work"]);
});

Deno.test("Turns does short work at once, and the rest of long work in later turns", async () => {
  const turns = new Turns();
  assert.deepEqual(turns.step(pausing(turns, [], 0)), { done: true, value: "done" });
  const seen: string[] = [];
  const long = pausing(turns, seen);
  assert.equal(turns.step(long).done, false);
  assert.equal(await turns.finish(long), "done");
  assert.deepEqual(seen, ["first turn", "second turn"]);
});
