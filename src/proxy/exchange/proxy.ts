/**
 * One request of a client, from its arrival to its response:
 *
 *     request ─▶ which client? ─▶ which upstream? ─▶ plugins ─▶ proxy/exchange/answer ─▶ response
 *
 * If the client is unknown, or there is nothing to read, the upstream's body passes unchanged.
 *
 * @module
 */
import { demandsForm } from "../../chat/message/demanded_form.ts";
import { type ChatRequest, readRequest } from "../../chat/message/request.ts";
import { changeRequest, rewriteRequest } from "../../chat/message/request_changes.ts";
import { writeChanged } from "../../chat/message/number_spelling.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import type { ReadPrintedCalls } from "../../chat/message/history.ts";
import { createPrintedReader } from "../../chat/pipeline/printed_calls.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import { answerChat } from "./answer.ts";
import { AskAgain, type AskAgainOptions } from "./ask_again.ts";
import { Beats, keepChatAlive } from "./chat_keep_alive.ts";
import { forcedClient, readBody, refuseUnreadable } from "../transport/arrival.ts";
import { Exchange } from "./exchange.ts";
import { conversationHash } from "../../chat/rollout/conversation.ts";
import { withPlainTools } from "./plain_tools.ts";
import type { RequestPlugins } from "../plugin/run.ts";
import type { JudgedAnswer } from "./remedies.ts";
import { drop } from "../upstream/error_text.ts";
import { type KeptAnswer, NextUpstream, upstreamsFor } from "../upstream/routing.ts";
import { isWebPage, type Origin, passOn, refuse, refuseWebPage, untouched } from "./pass_on.ts";
import { askForUsage, withoutUsage } from "./stated_usage.ts";
import { Tail } from "./tail.ts";
import { errorResponse, type HttpError, isError, withCode } from "../transport/respond.ts";
import type { RequestContext } from "./request_context.ts";
import type { Service, Translator } from "./service.ts";
import type { WireOutput } from "./wire_output.ts";
import { endTurn } from "./turns.ts";
import { cutPromptNote } from "../upstream/cut_prompt.ts";
import { toolMode } from "../upstream/speakers.ts";
import { chooseUpstream, SAMPLE_UPSTREAM, type UpstreamAnswer } from "../upstream/upstream.ts";
import { ChatSending, type NextAnswer, sendTo } from "./sending.ts";
import type { ServedAnswer } from "../transport/served.ts";
import { budgetFields } from "./thought_budget.ts";
import { type LoopSettings, treatLoop } from "./loop.ts";
import { chooseMode } from "../../chat/rollout/canary.ts";
import { type RequestFacts, type RequestOutcome, tokensUsed } from "./watch.ts";

/** Forwards a request that isn't a chat, with any method. Both bodies stream unread. */
export async function passThrough(request: Request, context: RequestContext): Promise<Response> {
  const upstream = chooseUpstream(context.service.config, { name: context.route.upstream });
  if (isError(upstream)) return errorResponse(upstream);
  const { method, headers } = request;
  const answered = await sendTo(request.body, { method, headers, context, upstream });
  if (isError(answered)) return errorResponse(answered);
  const response = untouched(
    answered,
    { upstream, service: context.service },
    statedTokens(answered, context),
  );
  return response.status < 400 ? response : withCode(response, "upstream_status");
}

/** Reads the tokens that an answer states. In a text, the client could have written them. */
function statedTokens(
  { response: { headers } }: UpstreamAnswer,
  { stateTokens }: RequestContext,
): Parameters<typeof untouched>[2] {
  if (stateTokens === undefined || !/json|event-stream/i.test(headers.get("content-type") ?? "")) return {};
  const tail = new Tail();
  return {
    passed: (bytes) => tail.push(bytes),
    ended() {
      const tokens = tokensUsed({ usage: () => tail.usage() });
      if (tokens !== undefined) stateTokens(tokens);
    },
  };
}

interface ReceivedChat {
  readonly forced: string | undefined;
  /** The client's headers, in the form of chat completions. */
  readonly headers: Headers;
  /** Undefined if the body isn't one. */
  readonly chat: ChatRequest | undefined;
  /** What the client sent; undefined if it sent a request of another wire. */
  readonly sent?: SentText | undefined;
  readonly output?: WireOutput | undefined;
}

interface SentText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly body: string;
}

