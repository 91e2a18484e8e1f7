import assert from "node:assert/strict";
import { HeldMessages } from "../../../src/chat/pipeline/held_messages.ts";

const message = (length: number) => ({ message: { data: "", raw: "x".repeat(length) } });

Deno.test("HeldMessages gives its messages in order, once", () => {
  const held = new HeldMessages();
  assert.equal(held.isEmpty, true);
  assert.equal(held.add(message(1)), true);
  assert.equal(held.add(message(2)), true);
  assert.equal(held.isEmpty, false);
  assert.deepEqual(held.take().map(({ message }) => message.raw), ["x", "xx"]);
  assert.deepEqual([held.isEmpty, held.take()], [true, []]);
});

Deno.test("HeldMessages reports when its messages are too long", () => {
  const held = new HeldMessages();
  assert.equal(held.add(message(60_000)), true);
  assert.equal(held.add(message(6_000)), false);
  held.take();
  assert.equal(held.add(message(60_000)), true);
});
