/**
 * Lets a choice end once. An upstream that goes on after its end may add a call, which then gets an end of its own;
 * another finish reason after a call would only contradict the one that the client has.
 *
 * @module
 */
import type { AnswerEvent } from "../event/event.ts";
import type { Sink, Stage } from "../event/stage.ts";
import { NATIVE_RULE } from "../native/call.ts";

/** The stage that knows whether a choice is over. */
export class Ending implements Stage {
  /** Whether the client knows of a call. */
  hasCall = false;
  /** Whether the choice is over. */
  isEnded = false;
  #hasUnfinishedCall = false;
  #hasDoubleFinish = false;

  /** Every event passes but an end too many. */
  push(event: AnswerEvent, out: Sink): void {
    if (event.kind === "call_start") this.hasCall = this.#hasUnfinishedCall = true;
    if (event.kind === "finish") {
      if (this.isEnded && this.hasCall && !this.#hasUnfinishedCall) return this.#dropFinish(out);
      this.isEnded = true;
      this.#hasUnfinishedCall = false;
    }
    out.push(event);
  }

  #dropFinish(out: Sink): void {
    if (!this.#hasDoubleFinish) {
      out.push({ kind: "note", reason: "double_finish", rule: NATIVE_RULE, start: 0, end: 0 });
    }
    this.#hasDoubleFinish = true;
  }
}
