/**
 * Answers one chat: asks the model, translates its answer, and asks again as long as a plugin wants that.
 *
 *     question ─▶ upstream ─▶ streamed | whole | read along | passed on ─▶ response
 *        ▲                         │ a plugin stopped it
 *        └───── with a lesson ◀────┘
 *
 * @module
 */
import { errorIn, errorOf } from "../../chat/message/error.ts";
import { readCompletion } from "../../chat/message/read.ts";
import { addUsage, statedUsage } from "../../chat/message/usage.ts";
import { StreamedAnswer } from "../../chat/pipeline/streamed.ts";
import { readAnswer } from "../../chat/pipeline/whole.ts";
import { readWhole } from "../transport/body.ts";
import { actionForBody, actionForHead } from "./action.ts";
import type { Ahead, ReadAhead } from "./ask_again.ts";
import type { StatedError } from "./blank_answer.ts";
import { Deadline, timedReads } from "./deadline.ts";
import { canDecode, codingsOf, decode } from "../transport/encoding.ts";
import { isEvents, returnedHeaders } from "../transport/headers.ts";
import { limitBody } from "../transport/limited.ts";
import { endWith, isWebPage, passOn, readLimits, refuse, refuseWebPage } from "./pass_on.ts";
import { errorResponse, type HttpError, isError, wholeResponse } from "../transport/respond.ts";
import { endingWith } from "../transport/push_body.ts";
import {
  dropsCalls,
  losesAnswer,
  recoverDropped,
  recoverLost,
  recoverRefused,
  swallowsError,
} from "../raw/recovery.ts";
import { SentSoFar } from "../raw/sent_so_far.ts";
import { continuation, nextQuestion, type Question, rejection, streamOf, withUsage } from "./retry.ts";
import { NextUpstream } from "../upstream/routing.ts";
import type { Work } from "../../chat/pipeline/work.ts";
import { needsStream, type ThoughtWatch, thoughtWatch, watched } from "./thought_watch.ts";
import { asStream, gatherWatched } from "./whole_thoughts.ts";
import { drop } from "../upstream/error_text.ts";
import { emptyAnswer } from "../transport/served.ts";
import { findKind, promisedKind } from "../transport/body_kind.ts";
import { translateStream } from "./translation.ts";
import {
  brokenUpstream,
  tooLargeAnswer,
  unreadableAnswer,
  type UpstreamAnswer,
} from "../upstream/upstream.ts";
import { UNREADABLE } from "./wire_output.ts";
import { answerOptions, type AskedChat, recoveryContext, turnsOf } from "./asked_chat.ts";
import { readAlong, watchAlong } from "./shadow.ts";

/** Asks the model, again as long as a plugin wants that, and answers the client. */
export async function answerChat(first: AskedChat): Promise<Response> {
  const found = await findAnswer(first);
  return isError(found) ? refuse(found, first.exchange) : await answerFound(found);
}

async function answerFound(first: FoundAnswer): Promise<Response> {
  for (let found = first;;) {
    const answer = await translate(found.answered, found.chat);
    if ("response" in answer) return answer.response;
    const { exchange } = found.chat;
    const next = follow(found.chat, answer.usage);
    if (isError(next)) return refuse(next, exchange);
    const second = await findAnswer({ ...found.chat, question: next });
    if (isError(second)) return refuse(second, exchange);
    found = second;
  }
}

interface FoundAnswer {
  readonly answered: UpstreamAnswer;
  readonly chat: AskedChat;
}

/** The first answer that isn't asked for again, or the last one if asking fails. Throws `NextUpstream` to ask another. */
async function findAnswer(first: AskedChat): Promise<FoundAnswer | HttpError> {
  let before: FoundAnswer | undefined;
  for (let chat = first;;) {
    const answered = await ask(chat);
    if (isError(answered)) return before ?? answered;
    if (before !== undefined) {
      const isBetter = answered.response.ok;
      await drop(isBetter ? before.answered : answered);
      if (!isBetter) return before;
    }
    const found = await readAhead(answered, chat);
    before = { answered: found.answered, chat };
    if (found.next !== undefined) {
      answered.deadline.stop();
      const { kind, usage } = found.next;
      throw new NextUpstream(kind, { answered: found.answered, spent: chat.question.spent }, usage);
    }
    if (found.again === undefined) return before;
    chat = asking(chat, found.again);
  }
}

/** The same chat with its next question. An answer that continues its own thoughts doesn't begin in them. */
function asking(chat: AskedChat, question: Question): AskedChat {
  return { ...chat, question, ...question.isContinued && { beginning: undefined } };
}

