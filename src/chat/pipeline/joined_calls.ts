/**
 * Joins the calls of one choice: those in its text and the upstream's own calls. They get consecutive numbers, and a call
 * that arrives from both origins is passed on only once.
 *
 * A server can parse its model's calls and send their text too. So if the other origin has already called the same tool,
 * a call is held until it is whole and can be compared.
 *
 * @module
 */
import type { AnswerEvent, CallStartEvent, NoteEvent } from "../../engine/event/event.ts";
import type { Sink, Stage } from "../../engine/event/stage.ts";
import { isJsonEqual } from "../../engine/json/equal.ts";
import { parseJson } from "../../engine/object/parse.ts";

/** The origin of an event: the text, or the upstream's own calls. */
export type Origin = "text" | "native";

/** The most characters of arguments that a choice keeps for comparison. Beyond that, no call is a repetition. */
const REMEMBERED_MAXIMUM = 4 * 1024 * 1024;

interface JoinedCall {
  readonly origin: Origin;
  readonly start: CallStartEvent;
  json: string;
  fate: "open" | "whole" | "broken";
  /** Whether a call of the other origin was dropped because it repeats this one. */
  hasTwin: boolean;
  /** Its events, while it can be a repetition. */
  held: AnswerEvent[] | undefined;
  isDropped: boolean;
}

type CallPart = Extract<AnswerEvent, { kind: "arguments" | "call_end" | "call_abort" }>;

/** The calls of one choice. */
export class JoinedCalls {
  /** Receives the events of the text. */
  readonly text: Stage = this.#stageFor("text");
  /** Receives the events of the upstream's own calls. */
  readonly native: Stage = this.#stageFor("native");
  readonly #calls: JoinedCall[] = [];
  /** The calls by origin and tool. An answer can contain thousands of calls, and each one looks for its twins. */
  readonly #byTool = { text: new Map<string, JoinedCall[]>(), native: new Map<string, JoinedCall[]>() };
  /** The calls whose events are held. */
  readonly #held = new Set<JoinedCall>();
  readonly #numbers = { text: new Map<number, number>(), native: new Map<number, number>() };
  #remembered = 0;
  #out: Sink = { push() {} };

  #stageFor(origin: Origin): Stage {
    return {
      push: (event, out) => {
        this.#out = out;
        this.#join(origin, event);
      },
    };
  }

  #join(origin: Origin, event: AnswerEvent): void {
    switch (event.kind) {
      case "call_start":
        return this.#begin(origin, event);
      case "arguments":
      case "call_end":
      case "call_abort": {
        const number = this.#numbers[origin].get(event.call) ?? event.call;
        const joined = number === event.call ? event : { ...event, call: number };
        const call = this.#calls[number];
        return call === undefined ? this.#out.push(joined) : this.#continue(call, joined);
      }
      case "note": {
        const number = event.call === undefined ? undefined : this.#numbers[origin].get(event.call);
        return this.#out.push(
          number === undefined || number === event.call ? event : { ...event, call: number },
        );
      }
      case "finish":
        for (const call of [...this.#held]) this.#release(call);
    }
    this.#out.push(event);
  }

  #begin(origin: Origin, event: CallStartEvent): void {
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
    const sameTool = this.#byTool[origin].get(start.tool);
    if (sameTool === undefined) this.#byTool[origin].set(start.tool, [call]);
    else sameTool.push(call);
    if (!mayRepeat) return this.#out.push(start);
    call.held = [start];
    this.#held.add(call);
  }

  #continue(call: JoinedCall, event: CallPart): void {
    if (call.isDropped) return;
    if (event.kind === "arguments") {
      this.#remembered += event.json.length;
      if (this.#remembered <= REMEMBERED_MAXIMUM) call.json += event.json;
    }
    if (event.kind === "call_end") call.fate = "whole";
    if (event.kind === "call_abort") call.fate = "broken";
    if (call.held === undefined) {
      this.#out.push(event);
      if (event.kind !== "arguments") this.#settleHeld();
    } else {
      call.held.push(event);
      if (event.kind !== "arguments") this.#settle(call);
    }
  }

  /** A call has ended: settles the calls that were held because of it. */
  #settleHeld(): void {
    for (const call of [...this.#held]) if (call.fate !== "open") this.#settle(call);
  }

  #settle(call: JoinedCall): void {
    if (call.fate === "broken") return this.#release(call);
    const twins = this.#twins(call);
    const twin = twins.find((other) => other.fate === "whole" && this.#isSame(other, call));
    if (twin !== undefined) {
      twin.hasTwin = true;
      this.#held.delete(call);
      call.held = undefined;
      call.isDropped = true;
      return this.#out.push(repeatedNote(call));
    }
    if (!twins.some((other) => other.fate === "open")) this.#release(call);
  }

  #release(call: JoinedCall): void {
    const { held = [] } = call;
    this.#held.delete(call);
    call.held = undefined;
    for (const event of held) this.#out.push(event);
  }

  /** The calls of the other origin that this call can repeat. */
  #twins({ origin, start }: JoinedCall): JoinedCall[] {
    const others = this.#byTool[origin === "text" ? "native" : "text"].get(start.tool) ?? [];
    return others.filter((other) => other.fate !== "broken" && !other.hasTwin && !other.isDropped);
  }

  #isSame(a: JoinedCall, b: JoinedCall): boolean {
    return this.#remembered <= REMEMBERED_MAXIMUM && isJsonEqual(parse(a.json), parse(b.json));
  }
}

function repeatedNote({ start }: JoinedCall): NoteEvent {
  const { call, tool, rule } = start;
  return { kind: "note", reason: "repeated_call", rule, tool, call, start: 0, end: 0 };
}

/** The value of whole arguments. A text that isn't JSON equals no other text. */
function parse(json: string): unknown {
  const value = parseJson(json === "" ? "{}" : json);
  return value === undefined ? Symbol("not JSON") : value;
}
