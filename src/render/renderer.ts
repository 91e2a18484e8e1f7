/**
 * The contract of everything that says our events in a client's dialect: events in, deltas out. A renderer has
 * the state of one choice of one answer.
 *
 * @module
 */
import type { Delta, ToolCallDelta } from "../chat/chunk.ts";
import type { Event } from "../event/event.ts";

export type { Delta, ToolCallDelta };

/** The end of a choice. */
export interface Finish {
  /** What is still to be sent before it. */
  readonly deltas: readonly Delta[];
  /** What the client is told; null where there is nothing to tell. */
  readonly finishReason: string | null;
}

/** Turns the events of one choice into what the client gets. */
export interface Renderer {
  /** Takes the next events and gives what can be sent now. */
  render(events: readonly Event[]): Delta[];
  /** The choice is over: takes the upstream's reason, gives ours and what is still to be sent. Called once. */
  finish(reason: string | null): Finish;
  /** True once the answer must end after what was rendered: the client takes no more calls in this message. */
  readonly finished: boolean;
}
