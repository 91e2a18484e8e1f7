/**
 * One request of a client, from its arrival to its response:
 *
 *     request ─▶ which client? ─▶ which upstream? ─▶ plugins ─▶ proxy/exchange/answer ─▶ response
 *
 * When no client is known, or there is nothing to read, the upstream's body goes on untouched.
 *
 * @module
 */
import { changeRequest, type ChatRequest, readRequest, rewriteRequest } from "../../chat/message/request.ts";
import { writeChanged } from "../../chat/message/spelling.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import type { ReadPrintedCalls } from "../../chat/message/history.ts";
import { createPrintedReader } from "../../chat/pipeline/printed_calls.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import { NATIVE_RULE } from "../../chat/native/call.ts";
import { concernsTools, offeredOf, termsOf } from "../../chat/speak/request.ts";
import { structuralTag } from "../../chat/speak/structural_tag.ts";
import { answerChat } from "./answer.ts";
import { AskAgain } from "./ask_again.ts";
import { applyTemplate, isTemplateServer } from "../upstream/applied_template.ts";
import { forcedClient, readBody, refuseDeep } from "../transport/arrival.ts";
import {
  chatAnswer,
  COMPLETIONS_PATH,
  writeCompletion,
  type WritePrompt,
  writeWith,
} from "../upstream/completions.ts";
import { Exchange } from "./exchange.ts";
import { conversationHash } from "../../chat/rollout/conversation.ts";
import { readFacts } from "../door/facts.ts";
import type { RequestPlugins } from "../plugin/run.ts";
import { leaveUpstream, NextUpstream, upstreamsFor, whyNext } from "../upstream/routing.ts";
import { forwardedHeaders } from "../transport/headers.ts";
import { isWebPage, passOn, readLimits, refuse, refuseWebPage, untouched } from "./pass_on.ts";
import { errorResponse, type HttpError, isError, withCode } from "../transport/respond.ts";
import { createHealedSending } from "../upstream/healed.ts";
import { type RequestBody, sendPrompted } from "../upstream/prompted.ts";
import { type RawSwitch, TAG_STYLES } from "../upstream/profiles/profiles.ts";
import { rawBody, sendRaw } from "../upstream/raw.ts";
import { serverRoot } from "../upstream/recognize_server.ts";
import { createStrictSending, watchStrictness } from "../upstream/strict.ts";
import type { Recovery } from "./recovery.ts";
import type { Question } from "./retry.ts";
import type { RequestContext } from "./request_context.ts";
import { isGatewayError } from "../upstream/probe.ts";
import type { Service, Translator } from "./service.ts";
import type { WireOutput } from "./wire_output.ts";
import { endTurn } from "./turns.ts";
import { callUpstream, chooseUpstream, SAMPLE_UPSTREAM, type UpstreamAnswer } from "../upstream/upstream.ts";

/** Passes a request on that is not a chat: any method, both bodies streaming, nothing looked at. */
export async function passThrough(request: Request, context: RequestContext): Promise<Response> {
  const upstream = chooseUpstream(context.service.config, { name: context.route.upstream });
  if (isError(upstream)) return errorResponse(upstream);
  const { method, headers } = request;
  const answered = await send(request.body, { method, headers, context, upstream });
  if (isError(answered)) return errorResponse(answered);
  const response = untouched(answered, { upstream, service: context.service });
  return response.status < 400 ? response : withCode(response, "upstream_status");
}

/** A chat request that was read. */
export interface AskedChat {
  /** The client's headers, as chat completions has them. */
  readonly headers: Headers;
  /** Undefined if the body isn't one. */
  readonly chat: ChatRequest | undefined;
  /** What the client sent; undefined if it sent a request of another wire. */
  readonly sent?: SentText | undefined;
  /** Writes the answer for a client of another wire. */
  readonly output?: WireOutput | undefined;
}

/** The body of a chat request. */
interface SentText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly body: string;
}

/** Reads a chat, passes it on and translates its answer for the client that asks. */
export async function proxyChat(request: Request, context: RequestContext): Promise<Response> {
  const { service } = context;
  const forced = forcedClient(request, context);
  if (isError(forced)) return errorResponse(forced);
  const bytes = await readBody(request, service.config.limits.request_bytes_max);
  if (isError(bytes)) return errorResponse(bytes);
  const began = performance.now();
  const body = new TextDecoder().decode(bytes);
  const chat = readRequest(body);
  const refused = chat === undefined ? refuseDeep(body) : undefined;
  if (refused !== undefined) return errorResponse(refused);
  await endTurn(began);
  return await answerRequest({ headers: request.headers, chat, sent: { bytes, body } }, context);
}

