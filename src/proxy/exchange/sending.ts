/**
 * Sends the questions of one chat to one upstream, in the form that its server takes:
 *
 *     body ─▶ tools in the prompt? ─▶ constrained ─▶ healed ─▶ parser off? ─▶ a chat or a prompt ─▶ upstream
 *
 * @module
 */
import type { RequestBody } from "../upstream/request_body.ts";
import type { ApiError } from "../../chat/message/error.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { NATIVE_RULE } from "../../chat/native/call.ts";
import { concernsTools, offeredOf, termsOf } from "../../chat/prompt/request.ts";
import { modelNames } from "../../chat/translator/rule_sets.ts";
import { structuralTag } from "../../chat/prompt/structural_tag.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import { BEGINNING_HEADER, forwardedHeaders } from "../transport/headers.ts";
import { type HttpError, isError } from "../transport/respond.ts";
import { applyTemplate, isTemplateServer } from "../upstream/applied_template.ts";
import {
  chatAnswer,
  COMPLETIONS_PATH,
  writeCompletion,
  type WritePrompt,
  writeWith,
} from "../upstream/completions.ts";
import { AnswerBeginning, beginningKey, promptBegins } from "../upstream/beginnings.ts";
import { drop, readAnswerText, readError } from "../upstream/error_text.ts";
import { rewordAnswer, rewordOverflow } from "../upstream/overflow.ts";
import { createHealedSending } from "../upstream/healed.ts";
import { isGatewayError } from "../upstream/probe.ts";
import { type RawSwitch, type ServerProfile, TAG_STYLES } from "../upstream/profiles/profiles.ts";
import { sendPrompted } from "../upstream/prompted.ts";
import { rawBody, sendRaw } from "../raw/raw.ts";
import { serverRoot } from "../upstream/recognize_server.ts";
import { BUSY, leaveUpstream, whyNext, whyNextOf } from "../upstream/routing.ts";
import type { Prompting } from "../upstream/speakers.ts";
import { createStrictSending, type Strictness, watchStrictness } from "../upstream/strict.ts";
import { callUpstream, SAMPLE_UPSTREAM, type UpstreamAnswer } from "../upstream/upstream.ts";
import type { ReadLimits } from "./deadline.ts";
import { readLimits } from "./pass_on.ts";
import type { FirstCall } from "../../chat/compatibility/thoughts.ts";
import type { Recovery } from "../raw/recovery.ts";
import { type Judge, remedyFor } from "./remedies.ts";
import type { RequestContext } from "./request_context.ts";
import type { RequestFacts, WatchRequest } from "./watch.ts";

interface Target {
  readonly method: string;
  readonly headers: Headers;
  readonly context: RequestContext;
  readonly upstream: UpstreamConfig;
  /** The base URL, if it isn't the upstream's own. */
  readonly url?: string;
  /** What is appended to the base URL instead of the request's own path. */
  readonly rest?: string;
  readonly hasNext?: boolean;
}

export async function sendTo(
  body: RequestBody | ReadableStream<Uint8Array>,
  { method, headers, context, upstream, url, rest = context.route.rest, hasNext }: Target,
): Promise<UpstreamAnswer | HttpError> {
  const { service, signal } = context;
  const isSample = upstream === SAMPLE_UPSTREAM;
  const answered = await callUpstream({
    upstream: url === undefined ? upstream : { ...upstream, url },
    rest,
    method,
    headers: forwardedHeaders(headers, service.keys.get(upstream.name)),
    body,
    signal,
    hasNext,
  }, {
    limits: service.config.limits,
    send: isSample ? context.sample : context.fetch ?? fetch,
    connect: isSample ? undefined : context.connect,
  });
  const isOwn = url === undefined || new URL(url).origin === new URL(upstream.url).origin;
  if (!isError(answered) && isOwn) service.servers?.see(upstream, answered.response.headers);
  // If the client left before the answer, nothing is known about the upstream.
  if (!signal.aborted) {
    context.seeUpstream?.(upstream.name, !isError(answered) && !isGatewayError(answered.response.status));
  }
  return answered;
}