async function ask(asked: AskedChat): Promise<UpstreamAnswer | HttpError> {
  if (asked.served !== undefined) {
    return { response: emptyAnswer(asked.request), deadline: new Deadline() };
  }
  const { sending, question: { body, isRaw } } = asked;
  const askRaw = isRaw ? sending.recovery?.askRaw : undefined;
  const watch = needsStream(asked) ? thoughtWatch(asked) : undefined;
  const sent = await (askRaw?.(body) ?? sending.send(watch === undefined ? body : asStream(body)));
  if (askRaw !== undefined && !isError(sent) && sent.response.ok) sending.recovery?.recovered("asked_raw");
  await asked.beginning?.ready;
  if (isError(sent)) return sent;
  const gathered = watch === undefined ? sent : await gatherWatched(sent, asked, watch);
  return isError(gathered) ? gathered : await recovered(gathered, asked);
}

/** Another answer in the place of an error, if there is one. Throws `NextUpstream` if another upstream is asked. */
async function recovered(
  answered: UpstreamAnswer,
  asked: AskedChat,
  stated?: StatedError,
): Promise<UpstreamAnswer> {
  const context = recoveryContext(asked);
  const better = context === undefined ? answered : await recoverRefused(answered, context, stated);
  const isLeft = stated !== undefined && better === answered && (asked.question.attempts ?? 1) === 1;
  return isLeft ? await asked.sending.leaveBusy(answered, stated.status) : better;
}

/** Reads an answer ahead. An error that is stated before anything else is treated like one with a status. */
async function readAhead(answered: UpstreamAnswer, asked: AskedChat): Promise<ReadAhead> {
  const { askAgain } = asked;
  if (askAgain === undefined) return { answered };
  const found = await askAgain.read(answered, aheadOf(asked));
  if (found.stated === undefined) return found;
  const better = await recovered(found.answered, asked, found.stated);
  return better === found.answered ? found : await askAgain.read(better, aheadOf(asked));
}

function aheadOf(asked: AskedChat): Ahead {
  const turns = turnsOf(asked.exchange);
  return {
    question: asked.question,
    limits: readLimits(asked),
    turns,
    bytesMax: asked.service.config.limits.answer_bytes_max,
    answer: answerOptions(asked, { turns }),
  };
}

/** The response, or the tokens of an answer that a plugin stopped. */
type TranslatedAnswer = { readonly response: Response } | { readonly usage: unknown };

/** What a stopped answer leads to: the next question, or the error that the client gets. */
function follow({ plugins, question }: AskedChat, usage: unknown): Question | HttpError {
  const { verdict, answerText: answer = "" } = plugins ?? {};
  if (verdict === undefined) throw new Error("Nothing stopped this answer");
  const next = nextQuestion({ question, usage, verdict, answer });
  if (next !== undefined) plugins?.forget();
  return next ?? rejection(verdict);
}

async function translate(answered: UpstreamAnswer, asked: AskedChat): Promise<TranslatedAnswer> {
  const { response, deadline } = answered;
  const { exchange, output } = asked;
  const promised = promisedKind(response.headers.get("content-type"), asked.request.stream === true);
  const codings = codingsOf(response.headers);
  const action = actionForHead({
    isAnswer: response.ok && response.body !== null,
    isWebPage: isWebPage(response),
    promised,
    canDecode: canDecode(codings),
    isLive: exchange.facts.mode === "live",
    hasTranslator: asked.translator !== undefined,
    wire: output && (output.isStreamed ? "stream" : "whole"),
  });
  if (response.body === null) return await pass(answered, asked);
  switch (action.kind) {
    case "pass":
      return await pass(answered, asked, action.why);
    case "refuse":
      return { response: await refuseWebPage(answered, asked) };
    case "watch": {
      const reading = { ...asked, promised: action.promised, codings };
      if (output === undefined) return { response: readAlong(answered, reading) };
      return await translate(...watchAlong(answered, reading));
    }
    case "stream":
      return { response: translateStreamed(decode(response.body, codings), answered, asked) };
    case "look":
      return await translateUnsure(decode(limitBody(response.body, deadline), codings), answered, asked);
  }
}

/** Translates an answer whose first bytes have to show what it is. */
async function translateUnsure(
  plain: ReadableStream<Uint8Array>,
  answered: UpstreamAnswer,
  asked: AskedChat,
): Promise<TranslatedAnswer> {
  const { response: { status, statusText, headers }, deadline } = answered;
  const wasDecoded = answered.wasDecoded === true || codingsOf(headers).length > 0;
  const { exchange, upstream, output } = asked;
  const limits = readLimits(asked);
  deadline.begin(limits.firstMs, limits.slow);
  const found = await findKind(plain).catch(() => undefined);
  deadline.pause();
  if (found === undefined) {
    deadline.stop();
    return { response: refuse(deadline.error ?? brokenUpstream(upstream), exchange) };
  }
  const { kind, body } = found;
  const wire = output && (output.isStreamed ? "stream" : "whole");
  const action = actionForBody({ kind, wire, wasDecoded });
  switch (action.kind) {
    case "stream":
      return { response: translateStreamed(body, answered, asked) };
    case "whole":
      return await translateJson(body, answered, asked);
    case "refuse":
      deadline.stop();
      await body.cancel();
      return { response: refuse(unreadableAnswer(upstream), exchange) };
    case "pass": {
      const response = new Response(body, { status, statusText, headers });
      return await pass({ response, deadline }, asked, action.why);
    }
  }
}

