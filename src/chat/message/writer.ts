/** Writes an answer for OpenAI's chat API: a message unchanged if exactly its events arrived, otherwise a new one. @module */
import type { AnswerEvent, FailureEvent, UsageEvent } from "../event/event.ts";
import type { Sink } from "../event/stage.ts";
import type { CallStartEvent } from "../../engine/event/event.ts";
import { present } from "../../engine/object/present.ts";
import type { ChatChunk, Delta, ReasoningField, ToolCallDelta } from "./chunk.ts";
import { errorBody } from "./error.ts";
import { addUsage } from "./usage.ts";
import {
  type ChoiceOutcome,
  continueChunk,
  identityOf,
  isIdentity,
  ownReasoning,
  rewriteChunk,
} from "./write.ts";

interface WriterOptions {
  /** Whether the client reads `function_call` instead of `tool_calls`. */
  readonly isLegacy?: boolean;
  /** The usage of earlier attempts that the client doesn't see; it's added to the upstream's usage. */
  readonly spent?: unknown;
  /** The field in which the client reads reasoning; `reasoning_content` by default. */
  readonly reasoningField?: ReasoningField | undefined;
}

export class ChatWriter {
  readonly #options: WriterOptions;
  #lastChunk: ChatChunk = { choices: [] };
  #usage: unknown = null;
  /** Arguments that wait for the next ones of their call, and the chunk that they replace. */
  #waiting: WaitingArguments | undefined;

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

  /** The messages that replace one; undefined if it can be sent unchanged. An undefined outcome: its choice stays. */
  write(chunk: ChatChunk, outcomes: readonly (ChoiceOutcome | undefined)[]): string[] | undefined {
    if (chunk.choices.length > 0) this.#lastChunk = chunk;
    const { spent } = this.#options;
    const isSummed = spent !== undefined && chunk.usage != null;
    if (!isSummed && outcomes.every((outcome) => outcome === undefined)) return undefined;
    const summed = isSummed ? { ...chunk, usage: addUsage(spent, chunk.usage) } : chunk;
    return rewriteChunk(summed, outcomes).map((each) => JSON.stringify(each));
  }

  /** The messages for what a message has besides the end of its answer, which is held. */
  writeWithoutEnd(chunk: ChatChunk, outcomes: readonly (ChoiceOutcome | undefined)[]): string[] {
    const choices = chunk.choices.map(({ index = 0, delta = null }) => ({
      index,
      delta,
      finish_reason: null,
    }));
    return this.write({ ...identityOf(chunk), choices }, outcomes) ?? [];
  }

  /**
   * Keeps a piece of a call's arguments until `flush`, so that pieces that arrive together are sent in one message.
   * Returns false if the chunk has to be written by itself, after `flush`.
   */
  join(chunk: ChatChunk, outcomes: readonly (ChoiceOutcome | undefined)[]): boolean {
    const piece = outcomes.length === 1 ? argumentsOf(outcomes[0]) : undefined;
    if (piece === undefined || !hasOnlyText(chunk)) return false;
    const { index = 0 } = chunk.choices[0]!;
    const waiting = this.#waiting;
    if (waiting === undefined) {
      this.#lastChunk = chunk;
      this.#waiting = { chunk, index, ...piece };
    } else if (waiting.index === index && waiting.call === piece.call) waiting.json += piece.json;
    else return false;
    return true;
  }

  flush(): string[] {
    const waiting = this.#waiting;
    if (waiting === undefined) return [];
    this.#waiting = undefined;
    const { chunk, call, json } = waiting;
    const [choice] = chunk.choices;
    const delta = { tool_calls: [fragment(call, json)] };
    return [JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice, delta, finish_reason: null }] })];
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

interface WaitingArguments {
  readonly chunk: ChatChunk;
  readonly index: number;
  readonly call: number;
  json: string;
}

/** The arguments in an outcome that contains nothing but a further piece of one call. */
function argumentsOf(outcome: ChoiceOutcome | undefined): { call: number; json: string } | undefined {
  if (outcome === undefined || outcome.deltas.length !== 1) return undefined;
  const { deltas: [delta], finishReason, role, isEndedEarly } = outcome;
  const call = delta?.tool_calls?.[0];
  const isBare = finishReason === null && role === undefined && !isEndedEarly;
  if (!isBare || call?.index === undefined || call.id !== undefined || call.type !== undefined) {
    return undefined;
  }
  return { call: call.index, json: call.function?.arguments ?? "" };
}

/** Whether a chunk contains nothing but text that has to be sent: no token counts, and no field of its own. */
function hasOnlyText(chunk: ChatChunk): boolean {
  for (const field in chunk) {
    if (field !== "choices" && !isIdentity(field) && chunk[field] !== null) return false;
  }
  const [choice] = chunk.choices;
  for (const field in choice) if (!BARE_FIELDS.has(field) && choice[field] !== null) return false;
  for (const field in choice?.delta) if (field !== "content") return false;
  return typeof choice?.delta?.content === "string";
}

