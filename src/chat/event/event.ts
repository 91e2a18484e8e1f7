/** The events of a whole answer: of its text and calls, and of the messages around them. @module */
import type { MatchEvent } from "../../engine/event/event.ts";

export type AnswerEvent = MatchEvent | RoleEvent | FinishEvent | UsageEvent | FailureEvent;

/** The role of the message; the first event of most answers. */
interface RoleEvent {
  readonly kind: "role";
  readonly role: string;
}

export interface FinishEvent {
  readonly kind: "finish";
  /** Why, as the upstream or the renderer words it; null if no one gave a reason. */
  readonly reason: string | null;
  readonly truncated: boolean;
  /** Whether the upstream made calls of its own. */
  readonly isAnswered: boolean;
  /** True: the client takes no more, so nothing else that the upstream sends in this choice goes on. */
  readonly isEarly?: boolean;
}

export interface UsageEvent {
  readonly kind: "usage";
  readonly usage: unknown;
}

export interface FailureEvent {
  readonly kind: "error";
  readonly message: string;
  /** The kind: `upstream_error`, `timeout`. */
  readonly type: string;
  /** Dragoman's own code, for programs. */
  readonly code: string;
}
