/**
 * One request of a client, from its arrival to its response:
 *
 *     request ─▶ which client? ─▶ which upstream? ─▶ plugins ─▶ proxy/exchange/answer ─▶ response
 *
 * When no client is known, or there is nothing to read, the upstream's body goes on untouched.
 *
 * @module
 */
import { type ChatRequest, readRequest, rewriteRequest } from "../../chat/message/request.ts";
import { writeChanged } from "../../chat/message/spelling.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import { concernsTools } from "../../chat/speak/request.ts";
import { answerChat } from "./answer.ts";
import { applyTemplate, isTemplateServer } from "../upstream/applied_template.ts";
import { forcedClient, readBody, refuseDeep } from "../transport/arrival.ts";
import {
  chatAnswer,
  completionBody,
  COMPLETIONS_PATH,
  type WritePrompt,
  writeWith,
} from "../upstream/completions.ts";
import { Exchange, type Observers } from "./exchange.ts";
import { readFacts } from "../door/facts.ts";
import { forwardedHeaders } from "../transport/headers.ts";
import type { KeptItems } from "./kept_items.ts";
import { passOn, readLimits, refuse, untouched } from "./pass_on.ts";
import { errorResponse, type HttpError, isError, withCode } from "../transport/respond.ts";
import { type RequestBody, sendPrompted } from "../upstream/prompted.ts";
import type { Question } from "./retry.ts";
import type { ApiRoute } from "../door/route.ts";
import { isGatewayError } from "../upstream/probe.ts";
import type { Service } from "./service.ts";
import { endTurn } from "./turns.ts";
import {
  callUpstream,
  chooseUpstream,
  type Reach,
  SAMPLE_UPSTREAM,
  type UpstreamAnswer,
} from "../upstream/upstream.ts";

/** What surrounds a request. */
export interface ProxyContext extends Observers {
  /** What the server works with now. */
  readonly service: Service;
  /** Where the request goes. */
  readonly route: ApiRoute;
  /** Aborts when the client has gone or the server stops. */
  readonly signal: AbortSignal;
  /** A fresh id for a call. */
  readonly newId: () => string;
  /** The items of the client's earlier answers. */
  readonly items: KeptItems;
  /** What is already worth a note about the request. */
  readonly notes?: readonly NoteEvent[];
  /** The embedded sample model. */
  readonly sample: (request: Request) => Promise<Response>;
  /** How long a client of another wire waits for a byte before it gets one, in milliseconds. */
  readonly keepAliveMs?: number | undefined;
  /** Takes whether an upstream answers. */
  readonly seeUpstream?: ((name: string, answers: boolean) => void) | undefined;
  /** Opens a connection and closes it again. */
  readonly connect?: Reach["connect"];
}

/** Passes a request on that is not a chat: any method, both bodies streaming, nothing looked at. */
export async function passThrough(request: Request, context: ProxyContext): Promise<Response> {
  const upstream = chooseUpstream(context.service.config, { name: context.route.upstream });
  if (isError(upstream)) return errorResponse(upstream);
  const answered = await send(request.body, { request, context, upstream });
  if (isError(answered)) return errorResponse(answered);
  const response = untouched(answered, { upstream, service: context.service });
  return response.status < 400 ? response : withCode(response, "upstream_status");
}

