import assert from "node:assert/strict";
import { Deadline } from "../../../src/proxy/exchange/deadline.ts";
import { Exchange } from "../../../src/proxy/exchange/exchange.ts";
import { passOn } from "../../../src/proxy/exchange/pass_on.ts";
import { upstreamSchema } from "../../../src/proxy/config/schema.ts";
import type { RequestOutcome } from "../../../src/proxy/exchange/watch.ts";
import { bracketService, testConfig } from "../../support/proxy.ts";
import { requestFacts } from "../../support/request_facts.ts";

const upstream = upstreamSchema.parse({ name: "local", url: "http://127.0.0.1/v1" });
const service = bracketService(testConfig("http://127.0.0.1/v1"));
const FACTS = requestFacts({ client: undefined, conversation: "", isStreamed: false, toolCount: 0 });

function watched() {
  const ends: RequestOutcome[] = [];
  const watch = () => ({ observe() {}, end: (outcome: RequestOutcome) => void ends.push(outcome) });
  return { ends, exchange: new Exchange(FACTS, { watches: [watch] }) };
}

function pass(response: Response, why?: string) {
  const { ends, exchange } = watched();
  const deadline = new Deadline();
  return { ends, passed: passOn({ response, deadline }, { exchange, upstream, service }, why) };
}

Deno.test("passOn tells an error status, an unreadable answer, a broken one, and a client that leaves", async () => {
  const broken = () => new ReadableStream({ pull: (controller) => controller.error(new Error("broken")) });
  const table: [Response, string | undefined, string, message?: string][] = [
    [new Response("no", { status: 429 }), undefined, "upstream_status", "no"],
    [
      new Response(null, { status: 404 }),
      undefined,
      "upstream_status",
      "The model server answered 404 without an error text",
    ],
    [new Response("<html>"), "unreadable_type", "unreadable_type"],
    [new Response(broken()), undefined, "upstream_broke_off"],
  ];
  for (const [response, why, error, message] of table) {
    const { ends, passed } = pass(response, why);
    await passed.text().catch(() => {});
    assert.deepEqual(ends.map((end) => [end.status, end.error, end.message]), [[
      response.status,
      error,
      message,
    ]]);
  }
  const { ends, passed } = pass(new Response("hello"));
  await passed.body?.cancel();
  assert.equal(ends[0]?.error, "client_left");
});
