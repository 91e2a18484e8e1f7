/**
 * Events become OpenAI's `tool_calls` deltas: for each call one head with index, id and name, then fragments of
 * its arguments. Knows nothing about chunks; ids come from outside.
 *
 * @module
 */
import type { ToolCallDelta } from "../chat/chunk.ts";
import type { Event } from "../event/event.ts";
import type { Delta, Finish, Renderer } from "./renderer.ts";

/** Reasons that say more than "a call was made" and therefore stay. */
const STRONGER_REASONS: ReadonlySet<string> = new Set(["length", "content_filter"]);

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
  readonly finished = false;
  readonly #newId: () => string;
  /** Every id of this choice, the upstream's own and ours. */
  readonly #ids = new Set<string>();
  /** Our number of a call → its index in the answer. */
  readonly #indexes = new Map<number, number>();
  #nextIndex = 0;
  #hasCall = false;
  #isAborted = false;

  /**
   * A renderer for one choice.
   *
   * @param newId gives a fresh id; asked again while it gives one that this choice already has
   */
  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Text as content, calls as heads and fragments; neighbours of a kind are joined. */
  render(events: readonly Event[]): Delta[] {
    const deltas: Delta[] = [];
    for (const event of events) {
      switch (event.kind) {
        case "text":
          appendText(deltas, event.text);
          break;
        case "call_start":
          deltas.push({ tool_calls: [this.#head(event.call, event.tool)] });
          break;
        case "arguments":
          appendArguments(deltas, this.#indexes.get(event.call) ?? 0, event.json);
          break;
        case "call_abort":
          this.#isAborted = true;
          break;
        case "call_end":
        case "group_start":
        case "group_end":
        case "note":
          break;
      }
    }
    return deltas;
  }

  /** `length` after an aborted call, `tool_calls` after a whole one, else the upstream's own reason. */
  finish(reason: string | null): Finish {
    const isStronger = reason !== null && STRONGER_REASONS.has(reason);
    if (this.#isAborted) return { deltas: [], finishReason: isStronger ? reason : "length" };
    return { deltas: [], finishReason: this.#hasCall && !isStronger ? "tool_calls" : reason };
  }

  /** Keeps our ids and indexes clear of the upstream's own calls. */
  noticeNative(calls: readonly ToolCallDelta[]): void {
    for (const call of calls) {
      this.#hasCall = true;
      if (typeof call.id === "string") this.#ids.add(call.id);
      const index = typeof call.index === "number" ? call.index : 0;
      this.#nextIndex = Math.max(this.#nextIndex, index + 1);
    }
  }

  #head(call: number, tool: string): ToolCallDelta {
    const index = this.#nextIndex++;
    this.#indexes.set(call, index);
    this.#hasCall = true;
    return { index, id: this.#freshId(index), type: "function", function: { name: tool, arguments: "" } };
  }

  #freshId(index: number): string {
    let id = this.#newId();
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

function appendArguments(deltas: Delta[], index: number, json: string): void {
  if (json === "") return;
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
