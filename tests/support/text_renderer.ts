/**
 * Drives a text renderer.
 *
 * @module
 */
import type { AnswerEvent } from "../../src/chat/event/event.ts";
import type { NoteEvent } from "../../src/engine/event/event.ts";
import { collect } from "../../src/engine/event/stage.ts";
import { type TextOptions, TextRenderer } from "../../src/chat/render/text.ts";
import { shippedClient } from "./client_files.ts";
import { textOf } from "./matcher_events.ts";

export function textRenderer(
  options: Partial<TextOptions> = {},
): { renderer: TextRenderer; notes: NoteEvent[] } {
  const notes: NoteEvent[] = [];
  const renderer = new TextRenderer({ client: shippedClient("roo"), ...options });
  const push = renderer.push.bind(renderer);
  renderer.push = (event, out) =>
    push(event, {
      push(each) {
        if (each.kind === "note") notes.push(each);
        else out.push(each);
      },
    });
  return { renderer, notes };
}

/** The text that comes out of events. */
export function render(renderer: TextRenderer, events: readonly AnswerEvent[]): string {
  return textOf(collect(renderer, events));
}

/** The end of a choice: the rest of the text, and the reason. */
export function finish(
  renderer: TextRenderer,
  reason: string | null,
): { text: string; reason: string | null } {
  let text = "";
  let told: string | null = null;
  renderer.push({ kind: "finish", reason, truncated: false, isAnswered: false }, {
    push(event) {
      if (event.kind === "text") text += event.text;
      if (event.kind === "finish") told = event.reason;
    },
  });
  return { text, reason: told };
}
