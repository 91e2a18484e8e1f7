/**
 * The texts of one request: what the model wrote, and what the client got. They are kept as they come, and secrets are
 * removed when someone looks.
 *
 *     before  "Now.\n" ▏<function=read_file>…</function> ▏"\nDone"      marks: 1 on the middle
 *     after   "Now.\n" ▏call 0 of read_file {"path":"a.txt"} ▏"Done"
 *
 * @module
 */
import type { AnswerEvent } from "../../chat/event/event.ts";
import { scrubArguments, scrubText } from "../audit/scrub.ts";
import type { AfterPart, BeforePart } from "./request.ts";

const TEXT_MAX = 64 * 1024;

const PARTS_MAX = 2000;

/** A word that isn't over is held back, up to this length: it may become a key. */
const WORD_MAX = 512;

export interface TextRange {
  /** The start, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

interface Part {
  text: string;
  readonly call: number | null;
  readonly tool: string | null;
  state: AfterPart["state"];
  readonly isReasoning: boolean;
}

export class ContentsRecord {
  #before = "";
  #after: Part[] = [];
  #afterLength = 0;
  #isCut = false;

  get length(): number {
    return this.#before.length + this.#afterLength;
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  addBefore(text: string): void {
    const room = TEXT_MAX - this.#before.length;
    this.#before += room >= text.length ? text : text.slice(0, room);
    if (room < text.length) this.#isCut = true;
  }

  addAfter(event: AnswerEvent): void {
    switch (event.kind) {
      case "text":
        return this.#addText(event.text, { call: event.call ?? null, isReasoning: false });
      case "reasoning":
        return this.#addText(event.text, { call: null, isReasoning: true });
      case "call_start":
        return this.#addPart({
          text: "",
          call: event.call,
          tool: event.tool,
          state: "open",
          isReasoning: false,
        });
      case "arguments": {
        const part = this.#partOf(event.call);
        if (part !== undefined) part.text += this.#fitting(event.json);
        return;
      }
      case "call_end":
        return this.#close(event.call, "done");
      case "call_abort":
        return this.#close(event.call, "broken");
    }
  }

  /** The range of a candidate: at its offset, or, if offsets began again, where its text is. */
  findRange({ start, end }: TextRange, source: string | undefined): TextRange | undefined {
    // Beyond what is kept, the same text may be kept from an earlier place.
    if (end <= start || start >= this.#before.length) return undefined;
    if (source === undefined) return end <= this.#before.length ? { start, end } : undefined;
    if (this.#before.startsWith(source, start)) return { start, end: start + source.length };
    const at = this.#before.lastIndexOf(source);
    return at < 0 ? undefined : { start: at, end: at + source.length };
  }

  /**
   * The model's text without secrets, cut where a range begins or ends. A cut between a secret and its name would show the
   * secret, so then there are fewer cuts.
   */
  before(ranges: readonly (TextRange | undefined)[], { secrets, isOver }: Reading): BeforePart[] {
    const text = isOver ? this.#before : withoutOpenWord(this.#before);
    const clean = scrubText(text, secrets);
    const known = ranges.flatMap((range, index) => range === undefined ? [] : [{ ...range, marks: [index] }]);
    for (const marked of [known, joined(known)]) {
      const parts = cut(text, marked).map((part) => ({ ...part, text: scrubText(part.text, secrets) }));
      if (parts.map((part) => part.text).join("") === clean) return parts;
    }
    return [{ text: clean, marks: known.flatMap(({ marks }) => marks) }];
  }

  /** What the client got, without secrets. */
  after({ secrets, isOver }: Reading): AfterPart[] {
    return this.#after.map(({ text, call, tool, state, isReasoning }, index) => {
      const isLast = index === this.#after.length - 1;
      const whole = isOver || !isLast || state === "done" ? text : withoutOpenWord(text);
      const clean = tool === null ? scrubText(whole, secrets) : scrubArguments(whole, secrets);
      return { text: clean, call, tool, state, isReasoning };
    });
  }

  #addText(text: string, { call, isReasoning }: Pick<Part, "call" | "isReasoning">): void {
    const last = this.#after.at(-1);
    const isSame = last !== undefined && last.tool === null && last.call === call &&
      last.isReasoning === isReasoning;
    if (isSame) last.text += this.#fitting(text);
    else this.#addPart({ text: this.#fitting(text), call, tool: null, state: null, isReasoning });
  }

  #addPart(part: Part): void {
    if (this.#after.length < PARTS_MAX) this.#after.push(part);
    else this.#isCut = true;
  }

  #partOf(call: number): Part | undefined {
    return this.#after.findLast((part) => part.call === call && part.tool !== null);
  }

  #close(call: number, state: "done" | "broken"): void {
    const part = this.#partOf(call);
    if (part !== undefined) part.state = state;
  }

  #fitting(text: string): string {
    const fitting = text.slice(0, Math.max(0, TEXT_MAX - this.#afterLength));
    this.#afterLength += fitting.length;
    if (fitting.length < text.length) this.#isCut = true;
    return fitting;
  }
}

interface Reading {
  readonly secrets: readonly string[];
  readonly isOver: boolean;
}

interface MarkedRange extends TextRange {
  readonly marks: readonly number[];
}

/** A text in pieces, each with the marks of all ranges around it. */
function cut(text: string, ranges: readonly MarkedRange[]): BeforePart[] {
  const cuts = new Set([0, text.length]);
  for (const { start, end } of ranges) {
    cuts.add(Math.min(start, text.length));
    cuts.add(Math.min(end, text.length));
  }
  const places = [...cuts].sort((one, other) => one - other);
  return places.slice(1).map((end, at) => {
    const start = places[at] ?? 0;
    const around = ranges.filter((range) => range.start <= start && range.end >= end);
    return { text: text.slice(start, end), marks: around.flatMap(({ marks }) => marks) };
  });
}

function joined(ranges: readonly MarkedRange[]): MarkedRange[] {
  const found: MarkedRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = found.at(-1);
    if (last === undefined || range.start >= last.end) found.push(range);
    else {
      const end = Math.max(last.end, range.end);
      found.splice(-1, 1, { start: last.start, end, marks: [...last.marks, ...range.marks] });
    }
  }
  return found;
}

/** A text without the word at its end, which may be the beginning of a key. */
function withoutOpenWord(text: string): string {
  let end = text.length;
  while (end > 0 && text.length - end < WORD_MAX && !isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}
