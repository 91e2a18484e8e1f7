/**
 * Finds out whether a stream begins with an answer. Some servers promise a stream before they have read the request, and then
 * end it with an error, or without a word: that is a refusal, and nothing of it has reached the client yet.
 *
 *     200, text/event-stream ─▶ data: {"choices": …}          an answer: the same stream from its beginning
 *                            ─▶ data: {"error": …} | the end  a refusal: asked again without a stream, it has a status and words
 *
 * @module
 */
import { DONE_DATA } from "../../chat/message/read.ts";
import { SseDecoder } from "../../chat/sse/decode.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { compact, continued } from "../transport/body.ts";
import { codingsOf } from "../transport/encoding.ts";
import { isEvents } from "../transport/headers.ts";
import { type HttpError, isError } from "../transport/respond.ts";
import type { ReadLimits } from "../exchange/deadline.ts";
import { drop, readAnswerText } from "./error_text.ts";
import { fieldsOf, type RequestBody } from "./request_body.ts";
import type { StreamBreak } from "./profiles/profiles.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** How long a stream may take to show whether it breaks: at once, before the model runs; after the role, the prompt is read. */
const WAITS_MS: Readonly<Record<StreamBreak, number>> = { at_once: 2000, after_role: 10_000 };

/** How much of a stream is looked at; the first event of an answer is much shorter. */
const BYTES_MAX = 64 * 1024;

/** The answer; for a stream that ends before it begins, the error stated without a stream, or the whole answer. */
export async function statedRefusal(answered: UpstreamAnswer, { body, breaks, limits, send }: {
  readonly body: RequestBody;
  readonly breaks: StreamBreak;
  readonly limits: ReadLimits;
  readonly send: (body: RequestBody) => Promise<UpstreamAnswer | HttpError>;
}): Promise<UpstreamAnswer> {
  const { isRefusal, same } = await readBeginning(answered, breaks);
  const { stream: _, stream_options: __, ...request } = isRefusal ? fieldsOf(body) ?? {} : {};
  if (!isRefusal || request.messages === undefined) return same;
  const stated = await send(JSON.stringify(request));
  if (isError(stated)) return same;
  if (!stated.response.ok) {
    await drop(same);
    return stated;
  }
  const { response: { status, headers: given }, deadline } = stated;
  const text = await readAnswerText(stated, { limits, bytesMax: WHOLE_BYTES_MAX });
  const answer = parseJson(text);
  if (!isRecord(answer) || answer.choices === undefined) return same;
  await drop(same);
  // The client asked for a stream: JSON of this type is read as the only event of one.
  const headers = new Headers(given);
  headers.set("content-type", "text/event-stream");
  for (const name of ["content-length", "content-encoding"]) headers.delete(name);
  return { response: new Response(text, { status, headers }), deadline };
}

/** The longest answer in the place of a stream. */
const WHOLE_BYTES_MAX = 16 * 1024 * 1024;

async function readBeginning(
  answered: UpstreamAnswer,
  breaks: StreamBreak,
): Promise<{ readonly isRefusal: boolean; readonly same: UpstreamAnswer }> {
  const { response, deadline } = answered;
  const { ok, status, statusText, headers, body } = response;
  if (!ok || body === null || !isEvents(headers) || codingsOf(headers).length > 0) {
    return { isRefusal: false, same: answered };
  }
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) =>
    timer = setTimeout(() => resolve(undefined), WAITS_MS[breaks])
  );
  const decoder = new SseDecoder();
  let isRefusal: boolean | undefined;
  let rest: ReadableStream<Uint8Array> = body;
  for (let length = 0; isRefusal === undefined && length <= BYTES_MAX;) {
    const reading = reader.read().then(compacted);
    const read = await Promise.race([reading.catch(() => FAILED), late]);
    if (read === undefined || read.done) {
      if (read?.done) isRefusal = !deadline.signal.aborted;
      rest = restAfter(reading, reader);
      break;
    }
    length += read.value.length;
    pieces.push(read.value);
    isRefusal = decoder.push(read.value)
      .map(({ data }) => data === undefined ? undefined : isFailure(data, breaks))
      .find((found) => found !== undefined);
  }
  clearTimeout(timer);
  if (rest === body) reader.releaseLock();
  const same = { response: new Response(continued(pieces, rest), { status, statusText, headers }), deadline };
  return { isRefusal: isRefusal === true, same };
}

/** A read that failed: whoever reads on gets the same error. */
const FAILED = { done: true, value: undefined } as const;

/** A read whose bytes can be kept: what has waited next to a timer keeps them until that ends. */
function compacted(read: ReadableStreamReadResult<Uint8Array>): ReadableStreamReadResult<Uint8Array> {
  return read.done ? read : { done: false, value: compact(read.value) };
}

/** The rest of a body, one piece of which is being read, or was the end. */
function restAfter(
  reading: Promise<ReadableStreamReadResult<Uint8Array>>,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  let next: typeof reading | undefined = reading;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await (next ?? reader.read());
      next = undefined;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

/** Whether an event is an error, or the end of the stream; undefined if one can follow. */
function isFailure(data: string, breaks: StreamBreak): boolean | undefined {
  if (data === DONE_DATA) return true;
  const value = parseJson(data);
  if (!isRecord(value) || !Array.isArray(value.choices)) return isRecord(value) && value.error != null;
  if (breaks === "at_once") return false;
  return value.choices.length > 0 && value.choices.every(beginsMessage) ? undefined : false;
}

/** Whether a choice has no more than the role of its message. */
function beginsMessage(choice: unknown): boolean {
  if (!isRecord(choice) || choice.finish_reason != null || !isRecord(choice.delta)) return false;
  return Object.entries(choice.delta).every(([field, value]) =>
    field === "role" || value == null || value === ""
  );
}
