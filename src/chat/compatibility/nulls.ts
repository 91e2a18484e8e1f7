/**
 * Leaves out optional fields that are null. They mean the same as absent ones, but many servers refuse them.
 *
 *     {"temperature": null, "tools": [{"function": {"name": "f", "parameters": null}}]}
 *     ─▶ {"tools": [{"function": {"name": "f"}}]}
 *
 * @module
 */
import { present } from "../../engine/object/present.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { ChatRequest } from "../message/request.ts";

type Fields = Readonly<Record<string, unknown>>;

interface KeptFields {
  readonly kept: ChatRequest;
  /** The names of the fields that were left out, each once. */
  readonly left: readonly string[];
}

/**
 * The request without null fields of its own, of its tools and of its messages. A message's `content` stays: it is null
 * next to calls, and not optional.
 *
 * @example
 * ```ts
 * import { withoutNulls } from "./nulls.ts";
 * const { kept, left } = withoutNulls({ temperature: null, messages: [{ role: "user", content: null }] } as never);
 * console.assert(left.join() === "temperature" && !("temperature" in kept));
 * ```
 */
export function withoutNulls(request: ChatRequest): KeptFields {
  const left = new Set<string>();
  const keep = <Value>(value: Value, content?: string): Value => {
    if (!isRecord(value)) return value;
    const nulls = Object.keys(value).filter((key) => value[key] === null && key !== content);
    if (nulls.length === 0) return value;
    for (const name of nulls) left.add(name);
    return Object.fromEntries(Object.entries(value).filter(([key]) => !nulls.includes(key))) as Value;
  };
  const all = (list: unknown, change: (entry: unknown) => unknown): unknown => {
    if (!Array.isArray(list)) return list;
    const changed = list.map(change);
    return changed.every((entry, index) => entry === list[index]) ? list : changed;
  };
  const tool = (given: unknown): unknown => {
    const kept = keep(given);
    if (!isRecord(kept) || !isRecord(kept.function)) return kept;
    const made: Fields = keep(kept.function);
    return made === kept.function ? kept : { ...kept, function: made };
  };
  const outer = keep(request);
  const tools = all(outer.tools, tool);
  const messages = all(outer.messages, (message) => keep(message, "content"));
  const isSame = tools === outer.tools && messages === outer.messages;
  const kept = isSame ? outer : { ...outer, ...present({ tools, messages }) } as ChatRequest;
  return { kept, left: [...left] };
}
