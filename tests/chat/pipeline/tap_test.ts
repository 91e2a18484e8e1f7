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
