import assert from "node:assert/strict";
import { Deadline, watchReads } from "../../../src/proxy/exchange/deadline.ts";

const LATE = { status: 504, type: "timeout", code: "late", message: "late" };
const LATER = { ...LATE, code: "later" };

function aborted(deadline: Deadline): Promise<void> {
  return new Promise((resolve) => deadline.signal.addEventListener("abort", () => resolve()));
}

Deno.test("Deadline measures the last wait that began, with one timer for all", async () => {
  const deadline = new Deadline();
  deadline.begin(5, LATE);
  deadline.pause();
  deadline.begin(20, LATER);
  await aborted(deadline);
  assert.equal(deadline.error, LATER);
});

Deno.test("Deadline leaves no timer behind when it is stopped", () => {
  const deadline = new Deadline();
  deadline.begin(60_000, LATE);
  deadline.pause();
  deadline.stop();
  assert.equal(deadline.error, undefined);
});

Deno.test("watchReads gives the first read its own limit", async () => {
  const deadline = new Deadline();
  const begin = watchReads(deadline, { firstMs: 60_000, silenceMs: 1, slow: LATE, silent: LATER });
  begin();
  deadline.pause();
  begin();
  await aborted(deadline);
  assert.equal(deadline.error, LATER);
});
