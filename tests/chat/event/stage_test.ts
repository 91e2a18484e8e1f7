import assert from "node:assert/strict";
import type { AnswerEvent } from "../../../src/chat/event/event.ts";
import { connect, type Stage } from "../../../src/chat/event/stage.ts";

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
