/**
 * Passes on a call when it is whole. One that the end of the answer cut off leaves the answer, so that no client can run
 * a part of it; its note is all that remains, and the answer ends with `length`, as a native one does that was cut off.
 *
 * @module
 */
import type { AnswerEvent } from "../event/event.ts";
import type { Sink, Stage } from "../event/stage.ts";

/** The most characters of arguments that wait; a longer call streams. */
const WAITING_MAXIMUM = 4 * 1024 * 1024;

export class WholeCalls implements Stage {
  readonly #waiting = new Map<number, AnswerEvent[]>();
  #length = 0;
  #isCut = false;

  push(event: AnswerEvent, out: Sink): void {
    switch (event.kind) {
      case "call_start":
        this.#waiting.set(event.call, [event]);
        return;
      case "arguments":
        return this.#wait(event, out);
      case "call_end":
        this.#release(event.call, out);
        break;
      case "call_abort":
        if (event.reason === "truncated" && this.#waiting.delete(event.call)) {
          this.#isCut = true;
          return;
        }
        this.#release(event.call, out);
        break;
      case "finish":
        if (this.#isCut) return out.push({ ...event, reason: "length" });
    }
    out.push(event);
  }

  #wait(event: Extract<AnswerEvent, { kind: "arguments" }>, out: Sink): void {
    const waiting = this.#waiting.get(event.call);
    if (waiting === undefined) return out.push(event);
    waiting.push(event);
    this.#length += event.json.length;
    if (this.#length > WAITING_MAXIMUM) this.#release(event.call, out);
  }

  #release(call: number, out: Sink): void {
    const waiting = this.#waiting.get(call) ?? [];
    this.#waiting.delete(call);
    for (const event of waiting) {
      if (event.kind === "arguments") this.#length -= event.json.length;
      out.push(event);
    }
  }
}
