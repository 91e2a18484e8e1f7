/**
 * Events become OpenAI's `tool_calls` deltas: for each call one head with index, id and name, then fragments of
 * its arguments. Knows nothing about chunks; ids come from outside, or with the call where the upstream gave one.
 *
 * @module
 */
import type { ToolCallDelta } from "../chat/chunk.ts";
import type { CallStartEvent, Event, NoteEvent } from "../event/event.ts";
import type { Delta, Finish, Renderer } from "./renderer.ts";

/** Reasons that say more than "a call was made" and therefore stay. */
const STRONGER_REASONS: ReadonlySet<string> = new Set(["length", "content_filter"]);

/** Reasons that say that a call was made. */
const CALL_REASONS: ReadonlySet<string> = new Set(["tool_calls", "function_call"]);

/** What the renderer may know of the request. */
export interface ToolCallOptions {
  /** The ids of the conversation so far: no new call gets one of them. */
  readonly takenIds?: ReadonlySet<string>;
  /** Whether the client takes one call an answer (`parallel_tool_calls: false`). */
  readonly isOneCall?: boolean;
  /** Hears of the renderer's decisions. */
  readonly note?: (note: NoteEvent) => void;
}

/**
 * Renders for clients that execute `tool_calls`.
 *
 * An aborted call's arguments stay unfinished and the choice ends with `length`, as a native answer does that
 * was cut off: damaged arguments are never presented as complete ones.
 *
 * @example
 * ```ts
 * import { ToolCallRenderer } from "./tool_calls.ts";
 * const renderer = new ToolCallRenderer(() => "call_1");
 * renderer.render([
 *   { kind: "call_start", call: 0, tool: "read_file", rule: "qwen_xml", confidence: 1 },
 *   { kind: "arguments", call: 0, json: "{}" },
 *   { kind: "call_end", call: 0 },
 * ]);
 * console.assert(renderer.finish("stop").finishReason === "tool_calls");
 * ```
 */
export class ToolCallRenderer implements Renderer {
  readonly #newId: () => string;
  readonly #options: ToolCallOptions;
  /** Every id of this conversation. */
  readonly #ids: Set<string>;
  /** Our number of a call → its index in the answer; calls that are not sent have none. */
  readonly #indexes = new Map<number, number>();
  #open = 0;
  #isAborted = false;
  #isRefused = false;

  /**
   * A renderer for one choice.
   *
   * @param newId gives a fresh id; asked again while it gives one that the conversation already has
   * @param options what is known of the request
   */
  constructor(newId: () => string, options: ToolCallOptions = {}) {
    this.#newId = newId;
    this.#options = options;
    this.#ids = new Set(options.takenIds);
  }

  /** True once a call had to be left out and the one before it is whole. */
  get finished(): boolean {
    return this.#isRefused && this.#open === 0;
  }

  /** Text as content, calls as heads and fragments; neighbours of a kind are joined. */
  render(events: readonly Event[]): Delta[] {
    const deltas: Delta[] = [];
    for (const event of events) {
      switch (event.kind) {
        case "text":
          // What follows the second call is not sent either: the answer ends with the first.
          if (!this.#isRefused) appendText(deltas, event.text);
          break;
        case "call_start":
          deltas.push(...this.#start(event));
          break;
        case "arguments":
          appendArguments(deltas, this.#indexes.get(event.call), event.json);
          break;
        case "call_end":
        case "call_abort":
          this.#end(event);
          break;
        case "group_start":
        case "group_end":
        case "note":
          break;
      }
    }
    return deltas;
  }

  /** `length` after an aborted call, `tool_calls` after a whole one and never without one, else the upstream's. */
  finish(reason: string | null): Finish {
    const isStronger = reason !== null && STRONGER_REASONS.has(reason);
    if (this.#isAborted) return { deltas: [], finishReason: isStronger ? reason : "length" };
    if (this.#indexes.size > 0) return { deltas: [], finishReason: isStronger ? reason : "tool_calls" };
    const isWrong = reason !== null && CALL_REASONS.has(reason);
    return { deltas: [], finishReason: isWrong ? "stop" : reason };
  }

  #start(event: CallStartEvent): Delta[] {
    const { call, tool, rule, native = {} } = event;
    const index = this.#indexes.size;
    if (this.#options.isOneCall && index > 0) {
      this.#isRefused = true;
      this.#options.note?.({ kind: "note", reason: "one_call_only", rule, tool, call, start: 0, end: 0 });
      return [];
    }
    this.#indexes.set(call, index);
    this.#open++;
    const id = this.#idFor(index, native.id);
    const head = { index, id, type: "function", ...native.extra, function: { name: tool, arguments: "" } };
    return [{ tool_calls: [head] }];
  }

  #end(event: { readonly kind: "call_end" | "call_abort"; readonly call: number }): void {
    if (!this.#indexes.has(event.call)) return;
    this.#open = Math.max(0, this.#open - 1);
    if (event.kind === "call_abort") this.#isAborted = true;
  }

  #idFor(index: number, own: string | undefined): string {
    let id = own ?? this.#newId();
    for (let attempt = 1; this.#ids.has(id); attempt++) {
      // A source that repeats itself must not hang the answer.
      id = attempt < 16 ? this.#newId() : `${id}_${index}`;
    }
    this.#ids.add(id);
    return id;
  }
}

function appendText(deltas: Delta[], text: string): void {
  if (text === "") return;
  const last = deltas.at(-1);
  if (last?.content === undefined) deltas.push({ content: text });
  else deltas[deltas.length - 1] = { content: last.content + text };
}

function appendArguments(deltas: Delta[], index: number | undefined, json: string): void {
  if (json === "" || index === undefined) return;
  const last = deltas.at(-1)?.tool_calls?.[0];
  if (last?.index === index && last.id === undefined) {
    deltas[deltas.length - 1] = { tool_calls: [fragment(index, (last.function?.arguments ?? "") + json)] };
  } else {
    deltas.push({ tool_calls: [fragment(index, json)] });
  }
}

function fragment(index: number, json: string): ToolCallDelta {
  return { index, function: { arguments: json } };
}
