/**
 * Joins the calls of one choice: those in its text and the upstream's own calls. They get consecutive numbers, and a call
 * that arrives from both origins is passed on only once.
 *
 * A server can parse its model's calls and send their text too. So if the other origin has already called the same tool,
 * a call is held until it is whole and can be compared.
 *
 * @module
 */
import type { AnswerEvent } from "../event/event.ts";
import type { Sink, Stage } from "../event/stage.ts";
import type { CallStartEvent, NoteEvent } from "../../engine/event/event.ts";
import { canonicalJson } from "../../engine/json/equal.ts";

type Origin = "text" | "native";

/** The most characters of arguments that a choice keeps for comparison. Beyond that, no call is a repetition. */
const REMEMBERED_MAXIMUM = 4 * 1024 * 1024;

interface JoinedCall {
  readonly origin: Origin;
  readonly start: CallStartEvent;
  json: string;
  fate: "open" | "whole" | "broken";
  /** Its events, while it can be a repetition. */
  held: AnswerEvent[] | undefined;
  isDropped: boolean;
}

type CallPart = Extract<AnswerEvent, { kind: "arguments" | "call_end" | "call_abort" }>;

export class JoinedCalls {
  readonly text: Stage = this.#stageFor("text");
  readonly native: Stage = this.#stageFor("native");
  readonly #calls: JoinedCall[] = [];
  /** The calls by origin and tool. An answer can contain thousands of calls, and each one looks for its twin. */
  readonly #byTool = {
    text: new Map<string, CallsOfTool>(),
    native: new Map<string, CallsOfTool>(),
  };
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
        for (const call of this.#calls) if (call.held !== undefined) this.#release(call);
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
      held: undefined,
      isDropped: false,
    };
    this.#calls.push(call);
    const own = this.#own(call);
    own.open++;
    if (!this.#other(call).canBeRepeated) return this.#out.push(start);
    call.held = [start];
    own.held.add(call);
  }

  #continue(call: JoinedCall, event: CallPart): void {
    if (call.isDropped) return;
    if (event.kind === "arguments") {
      this.#remembered += event.json.length;
      if (this.#remembered <= REMEMBERED_MAXIMUM) call.json += event.json;
    }
    if (call.held === undefined) this.#out.push(event);
    else call.held.push(event);
    if (event.kind !== "arguments") this.#end(call, event.kind === "call_end" ? "whole" : "broken");
  }

  /** Ends a call. It can repeat a call of the other origin, or a held one can repeat it. */
  #end(call: JoinedCall, fate: "whole" | "broken"): void {
    if (call.fate !== "open") return;
    call.fate = fate;
    const own = this.#own(call);
    const other = this.#other(call);
    own.open--;
    if (call.held !== undefined) return this.#settle(call);
    if (fate === "whole") own.add(call);
    const repetition = fate === "whole" && other.held.size > 0 && this.#canCompare
      ? other.find(call, { isHeld: true })
      : undefined;
    if (repetition !== undefined) {
      other.remove(repetition);
      own.remove(call);
      this.#drop(repetition);
    }
    if (own.open > 0) return;
    for (const held of other.held) if (held.fate !== "open") this.#release(held);
  }

  #settle(call: JoinedCall): void {
    const other = this.#other(call);
    if (call.fate === "broken") return this.#release(call);
    const twin = this.#canCompare ? other.find(call, { isHeld: false }) : undefined;
    // A server that can't read the call that it sends as text makes an empty one of it.
    const isEmpty = this.#canCompare && call.origin === "native" && keyOf(call) === "{}";
    if (twin !== undefined || (isEmpty && other.hasWhole)) {
      if (twin !== undefined) other.remove(twin);
      return this.#drop(call);
    }
    this.#own(call).add(call);
    if (other.open === 0) this.#release(call);
  }

  #drop(call: JoinedCall): void {
    this.#own(call).held.delete(call);
    call.held = undefined;
    call.isDropped = true;
    this.#out.push(repeatedNote(call));
  }

  #release(call: JoinedCall): void {
    const { held = [] } = call;
    this.#own(call).held.delete(call);
    call.held = undefined;
    for (const event of held) this.#out.push(event);
  }

  get #canCompare(): boolean {
    return this.#remembered <= REMEMBERED_MAXIMUM;
  }

  #own({ origin, start }: JoinedCall): CallsOfTool {
    return this.#of(origin, start.tool);
  }

  /** The calls of the other origin that this call can repeat. */
  #other({ origin, start }: JoinedCall): CallsOfTool {
    return this.#of(origin === "text" ? "native" : "text", start.tool);
  }

  #of(origin: Origin, tool: string): CallsOfTool {
    const known = this.#byTool[origin].get(tool);
    if (known !== undefined) return known;
    const calls = new CallsOfTool();
    this.#byTool[origin].set(tool, calls);
    return calls;
  }
}

function repeatedNote({ start }: JoinedCall): NoteEvent {
  const { call, tool, rule } = start;
  return { kind: "note", reason: "repeated_call", rule, tool, call, start: 0, end: 0 };
}

/** The calls of one tool from one origin: open ones, whole ones by their arguments, and held ones. */
class CallsOfTool {
  open = 0;
  readonly held = new Set<JoinedCall>();
  readonly #whole = new Set<JoinedCall>();
  /** The whole calls by their arguments, and those that weren't looked at yet. */
  readonly #byArguments = new Map<string, JoinedCall[]>();
  #added: JoinedCall[] = [];

  /** Whether a call of the other origin can repeat one of these. */
  get canBeRepeated(): boolean {
    return this.open > 0 || this.#whole.size > 0;
  }

  get hasWhole(): boolean {
    return this.#whole.size > 0;
  }

  add(call: JoinedCall): void {
    this.#whole.add(call);
    this.#added.push(call);
  }

  remove(call: JoinedCall): void {
    this.#whole.delete(call);
  }

  /** The first whole call with the same arguments as a call of the other origin. */
  find(call: JoinedCall, options: { readonly isHeld: boolean }): JoinedCall | undefined {
    for (const added of this.#added) {
      const key = keyOf(added);
      if (key === undefined) continue;
      const same = this.#byArguments.get(key);
      if (same === undefined) this.#byArguments.set(key, [added]);
      else same.push(added);
    }
    this.#added = [];
    const key = keyOf(call);
    const same = key === undefined
      ? undefined
      : this.#byArguments.get(key)?.filter((one) => this.#whole.has(one));
    if (key === undefined || same === undefined) return undefined;
    this.#byArguments.set(key, same);
    return options.isHeld ? same.find((one) => this.held.has(one)) : same[0];
  }
}

function keyOf({ json }: JoinedCall): string | undefined {
  return canonicalJson(json === "" ? "{}" : json);
}
