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
import { readCompletion } from "../chat/read.ts";
import { writeChanged } from "../chat/spelling.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import type { AnswerOptions } from "../pipeline/pipeline.ts";
import { StreamedAnswer } from "../pipeline/streamed.ts";
import { translateWhole } from "../pipeline/whole.ts";
import type { NewCall } from "../plugin/mod.ts";
import type { RequestResult } from "../plugin/run.ts";
import { forcedClient, readBody } from "./arrival.ts";
import { readWhole } from "./body.ts";
import { Deadline, type ReadLimits, watchReads } from "./deadline.ts";
import { bodyKind, encodingOf, isCompression, readableBody } from "./encoding.ts";
import { Exchange, type Watching } from "./exchange.ts";
import { readFacts } from "./facts.ts";
import { forwardedHeaders, returnedHeaders } from "./headers.ts";
import { errorResponse, type HttpError } from "./respond.ts";
import type { ApiRoute } from "./route.ts";
import { findStopped, followInStream, followVerdict, type Judged, type Stopped, withUsage } from "./retry.ts";
import { emptyAnswer, serveCalls } from "./served.ts";
import type { Asking, Serving } from "./serving.ts";
import { decompressed, openReading, passAndRead } from "./shadow.ts";
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

/** What surrounds a request. */
export interface ProxyContext extends Watching {
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
  const facts = readFacts({ chat, client: asking?.name, headers: request.headers, upstream, serving });
  const exchange = new Exchange(facts, context);
  const plugins = facts.mode === "live" ? asking?.createPlugins?.(context.newId) : undefined;
  const resend = (body: BodyInit | null) => send({ request, context, upstream, body });
  const translating = asking && chat && { asking, chat, context, upstream, exchange, plugins, resend };
  const asked = translating && await askPlugins(translating);
  if (translating !== undefined && asked?.calls !== undefined) {
    const served = { response: emptyAnswer(asked.body), deadline: new Deadline() };
    return await translate(served, { ...translating, calls: asked.calls });
  }
  const isChanged = asked !== undefined && chat !== undefined && asked.body !== chat;
  const wanted = isChanged ? writeChanged(body, { original: chat, changed: asked.body }) : body;
  const changed = rewriteRequest({ body: wanted, request: asked?.body ?? chat }, {
    modelNames: upstream.model_names,
    defaults: upstream.defaults,
    mendsHistory: serving.config.policy.mend_history,
  });
  const sent = changed ?? (isChanged ? wanted : bytes);
  const answered = await resend(sent);
  if (isError(answered)) return refuse(answered, exchange);
  if (translating === undefined) return passOn(answered, exchange);
  return await translate(answered, { ...translating, sent: typeof sent === "string" ? sent : body });
}

/** An answer that a plugin has stopped; undefined: none has. */
function stoppedBy(translating: Translating, usage?: unknown): Stopped | undefined {
  return findStopped(translating, {
    usage,
    refuse: (error) => refuse(error, translating.exchange),
    translate: (answered, again) => translate(answered, { ...translating, ...again }),
  });
}

/** What the plugins make of the request; those who watch hear what they say of it. */
async function askPlugins(translating: Translating): Promise<RequestResult | undefined> {
  const asked = await translating.plugins?.ask();
  for (const note of asked?.notes ?? []) translating.exchange.event(note, { choice: 0, isSent: false });
  return asked;
}

/** An error that those who watch hear of. */
function refuse(error: HttpError, exchange: Exchange): Response {
  exchange.end({ status: error.status, error: error.code });
  return errorResponse(error);
}

/** The answer as it came; those who watch hear of its head only. */
function passOn(answered: Answered, exchange: Exchange): Response {
  const { status, ok } = answered.response;
  exchange.end({ status, ...(ok ? {} : { error: "upstream_status" }) });
  return untouched(answered);
}

/** What the translation of an answer needs to know. */
interface Translating extends Judged {
  readonly asking: Asking;
  readonly chat: ChatRequest;
  readonly context: ProxyContext;
  readonly upstream: UpstreamConfig;
  readonly exchange: Exchange;
  /** The calls that are the answer, where no model was asked. */
  readonly calls?: readonly NewCall[];
}