/** Passes an answer on as it is; a client of another wire gets an error instead. */
async function pass(answered: UpstreamAnswer, asked: AskedChat, why?: string): Promise<TranslatedAnswer> {
  const response = asked.output === undefined
    ? passOn(answered, asked, why)
    : await refuseAnswer(answered, asked, why);
  return { response };
}

const ERROR_BYTES_MAX = 1024 * 1024;

/** The error for a client of another wire whose upstream's answer can't be read. */
async function refuseAnswer(
  { response, deadline }: UpstreamAnswer,
  asked: AskedChat,
  why = "upstream_status",
): Promise<Response> {
  const { upstream, exchange } = asked;
  const { ok, status, headers, body } = response;
  const codings = codingsOf(headers);
  let text: string;
  try {
    const limited = body && limitBody(body, deadline);
    const bytes = await readWhole(limited && (canDecode(codings) ? decode(limited, codings) : limited), {
      bytesMax: ERROR_BYTES_MAX,
      ...timedReads(deadline, readLimits(asked)),
    });
    text = new TextDecoder().decode(bytes);
  } catch {
    return refuse(deadline.error ?? brokenUpstream(upstream), exchange);
  } finally {
    deadline.stop();
  }
  const stated = errorOf(text);
  // On another wire, every status that isn't a success, such as a redirect, is an error.
  const error = {
    ...stated ?? (ok ? UNREADABLE : errorIn(text, response)),
    status: status < 400 ? 502 : status,
  };
  exchange.end({ status: error.status, ...endWith(why, ok ? stated : error) });
  const refused = errorResponse(error);
  const retryAfter = headers.get("retry-after");
  if (retryAfter !== null) refused.headers.set("retry-after", retryAfter);
  return refused;
}

function translateStreamed(
  body: ReadableStream<Uint8Array>,
  { response, deadline }: UpstreamAnswer,
  asked: AskedChat,
): Response {
  const { exchange, plugins, question, request, upstream, service, output } = asked;
  const { status } = response;
  const bytesMax = service.config.limits.answer_bytes_max;
  const turns = turnsOf(exchange);
  const context = recoveryContext(asked);
  const profile = (request.n ?? 1) === 1 ? context?.recovery.profile : undefined;
  const sent = new SentSoFar();
  const watch = thoughtWatch(asked);
  const pipeline = new StreamedAnswer({
    ...watched(answerOptions(asked, { turns, isStreamed: true }), watch),
    ...profile && context && {
      input: sent,
      isLost: losesAnswer(profile),
      isSwallowed: swallowsError(profile),
      isDropped: dropsCalls(context, sent),
    },
    sink: output?.stream(),
  });
  const usage = () => addUsage(question.spent, pipeline.statedUsage);
  const saveAll = () => both(asked.thoughts?.save(), both(plugins?.save(), output?.save()));
  const save = () => output === undefined ? saveAll() : output.during(saveAll());
  const endExchange = (error: string | undefined) =>
    exchange.end({ status, ...endWith(error, pipeline.upstreamError), usage });
  const stream = translateStream(body, {
    pipeline,
    turns,
    ended: endExchange,
    save,
    async sequel() {
      let begun = "";
      if (pipeline.lost !== undefined) {
        const recovered = context && await recoverLost(pipeline, { ...context, sent });
        const work = pipeline.readRecovered(recovered);
        begun = await turns.take(work, () => deadline.signal.aborted) ?? begun;
        await save();
        if (plugins?.verdict === undefined) {
          endExchange(pipeline.errorCode);
          return endingWith(begun, pipeline.mustBreak);
        }
      }
      const { verdict } = plugins ?? {};
      if (verdict === undefined) {
        // The client has the upstream's error, which ends the answer.
        if (watch?.held === undefined || pipeline.upstreamError !== undefined) return undefined;
        return await continueAnswer(asked, {
          watch,
          pipeline,
          async end(work) {
            const text = await turns.take(work, () => deadline.signal.aborted) ?? "";
            await saveAll();
            endExchange(pipeline.errorCode);
            return text;
          },
        });
      }
      const next = follow(asked, pipeline.usage ?? undefined);
      // The response has begun, so an error has to be an event of the stream.
      if (isError(next)) exchange.end({ status, error: next.code });
      const rest = isError(next)
        ? errorResponse(next)
        : await answerChat({ ...asked, askAgain: undefined, question: next });
      return output?.restOf(rest) ?? await streamOf(rest, rejection(verdict));
    },
    deadline,
    limits: readLimits(asked),
    broken: brokenUpstream(upstream),
    json: { bytesMax, tooLarge: tooLargeAnswer(upstream, bytesMax) },
  });
  if (output !== undefined) return output.respond(stream);
  const headers = returnedHeaders(response.headers, { isRewritten: true });
  if (!isEvents(headers)) headers.set("content-type", "text/event-stream");
  return new Response(stream, { status, headers });
}

