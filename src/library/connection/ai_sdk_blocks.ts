/**
 * The blocks of an answer of the AI SDK. A text block ends before a call begins, and text after a call is a block of its own:
 *
 *     text-start 1, "Look. <tool_call>…</tool_call> Done.", text-end 1
 *       ─▶ text-start 1, "Look. ", text-end 1, tool-input-start …, tool-call, text-start 1_1, " Done.", text-end 1_1
 *
 * @module
 */
import type { Reader, ReaderEvent } from "../types.ts";
import { newCallId } from "./ids.ts";

export interface Part extends Readonly<Record<string, unknown>> {
  readonly type: string;
}

export interface BlocksOptions {
  /** Creates the reader of the answer, or `again` one for the text after the provider's own calls. */
  readonly create: (again: boolean) => Reader;
  /** Takes the parts of the answer. */
  readonly push: (part: Part) => void;
}

/** A text block that the provider opened. */
interface Block {
  readonly start: Part;
  /** Its id for the client; undefined until its text begins. */
  open: string | undefined;
  /** How often it was opened. */
  count: number;
  /** The provider's end of it, which waits for the text that is still held. */
  end: Part | undefined;
}

/** Answers that end so were cut off. */
const CUT_REASONS: readonly unknown[] = ["length", "content-filter"];

export class Blocks {
  readonly #options: BlocksOptions;
  #reader: Reader;
  #block: Block | undefined;
  readonly #calls = new Map<number, { readonly id: string; readonly tool: string; json: string }>();
  #called = 0;
  #isAborted = false;
  #isOver = false;
  /** The number of blocks of text that no block of the provider contains. */
  #recovered = 0;
  /** The number of blocks of reasoning from the text, and the one that is open. */
  #thoughts = 0;
  #thought: string | undefined;

  constructor(options: BlocksOptions) {
    this.#options = options;
    this.#reader = options.create(false);
  }

