/**
 * What keeps a chat-completions stream alive while there is nothing to send. A server that reads a long prompt sends
 * nothing for minutes, and agents give up meanwhile: some after 60 s without headers.
 *
 *     upstream   ................................status 200  "Done."
 *     client     (15 s)  200  beat  beat                     "Done."
 *
 * @module
 */
import { errorBody, errorIn, errorOf } from "../../chat/message/error.ts";
import { singleChunk } from "../../chat/message/single_chunk.ts";
import { DONE, encodeMessage } from "../../chat/sse/encode.ts";
import { encodeText } from "../../chat/sse/utf8_encoder.ts";
import type { Client } from "../../chat/client/schema.ts";
import { canDecode, codingsOf, decode } from "../transport/encoding.ts";
import { endingWith } from "../transport/push_body.ts";
import { isEvents } from "../transport/headers.ts";
import { errorResponse, internalError, refusalOf } from "../transport/respond.ts";
import { keepAlive } from "./keep_alive.ts";
import { inTime } from "../transport/wait.ts";
import { UNREADABLE } from "./wire_output.ts";

/** What one request's client got while there was nothing to send. */
export class Beats {
  /** How often it got a byte only so that its connection lives. */
  count = 0;
  /** What counts for the client; known once it is recognized. */
  shape: Client["keep_alive"] = "comment";
}

const COMMENT = ": keepalive\n\n";

/** A chunk without anything in it: every client that was tried takes it, and those whose clock counts events need one. */
const CHUNK = {
  id: "chatcmpl-keepalive",
  object: "chat.completion.chunk",
  created: 0,
  model: "",
  choices: [{ index: 0, delta: {}, finish_reason: null }],
};

const SHAPES: Readonly<Record<Client["keep_alive"], string>> = {
  comment: COMMENT,
  chunk: encodeMessage(JSON.stringify(CHUNK)),
  none: "",
};

/**
 * The response to a streamed chat; after `everyMs`, one that has begun. Until then, its status is the upstream's. Nothing
 * but beats was sent by the time that another attempt or another upstream answers.
 */
export async function keepChatAlive(answering: Promise<Response>, { everyMs, beats, failed }: {
  readonly everyMs: number;
  readonly beats: Beats;
  readonly failed?: ((cause: unknown) => void) | undefined;
}): Promise<Response> {
  const beat = () => {
    const text = SHAPES[beats.shape];
    if (text !== "") beats.count++;
    return encodeText(text);
  };
  const answered = await inTime(answering, everyMs);
  if (answered !== undefined) {
    const { ok, status, statusText, headers, body } = answered;
    const isPlain = ok && body !== null && isEvents(headers) && codingsOf(headers).length === 0;
    if (!isPlain) return answered;
    return new Response(keepAlive(body, { begin: encodeText(""), beat, everyMs }), {
      status,
      statusText,
      headers,
    });
  }
  const late = answering.catch((cause) => {
    failed?.(cause);
    return errorResponse(internalError(cause));
  }).then(restOf);
  const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  return new Response(keepAlive(late, { begin: beat(), beat, everyMs }), { headers });
}

/** The rest of a stream that has begun: the events of a response, or its error as the last event. */
async function restOf(response: Response): Promise<ReadableStream<Uint8Array>> {
  const { ok, headers, body } = response;
  const codings = codingsOf(headers);
  const error = refusalOf(response);
  if (error !== undefined) return endingWith(encodeMessage(errorBody(error)));
  if (body === null || !canDecode(codings)) return endingWith(encodeMessage(errorBody(UNREADABLE)));
  const plain = decode(body, codings);
  if (ok && isEvents(headers)) return plain;
  const text = await new Response(plain).text();
  if (ok) return endingWith(eventsOf(text));
  const isStated = errorOf(text) !== undefined;
  return endingWith(encodeMessage(isStated ? text.trim() : errorBody(errorIn(text, response))));
}

function eventsOf(json: string): string {
  const chunk = singleChunk(json);
  return chunk === undefined ? encodeMessage(errorBody(UNREADABLE)) : encodeMessage(chunk) + DONE;
}
