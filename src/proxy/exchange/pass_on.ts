/** Answers that aren't translated: the upstream's raw answer, and our own errors. Both are reported to the watches. @module */
import type { UpstreamConfig } from "../config/schema.ts";
import type { ReadLimits } from "./deadline.ts";
import { codingsOf } from "../transport/encoding.ts";
import { convertBody } from "../upstream/converted.ts";
import type { Exchange } from "./exchange.ts";
import { isEvents, returnedHeaders } from "../transport/headers.ts";
import { errorResponse, type HttpError } from "../transport/respond.ts";
import type { Service } from "./service.ts";
import { type PassOptions, passStream } from "../transport/pass_stream.ts";
import { type ApiError, errorIn, UPSTREAM_ERROR } from "../../chat/message/error.ts";
import type { RequestOutcome } from "./watch.ts";
import { Tail } from "./tail.ts";
import {
  brokenUpstream,
  silentUpstream,
  slowUpstream,
  type UpstreamAnswer,
  webPage,
} from "../upstream/upstream.ts";

/** The upstream of a request, and the service that the request began with. */
export interface Origin {
  readonly upstream: UpstreamConfig;
  readonly service: Service;
}

/** What an answer needs of its exchange. */
export type Watched = Pick<Exchange, "facts" | "listener" | "begin" | "worked" | "end">;

export function refuse(error: HttpError, exchange: Watched): Response {
  exchange.end({ status: error.status, error: error.code });
  return errorResponse(error);
}

/** Whether an upstream answered with a web page. Then a proxy, a login or another program is at its URL. */
export function isWebPage({ ok, headers }: Response): boolean {
  return ok && /^\s*(?:text\/html|application\/xhtml)/i.test(headers.get("content-type") ?? "");
}

/** The error for the client in place of a web page, which no agent can use. */
export async function refuseWebPage(
  { response, deadline }: UpstreamAnswer,
  { exchange, upstream }: Origin & { readonly exchange: Watched },
): Promise<Response> {
  deadline.stop();
  await response.body?.cancel().catch(() => {});
  return refuse(webPage(upstream), exchange);
}

/**
 * How a request ended whose upstream may have stated an error with status 200, as a message of a stream or as the whole
 * body. A client that leaves after that isn't the cause.
 *
 * @param error the code of what went wrong otherwise
 * @param stated the upstream's error
 */
export function endWith(
  error: string | undefined,
  stated: ApiError | undefined,
): Pick<RequestOutcome, "error" | "message"> {
  const isOther = error !== undefined && error !== "client_left" && error !== "upstream_status";
  if (stated === undefined || isOther) return { error };
  return { error: error === "upstream_status" ? error : UPSTREAM_ERROR, message: stated.message };
}

/** The raw answer. The watches get its status, and the reason if it should have been translated. */
export function passOn(
  answered: UpstreamAnswer,
  { exchange, reword, ...origin }: Origin & Pick<PassOptions, "reword"> & { readonly exchange: Watched },
  why?: string,
): Response {
  const { status, ok, body } = answered.response;
  const error = ok ? why : "upstream_status";
  const tail = new Tail();
  const stated = () => {
    const found = tail.error();
    return ok || found?.message ? found : errorIn(tail.text, answered.response);
  };
  const ended = (failure?: string) =>
    exchange.end({ status, ...endWith(error ?? failure, stated()), usage: () => tail.usage() });
  if (body === null) ended();
  const passed = (bytes: Uint8Array) => tail.push(bytes);
  const hasEnd = () => !ok || tail.hasEnd();
  return untouched(readable(answered), origin, {
    began: () => exchange.begin(),
    passed,
    ended,
    hasEnd,
    reword,
  });
}

/** The same answer, without codings if it is a stream: an error in it has to be read, and can follow it. */
function readable(answered: UpstreamAnswer): UpstreamAnswer {
  const { ok, headers } = answered.response;
  const isCoded = ok && isEvents(headers) && codingsOf(headers).length > 0;
  return isCoded ? convertBody(answered, (body) => body) : answered;
}

/** The upstream's raw answer. A stream of events that breaks ends with an error event. */
export function untouched(
  { response, deadline }: UpstreamAnswer,
  origin: Origin,
  observed: Pick<PassOptions, "began" | "passed" | "ended" | "hasEnd" | "reword"> = {},
): Response {
  const { status, statusText, body } = response;
  const headers = returnedHeaders(response.headers, { isRewritten: false });
  const areEvents = isEvents(headers) && codingsOf(headers).length === 0;
  const limits = readLimits(origin);
  const broken = brokenUpstream(origin.upstream);
  const passed = body && passStream(body, { deadline, limits, broken, areEvents, ...observed });
  if (body === null) deadline.stop();
  return new Response(passed, { status, statusText, headers });
}

export function readLimits({ upstream, service }: Origin): ReadLimits {
  const { limits } = service.config;
  return {
    firstMs: limits.first_byte_timeout_ms,
    silenceMs: limits.silence_timeout_ms,
    slow: slowUpstream(upstream, limits),
    silent: silentUpstream(upstream, limits),
  };
}