/** Passes a chat on and translates its answer for the client that asks. */
export async function proxyChat(request: Request, context: ProxyContext): Promise<Response> {
  const { service, route, newId } = context;
  const forced = forcedClient(request, context);
  if (isError(forced)) return errorResponse(forced);
  const bytes = await readBody(request, service.config.limits.request_bytes_max);
  if (isError(bytes)) return errorResponse(bytes);
  const began = performance.now();
  const body = new TextDecoder().decode(bytes);
  const refused = refuseDeep(body);
  if (refused !== undefined) return errorResponse(refused);
  const chat = readRequest(body);
  await endTurn(began);
  const model = typeof chat?.model === "string" ? chat.model : undefined;
  const upstream = chooseUpstream(service.config, { name: route.upstream, model });
  if (isError(upstream)) return errorResponse(upstream);
  const translator = chat && service.recognize(chat, request.headers, { forced: forced.name, upstream });
  const facts = readFacts({ chat, translator, headers: request.headers, upstream, service });
  const possible = chat && service.promptingFor?.({ model, upstream });
  const prompting = possible && concernsTools(chat) ? possible : undefined;
  const learning = prompting?.isOn === false && translator !== undefined ? prompting.watch : undefined;
  const watches = [...context.watches ?? [], ...learning === undefined ? [] : [learning]];
  const exchange = new Exchange(facts, { ...context, watches });
  const note = (event: NoteEvent) => exchange.event(event, { choice: 0, isSent: false });
  context.notes?.forEach(note);
  const sendPlain = (body: RequestBody) => sendChat(body, { request, context, upstream });
  const limits = readLimits({ upstream, service });
  const offersTools = facts.toolCount > 0;
  const sendBody = prompting === undefined
    ? sendPlain
    : (body: RequestBody) => sendPrompted(body, { prompting, offersTools, limits, send: sendPlain, note });
  const sent = { bytes, body, request: chat };
  if (translator === undefined || chat === undefined) {
    const answered = await sendBody(bodyFor(sent, { upstream, service }));
    return isError(answered) ? refuse(answered, exchange) : passOn(answered, { exchange, upstream, service });
  }
  const plugins = facts.mode === "live" ? translator.createPlugins?.(newId) : undefined;
  const asked = await plugins?.ask();
  asked?.notes.forEach(note);
  const calls = asked?.calls;
  const question: Question = {
    body: calls === undefined ? bodyFor({ ...sent, changed: asked?.body }, { upstream, service }) : null,
  };
  return await answerChat(
    { translator, request: chat, service, upstream, exchange, plugins, newId, calls, send: sendBody },
    question,
  );
}

/** What the client sent, and what the plugins made of it. */
interface SentChat {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly body: string;
  readonly request: ChatRequest | undefined;
  readonly changed?: ChatRequest | undefined;
}

/** The body for the upstream: the client's own bytes where nothing changes. */
function bodyFor(
  { bytes, body, request, changed = request }: SentChat,
  { upstream, service }: { readonly upstream: UpstreamConfig; readonly service: Service },
): string | Uint8Array<ArrayBuffer> {
  const isChanged = request !== undefined && changed !== undefined && changed !== request;
  const wanted = isChanged ? writeChanged(body, { original: request, changed }) : body;
  const rewritten = rewriteRequest({ body: wanted, request: changed }, {
    modelNames: upstream.model_names,
    defaults: upstream.defaults,
    repairsHistory: service.config.policy.repair_history,
  });
  return rewritten ?? (isChanged ? wanted : bytes);
}

/** Sends a chat, or what a template makes of it to an upstream that completes prompts. */
async function sendChat(body: RequestBody, sending: Sending): Promise<UpstreamAnswer | HttpError> {
  const write = promptWriter(sending);
  if (write === undefined) return await send(body, sending);
  const prompt = await completionBody(body, write);
  if (typeof prompt !== "string") return prompt;
  const answered = await send(prompt, { ...sending, rest: COMPLETIONS_PATH });
  return isError(answered)
    ? answered
    : chatAnswer(answered, sending.context.service.config.limits.answer_bytes_max);
}

/** What writes the prompts of an upstream; undefined if it gets chats. */
function promptWriter(sending: Sending): WritePrompt | undefined {
  const { upstream, context: { service } } = sending;
  const template = service.templates?.get(upstream.name);
  if (template !== undefined) return writeWith(template);
  const { chat_template: url } = upstream;
  if (!isTemplateServer(url)) return undefined;
  return (chat) =>
    applyTemplate(chat, {
      send: (asked) => send(asked, { ...sending, upstream: { ...upstream, url }, rest: "" }),
      upstream,
      limits: readLimits({ upstream, service }),
      bytesMax: service.config.limits.answer_bytes_max,
    });
}

/** Where a body goes. */
interface Sending {
  readonly request: Request;
  readonly context: ProxyContext;
  readonly upstream: UpstreamConfig;
  /** What is appended to the base URL instead of the request's own path. */
  readonly rest?: string;
}

async function send(
  body: RequestBody | ReadableStream<Uint8Array>,
  { request, context, upstream, rest = context.route.rest }: Sending,
): Promise<UpstreamAnswer | HttpError> {
  const isSample = upstream === SAMPLE_UPSTREAM;
  const answered = await callUpstream({
    upstream,
    rest,
    method: request.method,
    headers: forwardedHeaders(request.headers, context.service.keys.get(upstream.name)),
    body,
    signal: context.signal,
  }, {
    limits: context.service.config.limits,
    send: isSample ? context.sample : fetch,
    connect: isSample ? undefined : context.connect,
  });
  // If the client left before the answer, nothing is known about the upstream.
  if (!context.signal.aborted) {
    context.seeUpstream?.(upstream.name, !isError(answered) && !isGatewayError(answered.response.status));
  }
  return answered;
}
