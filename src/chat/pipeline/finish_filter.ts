/** Drops a second finish reason after a call; a call that follows the first reason gets one of its own. @module */
import type { AnswerEvent } from "../event/event.ts";
import type { Sink, Stage } from "../event/stage.ts";
import { NATIVE_RULE } from "../native/call.ts";

export class FinishFilter implements Stage {
  hasCall = false;
  /** Whether a call was sent in part, and broke off. */
  hasBrokenCall = false;
  isEnded = false;
  #hasUnfinishedCall = false;
  #hasDoubleFinish = false;

  push(event: AnswerEvent, out: Sink): void {
    if (event.kind === "call_start") this.hasCall = this.#hasUnfinishedCall = true;
    if (event.kind === "call_abort") this.hasBrokenCall = true;
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
