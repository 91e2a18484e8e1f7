/**
 * The contract of everything that puts calls into a client's form. A renderer is the last stage of one choice: call
 * events that its client can execute come out, or the text that its client executes. Notes end here; a renderer's
 * own notes go on, their offsets count the text that was sent.
 *
 * @module
 */
import type { FinishEvent } from "../event/event.ts";
import type { Sink, Stage } from "../event/stage.ts";
import type { NoteEvent } from "../../engine/event/event.ts";

export interface Renderer extends Stage {
  /** True once the answer must end after what was rendered: the client takes no more calls in this message. */
  readonly isFinished: boolean;
}

/** Finish reasons that mean that a call was made. */
export const CALL_REASONS: ReadonlySet<string> = new Set(["tool_calls", "function_call"]);

const REASON_REPAIRED: NoteEvent = {
  kind: "note",
  reason: "finish_reason_repaired",
  rule: "native",
  start: 0,
  end: 0,
};

/** Passes the end of a choice on with the reason that the client gets. */
export function passFinish(
  event: FinishEvent,
  { reason, out }: { readonly reason: string | null; readonly out: Sink },
): void {
  if (reason === event.reason) return out.push(event);
  const isRepair = event.reason !== null && event.isEarly !== true &&
    (event.isAnswered || CALL_REASONS.has(event.reason));
  if (isRepair) out.push(REASON_REPAIRED);
  out.push({ ...event, reason });
}