/** Reads a chat request, forwards it, and translates its answer for the client. */
export async function proxyChat(request: Request, context: RequestContext): Promise<Response> {
  const { service } = context;
  const forced = forcedClient(request, context);
  if (isError(forced)) return errorResponse(forced);
  const bytes = await readBody(request, service.config.limits.request_bytes_max);
  if (isError(bytes)) return errorResponse(bytes);
  const began = performance.now();
  const body = new TextDecoder().decode(bytes);
  const chat = readRequest(body);
  const refused = chat === undefined ? refuseUnreadable(body) : undefined;
  if (refused !== undefined) return errorResponse(refused);
  await endTurn(began);
  const { headers } = request;
  const counted = context.stateTokens && chat && askForUsage({ chat, body });
  const asked = { forced: forced.name, headers };
  const answerWith = async (context: RequestContext) => {
    if (counted === undefined) return await answerRequest({ ...asked, chat, sent: { bytes, body } }, context);
    const sent = { bytes: new TextEncoder().encode(counted.body), body: counted.body };
    return withoutUsage(await answerRequest({ ...asked, chat: counted.chat, sent }, context));
  };
  const { keep_alive_ms: everyMs } = service.config.limits;
  if (chat?.stream !== true || everyMs === 0) return await answerWith(context);
  const beats = new Beats();
  return await keepChatAlive(answerWith({ ...context, beats }), { everyMs, beats, failed: context.failed });
}

export async function answerRequest(asked: ReceivedChat, context: RequestContext): Promise<Response> {
  const { chat } = asked;
  const { service, route } = context;
  if (chat !== undefined && asksNothing(chat)) {
    return errorResponse({ ...NO_MESSAGES, ...asked.output === undefined ? { param: "messages" } : {} });
  }
  const model = typeof chat?.model === "string" ? chat.model : undefined;
  const upstreams = upstreamsFor(service.config, {
    name: route.upstream,
    model,
    conversation: () => chat === undefined ? "0" : conversationHash(chat, { client: "", owner: "" }),
    isDown: context.isDown,
  });
  if (isError(upstreams)) return errorResponse(upstreams);
  const carried: Carried = {};
  const turn = { context, carried };
  let kept: { readonly upstream: UpstreamConfig; readonly given: KeptAnswer } | undefined;
  for (const [index, listed] of upstreams.entries()) {
    const upstream = service.servers?.withOnlyModel(listed, model) ?? listed;
    const next = index < upstreams.length - 1 ? "upstream" : kept === undefined ? "none" : "busy";
    const renamed = upstream === listed ? undefined : renamedNote(upstream, { model, service });
    try {
      const answered = await answerFrom(upstream, asked, { ...turn, next, renamed });
      if (kept !== undefined) await drop(kept.given.answered).catch(() => {});
      return answered;
    } catch (cause) {
      if (!(cause instanceof NextUpstream)) throw cause;
      const { kept: given, spent = carried.spent } = cause;
      // An answer that has nothing is better than none, and the first of two is as good as the other.
      const isBetter = kept === undefined || !kept.given.answered.response.ok;
      if (given !== undefined && isBetter) kept = { upstream, given };
      carried.spent = spent;
      carried.exchange?.leaveUpstream(upstream.name);
      const detail = `${upstream.name}: ${cause.why}`;
      carried.exchange?.event(
        { kind: "note", reason: "next_upstream", rule: "routing", detail, start: 0, end: 0 },
        { choice: 0, isSent: false },
      );
    }
  }
  if (kept === undefined) throw new Error("No upstream was contacted");
  return await answerFrom(kept.upstream, asked, { ...turn, next: "none", given: kept.given });
}

/** No server answers a request without messages, and some fail at it. Some take a `prompt` in their place. */
function asksNothing({ messages, prompt }: ChatRequest): boolean {
  return messages == null ? prompt == null : Array.isArray(messages) && messages.length === 0;
}

const NO_MESSAGES: HttpError = {
  status: 400,
  type: "invalid_request_error",
  code: "invalid_request",
  message: "The request has no messages. Expected at least one, such as the user's question",
};

/** That a server with one model is asked for it in the place of another name: once for each name. */
function renamedNote(
  { name, model_names: names }: UpstreamConfig,
  { model = "", service }: { readonly model: string | undefined; readonly service: Service },
): NoteEvent | undefined {
  const detail = `${model.slice(0, NAME_MAX)} became ${names[model]}`;
  if (!service.isNews(`only_model of ${name}: ${detail}`)) return undefined;
  return { kind: "note", reason: "only_model", rule: name, detail, start: 0, end: 0 };
}

const NAME_MAX = 80;