async function translate(answered: Answered, translating: Translating): Promise<Response> {
  const { response } = answered;
  const kind = response.ok ? bodyKind(response, translating.chat) : undefined;
  if (kind !== undefined && translating.exchange.facts.mode !== "live") {
    return readAlong(answered, { ...translating, kind });
  }
  const body = readableBody(response);
  if (kind === undefined || body === undefined) return passOn(answered, translating.exchange);
  return kind === "stream"
    ? translateStreamed(body, answered, translating)
    : await translateJson(body, answered, translating);
}

/** The client gets the upstream's own bytes; what would have been made of them is only heard. */
function readAlong(
  { response, deadline }: Answered,
  translating: Translating & { readonly kind: "stream" | "json" },
): Response {
  deadline.stop();
  const { exchange, kind, context } = translating;
  const format = encodingOf(response);
  const { status, statusText, body } = response;
  const isReadable = format === "identity" || isCompression(format);
  const plain = openReading({
    kind,
    answer: answerOptions(translating),
    bytesMax: context.serving.config.limits.answer_bytes_max,
  });
  if (body === null || !isReadable) return passOn({ response, deadline }, exchange);
  const stream = passAndRead(body, {
    reading: format === "identity" ? plain : decompressed(plain, format),
    measure: (work) => exchange.measure(work),
    ended: (error) => exchange.end({ status, error }),
  });
  const headers = returnedHeaders(response.headers, { isRewritten: false });
  return new Response(stream, { status, statusText, headers });
}

function translateStreamed(
  body: ReadableStream<Uint8Array>,
  { response, deadline }: Answered,
  translating: Translating,
): Response {
  const { exchange } = translating;
  const { status } = response;
  const pipeline = new StreamedAnswer(answerOptions(translating));
  const stream = translateStream(body, {
    pipeline,
    measure: (work) => exchange.measure(work),
    ended: (error) => exchange.end({ status, error }),
    async sequel() {
      const stopped = stoppedBy(translating, pipeline.usage ?? undefined);
      if (stopped === undefined) return undefined;
      if (stopped.verdict.kind === "reject") exchange.end({ status, error: stopped.verdict.code });
      return await followInStream(stopped);
    },
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
  const { upstream, exchange } = translating;
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  try {
    bytes = await readWhole(body, {
      bytesMax: limits.answer_bytes_max,
      beforeRead: watchReads(deadline, readLimits(translating)),
      afterRead: () => deadline.pause(),
    });
  } catch {
    return refuse(deadline.error ?? brokenUpstream(upstream), exchange);
  } finally {
    deadline.stop();
  }
  if (bytes === undefined) return refuse(tooLargeAnswer(upstream, limits.answer_bytes_max), exchange);
  const text = new TextDecoder().decode(bytes);
  const translated = exchange.measure(() => translateWhole(text, answerOptions(translating)));
  const stopped = stoppedBy(translating, readCompletion(text)?.["usage"]);
  if (stopped !== undefined) {
    if (stopped.verdict.kind === "reject") exchange.end({ status: 422, error: stopped.verdict.code });
    return await followVerdict(stopped);
  }
  exchange.end({ status: response.status });
  const spent = translating.before?.usage;
  const said = spent === undefined ? translated : withUsage(translated ?? text, spent);
  return new Response(said ?? bytes, {
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

function answerOptions(
  { asking, chat, context, upstream, exchange, plugins, calls, before }: Translating,
): AnswerOptions {
  return {
    createMatcher: () =>
      calls === undefined
        ? asking.createMatcher({ beginsInReasoning: upstream.begins_in_reasoning })
        : serveCalls(calls),
    createPlugins: plugins && (() => plugins.createStage()),
    createRenderer: () => asking.createRenderer(context.newId),
    listener: exchange.listener(plugins),
    isStopped: plugins && (() => plugins.verdict !== undefined),
    native: asking.native,
    spent: before?.usage,
    choiceCount: typeof chat.n === "number" ? chat.n : 1,
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

function tooLargeAnswer(upstream: UpstreamConfig, bytesMax: number): HttpError {
  return {
    status: 502,
    type: "upstream_error",
    code: "answer_too_large",
    message: `The answer of the upstream "${upstream.name}" is longer than ${bytesMax} bytes. ` +
      "If it has to be, raise `limits.answer_bytes_max`",
  };
}

function isError(value: object): value is HttpError {
  return "status" in value && "code" in value;
}
