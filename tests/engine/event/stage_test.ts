import assert from "node:assert/strict";
import type { AnswerEvent } from "../../../src/engine/event/event.ts";
import { collect, connect, isContent, type Stage, textAnswer } from "../../../src/engine/event/stage.ts";

function marking(mark: string): Stage {
  return {
    push(event, out) {
      out.push(event.kind === "text" ? { kind: "text", text: event.text + mark } : event);
    },
  };
}

Deno.test("connect passes events through the stages in order", () => {
  const seen: AnswerEvent[] = [];
  const sink = connect([marking("1"), marking("2")], { push: (event) => seen.push(event) });
  const role = { kind: "role", role: "assistant" } as const;
  sink.push({ kind: "text", text: "a" });
  sink.push(role);
  assert.deepEqual(seen[0], { kind: "text", text: "a12" });
  assert.equal(seen[1], role);
});

Deno.test("connect without stages is the sink itself", () => {
  const sink = { push() {} };
  assert.equal(connect([], sink), sink);
});

Deno.test("collect gives text and calls, nothing else", () => {
  const events = collect(marking("!"), [
    { kind: "role", role: "assistant" },
    { kind: "text", text: "a" },
    { kind: "finish", reason: "stop", truncated: false, isAnswered: false },
  ]);
  assert.deepEqual(events, [{ kind: "text", text: "a!" }]);
});

Deno.test("textAnswer leaves empty pieces out and ends the text", () => {
  const events = [...textAnswer(["a", "", "b"], { truncated: true })];
  assert.deepEqual(events, [
    { kind: "text", text: "a" },
    { kind: "text", text: "b" },
    { kind: "text_end", truncated: true, isAnswered: false },
  ]);
  assert.deepEqual(events.filter(isContent).length, 2);
});