/** What a request keeps from one upstream to the next. */
interface Carried {
  exchange?: Exchange;
  asked?: AskedPlugins;
  /** The tokens of the answers that aren't the client's. */
  spent?: unknown;
}

interface Turn {
  readonly context: RequestContext;
  readonly carried: Carried;
  readonly next: NextAnswer;
  /** The answer that this upstream gave before. */
  readonly given?: KeptAnswer;
  readonly renamed?: NoteEvent | undefined;
}

/** Asks one upstream. Throws `NextUpstream` if it gives no answer and there is a next one. */
async function answerFrom(upstream: UpstreamConfig, asked: ReceivedChat, turn: Turn): Promise<Response> {
  const { chat, sent } = asked;
  const { service } = turn.context;
  const plain = chat && sent && withPlainTools({ chat, body: sent.body }, { upstream, service });
  if (plain === undefined) return await answerPlain(upstream, asked, turn);
  if (isError(plain)) return errorResponse(plain);
  const bytes = new TextEncoder().encode(plain.body);
  const notes = [...turn.context.notes ?? [], ...plain.notes];
  return plain.restore(
    await answerPlain(upstream, { ...asked, chat: plain.chat, sent: { body: plain.body, bytes } }, {
      ...turn,
      context: { ...turn.context, notes },
    }),
  );
}

async function answerPlain(
  upstream: UpstreamConfig,
  asked: ReceivedChat,
  { context, carried, next, given, renamed }: Turn,
): Promise<Response> {
  const { forced, headers, chat, output } = asked;
  const { service, newId, key, owner } = context;
  const unsettled = chat && await settleServer({ model: chat.model, upstream }, context);
  const translator = chat && service.recognize(chat, headers, { forced, upstream, owner });
  if (context.beats !== undefined && translator?.keepAlive !== undefined) {
    context.beats.shape = translator.keepAlive;
  }
  const wire = output?.wire ?? CHAT_WIRE;
  const facts = readFacts({ chat, translator, wire, headers, upstream, service, key, owner });
  const isLive = facts.mode === "live";
  const isFirst = carried.exchange === undefined;
  const exchange = carried.exchange ??= new Exchange(facts, context);
  const note = (event: NoteEvent) => exchange.event(event, { choice: 0, isSent: false });
  const readsCalls = translator !== undefined;
  const waited = (durationMs: number) => exchange.waited(durationMs);
  const seen = { facts, note, waited };
  const options = { headers, context, upstream, chat, readsCalls, ...seen, next, given: given?.answered };
  const sending = new ChatSending(options);
  exchange.watchUpstream(facts, sending.watches);
  if (renamed !== undefined) note(renamed);
  if (chat !== undefined) {
    exchange.endNotes = (outcome) => promptNotes(outcome, { chat, facts, context, sending, translator });
  }
  if (isFirst) [...context.notes ?? [], ...unreadTools(translator)].forEach(note);
  if (unsettled !== undefined && isLive && translator !== undefined) {
    if (next === "upstream") throw new NextUpstream(unsettled.code);
    return refuse(unsettled, exchange);
  }
  const origin = { upstream, service };
  const readPrinted = printedReader({ ...origin, translator }, note);
  const reasoningReader = chat && translator === undefined && isLive
    ? service.reasoningReaderOf?.(chat, headers, { forced, upstream })
    : undefined;
  const reads = translator ?? reasoningReader;
  if (chat === undefined || (reads === undefined && output === undefined)) {
    const answered = await sending.send(bodyFor(asked, { ...origin, readPrinted }));
    if (isError(answered)) return refuse(answered, exchange);
    return chat !== undefined && isLive && isWebPage(answered.response)
      ? await refuseWebPage(answered, { exchange, ...origin })
      : passOn(answered, { exchange, reword: (error) => sending.reword(error), ...origin });
  }
  const { policy } = service.config;
  // Plugins are asked only once, because they may count.
  const { plugins, served, changed } = carried.asked ??= withoutLoop(
    chat,
    await askPlugins(isLive ? translator?.createPlugins?.(newId) : undefined, note),
    {
      policy: isLive && translator !== undefined ? policy.loop : "pass",
      volatile: translator?.resultForm?.volatile,
      note,
    },
  );
  const body = served === undefined ? bodyFor({ ...asked, changed }, { ...origin, readPrinted }) : null;
  const beginning =
    isLive && reads !== undefined && upstream.chat_template === undefined && !demandsForm(chat)
      ? sending.openBeginning()
      : undefined;
  const canAskAgain = translator !== undefined && given === undefined && served === undefined;
  const hasNext = next === "upstream";
  const judge = plugins && ((judged: JudgedAnswer) => plugins.judge(judged, note));
  sending.judge = judge;
  const askAgain = canAskAgain
    ? askAgainFor(chat, { facts, policy, translator, beginning, sending, note, hasNext, judge })
    : undefined;
  const remembers = policy.dropped_thoughts === "restore" && isLive && facts.toolCount > 0 &&
    facts.conversation !== "" && (chat.n ?? 1) === 1;
  const spent = given === undefined ? carried.spent : given.spent;
  return await answerChat({
    ...origin,
    translator,
    reasoningReader,
    askAgain,
    beginning,
    request: chat,
    question: { body, spent },
    exchange,
    output,
    plugins,
    newId,
    served,
    thoughts: remembers ? context.thoughts?.begin(facts.conversation) : undefined,
    sending,
  });
}

