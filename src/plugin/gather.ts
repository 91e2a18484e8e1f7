/**
 * Whole calls out of events. In: events, in any cuts. Out: text and notes at once, calls when they are whole, and
 * where it is asked for, the calls of a wrapper together.
 *
 * @module
 */
import type { CallStartEvent, Event, GroupStartEvent } from "../event/event.ts";
import { present } from "../object/present.ts";
import type { PluginCall } from "./mod.ts";

/** A call with the events that said it. */
export interface WholeCall {
  /** What plugins see. */
  readonly call: PluginCall;
  /** Its events, as they came. */
  readonly events: readonly Event[];
}

/** What comes out: an event that is not part of a whole call, a call, or the calls of a wrapper. */
export type Gathered =
  | { readonly kind: "event"; readonly event: Event }
  | { readonly kind: "call"; readonly whole: WholeCall }
  | { readonly kind: "group"; readonly start: GroupStartEvent; readonly calls: readonly WholeCall[] };

interface Growing {
  readonly start: CallStartEvent;
  readonly events: Event[];
  json: string;
}

/** Gathers the events of one choice. */
export class Gatherer {
  readonly #gathersGroups: boolean;
  readonly #growing = new Map<number, Growing>();
  #group: { readonly start: GroupStartEvent; readonly calls: WholeCall[] } | undefined;

  /** @param options whether the calls of a wrapper wait for its end */
  constructor(options: { readonly gathersGroups: boolean }) {
    this.#gathersGroups = options.gathersGroups;
  }

  /** Takes the next events. */
  take(events: readonly Event[]): Gathered[] {
    const gathered = events.flatMap((event) => this.#take(event));
    return this.#gathersGroups ? joinLists(gathered) : gathered;
  }

  /** The answer is over: gives what had not come to its end. */
  end(): Gathered[] {
    const rest: Gathered[] = this.#group === undefined ? [] : [{ kind: "group", ...this.#group }];
    this.#group = undefined;
    for (const { events } of this.#growing.values()) {
      rest.push(...events.map((event) => ({ kind: "event" as const, event })));
    }
    this.#growing.clear();
    return rest;
  }

  #take(event: Event): Gathered[] {
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

  #continue(event: Extract<Event, { kind: "arguments" | "call_end" | "call_abort" }>): Gathered[] {
    const growing = this.#growing.get(event.call);
    if (growing === undefined) return [{ kind: "event", event }];
    growing.events.push(event);
    if (event.kind === "arguments") {
      growing.json += event.json;
      return [];
    }
    this.#growing.delete(event.call);
    const call = event.kind === "call_end" ? wholeCall(growing, event.source) : undefined;
    if (call === undefined) return growing.events.map((event) => ({ kind: "event", event }));
    const whole = { call, events: growing.events };
    if (this.#group === undefined) return [{ kind: "call", whole }];
    this.#group.calls.push(whole);
    return [];
  }
}

/** Calls that the model wrote as one list: the list's text comes with the first of them, all come at once. */
function joinLists(gathered: readonly Gathered[]): Gathered[] {
  const joined: Gathered[] = [];
  // Where the calls of the list are gathered; notes may stand between them.
  let at = -1;
  for (const one of gathered) {
    const list = joined[at];
    if (one.kind === "call" && one.whole.call.source === undefined && list !== undefined) {
      joined[at] = addToList(list, one.whole);
      continue;
    }
    joined.push(one);
    if (one.kind !== "event" || one.event.kind !== "note") at = one.kind === "call" ? joined.length - 1 : -1;
    if (one.kind === "call" && one.whole.call.source === undefined) at = -1;
  }
  return joined;
}

function addToList(list: Gathered, whole: WholeCall): Gathered {
  if (list.kind === "group") return { ...list, calls: [...list.calls, whole] };
  if (list.kind === "event") return list;
  const start = { kind: "group_start", rule: list.whole.call.rule, mode: null } as const;
  return { kind: "group", start, calls: [list.whole, whole] };
}

/** Undefined where the arguments are no object: nobody has to decide about such a call. */
function wholeCall({ start, json }: Growing, source: string | undefined): PluginCall | undefined {
  try {
    const value: unknown = JSON.parse(json === "" ? "{}" : json);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return {
      tool: start.tool,
      arguments: { ...value },
      meta: start.meta ?? {},
      rule: start.rule,
      ...present({ source }),
    };
  } catch {
    return undefined;
  }
}
