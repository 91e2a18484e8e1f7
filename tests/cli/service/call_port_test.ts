import assert from "node:assert/strict";
import { CallPort } from "../../../src/cli/service/call_port.ts";

/** Two ends of a line. */
function line() {
  const { port1, port2 } = new MessageChannel();
  port1.start();
  port2.start();
  return { one: port1, other: port2, [Symbol.dispose]: () => (port1.close(), port2.close()) };
}

Deno.test("CallPort calls functions of the other side and passes errors on", async () => {
  using ends = line();
  const theirs = {
    add: (one: number, other: number) => Promise.resolve(one + other),
    fail(): void {
      throw new Error("out of order");
    },
  };
  new CallPort(ends.other, theirs);
  const port = new CallPort<typeof theirs & { missing(): void }>(ends.one, {});
  assert.deepEqual(await Promise.all([port.call("add", 1, 2), port.call("add", 3, 4)]), [3, 7]);
  await assert.rejects(port.call("fail"), /out of order/);
  await assert.rejects(port.call("missing"), /No function missing/);
  const waiting = port.call("add", 1, 2);
  port.fail(new Error("gone"));
  await assert.rejects(waiting, /gone/);
  await assert.rejects(port.call("add", 1, 2), /gone/);
});
