/** Remembers what was read of a stream: another answer can continue it only if it begins with the same. @module */
import type { AnswerEvent } from "../../chat/event/event.ts";
import type { Sink } from "../../chat/event/stage.ts";
import { collect, textAnswer, type TextStage } from "../../engine/event/stage.ts";
import { isJsonEqual } from "../../engine/json/equal.ts";
import { parseJson } from "../../engine/object/parse.ts";

/** The longest text and arguments that are remembered; a longer answer can't be continued. */
const LENGTH_MAX = 1024 * 1024;

/** The most characters that are read to find where another answer continues after calls. */
const READ_MAX = 4 * 1024 * 1024;

/** The ends of calls, after which text can continue. */
const CALL_ENDS = "}])>\n";

interface SeenCall {
  readonly tool: string;
  json: string;
  isWhole: boolean;
}

class Reading implements Sink {
  text = "";
  readonly calls: SeenCall[] = [];
  readonly #numbers = new Map<number, SeenCall>();

  push(event: AnswerEvent): void {
    if (event.kind === "text") this.text += event.text;
    if (event.kind === "call_start") {
      const call = { tool: event.tool, json: "", isWhole: false };
      this.calls.push(call);
      this.#numbers.set(event.call, call);
    }
    if (event.kind === "arguments") this.#change(event.call, (call) => call.json += event.json);
    if (event.kind === "call_end") this.#change(event.call, (call) => call.isWhole = true);
  }

  #change(number: number, change: (call: SeenCall) => void): void {
    const call = this.#numbers.get(number);
    if (call !== undefined) change(call);
  }
}

export class SentSoFar implements Sink {
  readonly #reading = new Reading();
  #length = 0;
  hasReasoning = false;

  /** Takes a part of the answer, before any stage decides about it. */
  push(event: AnswerEvent): void {
    if (event.kind === "reasoning") this.hasReasoning = true;
    if (event.kind === "text") this.#length += event.text.length;
    if (event.kind === "arguments") this.#length += event.json.length;
    if (this.#length <= LENGTH_MAX) this.#reading.push(event);
  }

  get callCount(): number {
    return this.#reading.calls.length;
  }

  get text(): string {
    return this.#reading.text;
  }

  /** Whether all was remembered and no call is incomplete. */
  get isWhole(): boolean {
    return this.#length <= LENGTH_MAX &&
      this.#reading.calls.every(({ json }) => parseJson(json) !== undefined);
  }

  /** What another answer adds, its calls included; undefined if it doesn't begin with what was read. */
  remainderOf(answer: string, createMatcher: () => TextStage): string | undefined {
    if (!this.isWhole) return undefined;
    const { text, calls } = this.#reading;
    if (calls.length === 0) {
      if (answer.startsWith(text)) return answer.slice(text.length);
      const start = answer.length - answer.trimStart().length;
      const begun = text.trimStart();
      return answer.startsWith(begun, start) ? answer.slice(start + begun.length) : undefined;
    }
    return this.#remainderAfterCalls(answer, createMatcher);
  }

  /** The text after the longest beginning of an answer that reads as what was read before. */
  #remainderAfterCalls(answer: string, createMatcher: () => TextStage): string | undefined {
    let found: number | undefined;
    let left = READ_MAX;
    for (let at = this.#reading.text.trim().length; at <= answer.length; at++) {
      if (!CALL_ENDS.includes(answer[at - 1] ?? "}") && at < answer.length) continue;
      left -= at;
      if (left < 0) return undefined;
      const isSame = this.#isSame(answer.slice(0, at), createMatcher());
      if (isSame) found = at;
      else if (found !== undefined) break;
    }
    return found === undefined ? undefined : answer.slice(found);
  }

  #isSame(text: string, matcher: TextStage): boolean {
    const read = new Reading();
    for (const event of collect(matcher, textAnswer([text]))) read.push(event);
    const { calls, text: rest } = this.#reading;
    return read.calls.length === calls.length && read.text.trim() === rest.trim() &&
      read.calls.every(({ tool, json, isWhole }, index) => {
        const call = calls[index]!;
        return isWhole && tool === call.tool && isJsonEqual(parseJson(json), parseJson(call.json));
      });
  }
}
