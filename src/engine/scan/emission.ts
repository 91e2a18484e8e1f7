/**
 * The last step of the matcher: it merges adjacent events, never ends a piece in the middle of a surrogate pair, and
 * removes the whitespace around a call with the call. Unchanged text leaves as the same event object.
 *
 * @module
 */
import type { ArgumentsEvent, CallEvent, ReasoningEvent, TextEvent } from "../event/event.ts";
import type { Sink } from "../event/stage.ts";
import { isHighSurrogate, WholeCharacters } from "../json/escape.ts";
import { isSpace, spaceEnd } from "../pattern/node.ts";
import { Thought } from "./thought.ts";

/** The longest whitespace that waits for a call. */
const SPACE_MAXIMUM = 512;

/**
 * What was sent last, which decides what happens to whitespace:
 *
 *     \n\nHello A\n<call>\nB
 *     ^^^^ "start": waits; text sends it, a call removes it
 *              ^^ "text": sent at once
 *                       ^^ "call": sent only without whitespace before the call, so A\n<call>\nB becomes A\nB; the blanks
 *                          of a line, as in A. <call> B, stay on both sides
 */
type Place = "start" | "text" | "call";

/** Text that leaves with a call after it. */
interface Remainder {
  readonly kind: "remainder";
  readonly text: string;
  /** The most characters between it and the call, other than whitespace. */
  readonly reach: number;
  /** The offset in the answer up to which a call must be found, so that no more text waits than for an opener. */
  readonly until: number;
  /** Whether it is directly after a call, so that it also leaves at the end of the answer. */
  readonly isAfterCall: boolean;
  /** Whether it leaves only with the upstream's own calls, whatever text follows it. */
  readonly isLeak?: boolean;
}

/** Reasoning in the text begins or ends here. */
const BOUNDARY = { kind: "boundary" } as const;

/** An event that can still grow. */
type Growing<T> = { -readonly [key in keyof T]: T[key] };

