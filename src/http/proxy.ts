/**
 * One request of a client, from its arrival to its response:
 *
 *     request ─▶ who asks? ─▶ which upstream? ─▶ upstream ─▶ pipeline (streamed or whole) ─▶ response
 *
 * Where nobody asks that we know, or there is nothing to read, the upstream's body goes on untouched.
 *
 * @module
 */
import { readRequest, rewriteRequest } from "../chat/request.ts";
import type { ChatRequest } from "../chat/request.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import type { Event } from "../event/event.ts";
import type { AnswerOptions } from "../pipeline/answer.ts";
import { Pipeline } from "../pipeline/pipeline.ts";
import { translateWhole } from "../pipeline/whole.ts";
import { readWhole } from "./body.ts";
import { type ReadLimits, watchReads } from "./deadline.ts";
import { CLIENT_HEADER, forwardedHeaders, returnedHeaders } from "./headers.ts";
import { errorResponse, type HttpError } from "./respond.ts";
import type { ApiRoute } from "./route.ts";
import type { Asking, Serving } from "./serving.ts";
import { translateStream } from "./stream.ts";
import {
  type Answered,
  brokenUpstream,
  callUpstream,
  chooseUpstream,
  type Outgoing,
  type Reach,
  SAMPLE_UPSTREAM,
  silentUpstream,
  slowUpstream,
} from "./upstream.ts";

/** What a decision was about. */
export interface About {
  /** The client that asked. */
  readonly client: string;
  /** The model, as the client calls it. */
  readonly model: string | undefined;
  /** The choice of the answer. */
  readonly choice: number;
}

/** What surrounds a request. */
export interface ProxyContext {
  /** What the server works with now. */
  readonly serving: Serving;
  /** Where the request goes. */
  readonly route: ApiRoute;
  /** Aborts when the client has gone or the server stops. */
  readonly signal: AbortSignal;
  /** A fresh id for a call. */
  readonly newId: () => string;
  /** The embedded sample model. */
  readonly sample: (request: Request) => Promise<Response>;
  /** Opens a connection and closes it again. */
  readonly connect?: Reach["connect"];
  /** Hears of every decision. */
  readonly observe?: ((event: Event, about: About) => void) | undefined;
}

/** Passes a request on that is no chat: any method, both bodies streaming, nothing looked at. */
export async function passThrough(request: Request, context: ProxyContext): Promise<Response> {
  const upstream = chooseUpstream(context.serving.config, { name: context.route.upstream });
  if (isError(upstream)) return errorResponse(upstream);
  const answered = await send({ request, context, upstream, body: request.body });
  return isError(answered) ? errorResponse(answered) : untouched(answered);
}

/** Passes a chat on and translates its answer for the client that asks. */
export async function proxyChat(request: Request, context: ProxyContext): Promise<Response> {
  const { serving, route } = context;
  const forced = forcedClient(request, context);
  if (isError(forced)) return errorResponse(forced);
  const bytes = await readBody(request, serving.config.limits.request_bytes_max);
  if (isError(bytes)) return errorResponse(bytes);
  const body = new TextDecoder().decode(bytes);
  const chat = readRequest(body);
  const asking = chat && serving.recognise(chat, request.headers, forced.name);
  const model = typeof chat?.model === "string" ? chat.model : undefined;
  const upstream = chooseUpstream(serving.config, { name: route.upstream, model });
  if (isError(upstream)) return errorResponse(upstream);
  const changed = rewriteRequest(body, { modelNames: upstream.model_names, defaults: upstream.defaults });
  const answered = await send({ request, context, upstream, body: changed ?? bytes });
  if (isError(answered)) return errorResponse(answered);
  if (asking === undefined || chat === undefined) return untouched(answered);
  return await translate(answered, { asking, chat, context, upstream });
}

/** What the translation of an answer needs to know. */
interface Translating {
  readonly asking: Asking;
  readonly chat: ChatRequest;
  readonly context: ProxyContext;
  readonly upstream: UpstreamConfig;
}

async function translate(answered: Answered, translating: Translating): Promise<Response> {
  const { response } = answered;
  const kind = response.ok ? bodyKind(response, translating.chat) : undefined;
  const body = readableBody(response);
  if (kind === undefined || body === undefined) return untouched(answered);
  return kind === "stream"
    ? translateStreamed(body, answered, translating)
    : await translateJson(body, answered, translating);
}

function translateStreamed(
  body: ReadableStream<Uint8Array>,
  { response, deadline }: Answered,
  translating: Translating,
): Response {
  const stream = translateStream(body, {
    pipeline: new Pipeline(answerOptions(translating)),
    deadline,
    limits: readLimits(translating),
    broken: brokenUpstream(translating.upstream),
  });
  return new Response(stream, {
    status: response.status,
    headers: returnedHeaders(response.headers, { isRewritten: true }),
  });
}

