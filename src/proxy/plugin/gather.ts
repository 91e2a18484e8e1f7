/**
 * Gathers events into whole calls. Text and notes leave at once, calls when they are whole. On request, the calls of a
 * wrapper, or consecutive calls without one, leave together.
 *
 *     <call/><call/>          a row: both leave when the text after them, or the end, shows that it is over
 *     That was it.
 *
 * @module
 */
import type {
  CallEndEvent,
  CallStartEvent,
  ContentEvent,
  GroupStartEvent,
} from "../../engine/event/event.ts";
import { isRepair } from "../../engine/event/reason.ts";
import { present } from "../../engine/object/present.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { PluginCall } from "./mod.ts";

export interface WholeCall {
  readonly call: PluginCall;
  readonly events: readonly ContentEvent[];
}

/** An event that isn't part of a whole call, a call, or the calls of a wrapper. */
export type GatheredItem =
  | { readonly kind: "event"; readonly event: ContentEvent }
  | { readonly kind: "call"; readonly whole: WholeCall }
  | { readonly kind: "group"; readonly start: GroupStartEvent; readonly calls: readonly WholeCall[] };

interface OpenCall {
  readonly start: CallStartEvent;
  readonly events: ContentEvent[];
  json: string;
}

/** Calls in a row, without a wrapper around them. */
interface Row {
  readonly calls: WholeCall[];
  /** Notes and whitespace between the calls; they follow the row. */
  readonly between: GatheredItem[];
}

/** The most calls of a row; the next call begins another one. */
const ROW_MAXIMUM = 100;

export class Gatherer {
  readonly #gathersGroups: boolean;
  readonly #growing = new Map<number, OpenCall>();
  #group: { readonly start: GroupStartEvent; readonly calls: WholeCall[] } | undefined;
  #row: Row | undefined;

  /** @param options whether the calls of a wrapper, and those in a row, wait for the last one */
  constructor(options: { readonly gathersGroups: boolean }) {
    this.#gathersGroups = options.gathersGroups;
  }

  take(event: ContentEvent): GatheredItem[] {
    const gathered = this.#take(event);
    return this.#gathersGroups ? gathered.flatMap((one) => this.#joinRow(one)) : gathered;
  }

  /** Ends the answer: gives what isn't whole. */
  end(): GatheredItem[] {
    const rest = this.#endRow();
    if (this.#group !== undefined) rest.push({ kind: "group", ...this.#group });
    this.#group = undefined;
    for (const { events } of this.#growing.values()) {
      rest.push(...events.map((event) => ({ kind: "event" as const, event })));
    }
    this.#growing.clear();
    return rest;
  }

  #take(event: ContentEvent): GatheredItem[] {
    switch (event.kind) {
      case "call_start":
        this.#growing.set(event.call, { start: event, events: [event], json: "" });
        return [];
      case "arguments":
      case "call_end":
      case "call_abort":
        return this.#continue(event);
      case "group_start":
        if (!this.#gathersGroups) return [{ kind: "event", event }];
        this.#group = { start: event, calls: [] };
        return [];
      case "group_end": {
        if (!this.#gathersGroups) return [{ kind: "event", event }];
        const group = this.#group;
        this.#group = undefined;
        return group === undefined ? [] : [{ kind: "group", ...group }];
      }
      case "text":
      case "note":
        return [{ kind: "event", event }];
    }
  }

  #continue(event: Extract<ContentEvent, { kind: "arguments" | "call_end" | "call_abort" }>): GatheredItem[] {
    const growing = this.#growing.get(event.call);
    if (growing === undefined) return [{ kind: "event", event }];
    growing.events.push(event);
    if (event.kind === "arguments") {
      growing.json += event.json;
      return [];
    }
    this.#growing.delete(event.call);
    const call = event.kind === "call_end" ? wholeCall(growing, event) : undefined;
    if (call === undefined) return growing.events.map((event) => ({ kind: "event", event }));
    const whole = { call, events: growing.events };
    if (this.#group === undefined) return [{ kind: "call", whole }];
    this.#group.calls.push(whole);
    return [];
  }

  /** Consecutive calls are one group; what follows a call decides whether it is the last one. */
  #joinRow(one: GatheredItem): GatheredItem[] {
    if (one.kind === "call") {
      this.#row ??= { calls: [], between: [] };
      return this.#row.calls.push(one.whole) < ROW_MAXIMUM ? [] : this.#endRow();
    }
    if (this.#row === undefined) return [one];
    if (one.kind === "group" || !isBetweenCalls(one.event)) return [...this.#endRow(), one];
    this.#row.between.push(one);
    return [];
  }

  #endRow(): GatheredItem[] {
    const { calls = [], between = [] } = this.#row ?? {};
    this.#row = undefined;
    const [first, ...others] = calls;
    if (first === undefined) return [];
    if (others.length === 0) return [{ kind: "call", whole: first }, ...between];
    const start: GroupStartEvent = { kind: "group_start", rule: first.call.rule, mode: null };
    return [{ kind: "group", start, calls }, ...between];
  }
}

/** Whether a row of calls can continue after an event. */
function isBetweenCalls(event: ContentEvent): boolean {
  return event.kind === "note" || (event.kind === "text" && event.text.trim() === "");
}

/** Undefined if the arguments aren't an object: such a call needs no decision. */
function wholeCall(
  { start, json }: OpenCall,
  { source, repairs = [] }: CallEndEvent,
): PluginCall | undefined {
  const value = parseJson(json === "" ? "{}" : json);
  if (!isRecord(value)) return undefined;
  return {
    tool: start.tool,
    arguments: value as Record<string, unknown>,
    meta: start.meta ?? {},
    rule: start.rule,
    repairs: repairs.filter(isRepair),
    ...present({ source }),
  };
}