/** What reads the thoughts of earlier answers; undefined if none are put back. */
function recallFrom({ service, thoughts }: RequestContext, { conversation }: RequestFacts) {
  const isOn = service.config.policy.dropped_thoughts === "restore" && thoughts !== undefined &&
    conversation !== "";
  return isOn ? (calls: readonly FirstCall[]) => thoughts.recall(conversation, calls) : undefined;
}

/** Another upstream, the answer of an earlier one that was busy, or nothing. */
export type NextAnswer = "upstream" | "busy" | "none";

interface SendingOptions extends Pick<Target, "headers" | "context" | "upstream"> {
  /** Undefined if the body isn't one. */
  readonly chat: ChatRequest | undefined;
  readonly readsCalls: boolean;
  readonly facts: RequestFacts;
  readonly note: (note: NoteEvent) => void;
  /** Takes how long the answer waited for a question that the client didn't ask. */
  readonly waited?: (durationMs: number) => void;
  /** What follows if this upstream gives no answer. */
  readonly next: NextAnswer;
  /** The answer to the first question, which this upstream gave before. */
  readonly given?: UpstreamAnswer | undefined;
}

/** Sends the questions of one chat. Also asks once more with the server's parser off, if an answer was lost in it. */
export class ChatSending implements Recovery {
  readonly #options: SendingOptions;
  readonly #prompting: Prompting | undefined;
  readonly #strictness: Strictness | undefined;
  /** Sends a body that is constrained and healed on its path. */
  readonly #sendChanged: (body: RequestBody) => Promise<UpstreamAnswer | HttpError>;
  readonly #limits: ReadLimits;
  /** How the server's parser is switched off for what is sent now; undefined: it stays on. */
  #raw: RawSwitch | undefined;
  /** How it is switched off for a question with the tools in the prompt. */
  #spokenRaw: RawSwitch | undefined;
  /** Whether the last question switched it off from the start. */
  #isRaw = false;
  #isFirst = true;
  /** Decides with the plugins what is done if the server refuses or doesn't answer. */
  judge: Judge | undefined;

