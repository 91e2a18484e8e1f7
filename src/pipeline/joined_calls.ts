/**
 * The calls of one choice, those of its text and those that the upstream sends itself, as one row. In: events of
 * both origins. Out: the same events, the calls numbered through, and a call that came both ways only once.
 *
 * A server may read the calls of its model and leak their text all the same. So a call whose tool has been called
 * from the other side already waits until it is whole and can be compared.
 *
 * @module
 */
import type { CallStartEvent, Event, NoteEvent } from "../event/event.ts";
import { isJsonEqual } from "../json/equal.ts";

/** Where an event comes from. */
export type Origin = "text" | "native";

/** Arguments are remembered up to so many characters in a choice; longer ones are never taken for a repetition. */
const REMEMBERED_MAXIMUM = 4 * 1024 * 1024;

interface JoinedCall {
  readonly origin: Origin;
  readonly start: CallStartEvent;
  json: string;
  fate: "open" | "whole" | "broken";
  /** Whether a call of the other side was left out for it already. */
  hasTwin: boolean;
  /** Its events, while it is not certain that it is no repetition. */
  held: Event[] | undefined;
  isDropped: boolean;
}

/** The calls of one choice. */
export class JoinedCalls {
  readonly #calls: JoinedCall[] = [];
  readonly #numbers = { text: new Map<number, number>(), native: new Map<number, number>() };
  #remembered = 0;

  /** Takes events of one side and gives those that can go on. */
  join(origin: Origin, events: readonly Event[]): Event[] {
    return events.flatMap((event) => this.#join(origin, event));
  }

  /** The choice is over: what still waits goes on. */
  end(): Event[] {
    return this.#calls.flatMap((call) => release(call));
  }

  #join(origin: Origin, event: Event): Event[] {
    switch (event.kind) {
      case "call_start":
        return this.#begin(origin, event);
      case "arguments":
      case "call_end":
      case "call_abort": {
        const number = this.#numbers[origin].get(event.call) ?? event.call;
        const joined = number === event.call ? event : { ...event, call: number };
        const call = this.#calls[number];
        return call === undefined ? [joined] : this.#goOn(call, joined);
      }
      case "note": {
        const number = event.call === undefined ? undefined : this.#numbers[origin].get(event.call);
        return [number === undefined || number === event.call ? event : { ...event, call: number }];
      }
      default:
        return [event];
    }
  }

  #begin(origin: Origin, event: CallStartEvent): Event[] {
    const number = this.#calls.length;
    const start = event.call === number ? event : { ...event, call: number };
    this.#numbers[origin].set(event.call, number);
    const call: JoinedCall = {
      origin,
      start,
      json: "",
      fate: "open",
      hasTwin: false,
      held: undefined,
      isDropped: false,
    };
    const mayRepeat = this.#twins(call).length > 0;
    this.#calls.push(call);
    if (!mayRepeat) return [start];
    call.held = [start];
    return [];
  }

  #goOn(call: JoinedCall, event: Event): Event[] {
    if (call.isDropped) return [];
    if (event.kind === "arguments") {
      this.#remembered += event.json.length;
      if (this.#remembered <= REMEMBERED_MAXIMUM) call.json += event.json;
    }
    if (event.kind === "call_end") call.fate = "whole";
    if (event.kind === "call_abort") call.fate = "broken";
    if (call.held === undefined) {
      return event.kind === "arguments" ? [event] : [event, ...this.#settleWaiting()];
    }
    call.held.push(event);
    return event.kind === "arguments" ? [] : this.#settle(call);
  }

  /** A call that others were waiting for is over. */
  #settleWaiting(): Event[] {
    return this.#calls.flatMap((call) =>
      call.held !== undefined && call.fate !== "open" ? this.#settle(call) : []
    );
  }

  #settle(call: JoinedCall): Event[] {
    if (call.fate === "broken") return release(call);
    const twins = this.#twins(call);
    const twin = twins.find((other) => other.fate === "whole" && this.#isSame(other, call));
    if (twin !== undefined) {
      twin.hasTwin = true;
      call.held = undefined;
      call.isDropped = true;
      return [repeated(call)];
    }
    return twins.some((other) => other.fate === "open") ? [] : release(call);
  }

  /** The calls of the other side that this one may repeat. */
  #twins({ origin, start }: JoinedCall): JoinedCall[] {
    return this.#calls.filter((other) =>
      other.origin !== origin && other.start.tool === start.tool && other.fate !== "broken" &&
      !other.hasTwin && !other.isDropped
    );
  }

  #isSame(a: JoinedCall, b: JoinedCall): boolean {
    return this.#remembered <= REMEMBERED_MAXIMUM && isJsonEqual(parse(a.json), parse(b.json));
  }
}

function release(call: JoinedCall): Event[] {
  const { held = [] } = call;
  call.held = undefined;
  return held;
}

function repeated({ start }: JoinedCall): NoteEvent {
  const { call, tool, rule } = start;
  return { kind: "note", reason: "repeated_call", rule, tool, call, start: 0, end: 0 };
}

/** The value of whole arguments; each text that is no JSON is equal to nothing else. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json === "" ? "{}" : json);
  } catch {
    return Symbol("no JSON");
  }
}