async function translateJson(
  body: ReadableStream<Uint8Array>,
  { response, deadline }: Answered,
  translating: Translating,
): Promise<Response> {
  const { limits } = translating.context.serving.config;
  const { upstream } = translating;
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  try {
    bytes = await readWhole(body, {
      bytesMax: limits.answer_bytes_max,
      beforeRead: watchReads(deadline, readLimits(translating)),
      afterRead: () => deadline.pause(),
    });
  } catch {
    return errorResponse(deadline.error ?? brokenUpstream(upstream));
  } finally {
    deadline.stop();
  }
  if (bytes === undefined) return errorResponse(tooLargeAnswer(upstream, limits.answer_bytes_max));
  const translated = translateWhole(new TextDecoder().decode(bytes), answerOptions(translating));
  return new Response(translated ?? bytes, {
    status: response.status,
    headers: returnedHeaders(response.headers, { isRewritten: true }),
  });
}

function readLimits({ upstream, context }: Translating): ReadLimits {
  const { limits } = context.serving.config;
  return {
    firstMs: limits.first_byte_timeout_ms,
    silenceMs: limits.silence_timeout_ms,
    slow: slowUpstream(upstream, limits),
    silent: silentUpstream(upstream, limits),
  };
}

function answerOptions({ asking, chat, context, upstream }: Translating): AnswerOptions {
  const { observe } = context;
  const about = { client: asking.name, model: chat.model };
  return {
    createSource: () => asking.createSource({ beginsInReasoning: upstream.begins_in_reasoning }),
    createRenderer: (note) => asking.createRenderer({ newId: context.newId, note }),
    choiceCount: typeof chat.n === "number" ? chat.n : 1,
    ...(observe ? { observe: (event, choice) => observe(event, { ...about, choice }) } : {}),
  };
}

/** The upstream's answer as it came: its body never enters JavaScript. */
function untouched({ response, deadline }: Answered): Response {
  deadline.stop();
  const { status, statusText } = response;
  return new Response(response.body, {
    status,
    statusText,
    headers: returnedHeaders(response.headers, { isRewritten: false }),
  });
}

async function send(
  options: { request: Request; context: ProxyContext; upstream: UpstreamConfig; body: Outgoing["body"] },
): Promise<Answered | HttpError> {
  const { request, context, upstream, body } = options;
  const isSample = upstream === SAMPLE_UPSTREAM;
  return await callUpstream({
    upstream,
    rest: context.route.rest,
    method: request.method,
    headers: forwardedHeaders(request.headers, context.serving.keys.get(upstream.name)),
    body,
    signal: context.signal,
  }, {
    limits: context.serving.config.limits,
    send: isSample ? context.sample : fetch,
    connect: isSample ? undefined : context.connect,
  });
}

function forcedClient(
  request: Request,
  { route, serving }: ProxyContext,
): { readonly name?: string } | HttpError {
  const name = route.client ?? request.headers.get(CLIENT_HEADER) ?? undefined;
  if (name === undefined) return {};
  if (serving.clientNames.includes(name)) return { name };
  return {
    status: 404,
    type: "invalid_request_error",
    code: "client_not_found",
    message: `No client is named "${name}". Expected one of: ${serving.clientNames.join(", ")}`,
  };
}

async function readBody(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | HttpError> {
  try {
    const bytes = await readWhole(request.body, { bytesMax });
    return bytes ?? {
      status: 413,
      type: "invalid_request_error",
      code: "request_too_large",
      message:
        `The request is longer than ${bytesMax} bytes. If it has to be, raise \`limits.request_bytes_max\``,
    };
  } catch {
    return {
      status: 400,
      type: "invalid_request_error",
      code: "request_broke_off",
      message: "The request's body broke off before its end. Send it again",
    };
  }
}

function tooLargeAnswer(upstream: UpstreamConfig, bytesMax: number): HttpError {
  return {
    status: 502,
    type: "upstream_error",
    code: "answer_too_large",
    message: `The answer of the upstream "${upstream.name}" is longer than ${bytesMax} bytes. ` +
      "If it has to be, raise `limits.answer_bytes_max`",
  };
}

/** How an answer's body is to be read; undefined: not at all. */
function bodyKind(response: Response, chat: ChatRequest): "stream" | "json" | undefined {
  const type = response.headers.get("content-type")?.toLowerCase();
  if (type === undefined) return chat.stream === true ? "stream" : "json";
  if (type.includes("text/event-stream")) return "stream";
  return type.includes("json") ? "json" : undefined;
}

/** The body as text's bytes; undefined where it is encoded in a way that we cannot read. */
function readableBody({ body, headers }: Response): ReadableStream<Uint8Array<ArrayBuffer>> | undefined {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (body === null) return undefined;
  if (encoding === "identity" || encoding === "") return body;
  if (encoding === "gzip" || encoding === "deflate") {
    return body.pipeThrough(new DecompressionStream(encoding));
  }
  return undefined;
}

function isError(value: object): value is HttpError {
  return "status" in value && "code" in value;
}