  constructor(options: SendingOptions) {
    const { chat, upstream, context: { service }, facts, note } = options;
    const asked = { model: facts.model, upstream };
    const isLive = facts.mode === "live";
    const limits = readLimits({ upstream, service });
    const prompting = chat && service.promptingFor?.({ ...asked, request: chat });
    this.#options = options;
    this.#limits = limits;
    this.#prompting = prompting && concernsTools(chat) ? prompting : undefined;
    const strictness = isLive && this.#offersTools
      ? service.strictnessFor?.(asked, () => this.#tag())
      : undefined;
    this.#strictness = strictness;
    const healing = upstream.heal && isLive ? service.healingFor?.(asked) : undefined;
    const sendNow = (body: RequestBody) => this.#sendNow(body);
    const send = healing === undefined ? sendNow : createHealedSending({
      healing,
      limits,
      send: sendNow,
      note,
      ask: (path, body) => this.#ask(path, body),
      recall: recallFrom(options.context, facts),
    });
    this.#sendChanged = strictness === undefined
      ? send
      : createStrictSending({ strictness, limits, send, note });
  }

  get watches(): readonly WatchRequest[] {
    const strictness = this.#strictness;
    return strictness === undefined ? [] : [() => watchStrictness(strictness)];
  }

  /** What recovers answers that the server's parser lost; undefined: they stay as they are. */
  get recovery(): Recovery | undefined {
    const isRead = this.#isRead || (this.#readsCalls && this.profile?.raw?.from_tokens === true);
    return this.#options.upstream.heal && isRead && this.#offersTools ? this : undefined;
  }

  get profile(): ServerProfile | undefined {
    const { context: { service }, upstream } = this.#options;
    return service.servers?.of(upstream)?.profile;
  }

  /** Asks with the parser off; undefined if the server has no such switch, or was asked so. */
  get askRaw(): Recovery["askRaw"] {
    const raw = this.#isRaw ? undefined : this.profile?.raw;
    if (raw === undefined) return undefined;
    if (this.#prompting?.isOn !== true) return (body) => this.#askRaw(body, raw);
    // With the tools in the prompt, only the tokens show what the parser took.
    return raw.from_tokens === true ? (body) => this.#askSpoken(body, raw) : undefined;
  }

  /** Whether the request offers the server no tools, so that none of its calls is one. */
  get takesNoCalls(): boolean {
    return this.#prompting?.isOn === true;
  }

  get hasNext(): boolean {
    return this.#options.next === "upstream";
  }

  recovered(reason: Parameters<Recovery["recovered"]>[0]): void {
    this.#options.note({ kind: "note", reason, rule: NATIVE_RULE, start: 0, end: 0 });
    this.#prompting?.unparsed();
  }

  /** Whether the next question may name the tool that the model has to call. */
  get canPin(): boolean {
    return this.#offersTools && !this.#isRaw && this.#prompting?.isOn !== true &&
      this.#options.upstream.chat_template === undefined && this.profile?.named_choice === true;
  }

  /** The fields with which the server continues an answer after its thoughts; undefined if that is unknown. */
  get continuing(): Readonly<Record<string, unknown>> | undefined {
    const isChat = this.#prompting?.isOn !== true && this.#options.upstream.chat_template === undefined;
    return isChat ? this.profile?.continues?.fields : undefined;
  }

  /** Where the answer begins: what is stated or known, or what the server's own prompt shows, while it is asked. */
  openBeginning(): AnswerBeginning | undefined {
    const { chat, headers, context: { service }, upstream, facts } = this.#options;
    const { beginnings } = service;
    if (chat === undefined || beginnings === undefined) return undefined;
    const model = modelNames({ model: facts.model, upstream }).at(-1) ?? "";
    const key = beginningKey(chat, { upstream: upstream.name, url: upstream.url, model });
    const stated = headers.get(BEGINNING_HEADER) ?? String(upstream.begins_in_reasoning);
    const route = this.profile?.prompt;
    return new AnswerBeginning({
      key,
      beginnings,
      stated: stated === "true" ? true : stated === "false" ? false : undefined,
      question: route &&
        (() => promptBegins(chat, { route, model, send: (path, body) => this.#ask(path, body) })),
    });
  }

  /** Asks the server for something other than an answer. */
  async #ask(rest: string, body: string): Promise<string | undefined> {
    const { headers, context, upstream } = this.#options;
    const url = serverRoot(upstream.url);
    const answered = await sendTo(body, { method: "POST", headers, context, upstream, url, rest });
    if (isError(answered)) return undefined;
    if (answered.response.ok) {
      return await readAnswerText(answered, { limits: this.#limits, bytesMax: this.#bytesMax });
    }
    const { text, same } = await readError(answered, this.#limits);
    await drop(same);
    return text;
  }

  /** Sends a question. Throws `NextUpstream` if the upstream gives no answer and there is a next one. */
  async send(body: RequestBody): Promise<UpstreamAnswer | HttpError> {
    const answered = await this.#sendAsked(body);
    if (isError(answered) || answered.response.ok || !this.#rewordsErrors) return answered;
    return await rewordAnswer(answered, { limits: this.#limits, reword: (error) => this.reword(error) });
  }

  /** An error, whole or in a stream, in words that agents know; undefined if it stays. */
  reword(error: Parameters<typeof rewordOverflow>[0]): ApiError | undefined {
    if (!this.#rewordsErrors) return undefined;
    const { upstream, context: { service: { servers } }, note } = this.#options;
    const model = this.#model;
    return rewordOverflow(error, {
      server: servers?.of(upstream)?.server,
      context: servers?.contextOf(upstream, model),
      note,
      learn: (context) => servers?.learnContext(upstream, { model, context }),
    });
  }

  get #rewordsErrors(): boolean {
    const { context: { service }, facts, chat } = this.#options;
    return chat !== undefined && facts.mode === "live" && service.config.policy.long_prompt === "reword";
  }

  /** The model, as the upstream calls it. */
  get #model(): string | undefined {
    const { facts, upstream } = this.#options;
    return modelNames({ model: facts.model, upstream }).at(-1);
  }

  async #sendAsked(body: RequestBody): Promise<UpstreamAnswer | HttpError> {
    const prompting = this.#prompting;
    const isFixed = this.#isRead && prompting?.raw !== undefined && !prompting.isLearning;
    const { chat } = this.#options;
    if (prompting?.speaker === undefined || chat === undefined || isFixed) return await this.#sendRead(body);
    return await sendPrompted(body, {
      prompting,
      speaker: prompting.speaker,
      chat,
      offersTools: this.#offersTools,
      limits: this.#limits,
      bytesMax: this.#bytesMax,
      send: (given) => this.#sendRead(given),
      note: this.#options.note,
    });
  }

  async #sendRead(body: RequestBody): Promise<UpstreamAnswer | HttpError> {
    const raw = this.#isRead ? this.#prompting?.raw : undefined;
    this.#isRaw = raw !== undefined;
    if (raw !== undefined) return await this.#askRaw(body, raw);
    this.#raw = this.#spokenRaw ?? this.#completedRaw() ?? this.#plainPrompt();
    return await this.#sendChanged(body);
  }

  /** How a prompt is completed whose template has a mark that the server's parser reads; undefined: as it is. */
  #completedRaw(): RawSwitch | undefined {
    const { upstream, context: { service } } = this.#options;
    const { source } = service.templates?.get(upstream.name) ?? {};
    const raw = this.#readsCalls && this.#offersTools ? this.profile?.raw : undefined;
    return source !== undefined && raw?.read_marks?.some((mark) => source.includes(mark)) ? raw : undefined;
  }

  /** How a conversation with the tools in it becomes a prompt that the server's parser doesn't see; undefined: it's sent. */
  #plainPrompt(): RawSwitch | undefined {
    const { upstream } = this.#options;
    if (this.#prompting?.isOn !== true || upstream.chat_template !== undefined) return undefined;
    return this.profile?.prompted?.renders === true ? this.profile.raw : undefined;
  }

  /** Without a reader, the server's own parser is the only one. */
  get #isRead(): boolean {
    return this.#readsCalls && this.#options.upstream.chat_template === undefined;
  }

  get #readsCalls(): boolean {
    const { readsCalls, facts } = this.#options;
    return readsCalls && facts.mode === "live";
  }

  get #offersTools(): boolean {
    return this.#options.facts.toolCount > 0;
  }

  get #bytesMax(): number {
    return this.#options.context.service.config.limits.answer_bytes_max;
  }

  /** The tag of a request whose calls are text. A client that wants no calls gets no grammar for them. */
  #tag(): ReturnType<Strictness["tag"]> {
    const { chat } = this.#options;
    const { isOn, speaker } = this.#prompting ?? {};
    if (chat === undefined || termsOf(chat).choice === "none" || !(this.#isRaw || isOn === true)) {
      return undefined;
    }
    return speaker && structuralTag(speaker, { tools: offeredOf(chat), styles: TAG_STYLES });
  }

  async #askRaw(body: RequestBody, raw: RawSwitch): Promise<UpstreamAnswer | HttpError> {
    this.#raw = raw;
    return await this.#sendChanged(rawBody(body, raw));
  }

  /** Asks with the tools in the prompt and the parser off. */
  async #askSpoken(body: RequestBody, raw: RawSwitch): Promise<UpstreamAnswer | HttpError> {
    this.#spokenRaw = raw;
    try {
      return await this.#sendAsked(body);
    } finally {
      this.#spokenRaw = undefined;
    }
  }

