import assert from "node:assert/strict";
import type { Engine } from "../../../../src/admin/page/playground/engine.ts";
import type { FromWorker } from "../../../../src/admin/page/playground/protocol.ts";
import { type Asked, Queue } from "../../../../src/admin/page/playground/queue.ts";

/** A queue with an engine of three steps a question, run by hand. */
function start() {
  const sent: FromWorker[] = [];
  const begun: unknown[] = [];
  let waiting: (() => void) | undefined;
  const queue = new Queue({
    send: (message) => void sent.push(message),
    later: (step) => void (waiting = step),
  });
  const engine = {
    *begin(kind: string, question: unknown) {
      begun.push(question);
      yield;
      yield;
      if (kind === "check") throw new Error("broken");
      return { results: [], isReadable: true };
    },
  };
  const step = () => {
    const next = waiting;
    waiting = undefined;
    next?.();
    return next !== undefined;
  };
  return { queue, engine: engine as unknown as Engine, sent, begun, step };
}

function question(id: number, kind: "examples" | "check" = "examples"): Asked {
  return { kind, id, question: { rule: `${id}` } };
}

Deno.test("Queue waits for a setup and answers in steps", () => {
  const { queue, engine, sent, step } = start();
  queue.add(question(1));
  assert.equal(step(), false);
  queue.use(engine);
  while (step());
  assert.deepEqual(sent.map(({ kind, id }) => [kind, id]), [["examples", 1]]);
});

Deno.test("Queue answers only the newest question of a kind", () => {
  const { queue, engine, sent, begun, step } = start();
  queue.use(engine);
  queue.add(question(1));
  step();
  queue.add(question(2));
  queue.add(question(3));
  while (step());
  assert.deepEqual(begun, [{ rule: "1" }, { rule: "3" }]);
  assert.deepEqual(sent.map(({ id }) => id), [3]);
});

Deno.test("Queue answers short questions first and goes on after a failure", () => {
  const { queue, engine, sent, step } = start();
  queue.use(engine);
  queue.add(question(1));
  queue.add(question(2, "check"));
  while (step());
  assert.deepEqual(sent.map(({ kind, id }) => [kind, id]), [["failed", 2], ["examples", 1]]);
});
