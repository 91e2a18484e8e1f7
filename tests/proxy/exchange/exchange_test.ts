import type { AnswerEvent } from "../../../src/chat/event/event.ts";
import assert from "node:assert/strict";
import { Exchange } from "../../../src/proxy/exchange/exchange.ts";
import type { RequestOutcome, RequestWatch } from "../../../src/proxy/exchange/watch.ts";
import { requestFacts } from "../../support/request_facts.ts";

const TEXT: AnswerEvent = { kind: "text", text: "a" };
const nothing = { observe() {}, end() {} };

Deno.test("Exchange tells watches once that an answer begins, and when that was", () => {
  let begun = 0;
  const outcomes: RequestOutcome[] = [];
  const watch: RequestWatch = {
    ...nothing,
    begin: () => void begun++,
    end: (outcome) => void outcomes.push(outcome),
  };
  const exchange = new Exchange(requestFacts(), { watches: [() => watch] });
  for (let time = 0; time < 3; time++) exchange.begin();
  for (let time = 0; time < 2; time++) exchange.end({ status: 200 });
  assert.equal(begun, 1);
  assert.equal(outcomes.length, 1);
  assert.ok(outcomes[0]!.firstMs !== undefined && outcomes[0]!.firstMs <= outcomes[0]!.durationMs);
});

Deno.test("Exchange passes texts and what the client gets on only to those who want it, of a single choice", () => {
  const seen: unknown[] = [];
  const wanting: RequestWatch = {
    ...nothing,
    text: (text) => void seen.push(text),
    written: (event) => void seen.push(event),
  };
  const several = requestFacts({ chat: { messages: [], n: 2 } });
  for (
    const exchange of [
      new Exchange(requestFacts(), { watches: [() => nothing] }),
      new Exchange(several, { watches: [() => wanting] }),
    ]
  ) assert.deepEqual([exchange.text, exchange.written], [undefined, undefined]);
  const fail = () => assert.fail("a watch fails");
  const failing: RequestWatch = { ...nothing, text: fail, written: fail };
  const listener = new Exchange(requestFacts(), { watches: [() => failing, () => nothing, () => wanting] })
    .listener(undefined);
  listener?.text?.("a", 0);
  listener?.written?.(TEXT);
  assert.deepEqual(seen, ["a", TEXT]);
});

Deno.test("Exchange tells watches how long each piece took, of many pieces at once", () => {
  const told: (number | "end")[] = [];
  const exchange = new Exchange(requestFacts(), {
    watches: [() => ({
      observe() {},
      worked: (durationsMs) => void told.push(durationsMs.length),
      end: () => void told.push("end"),
    })],
  });
  for (let piece = 0; piece < 150; piece++) exchange.worked(piece);
  exchange.end({ status: 200 });
  assert.deepEqual(told, [64, 64, 22, "end"]);
});

Deno.test("Exchange joins arguments that follow each other, and passes them on before anything else", () => {
  const seen: unknown[] = [];
  const watch: RequestWatch = {
    observe: (event, { choice }) => void seen.push([choice, event]),
    sent: ({ tool }) => void seen.push(tool),
    end: () => void seen.push("end"),
  };
  const exchange = new Exchange(requestFacts(), { watches: [() => watch] });
  const give = (call: number, json: string, choice = 0) =>
    exchange.event({ kind: "arguments", call, json }, { choice, isSent: false });
  for (const json of ["{", '"a":1', "}"]) give(0, json);
  exchange.event({ kind: "call_end", call: 0 }, { choice: 0, isSent: false });
  give(1, "{");
  exchange.sent({ kind: "call_start", call: 2, tool: "t", rule: "r", confidence: 1 });
  give(1, "}");
  give(2, "[");
  give(2, "]", 1);
  exchange.end({ status: 200 });
  const joined = (choice: number, call: number, json: string) => [choice, { kind: "arguments", call, json }];
  assert.deepEqual(seen, [
    joined(0, 0, '{"a":1}'),
    [0, { kind: "call_end", call: 0 }],
    joined(0, 1, "{"),
    "t",
    joined(0, 1, "}"),
    joined(0, 2, "["),
    joined(1, 2, "]"),
    "end",
  ]);
});

Deno.test("Exchange passes on what a watch throws, and the other watches see everything", () => {
  const seen: string[] = [];
  const fail = () => {
    throw new Error("a watch fails");
  };
  const failing: RequestWatch = { observe: fail, begin: fail, sent: fail, worked: fail, end: fail };
  const watching: RequestWatch = {
    observe: () => void seen.push("observe"),
    end: () => void seen.push("end"),
  };
  const thrown: unknown[] = [];
  const exchange = new Exchange(requestFacts(), {
    watches: [fail, () => failing, () => watching],
    failed: (cause) => void thrown.push(cause),
  });
  exchange.begin();
  exchange.event({ kind: "text", text: "a" }, { choice: 0, isSent: true });
  exchange.worked(1);
  exchange.end({ status: 200 });
  assert.deepEqual(seen, ["observe", "end"]);
  assert.deepEqual(thrown.map(String), Array.from({ length: 5 }, () => "Error: a watch fails"));
});
