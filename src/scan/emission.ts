/**
 * The last step of the matcher: merges neighbors, never ends a piece in half a surrogate pair, and lets the white
 * space around a call leave with the call. Text that comes out as it went in is the same event object.
 *
 * @module
 */
import type { ArgumentsEvent, CallEvent, ReasoningEvent, TextEvent } from "../event/event.ts";
import type { Sink } from "../event/stage.ts";
import { isHighSurrogate } from "../json/escape.ts";
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

/** An event that more of the same may still be added to. */
type Growing<T> = { -readonly [key in keyof T]: T[key] };

/** Where the events of an answer leave the matcher. */
export class Emission {
  #out: Sink | undefined;
  /** The text that came; if it leaves unchanged, it leaves as this very event. */
  #came: TextEvent | undefined;
  #growing: Growing<TextEvent> | Growing<ReasoningEvent> | Growing<ArgumentsEvent> | undefined;
  #place: Place = "start";
  #space = "";
  #half = "";
  /** The first half of a character of reasoning that was cut in two. */
  #reasoningHalf = "";
  #endsWithSpace = true;
  /** What waits for a decision, in its order. */
  #held: (string | CallEvent | ReasoningEvent)[] | undefined;

  /** From here on everything waits. */
  hold(): void {
    this.#held ??= [];
  }

  /** What waited leaves. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const item of held) {
      if (typeof item === "string") this.text(item);
      else if (item.kind === "reasoning") this.reasoning(item.text);
      else this.push(item);
    }
  }

  /** What waited is forgotten. */
  discard(): void {
    this.#held = undefined;
  }

  /** A step begins: its events go to `out`. `came` is the text that the step reads. */
  begin(out: Sink, came?: TextEvent): void {
    this.#out = out;
    this.#came = came;
  }

  /** The step is over: nothing more is merged. */
  end(): void {
    this.#flush();
    this.#came = this.#out = undefined;
  }

  /** Lets all the text that came leave. */
  pass(event: TextEvent): void {
    const last = event.text.charCodeAt(event.text.length - 1);
    if (this.#place !== "text" || this.#half !== "" || isHighSurrogate(last)) return this.text(event.text);
    this.#endsWithSpace = isSpace(last);
    this.#out?.push(event);
  }

  /** Text that is not a tool call. */
  text(text: string): void {
    if (text === "") return;
    if (this.#held) {
      this.#held.push(text);
      return;
    }
    if (this.#place === "text") return this.#flow(text);
    // What is beyond the limit is text like any other, however the answer was cut.
    const end = Math.min(firstNonSpace(text), SPACE_MAXIMUM - this.#space.length);
    this.#space += text.slice(0, end);
    if (end === text.length) return;
    this.#release();
    this.#flow(text.slice(end));
  }

  /** Text that goes out as reasoning, apart from the text around it. */
  reasoning(text: string): void {
    if (this.#held) {
      if (text !== "") this.#held.push({ kind: "reasoning", text });
      return;
    }
    const whole = this.#reasoningHalf + text;
    const end = isHighSurrogate(whole.charCodeAt(whole.length - 1)) ? whole.length - 1 : whole.length;
    this.#reasoningHalf = whole.slice(end);
    this.#think(whole.slice(0, end));
  }

  /** An event of a call, or a note. */
  push(event: CallEvent): void {
    if (this.#held) {
      this.#held.push(event);
      return;
    }
    if (event.kind === "call_start") this.#call();
    if (event.kind === "arguments") {
      const last = this.#growing;
      if (last?.kind === "arguments" && last.call === event.call) last.json += event.json;
      else {
        this.#flush();
        this.#growing = { ...event };
      }
      return;
    }
    this.#flush();
    this.#out?.push(event);
  }

  /** The answer is over; an answer of nothing but white space stays as it is. */
  finish(): void {
    if (this.#place === "start") this.#release();
    this.#space = "";
    if (this.#half !== "") this.#add(this.#half);
    this.#half = "";
    this.#think(this.#reasoningHalf);
    this.#reasoningHalf = "";
  }

  #think(text: string): void {
    if (text === "") return;
    if (this.#growing?.kind === "reasoning") this.#growing.text += text;
    else {
      this.#flush();
      this.#growing = { kind: "reasoning", text };
    }
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
    if (this.#growing?.kind === "text") {
      this.#growing.text += text;
      return;
    }
    this.#flush();
    this.#growing = { kind: "text", text };
  }

  #flush(): void {
    const event = this.#growing;
    if (event === undefined) return;
    this.#growing = undefined;
    this.#out?.push(event.kind === "text" && event.text === this.#came?.text ? this.#came : event);
  }
}

function firstNonSpace(text: string): number {
  let at = 0;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}
