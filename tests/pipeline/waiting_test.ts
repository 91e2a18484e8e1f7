import assert from "node:assert/strict";
import { WaitingMessages } from "../../src/pipeline/waiting.ts";

const message = (length: number) => ({ message: { data: "", raw: "x".repeat(length) } });

Deno.test("WaitingMessages gives its messages in order, once", () => {
  const waiting = new WaitingMessages();
  assert.equal(waiting.isEmpty, true);
  assert.equal(waiting.add(message(1)), true);
  assert.equal(waiting.add(message(2)), true);
  assert.equal(waiting.isEmpty, false);
  assert.deepEqual(waiting.take().map(({ message }) => message.raw), ["x", "xx"]);
  assert.deepEqual([waiting.isEmpty, waiting.take()], [true, []]);
});

Deno.test("WaitingMessages counts what waits, and reports when it is too much", () => {
  const waiting = new WaitingMessages();
  assert.equal(waiting.add(message(60_000)), true);
  assert.equal(waiting.add(message(6_000)), false);
  waiting.take();
  assert.equal(waiting.add(message(60_000)), true);
});