export class Emission {
  #out: Sink | undefined;
  /** The event that is read; if its text is sent unchanged, this event object is sent. */
  #came: TextEvent | undefined;
  #growing: Growing<TextEvent> | Growing<ReasoningEvent> | Growing<ArgumentsEvent> | undefined;
  #place: Place = "start";
  #space = "";
  readonly #characters = new WholeCharacters();
  readonly #reasoning = new WholeCharacters();
  /** Whether the text so far ends with whitespace, and with the end of a line. */
  #endsWithSpace = true;
  #endsWithLine = true;
  /** The events that wait for a decision, in order. */
  #held: (string | CallEvent | ReasoningEvent | Remainder | typeof BOUNDARY)[] | undefined;
  /** The reasoning that leaves the text. */
  readonly thought = new Thought();
  /** A remainder, and the text after it, while a call can follow. */
  #remainder: Remainder & { following: string } | undefined;

  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const item of held) {
      if (typeof item === "string") this.text(item);
      else if (item.kind === "reasoning") this.reasoning(item.text);
      else if (item.kind === "remainder") this.remainder(item);
      else if (item.kind === "boundary") this.separate();
      else this.push(item);
    }
  }

  discard(): void {
    this.#held = undefined;
  }

  /** Begins a step. Its events go to `out`; `came` is the text that it reads. */
  begin(out: Sink, came?: TextEvent): void {
    this.#out = out;
    this.#came = came;
  }

  /** Ends a step, after which its events no longer grow. */
  end(): void {
    this.#flush();
    this.#came = this.#out = undefined;
  }

  pass(event: TextEvent): void {
    const last = event.text.charCodeAt(event.text.length - 1);
    if (this.#remainder || this.#place !== "text" || !this.#characters.isEmpty || isHighSurrogate(last)) {
      return this.text(event.text);
    }
    this.#endsWithSpace = isSpace(last);
    this.#endsWithLine = isLineEnd(last);
    this.#out?.push(event);
  }

  text(text: string): void {
    if (text === "") return;
    if (this.#held) {
      this.#held.push(text);
      return;
    }
    if (this.#remainder) return this.#follow(this.#remainder, text);
    if (this.#place === "text") return this.#flow(text);
    // Whitespace beyond the limit counts as text, for every cut of the answer.
    const end = Math.min(spaceEnd(text), SPACE_MAXIMUM - this.#space.length);
    this.#space += text.slice(0, end);
    if (end === text.length) return;
    this.#release();
    this.#flow(text.slice(end));
  }

  remainder(remainder: Remainder): void {
    if (this.#held) this.#held.push(remainder);
    else {
      this.#releaseRemainder();
      this.#remainder = { ...remainder, following: "" };
    }
  }

  /** Drops the opener of a call that didn't come any more; returns the length of its text and what followed it. */
  dropOpener(): number {
    const { reach = 0, isLeak = false, text = "", following = "" } = this.#remainder ?? {};
    if (reach === 0 || isLeak) return 0;
    this.#remainder = undefined;
    return text.length + following.length;
  }

  /** Sends the remainder if no call is found up to an offset beyond which it doesn't wait. */
  expire(offset: number): void {
    if (!this.#held && this.#remainder && offset > this.#remainder.until) this.#releaseRemainder();
  }

  /** Keeps the text after a remainder as far as a call can follow it. */
  #follow(remainder: Remainder & { following: string }, text: string): void {
    const room = Math.min(remainder.reach || SPACE_MAXIMUM, SPACE_MAXIMUM - remainder.text.length);
    const all = remainder.following + text;
    const limit = remainder.isLeak ? all.length : remainder.reach === 0 ? spaceEnd(all) : firstMark(all);
    const end = Math.min(limit, room);
    remainder.following = all.slice(0, end);
    if (end === all.length) return;
    this.#releaseRemainder();
    this.text(all.slice(end));
  }

  /** Sends a remainder and the text after it, because no call follows. */
  #releaseRemainder(): void {
    const remainder = this.#remainder;
    this.#remainder = undefined;
    if (remainder) this.text(remainder.text + remainder.following);
  }

  reasoning(text: string): void {
    if (this.#held) {
      if (text !== "") this.#held.push({ kind: "reasoning", text });
      return;
    }
    this.#think(this.thought.take(text));
  }

  /** Reasoning begins or ends: the whitespace around it leaves with its mark, as that around a call does. */
  separate(): void {
    if (this.#held) {
      this.#held.push(BOUNDARY);
      return;
    }
    this.thought.separate();
    this.#space = "";
    this.#place = "call";
  }

  /** Sends reasoning as it is. */
  #think(text: string): void {
    if (text !== "") this.#add(this.#reasoning.push(text), "reasoning");
  }

  /** Keeps reasoning that can be the answer after all. */
  keep(text: string): void {
    this.#think(this.thought.keep(text));
  }

  /** What was taken for reasoning is reasoning. */
  settle(): void {
    this.#think(this.thought.settle());
  }

  /** Sends an event of a call, or a note. */
  push(event: CallEvent): void {
    if (this.#held) {
      this.#held.push(event);
      return;
    }
    if (event.kind === "call_start") this.#call();
    const last = this.#growing;
    if (event.kind === "arguments" && last?.kind === "arguments" && last.call === event.call) {
      last.json += event.json;
      return;
    }
    this.#flush();
    if (event.kind === "arguments") this.#growing = { ...event };
    else this.#out?.push(event);
  }

  /**
   * Ends the answer. An answer that is only whitespace stays unchanged.
   *
   * @param options `isAnswered`: the upstream's own calls follow
   */
  finish({ isAnswered = false }: { readonly isAnswered?: boolean } = {}): void {
    const { isAfterCall = false, isLeak = false, following = "" } = this.#remainder ?? {};
    if (isLeak && isAnswered) {
      this.#remainder = undefined;
      this.text(following);
    }
    const leaves = (isAfterCall || isAnswered) && spaceEnd(following) === following.length;
    if (!leaves) this.#releaseRemainder();
    if (this.#place === "start") this.#release();
    this.#space = "";
    this.#add(this.#characters.end());
    this.settle();
    this.#think(this.thought.end());
    this.#add(this.#reasoning.end(), "reasoning");
  }

  #call(): void {
    this.settle();
    this.thought.separate();
    if (this.#remainder?.isLeak) this.#releaseRemainder();
    const { following = "" } = this.#remainder ?? {};
    this.#remainder = undefined;
    // The line break between the remainder and the text is the remainder's.
    this.text(following.slice(spaceEnd(following)));
    this.#add(this.#characters.end());
    this.#space = "";
    this.#place = "call";
  }

  /** Decides about the waiting whitespace when text follows. */
  #release(): void {
    const isOnLine = !this.#endsWithLine && !hasLineEnd(this.#space);
    if (this.#place === "start" || !this.#endsWithSpace || isOnLine) this.#flow(this.#space);
    this.#space = "";
    this.#place = "text";
  }

  #flow(text: string): void {
    if (text === "") return;
    const last = text.charCodeAt(text.length - 1);
    this.#endsWithSpace = isSpace(last);
    this.#endsWithLine = isLineEnd(last);
    this.#add(this.#characters.push(text));
  }

  #add(text: string, kind: "text" | "reasoning" = "text"): void {
    if (text === "") return;
    if (this.#growing?.kind === kind) this.#growing.text += text;
    else {
      this.#flush();
      this.#growing = { kind, text };
    }
  }

  #flush(): void {
    const event = this.#growing;
    if (event === undefined) return;
    this.#growing = undefined;
    this.#out?.push(event.kind === "text" && event.text === this.#came?.text ? this.#came : event);
  }
}

function isLineEnd(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d;
}

function hasLineEnd(text: string): boolean {
  return text.includes("\n") || text.includes("\r");
}

/** The position of the first character that can begin markup or JSON: what it begins isn't a sentence. */
function firstMark(text: string): number {
  let at = 0;
  while (at < text.length && !"<[{".includes(text[at]!)) at++;
  return at;
}
