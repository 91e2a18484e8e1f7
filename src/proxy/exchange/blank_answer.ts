/**
 * Recognizes answers in which there is nothing to show or to run, from their messages alone: the first message with a
 * text, a call or thoughts ends the reading.
 *
 *     {"role":"assistant","content":""} {"content":"\n"} {"finish_reason":"stop"} [DONE]  ─▶  empty
 *     {"role":"assistant","content":""} {"content":"I"}                                  ─▶  something is shown
 *
 * @module
 */
import type { ChatCompletion, ChatMessage, ChoiceDelta } from "../../chat/message/chunk.ts";
import { type ApiError, errorOf } from "../../chat/message/error.ts";
import { contentText, DONE_DATA, readChunk, reasoningText } from "../../chat/message/read.ts";
import { SseDecoder } from "../../chat/sse/decode.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { EmptyKind } from "./remedies.ts";
import { endsInRepetition } from "./repetition.ts";

/** The most bytes of messages that are held while nothing is shown. */
const HELD_MAX = 64 * 1024;

/** From this many tokens on, an answer without anything was lost. An end and whitespace are tokens, too. */
const LOST_TOKENS_MIN = 8;

type Piece = ChoiceDelta | ChatMessage | null | undefined;

interface BlankEnd {
  readonly finish: string | null;
  readonly usage: unknown;
  /** The length of its whitespace, in characters. */
  readonly length: number;
}

/** Whether thoughts without an answer are sent: the limit is the client's own, and another question would spend as much. */
export function isCut(finish: string | null | undefined): boolean {
  return finish === "length" || finish === "content_filter";
}

/** How servers call the end of an answer that ended by itself. */
const ENDS: readonly (string | null)[] = [null, "", "stop", "eos", "eos_token", "end_turn", "stop_sequence"];

/** Whether an answer ended by itself. */
export function isEnd(finish: string | null): boolean {
  return ENDS.includes(finish);
}

/** What an answer is that has nothing; undefined if its end means something else. */
export function kindOfBlank({ finish, usage, length }: BlankEnd): EmptyKind | undefined {
  if (finish === "tool_calls" || finish === "function_call") return "lost";
  if (finish === "length") return "cut";
  if (!isEnd(finish)) return undefined;
  const { completion_tokens: all, completion_tokens_details: details } = isRecord(usage) ? usage : {};
  const thoughts = isRecord(details) ? details.reasoning_tokens : 0;
  const written = Number(all ?? 0) - Number(thoughts ?? 0) - length;
  return written >= LOST_TOKENS_MIN ? "lost" : "empty";
}

/** Characters that no one sees, and that aren't whitespace. */
const UNSEEN = "\u200b\u200c\u200d\u2060";

/** Whether there is nothing to see in a text. */
export function isBlankText(text: string): boolean {
  for (const character of text.trim()) if (!UNSEEN.includes(character)) return false;
  return true;
}

/** Whether a part of an answer has nothing that is shown or run. Unknown fields count for nothing. */
function isBlank(piece: Piece): boolean {
  const { content, tool_calls: calls, function_call: call, refusal, audio } = piece ?? {};
  const text = contentText(content);
  if (Array.isArray(content) && text === undefined && content.length > 0) return false;
  if (call != null || refusal || audio != null) return false;
  return isBlankText(text ?? "") && (calls == null || (Array.isArray(calls) && calls.length === 0));
}

/** What a whole answer is if it has neither a text nor a call. Thoughts can still have a call in them. */
export function kindOfWhole({ choices, usage }: ChatCompletion): EmptyKind | undefined {
  const [choice, ...others] = choices;
  const { message, finish_reason: finish } = choice ?? {};
  if (others.length > 0 || !isBlank(message)) return undefined;
  const thoughts = reasoningText(message);
  if (thoughts !== undefined) {
    if (finish === "length" && endsInRepetition(thoughts)) return "endless_thoughts";
    return isCut(finish) ? undefined : "thoughts_only";
  }
  const length = contentText(message?.content)?.length ?? 0;
  return kindOfBlank({ finish: finish ?? null, usage, length });
}

/** An error in an answer whose status is a success. */
export interface StatedError extends ApiError {
  /** The status that its code states; 200 without one. */
  readonly status: number;
}

/** The error that a message or a whole body states. */
export function statedError(data: string, event?: string): StatedError | undefined {
  const error = errorOf(data, event);
  if (error === undefined) return undefined;
  const value = parseJson(data);
  const fields = isRecord(value) ? value : {};
  const { code } = isRecord(fields["error"]) ? fields["error"] : fields;
  return { ...error, status: typeof code === "number" ? code : 200 };
}

/** Reads the messages of a stream as long as nothing in them is shown. */
export class BlankStream {
  readonly #decoder = new SseDecoder();
  #length = 0;
  #held = 0;
  #finish: string | null = null;
  #isEnded = false;
  usage: unknown;
  /** The error that the stream states before anything else. */
  stated: StatedError | undefined;
  /** Whether something is shown, or the answer is of an unknown form. */
  isShown = false;
  /** Whether the answer's last message arrived. */
  isDone = false;

  push(bytes: Uint8Array): void {
    this.#held += bytes.length;
    if (this.#held > HELD_MAX) this.isShown = true;
    for (const { data, event } of this.#decoder.push(bytes)) {
      if (this.isShown) return;
      if (data !== undefined) this.#read(data, event);
    }
  }

  /** What the answer is; undefined if something is shown, or the stream broke off. */
  get kind(): EmptyKind | undefined {
    if (this.isShown || !this.#isEnded) return undefined;
    return kindOfBlank({ finish: this.#finish, usage: this.usage, length: this.#length });
  }

  #read(data: string, event: string | undefined): void {
    if (data === DONE_DATA) return void (this.#isEnded = this.isDone = true);
    this.stated = statedError(data, event);
    const chunk = readChunk(data);
    if (this.stated !== undefined || chunk === undefined || chunk.choices.length > 1) {
      return void (this.isShown = true);
    }
    this.usage = chunk.usage ?? this.usage;
    const [choice] = chunk.choices;
    if (choice === undefined) return;
    const { delta, finish_reason: finish } = choice;
    this.isShown = (choice.index ?? 0) !== 0 || !isBlank(delta) || reasoningText(delta) !== undefined;
    this.#length += contentText(delta?.content)?.length ?? 0;
    if (!finish) return;
    this.#finish = finish;
    this.#isEnded = true;
  }
}