/** What asks the model again; undefined if no answer leads to that. */
function askAgainFor(chat: ChatRequest, { facts, policy, sending, ...options }:
  & Pick<AskAgainOptions, "translator" | "beginning" | "note" | "hasNext" | "judge">
  & {
    readonly facts: RequestFacts;
    readonly policy: Service["config"]["policy"];
    readonly sending: ChatSending;
  }): AskAgain | undefined {
  // Without tools, there is no turn of an agent that dies.
  const endless = facts.toolCount > 0;
  const asksFor = {
    unreadable: policy.unreadable_call === "ask_again",
    empty: policy.empty_answer === "ask_again" && endless,
    endless,
    repeated: policy.repeated_thoughts === "end" && endless,
  };
  const isPossible = facts.mode === "live" && (chat.n ?? 1) === 1;
  if (!isPossible || !(asksFor.unreadable || endless)) return undefined;
  return new AskAgain({
    ...options,
    asksFor,
    request: chat,
    canPin: () => sending.canPin,
    canAskRaw: () => sending.recovery?.askRaw !== undefined,
    continuing: () => sending.continuing,
  });
}

/** What the end of a request shows of its prompt. */
function promptNotes(
  { status, usage }: Pick<RequestOutcome, "status" | "usage">,
  { chat, facts, context, sending, translator }: {
    readonly chat: ChatRequest;
    readonly facts: RequestFacts;
    readonly context: RequestContext;
    readonly sending: ChatSending;
    readonly translator: Translator | undefined;
  },
): NoteEvent[] {
  if (status >= 400) return [];
  const { client = "", model, upstream } = facts;
  const { owner, prefixes, service } = context;
  const asked = { owner, client, model, upstream, help: translator?.cacheHelp };
  const broken = service.config.cache.watch ? prefixes?.see(chat, asked) : undefined;
  const setting = sending.profile?.cuts_prompts;
  const cut = setting === undefined ? undefined : cutPromptNote({ chat, usage: usage?.(), setting });
  return [broken, cut].filter((note) => note !== undefined);
}

/** Waits until the server is known if a setting depends on it, or returns why the setting wouldn't hold. */
async function settleServer(
  asked: { readonly model: unknown; readonly upstream: UpstreamConfig },
  { service, settle }: RequestContext,
): Promise<HttpError | undefined> {
  const { config } = service;
  const { upstream } = asked;
  const model = typeof asked.model === "string" ? asked.model : undefined;
  const mode = toolMode(config, { model, upstream });
  const depends = mode === "raw" || mode === "prompted" || config.tools.strict === "add" ||
    upstream.chat_template !== undefined;
  if (!depends || upstream === SAMPLE_UPSTREAM || settle === undefined) return undefined;
  return await settle(upstream) || mode !== "raw" ? undefined : unknownServer(upstream);
}

function unknownServer({ name, url }: UpstreamConfig): HttpError {
  return {
    status: 503,
    type: "upstream_error",
    code: "server_unknown",
    message:
      `The upstream "${name}" at ${url} didn't identify itself in time, so its parser can't be switched ` +
      "off (`tools: raw`). Try again, or set the upstream's `server`",
  };
}

/** The tools whose schema is too large to be read. */
function unreadTools(translator: Translator | undefined): NoteEvent[] {
  const { offered } = translator ?? {};
  return (offered?.names ?? []).filter((name) => offered?.resolve(name)?.isUnreadable).map((tool) => ({
    kind: "note",
    reason: "schema_over_budget",
    rule: "tools",
    tool,
    start: 0,
    end: 0,
  }));
}

interface AskedPlugins {
  readonly plugins: RequestPlugins | undefined;
  readonly served?: ServedAnswer | undefined;
  readonly changed?: ChatRequest | undefined;
}