  async #sendNow(body: RequestBody): Promise<UpstreamAnswer | HttpError> {
    const { headers, context, upstream } = this.#options;
    const { service } = context;
    if (this.#raw === undefined) return await this.#sendChat(body);
    const target = { method: "POST", headers, context, upstream, url: serverRoot(upstream.url) };
    return await sendRaw(body, {
      raw: this.#raw,
      isPrompted: !this.#isRaw && this.#prompting?.isOn === true,
      routes: service.servers?.routesOf(upstream) ?? { isOpen: () => true, close() {} },
      profile: this.profile ?? {},
      waited: this.#options.waited,
      send: (given) => this.#sendChat(given),
      sendTo: (rest, given) => sendTo(given, { ...target, rest }),
      limits: this.#limits,
      bytesMax: this.#bytesMax,
    });
  }

  async #sendChat(body: RequestBody): Promise<UpstreamAnswer | HttpError> {
    const { headers, context, upstream, next, given } = this.#options;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isFirst && given !== undefined) return given;
    const target = { method: "POST", headers, context, upstream, hasNext: isFirst && next === "upstream" };
    const write = this.#promptWriter(target);
    const answered = write === undefined
      ? await sendTo(body, target)
      : await this.#sendCompletion(body, { ...target, write });
    const why = isFirst ? whyNext(answered) : undefined;
    return why === undefined || !this.#leaves(why) ? answered : await this.#leave(answered, why);
  }

  /** Leaves the upstream if the status that its answer states means that it can't answer now, and there is a next one. */
  async leaveBusy(answered: UpstreamAnswer, status: number): Promise<UpstreamAnswer> {
    const why = whyNextOf(status);
    const isLeft = why !== undefined && !this.#options.context.signal.aborted && this.#leaves(why);
    return isLeft ? await this.#leave(answered, why) : answered;
  }

  #leaves(why: string): boolean {
    const { next } = this.#options;
    const isPossible = () => next === "upstream" || (next === "busy" && why !== BUSY);
    return remedyFor("silent", { asked: 0, isPossible, judge: this.judge }) === "next";
  }

  #leave(answered: UpstreamAnswer | HttpError, why: string): Promise<never> {
    return leaveUpstream(answered, { why, limits: this.#limits });
  }

  async #sendCompletion(
    body: RequestBody,
    { write, ...target }: Target & { readonly write: WritePrompt },
  ): Promise<UpstreamAnswer | HttpError> {
    const written = await writeCompletion(body, { write, profile: () => this.profile });
    if (!("fields" in written)) return written;
    if (written.leavesFormatOut) {
      this.#options.note({
        kind: "note",
        reason: "format_left_out",
        rule: "chat_template",
        start: 0,
        end: 0,
      });
    }
    const answered = await sendTo(JSON.stringify(written.fields), { ...target, rest: COMPLETIONS_PATH });
    return isError(answered) ? answered : chatAnswer(answered, { ...written, lengthMax: this.#bytesMax });
  }

  /** What writes the prompts of the upstream; undefined if it gets chats. */
  #promptWriter(target: Target): WritePrompt | undefined {
    const { upstream, context: { service } } = target;
    const template = service.templates?.get(upstream.name);
    if (template !== undefined) return writeWith(template);
    const { chat_template: url } = upstream;
    if (!isTemplateServer(url)) return undefined;
    return (chat) =>
      applyTemplate(chat, {
        send: (asked) => sendTo(asked, { ...target, url, rest: "" }),
        upstream,
        unparsed: () => this.profile?.raw?.fields,
        limits: this.#limits,
        bytesMax: this.#bytesMax,
      });
  }
}
