/**
 * Gathers events into whole calls. Text and notes come out at once, calls when they are whole, and on request the
 * calls of a wrapper together.
 *
 * @module
 */
import type { CallEndEvent, CallStartEvent, ContentEvent, GroupStartEvent } from "../event/event.ts";
import { present } from "../object/present.ts";
import type { PluginCall } from "./mod.ts";

/** A call with the events that said it. */
export interface WholeCall {
  /** What plugins see. */
  readonly call: PluginCall;
  /** Its events, as they came. */
  readonly events: readonly ContentEvent[];
}

/** What comes out: an event that is not part of a whole call, a call, or the calls of a wrapper. */
export type Gathered =
  | { readonly kind: "event"; readonly event: ContentEvent }
  | { readonly kind: "call"; readonly whole: WholeCall }
  | { readonly kind: "group"; readonly start: GroupStartEvent; readonly calls: readonly WholeCall[] };

interface Growing {
  readonly start: CallStartEvent;
  readonly events: ContentEvent[];
  json: string;
}

/** Calls that the model wrote as one list. */
interface List {
  readonly calls: WholeCall[];
  /** Notes that stand between the calls. */
  readonly notes: Gathered[];
  /** How many calls are still to come. */
  left: number;
}

/** Gathers the events of one choice. */
export class Gatherer {
  readonly #gathersGroups: boolean;
  readonly #growing = new Map<number, Growing>();
  #group: { readonly start: GroupStartEvent; readonly calls: WholeCall[] } | undefined;
  #list: List | undefined;

  /** @param options whether the calls of a wrapper, and those of a list, wait for its end */
  constructor(options: { readonly gathersGroups: boolean }) {
    this.#gathersGroups = options.gathersGroups;
  }

  /** Takes the next event. */
  take(event: ContentEvent): Gathered[] {
    const gathered = this.#take(event);
    return this.#gathersGroups ? gathered.flatMap((one) => this.#joinList(one)) : gathered;
  }

  /** The answer is over: gives what had not come to its end. */
  end(): Gathered[] {
    const rest = this.#endList();
    if (this.#group !== undefined) rest.push({ kind: "group", ...this.#group });
    this.#group = undefined;
    for (const { events } of this.#growing.values()) {
      rest.push(...events.map((event) => ({ kind: "event" as const, event })));
    }
    this.#growing.clear();
    return rest;
  }

  #take(event: ContentEvent): Gathered[] {
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

  #continue(event: Extract<ContentEvent, { kind: "arguments" | "call_end" | "call_abort" }>): Gathered[] {
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

  /** The text of a list comes with its first call; the others have none, and all come at once. */
  #joinList(one: Gathered): Gathered[] {
    const list = this.#list;
    if (list === undefined) return this.#beginList(one);
    if (one.kind === "event" && one.event.kind === "note") {
      list.notes.push(one);
      return [];
    }
    if (one.kind !== "call" || one.whole.call.source !== undefined) {
      return [...this.#endList(), ...this.#beginList(one)];
    }
    list.calls.push(one.whole);
    return --list.left === 0 ? this.#endList() : [];
  }

  #beginList(one: Gathered): Gathered[] {
    const end = one.kind === "call" ? one.whole.events.at(-1) : undefined;
    if (one.kind !== "call" || end?.kind !== "call_end" || end.following === undefined) return [one];
    this.#list = { calls: [one.whole], notes: [], left: end.following };
    return [];
  }

  #endList(): Gathered[] {
    const { calls = [], notes = [] } = this.#list ?? {};
    this.#list = undefined;
    const [first] = calls;
    if (first === undefined) return [];
    if (calls.length === 1) return [{ kind: "call", whole: first }, ...notes];
    return [
      { kind: "group", start: { kind: "group_start", rule: first.call.rule, mode: null }, calls },
      ...notes,
    ];
  }
}

/** Undefined where the arguments are no object: nobody has to decide about such a call. */
function wholeCall({ start, json }: Growing, { source, repairs = [] }: CallEndEvent): PluginCall | undefined {
  try {
    const value: unknown = JSON.parse(json === "" ? "{}" : json);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return {
      tool: start.tool,
      arguments: { ...value },
      meta: start.meta ?? {},
      rule: start.rule,
      repairs,
      ...present({ source }),
    };
  } catch {
    return undefined;
  }
}
