import assert from "node:assert/strict";
import { EngineClient, type EngineWorker } from "../../../../src/admin/page/playground/engine_client.ts";
import type { FromWorker, ToWorker } from "../../../../src/admin/page/playground/protocol.ts";

function start() {
  const sent: ToWorker[] = [];
  const worker: EngineWorker = {
    onmessage: null,
    onerror: null,
    postMessage: (message) => void sent.push(message),
    terminate() {},
  };
  const reply = (data: FromWorker) => worker.onmessage?.({ data } as MessageEvent<FromWorker>);
  return { worker, sent, reply, client: new EngineClient(worker) };
}

const ANSWER = { results: [], isReadable: true };

Deno.test("EngineClient asks once after several changes", async () => {
  const { client, sent } = start();
  const first = () => assert.fail("the newer question replaces it");
  client.ask("check", { rule: "a" }, first);
  client.ask("check", { rule: "b" }, first);
  await new Promise<void>((resolve) => {
    const look = () => sent.length > 0 ? resolve() : void setTimeout(look, 5);
    look();
  });
  assert.deepEqual(sent, [{ kind: "check", id: 1, question: { rule: "b" } }]);
  client.close();
});

Deno.test("EngineClient gives the reason if the engine fails or can't be loaded", async () => {
  const { client, reply, worker } = start();
  const failed = client.answer("open", { text: "" });
  reply({ kind: "failed", id: 1, message: "broken" });
  await assert.rejects(failed, /^Error: broken$/);
  const lost = client.answer("open", { text: "" });
  worker.onerror?.({ message: "" } as ErrorEvent);
  await assert.rejects(lost, /it can't be loaded/);
});

Deno.test("EngineClient gives the reason to each later question of an engine that can't be loaded", async () => {
  const { client, worker, reply } = start();
  worker.onerror?.({ message: "" } as ErrorEvent);
  await assert.rejects(client.answer("open", { text: "" }), /it can't be loaded/);
  client.askNow("examples", { rule: "a" }, () => {});
  reply({ kind: "examples", id: 2, answer: ANSWER });
  const answered = client.answer("examples", { rule: "b" });
  reply({ kind: "examples", id: 3, answer: ANSWER });
  assert.equal(await answered, ANSWER);
});
