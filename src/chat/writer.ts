/**
 * Writes an answer on the wire of OpenAI's chat API. A message whose events arrive as the very objects that were read
 * from it, in order and complete, leaves as it came. Any other message is written anew around the events that arrive.
 *
 * @module
 */
import type { AnswerEvent, FailureEvent, UsageEvent } from "../event/event.ts";
import type { Sink } from "../event/stage.ts";
import type { ChatChunk, Delta, ToolCallDelta } from "./chunk.ts";
import { errorBody } from "./error.ts";
import { addUsage } from "./usage.ts";
import { type ChoiceOutcome, continueChunk, identityOf, rewriteChunk } from "./write.ts";

/** What a writer has to know of the request. */
export interface WriterOptions {
  /** Whether the client reads `function_call` instead of `tool_calls`. */
  readonly isLegacy?: boolean;
  /** The usage of attempts before this one, which the client did not see; it is added to the upstream's. */
  readonly spent?: unknown;
}

/** Writes the streamed messages of one answer; gives the JSON texts of those that take a message's place. */
export class ChatWriter {
  readonly #options: WriterOptions;
  #template: ChatChunk = { choices: [] };
  #usage: unknown = null;

  /** @param options what is known of the request */
  constructor(options: WriterOptions = {}) {
    this.#options = options;
  }

  /** The upstream's token counts; null when it gave none. */
  get usage(): unknown {
    return this.#usage;
  }

  /** Takes the token counts. */
  push(event: UsageEvent): void {
    this.#usage = event.usage;
  }

  /**
   * The messages that take the place of one that was read; undefined when it can leave as it came.
   *
   * @param chunk what came
   * @param outcomes for each of its choices what it holds now; undefined: the choice stays as it is
   */
  write(chunk: ChatChunk, outcomes: readonly (ChoiceOutcome | undefined)[]): string[] | undefined {
    if (chunk.choices.length > 0) this.#template = chunk;
    const { spent } = this.#options;
    const isSummed = spent !== undefined && chunk.usage != null;
    if (!isSummed && outcomes.every((outcome) => outcome === undefined)) return undefined;
    const summed = isSummed ? { ...chunk, usage: addUsage(spent, chunk.usage) } : chunk;
    return rewriteChunk(summed, outcomes).map((each) => JSON.stringify(each));
  }

  /** The messages for what a choice has left to say when the upstream says nothing more. */
  continue(index: number, outcome: ChoiceOutcome | undefined): string[] {
    if (outcome === undefined) return [];
    return continueChunk(this.#template, { index, outcome }).map((each) => JSON.stringify(each));
  }

  /** A message with the token counts alone; none when the upstream gave none. */
  writeUsage(): string[] {
    if (this.#usage === null) return [];
    const usage = addUsage(this.#options.spent, this.#usage);
    return [JSON.stringify({ ...identityOf(this.#template), usage })];
  }

  /** The message that tells the client what went wrong. */
  writeError(error: Omit<FailureEvent, "kind">): string {
    return errorBody(error);
  }
}

/** Takes the events of one choice and compares them, object by object, with those that were read. */
export class ChoiceWriter implements Sink {
  readonly #isLegacy: boolean;
  readonly #expected: AnswerEvent[] = [];
  /** How many of the expected events have arrived, as long as nothing else has. */
  #arrived = 0;
  #isChanged = false;
  #mustWrite = false;
  #deltas: Delta[] = [];
  #finishReason: string | null = null;
  #hasRole = false;
  #isSilenced = false;
  #wasSilenced = false;
  /** Why the choice cannot go on: its answer ends with this error. */
  failure: FailureEvent | undefined;

  /** @param options what is known of the request */
  constructor({ isLegacy = false }: WriterOptions = {}) {
    this.#isLegacy = isLegacy;
  }

  /** The next message begins. `mustWrite`: whatever arrives, it cannot leave as it came. */
  begin({ mustWrite = false }: { readonly mustWrite?: boolean } = {}): void {
    this.#expected.length = this.#arrived = 0;
    this.#isChanged = this.#mustWrite = mustWrite;
    if (this.#deltas.length > 0) this.#deltas = [];
    this.#finishReason = null;
    this.#wasSilenced = this.#isSilenced;
  }

  /** An event was read from the message. */
  expect(event: AnswerEvent): void {
    this.#expected.push(event);
    if (event.kind === "role") this.#hasRole = true;
  }

  /** An event arrives. */
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

  /** What the choice holds now; undefined: it stays as it is. */
  end(): ChoiceOutcome | undefined {
    if (this.#wasSilenced) return { deltas: [], finishReason: null, isSilenced: true };
    if (!this.#isChanged && this.#arrived < this.#expected.length) this.#change();
    if (!this.#isChanged || this.#hasSameText()) return undefined;
    const outcome = { deltas: this.#deltas, finishReason: this.#finishReason };
    if (this.#hasRole || !this.#deltas.some(isCall)) return outcome;
    // Text without a role leaves as it came; a call must not be the first to lack it.
    this.#hasRole = true;
    return { ...outcome, role: "assistant" };
  }

  #change(): void {
    this.#isChanged = true;
    for (let at = 0; at < this.#arrived; at++) this.#add(this.#expected[at]!);
  }

  /** A note may cut a text in two: together the pieces are still the text that came. */
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
        const head = { index: call, ...(id === undefined ? {} : { id }), type: "function", ...extra };
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
        this.#isSilenced ||= event.isEarly ?? false;
        break;
      case "error":
        this.failure ??= event;
        break;
      case "reasoning":
        // The upstream's own travels with the chunk that it came in, like the role and all other fields.
        if (!this.#expected.includes(event)) appendReasoning(this.#deltas, event.text);
        break;
      default:
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
