/** Calls for clients that execute `tool_calls` or `function_call`: dense numbers, unique ids, and a reason that fits. @module */
import type { AnswerEvent, FinishEvent } from "../event/event.ts";
import type { Sink } from "../event/stage.ts";
import type { CallStartEvent } from "../../engine/event/event.ts";
import { CALL_REASONS, passFinish, type Renderer } from "./renderer.ts";

/** Reasons that say more than "a call was made" and therefore stay. */
const STRONGER_REASONS: ReadonlySet<string> = new Set(["length", "content_filter"]);

interface ToolCallOptions {
  /** The ids of the conversation so far: no new call gets one of them. */
  readonly takenIds?: ReadonlySet<string>;
  /** Whether the client takes one call an answer (`parallel_tool_calls: false`). */
  readonly isOneCall?: boolean;
  /** Whether the client reads `function_call`: one call an answer, and no ids. */
  readonly isLegacy?: boolean;
}

/**
 * Renders for clients that execute `tool_calls`.
 *
 * An aborted call's arguments stay unfinished and the choice ends with `length`, as a native answer does that
 * was cut off: damaged arguments are never presented as complete ones.
 *
 * @example
 * ```ts
 * import { collect } from "../../engine/event/stage.ts";
 * import { ToolCallRenderer } from "./tool_calls.ts";
 * const [start] = collect(new ToolCallRenderer(() => "call_1"), [
 *   { kind: "call_start", call: 0, tool: "read_file", rule: "my_rule", confidence: 1 },
 * ]);
 * console.assert(start?.kind === "call_start" && start.id === "call_1");
 * ```
 */
export class ToolCallRenderer implements Renderer {
  readonly #newId: () => string;
  readonly #options: ToolCallOptions;
  readonly #ids: Set<string>;
  /** The number of a call → its number among those that are sent; calls that are not sent have none. */
  readonly #sent = new Map<number, number>();
  #open = 0;
  #isAborted = false;
  #isRefused = false;

  /** A renderer for one choice; `newId` is asked again while it gives an id that the conversation already has. */
  constructor(newId: () => string, options: ToolCallOptions = {}) {
    this.#newId = newId;
    this.#options = options;
    this.#ids = new Set(options.takenIds);
  }

  /** True once a call had to be left out and the one before it is whole. */
  get isFinished(): boolean {
    return this.#isRefused && this.#open === 0;
  }

  push(event: AnswerEvent, out: Sink): void {
    switch (event.kind) {
      case "text":
        // What follows the second call is not sent either: the answer ends with the first.
        if (!this.#isRefused) out.push(event);
        break;
      case "call_start":
        this.#start(event, out);
        break;
      case "call_end":
      case "call_abort":
        if (!this.#sent.has(event.call)) break;
        this.#open = Math.max(0, this.#open - 1);
        this.#isAborted ||= event.kind === "call_abort";
        this.#pass(event, out);
        break;
      case "arguments":
        this.#pass(event, out);
        break;
      case "note":
        break;
      case "finish":
        passFinish(event, { reason: this.#reason(event), out });
        break;
      default:
        out.push(event);
    }
  }

  /** `length` after an aborted call: only it shows every client an unfinished call. `tool_calls` only after a whole one. */
  #reason({ reason }: FinishEvent): string | null {
    if (this.#isAborted) return "length";
    if (reason !== null && STRONGER_REASONS.has(reason) && this.#sent.size > 0) return reason;
    if (this.#sent.size > 0) return this.#options.isLegacy ? "function_call" : "tool_calls";
    return reason !== null && CALL_REASONS.has(reason) ? "stop" : reason;
  }

  #start(event: CallStartEvent, out: Sink): void {
    const { call, tool, rule, id: own } = event;
    const number = this.#sent.size;
    const { isOneCall, isLegacy } = this.#options;
    if ((isOneCall || isLegacy) && number > 0) {
      this.#isRefused = true;
      return out.push({ kind: "note", reason: "one_call_only", rule, tool, call, start: 0, end: 0 });
    }
    this.#sent.set(call, number);
    this.#open++;
    const id = isLegacy ? own : this.#idFor(number, own);
    out.push(id === own && call === number ? event : { ...event, call: number, ...(id && { id }) });
  }

  #pass(event: Extract<AnswerEvent, { kind: "arguments" | "call_end" | "call_abort" }>, out: Sink): void {
    const number = this.#sent.get(event.call);
    if (number !== undefined) out.push(number === event.call ? event : { ...event, call: number });
  }

  #idFor(number: number, own: string | undefined): string {
    let id = own ?? this.#newId();
    for (let attempt = 1; this.#ids.has(id); attempt++) {
      // A source that repeats itself must not hang the answer.
      id = attempt < 16 ? this.#newId() : `${id}_${number}`;
    }
    this.#ids.add(id);
    return id;
  }
}
