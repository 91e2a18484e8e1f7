/**
 * Asks an upstream for the tokens of a stream that a limit counts, and keeps them from a client that didn't ask.
 *
 *     {"stream": true}  ─▶  {"stream": true, "stream_options": {"include_usage": true}}
 *     client            ◀─  every event but the one that has only the tokens
 *
 * @module
 */
import type { ChatRequest } from "../../chat/message/request.ts";
import { writeChanged } from "../../chat/message/number_spelling.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { isEvents } from "../transport/headers.ts";
import { changeEvents } from "../upstream/converted.ts";

/** A chat request and its text. */
interface UsageQuestion {
  readonly chat: ChatRequest;
  readonly body: string;
}

/** The request that asks for its tokens; undefined if it does so, or isn't streamed. */
export function askForUsage({ chat, body }: UsageQuestion): UsageQuestion | undefined {
  const { stream, stream_options: options } = chat;
  const given = isRecord(options) ? options : {};
  if (stream !== true || given["include_usage"] === true) return undefined;
  const changed = { ...chat, stream_options: { ...given, include_usage: true } };
  return { chat: changed, body: writeChanged(body, { original: chat, changed }) };
}

/** The same answer without the event that has only the tokens. */
export function withoutUsage(response: Response): Response {
  const { body, status, statusText, headers } = response;
  if (body === null || !response.ok || !isEvents(headers)) return response;
  const filter = changeEvents((data) => isUsage(data) ? "" : undefined);
  return new Response(body.pipeThrough(filter), { status, statusText, headers });
}

function isUsage(data: string): boolean {
  if (!data.includes('"usage"')) return false;
  const message = parseJson(data);
  if (!isRecord(message) || !isRecord(message["usage"])) return false;
  const { choices } = message;
  return Array.isArray(choices) && choices.length === 0;
}
