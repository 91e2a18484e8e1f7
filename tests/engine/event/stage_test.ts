import assert from "node:assert/strict";
import { collect, isContent, type Stage, textAnswer } from "../../../src/engine/event/stage.ts";

function marking(mark: string): Stage {
  return {
    push(event, out) {
      out.push(event.kind === "text" ? { kind: "text", text: event.text + mark } : event);
    },
  };
}

Deno.test("collect gives text and calls, nothing else", () => {
  const events = collect(marking("!"), [
    { kind: "reasoning", text: "r" },
    { kind: "text", text: "a" },
    { kind: "text_end", truncated: false, isAnswered: false },
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
