/**
 * The events of one answer on their way out: neighbours are merged, no piece ends in half a surrogate pair, and
 * the white space around a call leaves with the call.
 *
 * @module
 */
import type { ArgumentsEvent, CallEvent, Event, TextEvent } from "../event/event.ts";
import { isHighSurrogate } from "../json/reader.ts";
import { isSpace } from "../pattern/node.ts";

/** White space that waits to see whether a call stands beside it is never longer than this. */
const SPACE_MAXIMUM = 512;

/**
 * What was said last decides what happens to white space:
 *
 *     \n\nHello A\n<call>\nB
 *     ^^^^ "start": waits; text makes it leave, a call takes it along
 *              ^^ "text": leaves at once
 *                       ^^ "call": leaves only if none stood before the call, so that A\n<call>\nB gives A\nB
 */
type Place = "start" | "text" | "call";

/** An event that has not been handed over yet. */
type Growing<T> = { -readonly [key in keyof T]: T[key] };

/** Collects events; `take` gives what can go. */
export class Emission {
  #events: Event[] = [];
  /** The latest event, as long as more of the same may be added to it. */
  #last: Growing<TextEvent> | Growing<ArgumentsEvent> | undefined;
  #place: Place = "start";
  #space = "";
  #half = "";
  #endsWithSpace = true;

  /** Text that is no tool call. */
  text(text: string): void {
    if (text === "") return;
    if (this.#place === "text") return this.#flow(text);
    // What is beyond the limit is text like any other, however the answer was cut.
    const end = Math.min(firstNonSpace(text), SPACE_MAXIMUM - this.#space.length);
    this.#space += text.slice(0, end);
    if (end === text.length) return;
    this.#release();
    this.#flow(text.slice(end));
  }

  /** An event of a call, or a note. */
  push(event: CallEvent): void {
    if (event.kind === "call_start") this.#call();
    if (event.kind === "arguments") {
      const last = this.#last;
      if (last?.kind === "arguments" && last.call === event.call) {
        last.json += event.json;
        return;
      }
      this.#events.push(this.#last = { ...event });
      return;
    }
    this.#last = undefined;
    this.#events.push(event);
  }

  /** The answer is over; an answer of nothing but white space stays as it is. */
  finish(): void {
    if (this.#place === "start") this.#release();
    this.#space = "";
    if (this.#half !== "") this.#add(this.#half);
    this.#half = "";
  }

  /** The events so far; they are handed over once. */
  take(): Event[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    this.#last = undefined;
    return events;
  }

  #call(): void {
    if (this.#half !== "") this.#add(this.#half);
    this.#half = "";
    this.#space = "";
    this.#place = "call";
  }

  /** Text follows the white space that waited. */
  #release(): void {
    if (this.#place === "start" || !this.#endsWithSpace) this.#flow(this.#space);
    this.#space = "";
    this.#place = "text";
  }

  #flow(text: string): void {
    const whole = this.#half === "" ? text : this.#half + text;
    if (whole === "") return;
    const last = whole.charCodeAt(whole.length - 1);
    this.#endsWithSpace = isSpace(last);
    if (isHighSurrogate(last)) {
      this.#half = whole.slice(-1);
      this.#add(whole.slice(0, -1));
    } else {
      this.#half = "";
      this.#add(whole);
    }
  }

  #add(text: string): void {
    if (text === "") return;
    const last = this.#events.at(-1);
    if (last?.kind === "text") {
      this.#events[this.#events.length - 1] = { kind: "text", text: last.text + text };
    } else this.#events.push({ kind: "text", text });
  }
}

function firstNonSpace(text: string): number {
  let at = 0;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}
