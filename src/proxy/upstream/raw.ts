/**
 * Sends a request so that the server's parser of calls stays off: the prompt is the same, and the model's own text arrives.
 *
 *     {"tools": […]}  ─▶  {"tools": […], "tool_choice": "none"}  ─▶  "<tool_call>…" as text ─▶ read as always
 *
 * @module
 */
import { parseExact } from "../../chat/message/spelling.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { ReadLimits } from "../exchange/deadline.ts";
import { type HttpError, isError } from "../transport/respond.ts";
import { gather, GATHERED_FIELDS } from "./gathered.ts";
import type { RawSwitch } from "./profiles/profiles.ts";
import type { RequestBody } from "./prompted.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** What sends a request with the parser off. */
export interface RawSending {
  readonly raw: RawSwitch;
  /** Sends a body as it is. */
  readonly send: (body: RequestBody) => Promise<UpstreamAnswer | HttpError>;
  readonly limits: ReadLimits;
  /** The longest answer that is gathered from a stream. */
  readonly bytesMax: number;
}

/** Sends a body with the parser off; one without tools stays. */
export async function sendRaw(
  body: RequestBody,
  { raw, send, limits, bytesMax }: RawSending,
): Promise<UpstreamAnswer | HttpError> {
  const request = fieldsOf(body);
  if (request === undefined || !Array.isArray(request.tools) || request.tools.length === 0) {
    return await send(body);
  }
  const isGathered = raw.streamed_only === true && request.stream !== true;
  const stream = isGathered ? GATHERED_FIELDS : {};
  const answered = await send(JSON.stringify({ ...request, ...raw.fields, ...stream }));
  return isGathered && !isError(answered) ? gather(answered, { limits, bytesMax }) : answered;
}

/** The same request for an answer that isn't streamed. */
export function withoutStream(body: RequestBody): string | undefined {
  const request = fieldsOf(body);
  if (request === undefined) return undefined;
  const { stream: _, stream_options: __, ...rest } = request;
  return JSON.stringify(rest);
}

function fieldsOf(body: RequestBody): Record<string, unknown> | undefined {
  if (body === null) return undefined;
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  if (!isRecord(parseJson(text))) return undefined;
  return parseExact(text) as Record<string, unknown>;
}