interface HeldAnswer {
  readonly watch: ThoughtWatch;
  readonly pipeline: StreamedAnswer;
  /** Ends the answer as it is, and gives its last text. */
  readonly end: (work: Work<string>) => Promise<string>;
}

/** Continues a stream of thoughts with the answer to another question; as it is if there is none. */
async function continueAnswer(
  asked: AskedChat,
  { watch, pipeline, end }: HeldAnswer,
): Promise<ReadableStream<Uint8Array>> {
  const { askAgain, question, output } = asked;
  const { thoughts, stopped } = watch;
  const seen = { thoughts, usage: pipeline.usage ?? undefined, why: stopped };
  const next = askAgain?.afterThoughts(seen, question);
  const found = next && await findAnswer(asking(asked, next));
  if (found !== undefined && !isError(found) && found.answered.response.ok) {
    const rest = await answerFound(found);
    return output?.restOf(rest) ??
      continuation(await streamOf(rest, brokenUpstream(asked.upstream)), pipeline.identity);
  }
  if (found !== undefined && !isError(found)) await drop(found.answered);
  const { finish } = watch;
  watch.release();
  return endingWith(await end(pipeline.readHeldEnd(finish)), pipeline.mustBreak);
}

async function translateJson(
  body: ReadableStream<Uint8Array>,
  { response, deadline, completion: known }: UpstreamAnswer,
  asked: AskedChat,
): Promise<TranslatedAnswer> {
  const { upstream, exchange, plugins, question, service, output } = asked;
  const bytesMax = service.config.limits.answer_bytes_max;
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  try {
    bytes = await readWhole(body, { bytesMax, ...timedReads(deadline, readLimits(asked)) });
  } catch {
    return { response: refuse(deadline.error ?? brokenUpstream(upstream), exchange) };
  } finally {
    deadline.stop();
  }
  if (bytes === undefined) return { response: refuse(tooLargeAnswer(upstream, bytesMax), exchange) };
  const received = new TextDecoder().decode(bytes);
  const context = recoveryContext(asked);
  let completion = known;
  const readAs = (text: string) => completion ??= readCompletion(text);
  const first = context && readAs(received);
  const recovered = first && await recoverDropped(first, context);
  if (recovered !== undefined) completion = recovered.completion;
  const text = recovered === undefined ? received : JSON.stringify(recovered.completion);
  const read = () => readAs(text);
  const spent = recovered === undefined ? question.spent : addUsage(question.spent, recovered.usage);
  const stated = errorOf(text);
  const reworded = stated && read() === undefined ? asked.sending.reword(stated) : undefined;
  if (reworded !== undefined) return { response: refuse({ ...reworded, status: 400 }, exchange) };
  const turns = turnsOf(exchange);
  const sink = output?.whole();
  const work = readAnswer(text, { ...answerOptions(asked, { turns }), spent, sink }, read);
  const translated = await turns.take(work, () => deadline.signal.aborted);
  await both(asked.thoughts?.save(), plugins?.save());
  if (deadline.error !== undefined) return { response: refuse(deadline.error, exchange) };
  if (plugins?.verdict !== undefined) return { usage: read()?.["usage"] };
  if (sink?.isOver === false) sink.fail(stated ?? UNREADABLE);
  if (sink !== undefined) output?.check(sink);
  exchange.end({
    status: sink?.error === undefined ? response.status : UNREADABLE.status,
    ...endWith(stated === undefined ? sink?.errorCode : undefined, stated),
    usage: () => addUsage(spent, statedUsage(read() ?? {})),
  });
  if (output !== undefined && sink !== undefined) return { response: await output.respondWhole(sink) };
  const answer = spent === undefined ? translated : withUsage(translated ?? text, spent);
  const headers = returnedHeaders(response.headers, { isRewritten: true });
  if (!headers.get("content-type")?.includes("json")) headers.set("content-type", "application/json");
  const unchanged = recovered === undefined ? bytes : text;
  return { response: wholeResponse(answer ?? unchanged, { status: response.status, headers }) };
}

function both(one: Promise<void> | undefined, other: Promise<void> | undefined): Promise<void> | undefined {
  return one === undefined ? other : other === undefined ? one : one.then(() => other);
}
