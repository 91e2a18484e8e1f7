/** What follows when a plugin stops an answer: an error, or another question with the answer and the error in it. @module */
import { bodyText, type RequestBody } from "../upstream/request_body.ts";
import { errorBody } from "../../chat/message/error.ts";
import { readChunk, readCompletion } from "../../chat/message/read.ts";
import { parseExact } from "../../chat/message/number_spelling.ts";
import { addUsage } from "../../chat/message/usage.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { Verdict } from "../plugin/mod.ts";
import { encodeMessage } from "../../chat/sse/encode.ts";
import { isEvents } from "../transport/headers.ts";
import { changeEvents } from "../upstream/converted.ts";
import type { HttpError } from "../transport/respond.ts";
import { remedyFor, THOUGHTS_END } from "./remedies.ts";

export interface Question {
  /** The body that is sent; null when no model is asked. */
  readonly body: RequestBody;
  /** How often the model has been asked, this question included; 1 by default. */
  readonly attempts?: number;
  /** The tokens of the earlier answers, as far as they are known. */
  readonly spent?: unknown;
  /** Whether it is asked with the server's parser off. */
  readonly isRaw?: boolean;
  /** Whether its answer continues after thoughts that the question has. */
  readonly isContinued?: boolean;
}

interface StoppedAnswer {
  readonly question: Question;
  readonly verdict: Verdict;
  /** The model's answer, as far as it got. */
  readonly answer: string;
  readonly usage: unknown;
}

/** The question after a stopped answer; undefined: the client gets the error. */
export function nextQuestion({ question, verdict, answer, usage }: StoppedAnswer): Question | undefined {
  const { body, attempts = 1, spent } = question;
  const isPossible = () => verdict.kind === "retry" && body !== null;
  if (remedyFor("rejected", { asked: attempts - 1, isPossible }) !== "ask_again") return undefined;
  const text = bodyText(body);
  const next = withLesson(text, { answer, lesson: verdict.message });
  return next === undefined
    ? undefined
    : { body: next, attempts: attempts + 1, spent: addUsage(spent, usage) };
}

export function rejection({ code, message }: Verdict): HttpError {
  return { status: 422, type: "invalid_tool_call", code, message };
}

/** A whole answer whose token counts include the attempts before it. */
export function withUsage(body: string, spent: unknown): string {
  const completion = readCompletion(body);
  if (completion === undefined) return body;
  return JSON.stringify({ ...completion, usage: addUsage(spent, completion["usage"]) });
}

/** The body of a response as the rest of a stream that has begun. An error, or `otherwise`, becomes an event. */
export async function streamOf(
  response: Response,
  otherwise: HttpError,
): Promise<ReadableStream<Uint8Array>> {
  const { body, headers } = response;
  if (response.ok && body !== null && isEvents(headers)) return body;
  const text = await response.text();
  return new Blob([encodeMessage(isError(text) ? text : errorBody(otherwise))]).stream();
}

/**
 * The request with the model's answer and what was wrong with it; its numbers keep their spelling.
 *
 * @example
 * ```ts
 * import { withLesson } from "./retry.ts";
 * const body = withLesson('{"messages":[]}', { answer: "x", lesson: "y" });
 * console.assert(JSON.parse(body ?? "").messages[1].content === "y");
 * ```
 */
export function withLesson(body: string, { answer, lesson, pinned }: {
  readonly answer: string;
  readonly lesson: string;
  /** The tool that the model has to call. */
  readonly pinned?: string | undefined;
}): string | undefined {
  const own = answer === "" ? [] : [{ role: "assistant", content: answer }];
  const choice = pinned === undefined
    ? {}
    : { tool_choice: { type: "function", function: { name: pinned } } };
  return withMessages(body, [...own, { role: "user", content: lesson }], choice);
}

/** The request with thoughts of the model as a finished block, after which the server continues its answer. */
export function afterThoughts(
  body: string,
  { thoughts, fields }: { readonly thoughts: string; readonly fields: Readonly<Record<string, unknown>> },
): string | undefined {
  const own = { role: "assistant", reasoning_content: thoughts + THOUGHTS_END, content: "" };
  return withMessages(body, [own], fields);
}

function withMessages(
  body: string,
  added: readonly unknown[],
  fields: Readonly<Record<string, unknown>>,
): string | undefined {
  const request = parseExact(body);
  if (!isRecord(request) || !Array.isArray(request.messages)) return undefined;
  return JSON.stringify({ ...request, ...fields, messages: [...request.messages, ...added] });
}

/** The rest of a stream of chat messages that has begun: one answer has one name and one role. */
export function continuation(
  rest: ReadableStream<Uint8Array>,
  identity: Readonly<Record<string, unknown>>,
): ReadableStream<Uint8Array> {
  return rest.pipeThrough(changeEvents((data, event) => {
    const chunk = readChunk(data);
    if (chunk === undefined) return undefined;
    const choices = chunk.choices.map((choice) => {
      if (!isRecord(choice.delta)) return choice;
      const { role: _, ...delta } = choice.delta;
      return { ...choice, delta };
    });
    return encodeMessage(JSON.stringify({ ...chunk, ...identity, choices }), event);
  }));
}

function isError(text: string): boolean {
  const value = parseJson(text);
  return isRecord(value) && "error" in value;
}
