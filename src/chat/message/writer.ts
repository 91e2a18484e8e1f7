/**
 * Writes an answer for OpenAI's chat API. A message is sent unchanged if the events that arrive are the same objects that
 * were read from it, complete and in order. Otherwise a new message is written from the events that arrive.
 *
 * @module
 */
import type { AnswerEvent, FailureEvent, UsageEvent } from "../event/event.ts";
import type { Sink } from "../event/stage.ts";
import { present } from "../../engine/object/present.ts";
import type { ChatChunk, Delta, ToolCallDelta } from "./chunk.ts";
import { errorBody } from "./error.ts";
import { addUsage } from "./usage.ts";
import { type ChoiceOutcome, continueChunk, identityOf, rewriteChunk } from "./write.ts";

interface WriterOptions {
  /** Whether the client reads `function_call` instead of `tool_calls`. */
  readonly isLegacy?: boolean;
  /** The usage of earlier attempts that the client doesn't see; it's added to the upstream's usage. */
  readonly spent?: unknown;
}

export class ChatWriter {
  readonly #options: WriterOptions;
  #lastChunk: ChatChunk = { choices: [] };
  #usage: unknown = null;

  constructor(options: WriterOptions = {}) {
    this.#options = options;
  }

  /** The upstream's token counts; null if it sent none. */
  get usage(): unknown {
    return this.#usage;
  }