/** Passes on a chat that was read, and translates its answer for the client that asks. */
export async function answerRequest(
  { headers, chat, sent, output }: AskedChat,
  context: RequestContext,
): Promise<Response> {
  const { service, route } = context;
  const forced = forcedClient({ headers }, context);
  if (isError(forced)) return errorResponse(forced);
  const model = typeof chat?.model === "string" ? chat.model : undefined;
  const upstreams = upstreamsFor(service.config, {
    name: route.upstream,
    model,
    conversation: () => chat === undefined ? "0" : conversationHash(chat, ""),
    isDown: context.isDown,
  });
  if (isError(upstreams)) return errorResponse(upstreams);
  const carried: Carried = {};
  for (const [index, upstream] of upstreams.entries()) {
    const hasNext = index < upstreams.length - 1;
    try {
      const asked = { headers, chat, sent, output };
      return await answerFrom(upstream, asked, { context, forced: forced.name, carried, hasNext });
    } catch (cause) {
      if (!(cause instanceof NextUpstream) || !hasNext) throw cause;
      carried.exchange?.leaveUpstream(upstream.name);
      const detail = `${upstream.name}: ${cause.why}`;
      carried.exchange?.event(
        { kind: "note", reason: "next_upstream", rule: NATIVE_RULE, detail, start: 0, end: 0 },
        { choice: 0, isSent: false },
      );
    }
  }
  throw new Error("No upstream was asked");
}

/** What a request keeps when its next upstream is asked. */
interface Carried {
  exchange?: Exchange;
  plugins?: RequestPlugins | undefined;
  asked?: Awaited<ReturnType<RequestPlugins["ask"]>> | undefined;
  arePluginsAsked?: boolean;
}

/** An upstream's turn. */
interface Turn {
  readonly context: RequestContext;
  /** The client that the request names. */
  readonly forced: string | undefined;
  readonly carried: Carried;
  /** Whether another upstream can be asked if this one gives no answer. */
  readonly hasNext: boolean;
}