async function askPlugins(
  plugins: RequestPlugins | undefined,
  note: (note: NoteEvent) => void,
): Promise<AskedPlugins> {
  const { notes, calls, body: changed } = await plugins?.ask() ?? {};
  notes?.forEach(note);
  return { plugins, served: calls && { calls }, changed };
}

/** The same with what is done about a call that is made again and again. */
function withoutLoop(
  chat: ChatRequest,
  asked: AskedPlugins,
  { note, ...settings }: LoopSettings & { readonly note: (note: NoteEvent) => void },
): AskedPlugins {
  if (asked.served !== undefined) return asked;
  const loop = treatLoop(asked.changed ?? chat, settings);
  if (loop?.note !== undefined) note(loop.note);
  const { text, changed = asked.changed } = loop ?? {};
  return { ...asked, changed, served: text === undefined ? undefined : { text, calls: [] } };
}

/** The wire of clients that speak chat completions themselves. */
const CHAT_WIRE = "chat";

/** What reads the calls that earlier answers printed; undefined for text clients, which have executed theirs. */
function printedReader(
  { upstream, service, translator }: Origin & { readonly translator: Translator | undefined },
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

/** The body for the upstream: the client's own bytes if nothing changes. */
function bodyFor(
  { sent, chat, changed = chat }: ReceivedChat & Pick<AskedPlugins, "changed">,
  { upstream, service, readPrinted }: Origin & { readonly readPrinted: ReadPrintedCalls | undefined },
): string | Uint8Array<ArrayBuffer> {
  const profile = service.servers?.of(upstream)?.profile;
  const budget = chat && budgetFields({ request: chat, upstream, config: service.config, profile });
  const changes = {
    modelNames: upstream.model_names,
    defaults: upstream.defaults,
    fields: budget,
    prefix: {
      stableTools: service.config.cache.stable_tools,
      volatileLines: service.config.cache.volatile_lines,
    },
    repairsHistory: service.config.policy.repair_history,
    readPrinted,
  };
  if (sent === undefined) {
    // The field is this program's own, and no client of another wire sent it.
    const { reasoning_budget: _, ...asked } = changed ?? {};
    return JSON.stringify(changeRequest(asked, changes) ?? asked);
  }
  const { body, bytes } = sent;
  const isChanged = chat !== undefined && changed !== undefined && changed !== chat;
  const wanted = isChanged ? writeChanged(body, { original: chat, changed }) : body;
  return rewriteRequest({ body: wanted, request: changed }, changes) ?? (isChanged ? wanted : bytes);
}

const SECRET_HEADERS = [
  "authorization",
  "proxy-authorization",
  "api-key",
  "x-api-key",
  "x-goog-api-key",
  "cookie",
];

interface FactsInput {
  readonly chat: ChatRequest | undefined;
  /** What translates the answer; undefined if the client is unknown. */
  readonly translator: Pick<Translator, "name" | "offered" | "resultForm"> | undefined;
  readonly wire: string;
  readonly headers: Headers;
  readonly upstream: UpstreamConfig;
  readonly service: Service;
  readonly key?: string | undefined;
  readonly owner: string;
}

function readFacts(
  { chat, translator, wire, headers, upstream, service, key, owner }: FactsInput,
): RequestFacts {
  const client = translator?.name;
  const isKnown = chat !== undefined && client !== undefined;
  const conversation = isKnown ? conversationHash(chat, { client, owner }) : "";
  const { policy } = service.config;
  const tools = chat?.tools ?? chat?.functions;
  return {
    id: crypto.randomUUID(),
    beganAt: Date.now(),
    client,
    wire,
    key,
    model: typeof chat?.model === "string" ? chat.model : undefined,
    upstream: upstream.name,
    mode: isKnown ? chooseMode({ policy, upstream, conversation }) : "live",
    conversation,
    isStreamed: chat?.stream === true,
    toolCount: Math.max(Array.isArray(tools) ? tools.length : 0, translator?.offered?.names.length ?? 0),
    resultForm: translator?.resultForm,
    chat,
    secrets: [
      ...service.keys.values(),
      ...service.clientKeys ?? [],
      ...SECRET_HEADERS.flatMap((name) => secretsOf(headers.get(name))),
    ],
  };
}

/** A header's value and its parts, so that a key is recognized without the word before it. */
function secretsOf(value: string | null): string[] {
  if (value === null) return [];
  return [...new Set([value, ...value.split(/[\s;=,]+/)])].filter((part) => part.length >= 8);
}
