import type { Stage } from "../../../src/chat/event/stage.ts";
import assert from "node:assert/strict";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { createChoice } from "../../../src/chat/pipeline/pipeline.ts";
import { finish } from "../../../src/chat/pipeline/work.ts";
import { ToolCallRenderer } from "../../../src/chat/render/tool_calls.ts";
import { BracketSource } from "../../support/bracket_source.ts";

/** Marks every text that passes. */
const marking = (mark: string): Stage => ({
  push: (event, out) => out.push(event.kind === "text" ? { ...event, text: event.text + mark } : event),
});

Deno.test("createChoice puts the plugins after the matcher and before the renderer, and the tap around them", () => {
  const heard: string[] = [];
  const rendered: string[] = [];
  const renderer = new ToolCallRenderer(() => "call_1");
  const choice = createChoice({
    createMatcher: () => new BracketSource(),
    createPlugins: () => marking("!"),
    createRenderer: () => ({
      isFinished: false,
      push(event, out) {
        rendered.push(event.kind === "text" ? event.text : event.kind);
        renderer.push(event, out);
      },
    }),
    listener: {
      event: ({ kind }: ContentEvent) => void heard.push(kind),
      text: (text) => void heard.push(text),
    },
  }, 0);
  const input = { role: "assistant", text: "a[[t {}]]", reason: "stop" };
  const outcome = finish(choice.take(input, choice.readCalls(input)));
  assert.deepEqual(heard, ["a[[t {}]]", "call_start", "arguments", "call_end"]);
  assert.deepEqual(rendered, ["role", "a!", "call_start", "arguments", "call_end", "finish"]);
  assert.deepEqual([outcome?.deltas[0], outcome?.finishReason], [{ content: "a!" }, "tool_calls"]);
});