  /** Takes a part of the provider's stream. */
  take(part: Part): void {
    switch (part.type) {
      case "text-start":
        this.#closeBlock();
        this.#block = { start: part, open: undefined, count: 0, end: undefined };
        break;
      case "text-delta":
        this.#write(this.#reader.push(String(part["delta"])), part);
        break;
      case "text-end":
        if (this.#block === undefined) this.#options.push(part);
        else this.#block.end = part;
        break;
      case "reasoning-delta":
        this.#write(this.#reader.reasoning(String(part["delta"])));
        this.#options.push(part);
        break;
      case "tool-input-start":
      case "tool-call":
        this.#endText({ truncated: false });
        this.#options.push(part);
        break;
      case "finish":
        this.#endText({ truncated: CUT_REASONS.includes(unified(part["finishReason"])) });
        this.#isOver = true;
        this.#options.push({ ...part, finishReason: this.finishReason(part["finishReason"]) });
        break;
      default:
        this.#options.push(part);
    }
  }

  /** The stream ended; without a finish part, it was cut off. */
  end(): void {
    if (!this.#isOver) this.#endText({ truncated: true });
  }

  /** Ends the text before a call of the provider's own; text after it is read by another reader. */
  #endText(options: { readonly truncated: boolean }): void {
    this.#write(this.#reader.end(options));
    this.#closeBlock();
    this.#reader = this.#options.create(true);
    this.#calls.clear();
  }

  /** The events of a text of a whole answer. */
  read(
    text: string,
    { isLast, finish }: { readonly isLast: boolean; readonly finish: unknown },
  ): ReaderEvent[] {
    const events = this.#reader.push(text);
    if (isLast) events.push(...this.#reader.end({ truncated: CUT_REASONS.includes(unified(finish)) }));
    for (const event of events) {
      this.#called += Number(event.kind === "call_end");
      this.#isAborted ||= event.kind === "call_abort";
    }
    return events;
  }

  /** Reads reasoning of a whole answer. */
  reasoning(text: string): void {
    this.#reader.reasoning(text);
  }

  /** Notes a call of the provider's own in a whole answer, so that reasoning isn't read for calls. */
  ownCall(): void {
    this.#reader = this.#options.create(true);
  }

  /** The finish reason that fits the calls. */
  finishReason(given: unknown): unknown {
    const reason = unified(given);
    const fitting = this.#isAborted
      ? "length"
      : this.#called > 0 && !CUT_REASONS.includes(reason) && reason !== "error"
      ? "tool-calls"
      : reason;
    if (fitting === reason) return given;
    return typeof given === "object" && given !== null ? { ...given, unified: fitting } : fitting;
  }

  #write(events: readonly ReaderEvent[], part?: Part): void {
    for (const event of events) this.#writeEvent(event, part);
  }

  #writeEvent(event: ReaderEvent, part: Part | undefined): void {
    const { push } = this.#options;
    if (event.kind !== "reasoning") this.#closeThought();
    switch (event.kind) {
      case "text": {
        const id = this.#openBlock();
        const isSame = part?.["delta"] === event.text && part["id"] === id;
        push(isSame ? part! : { type: "text-delta", id, delta: event.text });
        break;
      }
      case "reasoning": {
        if (this.#thought === undefined) {
          this.#thought = `dragoman_reasoning_${this.#thoughts++}`;
          push({ type: "reasoning-start", id: this.#thought });
        }
        push({ type: "reasoning-delta", id: this.#thought, delta: event.text });
        break;
      }
      case "call_start": {
        this.#pauseBlock();
        const call = { id: newCallId(), tool: event.tool, json: "" };
        this.#calls.set(event.call, call);
        push({ type: "tool-input-start", id: call.id, toolName: call.tool });
        break;
      }
      case "arguments": {
        const call = this.#calls.get(event.call)!;
        call.json += event.json;
        push({ type: "tool-input-delta", id: call.id, delta: event.json });
        break;
      }
      case "call_end": {
        const { id, tool, json } = this.#calls.get(event.call)!;
        this.#called++;
        push({ type: "tool-input-end", id });
        push({ type: "tool-call", toolCallId: id, toolName: tool, input: json });
        break;
      }
      case "call_abort":
        this.#isAborted = true;
        push({ type: "tool-input-end", id: this.#calls.get(event.call)!.id });
    }
  }

  /** The id of the block for text; opens it if there is none. */
  #openBlock(): string {
    const block = this.#block ??= {
      start: { type: "text-start", id: `dragoman_text_${this.#recovered++}` },
      open: undefined,
      count: 0,
      end: undefined,
    };
    if (block.open !== undefined) return block.open;
    const own = String(block.start["id"]);
    block.open = block.count === 0 ? own : `${own}_${block.count}`;
    block.count++;
    this.#options.push(block.open === own ? block.start : { type: "text-start", id: block.open });
    return block.open;
  }

  /** Ends the block's text before a call. */
  #pauseBlock(): void {
    const id = this.#block?.open;
    if (id === undefined) return;
    this.#block!.open = undefined;
    this.#options.push({ type: "text-end", id });
  }

  #closeThought(): void {
    const id = this.#thought;
    this.#thought = undefined;
    if (id !== undefined) this.#options.push({ type: "reasoning-end", id });
  }

  /** Ends a block. Its end keeps what the provider states in it, such as citations, if its id is the provider's. */
  #closeBlock(): void {
    this.#closeThought();
    const block = this.#block;
    this.#block = undefined;
    if (block?.open === undefined) return;
    const isOwn = block.end?.["id"] === block.open;
    this.#options.push(isOwn ? block.end! : { type: "text-end", id: block.open });
  }
}

/** A finish reason as the SDK names it, whichever version. */
function unified(reason: unknown): unknown {
  return typeof reason === "object" && reason !== null && "unified" in reason ? reason.unified : reason;
}
