import assert from "node:assert/strict";
import type { AnswerEvent } from "../../src/event/event.ts";
import { Exchange } from "../../src/http/exchange.ts";
import type { RequestOutcome, RequestWatch } from "../../src/http/watch.ts";
import { requestFacts } from "../support/request_facts.ts";

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

Deno.test("Exchange passes on what the client gets only to those who want it, of a single choice", () => {
  const written: AnswerEvent[] = [];
  const wanting: RequestWatch = { ...nothing, written: (event) => void written.push(event) };
  assert.equal(new Exchange(requestFacts(), { watches: [() => nothing] }).written, undefined);
  const several = requestFacts({ chat: { messages: [], n: 2 } });
  assert.equal(new Exchange(several, { watches: [() => wanting] }).written, undefined);
  const failing: RequestWatch = { ...nothing, written: () => assert.fail("a watch fails") };
  const exchange = new Exchange(requestFacts(), { watches: [() => failing, () => nothing, () => wanting] });
  exchange.listener(undefined)?.written?.(TEXT);
  assert.deepEqual(written, [TEXT]);
});

Deno.test("Exchange passes on the model's text only to those who want it, of a single choice", () => {
  const texts: string[] = [];
  const wanting: RequestWatch = { ...nothing, text: (text) => void texts.push(text) };
  assert.equal(new Exchange(requestFacts(), { watches: [() => nothing] }).text, undefined);
  const several = requestFacts({ chat: { messages: [], n: 2 } });
  assert.equal(new Exchange(several, { watches: [() => wanting] }).text, undefined);
  new Exchange(requestFacts(), { watches: [() => nothing, () => wanting] }).listener(undefined)?.text?.(
    "a",
    0,
  );
  assert.deepEqual(texts, ["a"]);
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