/** Asks one upstream. Throws `NextUpstream` if it gives no answer and there is a next one. */
async function answerFrom(
  upstream: UpstreamConfig,
  { headers, chat, sent, output }: AskedChat,
  { context, forced, carried, hasNext }: Turn,
): Promise<Response> {
  const { service, newId } = context;
  const model = typeof chat?.model === "string" ? chat.model : undefined;
  const translator = chat && service.recognize(chat, headers, { forced, upstream });
  const facts = readFacts({
    chat,
    translator,
    wire: output?.wire ?? CHAT_WIRE,
    headers,
    upstream,
    service,
    key: context.key,
  });
  const possible = chat && service.promptingFor?.({ model, upstream });
  const prompting = possible && concernsTools(chat) ? possible : undefined;
  const isNative = prompting?.isOn === false && prompting.raw === undefined;
  const learning = isNative && translator !== undefined ? prompting?.watch : undefined;
  let isRaw = false;
  // A client that wants no calls gets no grammar for them.
  const tagFor = () =>
    chat === undefined || termsOf(chat).choice === "none" || !(isRaw || prompting?.isOn === true)
      ? undefined
      : prompting?.speaker &&
        structuralTag(prompting.speaker, { tools: offeredOf(chat), styles: TAG_STYLES });
  const strictness = facts.mode === "live" && facts.toolCount > 0
    ? service.strictnessFor?.({ model, upstream }, tagFor)
    : undefined;
  const own = [learning, strictness && (() => watchStrictness(strictness))].filter((one) =>
    one !== undefined
  );
  const isFirst = carried.exchange === undefined;
  const exchange = carried.exchange ??= new Exchange(facts, context);
  exchange.watchUpstream(facts, own);
  const note = (event: NoteEvent) => exchange.event(event, { choice: 0, isSent: false });
  if (isFirst) context.notes?.forEach(note);
  const limits = readLimits({ upstream, service });
  let mayLeave = hasNext;
  const sendAsIs = async (body: RequestBody) => {
    const answered = await sendChat(body, { method: "POST", headers, context, upstream, note });
    const why = mayLeave ? whyNext(answered) : undefined;
    mayLeave = false;
    return why === undefined ? answered : await leaveUpstream(answered, why);
  };
  const healing = upstream.heal && facts.mode === "live"
    ? service.healingFor?.({ model, upstream })
    : undefined;
  let transport = sendAsIs;
  const sendNow = (body: RequestBody) => transport(body);
  const sendHealed = healing === undefined
    ? sendNow
    : createHealedSending({ healing, limits, send: sendNow, note });
  const sendPlain = strictness === undefined
    ? sendHealed
    : createStrictSending({ strictness, limits, send: sendHealed, note });
  const offersTools = facts.toolCount > 0;
  // Without a reader, the server's own parser is the only one.
  const isRead = translator !== undefined && facts.mode === "live" && upstream.chat_template === undefined;
  const bytesMax = service.config.limits.answer_bytes_max;
  const sendTo = (rest: string, body: string) =>
    send(body, { method: "POST", headers, context, upstream, url: serverRoot(upstream.url), rest });
  const askRaw = (body: RequestBody, raw: RawSwitch) => {
    const profile = service.servers?.of(upstream)?.profile ?? {};
    transport = (changed) => sendRaw(changed, { raw, profile, send: sendAsIs, sendTo, limits, bytesMax });
    return sendPlain(rawBody(body, raw));
  };
  const sendBody = (body: RequestBody) => {
    const { raw, speaker } = prompting ?? {};
    isRaw = isRead && raw !== undefined;
    if (isRaw && raw !== undefined) return askRaw(body, raw);
    transport = sendAsIs;
    if (prompting === undefined || speaker === undefined) return sendPlain(body);
    return sendPrompted(body, { prompting, speaker, offersTools, limits, bytesMax, send: sendPlain, note });
  };
  const recovery: Recovery | undefined = upstream.heal && isRead && offersTools
    ? {
      get profile() {
        return service.servers?.of(upstream)?.profile;
      },
      get askRaw() {
        const raw = isRaw || prompting?.isOn === true ? undefined : this.profile?.raw;
        return raw && ((body: RequestBody) => askRaw(body, raw));
      },
      recovered(reason) {
        note({ kind: "note", reason, rule: NATIVE_RULE, start: 0, end: 0 });
        prompting?.unparsed();
      },
    }
    : undefined;
  const origin = { upstream, service, readPrinted: printedReader({ upstream, service, translator }, note) };
  if (chat === undefined || (translator === undefined && output === undefined)) {
    const answered = await sendBody(bodyFor({ sent, chat }, origin));
    if (isError(answered)) return refuse(answered, exchange);
    return chat !== undefined && facts.mode === "live" && isWebPage(answered.response)
      ? await refuseWebPage(answered, { exchange, ...origin })
      : passOn(answered, { exchange, ...origin });
  }
  // Plugins are asked once: they may count.
  if (carried.arePluginsAsked !== true) {
    carried.arePluginsAsked = true;
    carried.plugins = facts.mode === "live" ? translator?.createPlugins?.(newId) : undefined;
    carried.asked = await carried.plugins?.ask();
    carried.asked?.notes.forEach(note);
  }
  const { plugins, asked } = carried;
  const calls = asked?.calls;
  const question: Question = {
    body: calls === undefined ? bodyFor({ sent, chat, changed: asked?.body }, origin) : null,
  };
  const isAskedAgain = service.config.policy.unreadable_call === "ask_again" && facts.mode === "live" &&
    (chat.n ?? 1) === 1;
  const askAgain = isAskedAgain && translator !== undefined
    ? new AskAgain({
      translator,
      request: chat,
      beginsInReasoning: upstream.begins_in_reasoning,
      note,
      canPin: () =>
        offersTools && !isRaw && prompting?.isOn !== true && upstream.chat_template === undefined &&
        service.servers?.of(upstream)?.profile.named_choice === true,
    })
    : undefined;
  return await answerChat(
    {
      translator,
      askAgain,
      request: chat,
      ...origin,
      exchange,
      output,
      plugins,
      newId,
      calls,
      recovery,
      send: sendBody,
    },
    question,
  );
}

/** The wire of clients that speak the API of the upstreams. */
const CHAT_WIRE = "chat";

/** A request, and what the plugins made of it. */
interface ChangedChat extends Pick<AskedChat, "chat" | "sent"> {
  readonly changed?: ChatRequest | undefined;
}

/** The upstream of a chat, and what the server works with. */
interface ChatOrigin {
  readonly upstream: UpstreamConfig;
  readonly service: Service;
}

