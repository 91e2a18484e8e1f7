import type { AnswerEvent } from "../../../src/chat/event/event.ts";
import { Transcript } from "../../../src/chat/event/transcript.ts";
import assert from "node:assert/strict";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { type EventPlace, Tap } from "../../../src/chat/pipeline/tap.ts";

const NOWHERE = { push() {} };

function open() {
  const texts = { transcript: new Transcript(), push() {} };
  const events: [event: ContentEvent, place: EventPlace][] = [];
  const pieces: string[] = [];
  const written: AnswerEvent[] = [];
  const listener = {
    event: (event: ContentEvent, place: EventPlace) => void events.push([event, place]),
    text: (text: string) => void pieces.push(text),
    written: (event: AnswerEvent) => void written.push(event),
  };
  return { tap: new Tap(listener, { choice: 2, texts }), texts, events, pieces, written };
}

function note(start: number, end: number): ContentEvent {
  return { kind: "note", reason: "quoted", rule: "r", start, end };
}

Deno.test("Tap gives a note the text that it cites, and shows the text in pieces", () => {
  const { tap, texts, events, pieces } = open();
  texts.transcript.append("abcdef");
  for (const each of [note(2, 5), note(4, 8), note(0, 0)]) tap.beforeRenderer.push(each, NOWHERE);
  assert.deepEqual(events.map(([_, { source }]) => source), ["cde", undefined, undefined]);
  assert.deepEqual(events[0]?.[1], { choice: 2, isSent: false, source: "cde" });
  for (const text of ["g", "hi"]) tap.texts.push({ kind: "text", text }, NOWHERE);
  assert.deepEqual(pieces, ["g", "hi"]);
});

Deno.test("Tap observes calls, arguments and groups, and passes everything on as it is", () => {
  const { tap, events } = open();
  const all: AnswerEvent[] = [
    { kind: "role", role: "assistant" },
    { kind: "text", text: "a" },
    { kind: "call_start", call: 0, tool: "t", rule: "r", confidence: 1 },
    { kind: "arguments", call: 0, json: "{}" },
    { kind: "call_end", call: 0 },
    note(0, 1),
  ];
  const passed: AnswerEvent[] = [];
  for (const event of all) tap.beforeRenderer.push(event, { push: (each) => void passed.push(each) });
  passed.forEach((event, at) => assert.equal(event, all[at]));
  assert.deepEqual(events.map(([{ kind }]) => kind), ["call_start", "arguments", "call_end", "note"]);
});

Deno.test("Tap takes the renderer's notes and lets nothing of them reach the writer", () => {
  const { tap, events } = open();
  const passed: AnswerEvent[] = [];
  for (const event of [note(0, 1), { kind: "text", text: "a" } as const]) {
    tap.afterRenderer.push(event, { push: (each) => void passed.push(each) });
  }
  assert.deepEqual(passed, [{ kind: "text", text: "a" }]);
  assert.deepEqual(events[0]?.[1], { choice: 2, isSent: true });
});

Deno.test("Tap shows what the renderer writes, without its notes", () => {
  const { tap, written } = open();
  const text: AnswerEvent = { kind: "text", text: "a" };
  for (const event of [text, note(0, 1)]) tap.afterRenderer.push(event, NOWHERE);
  assert.deepEqual(written, [text]);
});

Deno.test("Tap gives the renderer the last word about a call, whenever it refuses it", () => {
  const start = { kind: "call_start", call: 0, tool: "t", rule: "r", confidence: 1 } as const;
  const read: AnswerEvent[] = [
    start,
    { kind: "call_end", call: 0 },
    { kind: "note", reason: "transformed", rule: "r", call: 0, start: 0, end: 5 },
    { kind: "finish", reason: "stop", truncated: false, isAnswered: false },
  ];
  const refusal: AnswerEvent = {
    kind: "note",
    reason: "one_call_only",
    rule: "r",
    call: 0,
    start: 0,
    end: 0,
  };
  for (const at of [0, 1, 2]) {
    const { tap, events } = open();
    const renderer = {
      push: (event: AnswerEvent) => void (event === read[at] && tap.afterRenderer.push(refusal, NOWHERE)),
    };
    for (const event of read) tap.beforeRenderer.push(event, renderer);
    const reasons = events.map(([event]) => event.kind === "note" ? event.reason : event.kind);
    assert.deepEqual(reasons.slice(2), ["transformed", "one_call_only"], String(at));
  }
});