/** The fields of a choice that a message of one delta has its own of. */
const BARE_FIELDS: ReadonlySet<string> = new Set(["index", "delta", "finish_reason"]);

/** Compares the events of one choice, object by object, with those that were read from the message. */
export class ChoiceWriter implements Sink {
  readonly #isLegacy: boolean;
  readonly #reasoningField: ReasoningField;
  readonly #arrived: AnswerEvent[] = [];
  #hasRole = false;
  #isEndedEarly = false;
  /** The error that ends the answer, because the choice can't continue. */
  failure: FailureEvent | undefined;

  constructor({ isLegacy = false, reasoningField = "reasoning_content" }: WriterOptions = {}) {
    this.#isLegacy = isLegacy;
    this.#reasoningField = reasoningField;
  }

  push(event: AnswerEvent): void {
    this.#arrived.push(event);
  }

  /** Ends a message of these events; undefined: the choice stays unchanged. `mustWrite`: it can't be sent unchanged. */
  end(
    read: readonly AnswerEvent[],
    { mustWrite = false }: { readonly mustWrite?: boolean } = {},
  ): ChoiceOutcome | undefined {
    const wasEndedEarly = this.#isEndedEarly;
    for (const { kind } of read) this.#hasRole ||= kind === "role";
    const isSame = !mustWrite && areSame(read, this.#arrived);
    const outcome = isSame ? undefined : this.#outcomeOf(read);
    this.#arrived.length = 0;
    if (wasEndedEarly) return { deltas: [], finishReason: null, isEndedEarly: true };
    if (outcome === undefined || (!mustWrite && hasSameText(read, outcome))) return undefined;
    if (this.#hasRole || !outcome.deltas.some(isCall)) return outcome;
    // A client needs the role before a call, but not before text.
    this.#hasRole = true;
    return { ...outcome, role: "assistant" };
  }

  #outcomeOf(read: readonly AnswerEvent[]): ChoiceOutcome {
    const deltas: Delta[] = [];
    let finishReason: string | null = null;
    const own = new Set(read);
    for (const event of this.#arrived) {
      switch (event.kind) {
        case "text":
          appendText(deltas, event.text);
          break;
        case "call_start":
          deltas.push(callDelta(event, this.#isLegacy));
          break;
        case "arguments":
          if (this.#isLegacy) deltas.push({ function_call: { arguments: event.json } });
          else appendArguments(deltas, event.call, event.json);
          break;
        case "finish":
          finishReason = event.reason;
          this.#isEndedEarly ||= event.isEarly ?? false;
          break;
        case "error":
          this.failure ??= event;
          break;
        case "reasoning":
          // The upstream's own reasoning stays in its chunk.
          if (!own.has(event)) appendReasoning(deltas, this.#reasoningField, event.text);
          break;
        default:
          // The role and all other fields stay in their chunk.
          break;
      }
    }
    return { deltas, finishReason };
  }
}

function areSame(read: readonly AnswerEvent[], arrived: readonly AnswerEvent[]): boolean {
  return read.length === arrived.length && read.every((event, index) => event === arrived[index]);
}

/** Whether the joined text pieces equal the message's text: a stage can split a text around a note. */
function hasSameText(read: readonly AnswerEvent[], { deltas, finishReason }: ChoiceOutcome): boolean {
  if (deltas.length > 1 || !deltas.every(isText)) return false;
  let text = "";
  let readReason: string | null = null;
  for (const event of read) {
    if (event.kind === "text") text += event.text;
    else if (event.kind === "finish") readReason = event.reason;
    else if (event.kind !== "role" && event.kind !== "reasoning") return false;
  }
  return (deltas[0]?.content ?? "") === text && readReason === finishReason;
}

function callDelta({ call, id, tool, extra }: CallStartEvent, isLegacy: boolean): Delta {
  const called = { name: tool, arguments: "" };
  if (isLegacy) return { function_call: called };
  return { tool_calls: [{ index: call, ...present({ id }), type: "function", ...extra, function: called }] };
}

function isCall(delta: Delta): boolean {
  return delta.tool_calls !== undefined || delta.function_call !== undefined;
}

function isText(delta: Delta): boolean {
  return !isCall(delta) && ownReasoning(delta) === undefined;
}

function appendReasoning(deltas: Delta[], field: ReasoningField, text: string): void {
  const last = deltas.at(-1)?.[field];
  if (last === undefined) deltas.push({ [field]: text });
  else deltas[deltas.length - 1] = { [field]: last + text };
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