/**
 * What reads the calls that the model printed in earlier answers; undefined if they stay. A client that reads calls in text has
 * made them.
 */
function printedReader(
  { upstream, service, translator }: ChatOrigin & { readonly translator: Translator | undefined },
  note: (note: NoteEvent) => void,
): ReadPrintedCalls | undefined {
  const repairs = service.config.policy.repair_history && upstream.heal;
  if (!repairs || translator?.writes !== "tool_calls") return undefined;
  const read = createPrintedReader(() => translator.createMatcher());
  let isNoted = false;
  return (text) => {
    const printed = read(text);
    if (printed !== undefined && !isNoted) {
      isNoted = true;
      note({ kind: "note", reason: "healed_history", rule: "repair_history", start: 0, end: 0 });
    }
    return printed;
  };
}

/** The body for the upstream: the client's own bytes where nothing changes. */
function bodyFor(
  { sent, chat, changed = chat }: ChangedChat,
  { upstream, service, readPrinted }: ChatOrigin & { readonly readPrinted: ReadPrintedCalls | undefined },
): string | Uint8Array<ArrayBuffer> {
  const changes = {
    modelNames: upstream.model_names,
    defaults: upstream.defaults,
    repairsHistory: service.config.policy.repair_history,
    readPrinted,
  };
  if (sent === undefined) return JSON.stringify(changed && (changeRequest(changed, changes) ?? changed));
  const { body, bytes } = sent;
  const isChanged = chat !== undefined && changed !== undefined && changed !== chat;
  const wanted = isChanged ? writeChanged(body, { original: chat, changed }) : body;
  return rewriteRequest({ body: wanted, request: changed }, changes) ?? (isChanged ? wanted : bytes);
}

/** Sends a chat, or what a template makes of it to an upstream that completes prompts. */
async function sendChat(body: RequestBody, sending: Sending): Promise<UpstreamAnswer | HttpError> {
  const write = promptWriter(sending);
  if (write === undefined) return await send(body, sending);
  const { upstream, context: { service }, note } = sending;
  const written = await writeCompletion(body, {
    write,
    profile: () => service.servers?.of(upstream)?.profile,
  });
  if (!("fields" in written)) return written;
  if (written.leavesFormatOut) {
    note?.({ kind: "note", reason: "format_left_out", rule: NATIVE_RULE, start: 0, end: 0 });
  }
  const answered = await send(JSON.stringify(written.fields), { ...sending, rest: COMPLETIONS_PATH });
  if (isError(answered)) return answered;
  return chatAnswer(answered, { ...written, lengthMax: service.config.limits.answer_bytes_max });
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
      send: (asked) => send(asked, { ...sending, url, rest: "" }),
      upstream,
      unparsed: () => service.servers?.of(upstream)?.profile.raw?.fields,
      limits: readLimits({ upstream, service }),
      bytesMax: service.config.limits.answer_bytes_max,
    });
}

/** Where a body goes. */
interface Sending {
  readonly method: string;
  readonly headers: Headers;
  readonly context: RequestContext;
  readonly upstream: UpstreamConfig;
  /** The base URL, if it isn't the upstream's own. */
  readonly url?: string;
  /** What is appended to the base URL instead of the request's own path. */
  readonly rest?: string;
  /** Gets notes about the request. */
  readonly note?: (note: NoteEvent) => void;
}

async function send(
  body: RequestBody | ReadableStream<Uint8Array>,
  { method, headers, context, upstream, url, rest = context.route.rest }: Sending,
): Promise<UpstreamAnswer | HttpError> {
  const isSample = upstream === SAMPLE_UPSTREAM;
  const answered = await callUpstream({
    upstream: url === undefined ? upstream : { ...upstream, url },
    rest,
    method,
    headers: forwardedHeaders(headers, context.service.keys.get(upstream.name)),
    body,
    signal: context.signal,
  }, {
    limits: context.service.config.limits,
    send: isSample ? context.sample : context.fetch ?? fetch,
    connect: isSample ? undefined : context.connect,
  });
  const isOwn = url === undefined || new URL(url).origin === new URL(upstream.url).origin;
  if (!isError(answered) && isOwn) context.service.servers?.see(upstream, answered.response.headers);
  // If the client left before the answer, nothing is known about the upstream.
  if (!context.signal.aborted) {
    context.seeUpstream?.(upstream.name, !isError(answered) && !isGatewayError(answered.response.status));
  }
  return answered;
}