  get identity(): Readonly<Record<string, unknown>> {
    return identityOf(this.#lastChunk);
  }

  push(event: UsageEvent): void {
    this.#usage = event.usage;
  }

  /**
   * The messages that replace one message; undefined if it can be sent unchanged.
   *
   * @param outcomes the new content of each of its choices; undefined: the choice stays unchanged
   */
  write(chunk: ChatChunk, outcomes: readonly (ChoiceOutcome | undefined)[]): string[] | undefined {
    if (chunk.choices.length > 0) this.#lastChunk = chunk;
    const { spent } = this.#options;
    const isSummed = spent !== undefined && chunk.usage != null;
    if (!isSummed && outcomes.every((outcome) => outcome === undefined)) return undefined;
    const summed = isSummed ? { ...chunk, usage: addUsage(spent, chunk.usage) } : chunk;
    return rewriteChunk(summed, outcomes).map((each) => JSON.stringify(each));
  }

  /** The messages for what is left of a choice after its upstream's last message. */
  continue(index: number, outcome: ChoiceOutcome | undefined): string[] {
    if (outcome === undefined) return [];
    return continueChunk(this.#lastChunk, { index, outcome }).map((each) => JSON.stringify(each));
  }

  /** A message that contains only the token counts; no message if the upstream sent none. */
  writeUsage(): string[] {
    if (this.#usage === null) return [];
    const usage = addUsage(this.#options.spent, this.#usage);
    return [JSON.stringify({ ...identityOf(this.#lastChunk), usage })];
  }

  writeError(error: Omit<FailureEvent, "kind">): string {
    return errorBody(error);
  }
}

/** Compares the events of one choice, object by object, with those that were read from the message. */
export class ChoiceWriter implements Sink {
  readonly #isLegacy: boolean;
  readonly #expected: AnswerEvent[] = [];
  /** The number of expected events that have arrived, until a different one arrives. */
  #arrived = 0;
  #isChanged = false;
  #mustWrite = false;
  #deltas: Delta[] = [];
  #finishReason: string | null = null;
  #hasRole = false;
  #isEndedEarly = false;
  /** Whether the choice ended early before the current message. */
  #wasEndedEarly = false;
  /** The error that ends the answer, because the choice can't continue. */
  failure: FailureEvent | undefined;

  constructor({ isLegacy = false }: WriterOptions = {}) {
    this.#isLegacy = isLegacy;
  }

  /** The next message begins. `mustWrite`: it can't be sent unchanged, whatever arrives. */
  begin({ mustWrite = false }: { readonly mustWrite?: boolean } = {}): void {
    this.#expected.length = this.#arrived = 0;
    this.#isChanged = this.#mustWrite = mustWrite;
    if (this.#deltas.length > 0) this.#deltas = [];
    this.#finishReason = null;
    this.#wasEndedEarly = this.#isEndedEarly;
  }

  /** An event was read from the message. */
  expect(event: AnswerEvent): void {
    this.#expected.push(event);
    if (event.kind === "role") this.#hasRole = true;
  }

  push(event: AnswerEvent): void {
    if (!this.#isChanged) {
      if (event === this.#expected[this.#arrived]) {
        this.#arrived++;
        return;
      }
      this.#change();
    }
    this.#add(event);
  }

  /** The new content of the choice; undefined: it stays unchanged. */
  end(): ChoiceOutcome | undefined {
    if (this.#wasEndedEarly) return { deltas: [], finishReason: null, isEndedEarly: true };
    if (!this.#isChanged && this.#arrived < this.#expected.length) this.#change();
    if (!this.#isChanged || this.#hasSameText()) return undefined;
    const outcome = { deltas: this.#deltas, finishReason: this.#finishReason };
    if (this.#hasRole || !this.#deltas.some(isCall)) return outcome;
    // A client needs the role before a call, but not before text.
    this.#hasRole = true;
    return { ...outcome, role: "assistant" };
  }

  #change(): void {
    this.#isChanged = true;
    for (let at = 0; at < this.#arrived; at++) this.#add(this.#expected[at]!);
  }

  /** Whether the joined text pieces equal the message's text: a stage can split a text around a note. */
  #hasSameText(): boolean {
    if (this.#mustWrite || this.#deltas.length > 1 || !this.#deltas.every(isText)) return false;
    let text = "";
    let finishReason: string | null = null;
    for (const event of this.#expected) {
      if (event.kind === "text") text += event.text;
      else if (event.kind === "finish") finishReason = event.reason;
      else if (event.kind !== "role" && event.kind !== "reasoning") return false;
    }
    return (this.#deltas[0]?.content ?? "") === text && finishReason === this.#finishReason;
  }

  #add(event: AnswerEvent): void {
    switch (event.kind) {
      case "text":
        appendText(this.#deltas, event.text);
        break;
      case "call_start": {
        const { call, id, tool, extra } = event;
        const called = { name: tool, arguments: "" };
        const head = { index: call, ...present({ id }), type: "function", ...extra };
        this.#deltas.push(
          this.#isLegacy ? { function_call: called } : { tool_calls: [{ ...head, function: called }] },
        );
        break;
      }
      case "arguments":
        if (this.#isLegacy) this.#deltas.push({ function_call: { arguments: event.json } });
        else appendArguments(this.#deltas, event.call, event.json);
        break;
      case "finish":
        this.#finishReason = event.reason;
        this.#isEndedEarly ||= event.isEarly ?? false;
        break;
      case "error":
        this.failure ??= event;
        break;
      case "reasoning":
        // The upstream's own reasoning stays in its chunk.
        if (!this.#expected.includes(event)) appendReasoning(this.#deltas, event.text);
        break;
      default:
        // The role and all other fields stay in their chunk.
        break;
    }
  }
}

function isCall(delta: Delta): boolean {
  return delta.tool_calls !== undefined || delta.function_call !== undefined;
}

function isText(delta: Delta): boolean {
  return !isCall(delta) && delta.reasoning_content === undefined;
}

function appendReasoning(deltas: Delta[], text: string): void {
  const last = deltas.at(-1)?.reasoning_content;
  if (last === undefined) deltas.push({ reasoning_content: text });
  else deltas[deltas.length - 1] = { reasoning_content: last + text };
}

function appendText(deltas: Delta[], text: string): void {
  const last = deltas.at(-1);
  if (last?.content === undefined) deltas.push({ content: text });
  else deltas[deltas.length - 1] = { content: last.content + text };
}

function appendArguments(deltas: Delta[], index: number, json: string): void {
  const last = deltas.at(-1)?.tool_calls?.[0];
  if (last?.index === index && last.id === undefined) {
    deltas[deltas.length - 1] = { tool_calls: [fragment(index, (last.function?.arguments ?? "") + json)] };
  } else {
    deltas.push({ tool_calls: [fragment(index, json)] });
  }
}

function fragment(index: number, json: string): ToolCallDelta {
  return { index, function: { arguments: json } };
}
