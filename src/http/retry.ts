/**
 * What follows when a plugin has stopped an answer: the client hears the error, or the model is asked again with
 * its own answer and the error, which the client does not see. In: the verdict and a way to ask again. Out: the
 * response that takes the answer's place.
 *
 * @module
 */
import { errorBody } from "../chat/error.ts";
import { addUsage } from "../chat/usage.ts";
import { readCompletion } from "../chat/read.ts";
import { isRecord } from "../object/record.ts";
import type { Verdict } from "../plugin/mod.ts";
import { encodeMessage } from "../sse/encode.ts";
import type { RequestPlugins } from "../plugin/run.ts";
import { errorResponse, type HttpError } from "./respond.ts";
import type { Answered } from "./upstream.ts";

/** However long a plugin wants to go on, the model is asked no more often than this for one request. */
export const ATTEMPTS_MAXIMUM = 10;

/** An answer that was stopped. */
export interface Stopped {
  /** Why. */
  readonly verdict: Verdict;
  /** The body of the request that the model answered; undefined: it was not asked. */
  readonly body: string | undefined;
  /** What the model said, as far as it got. */
  readonly said: string;
  /** How often the model was asked, this answer included. */
  readonly attempts: number;
  /** Asks the model again and translates its answer. */
  readonly again: (body: string) => Promise<Response>;
}

/** What is known of the request when an answer may have been stopped. */
export interface Judged {
  /** The plugins of the request. */
  readonly plugins: RequestPlugins | undefined;
  /** The body that went to the model; absent where it was not asked. */
  readonly sent?: string;
  /** The attempts before this one. */
  readonly before?: Before;
  /** Sends a body to the same place. */
  readonly resend: (body: string) => Promise<Answered | HttpError>;
}

/** The attempts before one. */
export interface Before {
  /** How many. */
  readonly attempts: number;
  /** Their tokens, as far as they were told. */
  readonly usage: unknown;
}

/** What goes on with the answer of the next attempt. */
export interface Follow {
  /** The tokens of this attempt, where they are known. */
  readonly usage: unknown;
  /** The model server did not answer. */
  readonly refuse: (error: HttpError) => Response;
  /** It did. */
  readonly translate: (
    answered: Answered,
    again: { readonly sent: string; readonly before: Before },
  ) => Promise<Response>;
}

/** An answer that a plugin has stopped; undefined: none has. */
export function findStopped(judged: Judged, follow: Follow): Stopped | undefined {
  const { plugins, sent, before } = judged;
  const verdict = plugins?.verdict;
  if (plugins === undefined || verdict === undefined) return undefined;
  const attempts = (before?.attempts ?? 0) + 1;
  return {
    verdict,
    said: plugins.said,
    attempts,
    body: sent,
    async again(body) {
      plugins.forget();
      const answered = await judged.resend(body);
      if ("code" in answered) return follow.refuse(answered);
      const usage = addUsage(before?.usage, follow.usage);
      return await follow.translate(answered, { sent: body, before: { attempts, usage } });
    },
  };
}

/** A whole answer that tells the tokens of the attempts before it too. */
export function withUsage(body: string, spent: unknown): string {
  const completion = readCompletion(body);
  if (completion === undefined) return body;
  return JSON.stringify({ ...completion, usage: addUsage(spent, completion["usage"]) });
}

/** The response that takes the place of a stopped answer. */
export async function followVerdict({ verdict, body, said, attempts, again }: Stopped): Promise<Response> {
  const next = verdict.kind === "retry" && body !== undefined && attempts < ATTEMPTS_MAXIMUM
    ? withLesson(body, { said, lesson: verdict.message })
    : undefined;
  return next === undefined ? errorResponse(errorOf(verdict)) : await again(next);
}

/** The same inside a stream that has begun: what is no stream becomes an error event. */
export async function followInStream(stopped: Stopped): Promise<ReadableStream<Uint8Array>> {
  const response = await followVerdict(stopped);
  const { body, headers } = response;
  if (response.ok && body !== null && headers.get("content-type")?.includes("text/event-stream")) return body;
  const text = await response.text();
  const event = encodeMessage(isError(text) ? text : errorBody(errorOf(stopped.verdict)));
  return new Blob([event]).stream();
}

/**
 * The request with what the model said and what was wrong with it.
 *
 * @example
 * ```ts
 * import { withLesson } from "./retry.ts";
 * const body = withLesson('{"messages":[]}', { said: "x", lesson: "y" });
 * console.assert(JSON.parse(body ?? "").messages[1].content === "y");
 * ```
 */
export function withLesson(
  body: string,
  { said, lesson }: { readonly said: string; readonly lesson: string },
): string | undefined {
  const request: unknown = JSON.parse(body);
  if (typeof request !== "object" || request === null) return undefined;
  const messages: unknown = Reflect.get(request, "messages");
  if (!Array.isArray(messages)) return undefined;
  const own = said === "" ? [] : [{ role: "assistant", content: said }];
  return JSON.stringify({ ...request, messages: [...messages, ...own, { role: "user", content: lesson }] });
}

function errorOf({ code, message }: Verdict): HttpError {
  return { status: 422, type: "invalid_tool_call", code, message };
}

function isError(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && "error" in value;
  } catch {
    return false;
  }
}
