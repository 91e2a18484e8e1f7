/**
 * The calls that the rules made of an answer, as the second reader needs them: which were made, and how the one begins that
 * broke off.
 *
 * @module
 */
import type { ArgumentsEvent, CallEndEvent, CallStartEvent, NoteEvent } from "../../engine/event/event.ts";
import { isJsonEqual } from "../../engine/json/equal.ts";
import { parseJson } from "../../engine/object/parse.ts";
import type { ReadCall } from "../../engine/evidence/reading.ts";

export interface RuleCall {
  readonly call: number;
  readonly tool: string;
  json: string;
  /** What isn't sent of it. */
  rest: string;
  /** Whether the client gets it while it is written, as text. */
  readonly isFlowing: boolean;
}

export class RuleCalls {
  readonly #calls: RuleCall[] = [];
  /** Where the last whole call ends, as far as it is known. */
  end = 0;

  get count(): number {
    return this.#calls.length;
  }

  see(event: CallStartEvent | ArgumentsEvent | CallEndEvent | NoteEvent): void {
    if (event.kind === "call_start") {
      const { call, tool, isFlowing = false } = event;
      this.#calls.push({ call, tool, json: "", rest: "", isFlowing });
    } else if (event.kind === "note") {
      if (event.reason === "transformed") this.end = Math.max(this.end, event.end);
    } else if (this.last?.call !== event.call) return;
    else if (event.kind === "arguments") this.last.json += event.json;
    else this.last.rest = event.checked?.rest ?? "";
  }

  /** The call that is being written, or broke off. */
  get last(): RuleCall | undefined {
    return this.#calls.at(-1);
  }

  of(number: number): RuleCall | undefined {
    return this.#calls.find(({ call }) => call === number);
  }

  /** Whether one of the calls with these numbers is exactly this one. */
  has({ tool, arguments: read }: ReadCall, numbers: readonly number[]): boolean {
    return numbers.some((number) => {
      const made = this.of(number);
      return made?.tool === tool.name && isJsonEqual(parseJson(made.json + made.rest), read);
    });
  }
}
