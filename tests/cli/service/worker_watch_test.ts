import assert from "node:assert/strict";
import type { RequestWatch } from "../../../src/proxy/exchange/watch.ts";
import { type Shown, ShownGatherer, ShownPlayer } from "../../../src/cli/service/worker_watch.ts";
import { requestFacts } from "../../support/request_facts.ts";

const PLACE = { choice: 0, isSent: true };

/** Watches that note what they get. */
function noting() {
  const seen: string[] = [];
  const watch: RequestWatch = {
    observe: (event) => seen.push(event.kind === "arguments" ? `arguments ${event.json}` : event.kind),
    text: (text) => seen.push(`text ${text}`),
    begin: () => seen.push("first"),
    written: (event) => seen.push(event.kind === "text" ? `written ${event.text}` : `written ${event.kind}`),
    sent: ({ tool }) => seen.push(`sent ${tool}`),
    worked: (durationsMs) => seen.push(`worked ${durationsMs}`),
    end: ({ status, error }) => seen.push(`end ${status} ${error}`),
  };
  return { seen, player: new ShownPlayer([(facts) => (seen.push(`begin ${facts.model}`), watch)]) };
}

/** A worker's gatherer, and what it has sent. */
function gathering() {
  const batches: Shown[][] = [];
  const send = (shown: readonly Shown[]) => void batches.push(structuredClone([...shown]));
  return { batches, gatherer: new ShownGatherer({ send, wantsText: () => true }) };
}

Deno.test("what a worker's request shows reaches the watches of the main thread, pieces in a row as one", () => {
  const { seen, player } = noting();
  const { batches, gatherer } = gathering();
  const watch = gatherer.watch(requestFacts({ model: "m" }));
  watch.text?.("a");
  watch.text?.("b");
  watch.worked?.([1]);
  gatherer.flush();
  watch.text?.("c");
  watch.observe({ kind: "arguments", call: 0, json: '{"x"' }, PLACE);
  watch.observe({ kind: "arguments", call: 0, json: ":1}" }, PLACE);
  watch.observe({ kind: "arguments", call: 1, json: "{}" }, PLACE);
  watch.worked?.([2]);
  watch.end({ status: 200, durationMs: 1, addedMs: 1, pieces: 1, usage: () => ({}) });
  gatherer.flush();
  gatherer.flush();
  assert.equal(batches.length, 2);
  for (const batch of batches) player.play(batch);
  assert.deepEqual(seen, [
    "begin m",
    "text ab",
    "worked 1",
    "text c",
    'arguments {"x":1}',
    "arguments {}",
    "worked 2",
    "end 200 undefined",
  ]);
});

Deno.test("the page of workers sees the first token, and what the client gets", () => {
  const { seen, player } = noting();
  const { batches, gatherer } = gathering();
  const watch = gatherer.watch(requestFacts());
  watch.begin?.();
  // Each piece of the model's text is also a piece of the client's.
  for (const text of ["a", "b", "c"]) {
    watch.text?.(text);
    watch.written?.({ kind: "text", text });
  }
  watch.written?.({ kind: "call_start", call: 0, tool: "t", rule: "r", confidence: 1 });
  watch.written?.({ kind: "text", text: "d", call: 0 });
  watch.written?.({ kind: "text", text: "e" });
  gatherer.flush();
  for (const batch of batches) player.play(batch);
  assert.deepEqual(seen, [
    "begin m",
    "first",
    "text abc",
    "written a",
    "written b",
    "written c",
    "written call_start",
    "written d",
    "written e",
  ]);
});

Deno.test("answers of a worker that fails end as errors, once", () => {
  const { seen, player } = noting();
  const gatherer = new ShownGatherer({ send: (shown) => player.play(shown), wantsText: () => false });
  const watch = gatherer.watch(requestFacts({ model: "m" }));
  assert.deepEqual([watch.text, watch.written], [undefined, undefined]);
  gatherer.flush();
  player.breakOff();
  player.breakOff();
  watch.end({ status: 200, durationMs: 1, addedMs: 1, pieces: 1 });
  // What was under way when the worker ended begins nothing that would never end.
  gatherer.watch(requestFacts({ model: "late" }));
  gatherer.flush();
  assert.deepEqual(seen, ["begin m", "end 500 worker_failed"]);
});

Deno.test("a watch that fails keeps nothing from the others", () => {
  const { seen, player } = noting();
  const failing = new ShownPlayer([() => {
    throw new Error("out of order");
  }, (facts) => (seen.push(`other ${facts.model}`), { observe() {}, end: () => seen.push("other end") })]);
  const gatherer = new ShownGatherer({
    send: (shown) => [failing, player].forEach((each) => each.play(shown)),
    wantsText: () => false,
  });
  gatherer.watch(requestFacts({ model: "m" })).end({ status: 200, durationMs: 1, addedMs: 1, pieces: 1 });
  gatherer.flush();
  assert.deepEqual(seen, ["other m", "other end", "begin m", "end 200 undefined"]);
});
