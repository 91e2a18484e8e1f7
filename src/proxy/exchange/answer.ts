/**
 * Answers one chat: asks the model, translates its answer, and asks again as long as a plugin wants that.
 *
 *     question ─▶ upstream ─▶ streamed | whole | read along | passed on ─▶ response
 *        ▲                         │ a plugin stopped it
 *        └───── with a lesson ◀────┘
 *
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { errorOf } from "../../chat/message/error.ts";
import { readCompletion } from "../../chat/message/read.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { addUsage } from "../../chat/message/usage.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import type { AnswerOptions } from "../../chat/pipeline/pipeline.ts";
import { StreamedAnswer } from "../../chat/pipeline/streamed.ts";
import { readAnswer } from "../../chat/pipeline/whole.ts";
import type { NewCall } from "../plugin/mod.ts";
import type { RequestPlugins } from "../plugin/run.ts";
import { readWhole } from "../transport/body.ts";
import { Deadline, watchReads } from "./deadline.ts";
import { canDecode, codingsOf, decode } from "../transport/encoding.ts";
import type { Exchange } from "./exchange.ts";
import { isEvents, returnedHeaders } from "../transport/headers.ts";
import { limitBody } from "../transport/limited.ts";
import { passOn, readLimits, refuse } from "./pass_on.ts";
import { errorResponse, type HttpError, isError } from "../transport/respond.ts";
import { nextQuestion, type Question, rejection, streamOf, withUsage } from "./retry.ts";
import { emptyAnswer, serveCalls } from "../transport/served.ts";
import type { Service, Translator } from "./service.ts";
import { endWith } from "./stated_error.ts";
import { decoded, openReading, passAndRead } from "./shadow.ts";
import { passStream } from "../transport/pass_stream.ts";
import { findShape, promisedShape, type Shape } from "../transport/shape.ts";
import { translateStream } from "./translation.ts";
import {
  brokenUpstream,
  tooLargeAnswer,
  unreadableAnswer,
  type UpstreamAnswer,
} from "../upstream/upstream.ts";
import { Turns } from "./turns.ts";

/** A chat whose answer is translated. */
export interface Chat {
  readonly translator: Translator;
  /** What the model is asked. */
  readonly request: ChatRequest;
  readonly service: Service;
  readonly upstream: UpstreamConfig;
  readonly exchange: Exchange;
  readonly plugins: RequestPlugins | undefined;
  /** A fresh id for a call. */
  readonly newId: () => string;
  /** The calls that are the answer when no model is asked. */
  readonly calls?: readonly NewCall[] | undefined;
  /** Sends a body to the upstream. */
  readonly send: (body: Question["body"]) => Promise<UpstreamAnswer | HttpError>;
}

/** Asks the model, again as long as a plugin wants that, and answers the client. */
export async function answerChat(chat: Chat, first: Question): Promise<Response> {
  for (let question: Question = first;;) {
    const answered = chat.calls === undefined
      ? await chat.send(question.body)
      : { response: emptyAnswer(chat.request), deadline: new Deadline() };
    if (isError(answered)) return refuse(answered, chat.exchange);
    const answer = await translate(answered, { ...chat, question });
    if ("response" in answer) return answer.response;
    const next = follow(chat, { question, usage: answer.usage });
    if (isError(next)) return refuse(next, chat.exchange);
    question = next;
  }
}

/** A chat that is asked a question. */
interface ChatQuestion extends Chat {
  readonly question: Question;
}

/** The response, or the tokens of an answer that a plugin stopped. */
type TranslatedAnswer = { readonly response: Response } | { readonly usage: unknown };

/** What a stopped answer leads to: the next question, or the error that the client gets. */
function follow(
  { plugins }: Chat,
  stopped: { readonly question: Question; readonly usage: unknown },
): Question | HttpError {
  const { verdict, said = "" } = plugins ?? {};
  if (verdict === undefined) throw new Error("Nothing stopped this answer");
  const next = nextQuestion({ ...stopped, verdict, said });
  if (next !== undefined) plugins?.forget();
  return next ?? rejection(verdict);
}

async function translate(answered: UpstreamAnswer, asked: ChatQuestion): Promise<TranslatedAnswer> {
  const { response, deadline } = answered;
  const { exchange, upstream } = asked;
  const pass = (why?: string) => ({ response: passOn(answered, asked, why) });
  if (!response.ok || response.body === null) return pass();
  const promised = promisedShape(response.headers.get("content-type"), asked.request.stream === true);
  const codings = codingsOf(response.headers);
  if (promised === undefined) return pass("unreadable_type");
  if (!canDecode(codings)) return pass("unreadable_encoding");
  if (exchange.facts.mode !== "live") {
    return { response: readAlong(answered, { ...asked, promised, codings }) };
  }
  const isTrusted = promised === "stream";
  const plain = decode(isTrusted ? response.body : limitBody(response.body, deadline), codings);
  if (isTrusted) return { response: translateStreamed(plain, answered, asked) };
  const limits = readLimits(asked);
  deadline.begin(limits.firstMs, limits.slow);
  const found = await findShape(plain).catch(() => undefined);
  deadline.pause();
  if (found === undefined) {
    deadline.stop();
    return { response: refuse(deadline.error ?? brokenUpstream(upstream), exchange) };
  }
  const { shape, body } = found;
  if (shape === "stream") return { response: translateStreamed(body, answered, asked) };
  if (shape === "json") return await translateJson(body, answered, asked);
  if (codings.length > 0) {
    deadline.stop();
    await body.cancel();
    return { response: refuse(unreadableAnswer(upstream), exchange) };
  }
  const { status, statusText, headers } = response;
  const raw = new Response(body, { status, statusText, headers });
  return { response: passOn({ response: raw, deadline }, asked, "unreadable_type") };
}

/** The client gets the upstream's own bytes; what would have become of them is only observed. */
function readAlong(
  { response, deadline }: UpstreamAnswer,
  asked: ChatQuestion & { readonly promised: Shape | "unsure"; readonly codings: readonly string[] },
): Response {
  const { exchange, promised, codings, service, upstream } = asked;
  const { status, statusText, body } = response;
  const areEvents = isEvents(response.headers);
  const turns = turnsOf(exchange);
  const plain = openReading({
    kind: promised !== "unsure" ? promised : areEvents ? "stream" : "json",
    answer: answerOptions(asked, { turns }),
    turns,
    bytesMax: service.config.limits.answer_bytes_max,
  });
  const stream = body && passAndRead(limitBody(body, deadline), {
    reading: codings.length === 0 ? plain : decoded(plain, codings),
    ended: (error) =>
      exchange.end({ status, ...endWith(error && (deadline.error?.code ?? error), plain.upstreamError) }),
  });
  const passed = stream && passStream(stream, {
    deadline,
    limits: readLimits(asked),
    broken: brokenUpstream(upstream),
    areEvents: areEvents && codings.length === 0,
  });
  const headers = returnedHeaders(response.headers, { isRewritten: false });
  return new Response(passed, { status, statusText, headers });
}

function translateStreamed(
  body: ReadableStream<Uint8Array>,
  { response, deadline }: UpstreamAnswer,
  asked: ChatQuestion,
): Response {
  const { exchange, plugins, question, upstream, service } = asked;
  const { status } = response;
  const bytesMax = service.config.limits.answer_bytes_max;
  const turns = turnsOf(exchange);
  const pipeline = new StreamedAnswer(answerOptions(asked, { turns, isStreamed: true }));
  const stream = translateStream(body, {
    pipeline,
    turns,
    ended: (error) =>
      exchange.end({
        status,
        ...endWith(error, pipeline.upstreamError),
        usage: () => addUsage(question.spent, pipeline.usage ?? undefined),
      }),
    save: plugins && (() => plugins.save()),
    async sequel() {
      const { verdict } = plugins ?? {};
      if (verdict === undefined) return undefined;
      const next = follow(asked, { question, usage: pipeline.usage ?? undefined });
      // The head of the response has left: what goes wrong now is an event in the stream.
      if (isError(next)) exchange.end({ status, error: next.code });
      const rest = isError(next) ? errorResponse(next) : await answerChat(asked, next);
      return await streamOf(rest, rejection(verdict));
    },
    deadline,
    limits: readLimits(asked),
    broken: brokenUpstream(upstream),
    json: { bytesMax, tooLarge: tooLargeAnswer(upstream, bytesMax) },
  });
  const headers = returnedHeaders(response.headers, { isRewritten: true });
  if (!isEvents(headers)) headers.set("content-type", "text/event-stream");
  return new Response(stream, { status, headers });
}

async function translateJson(
  body: ReadableStream<Uint8Array>,
  { response, deadline }: UpstreamAnswer,
  asked: ChatQuestion,
): Promise<TranslatedAnswer> {
  const { upstream, exchange, plugins, question, service } = asked;
  const bytesMax = service.config.limits.answer_bytes_max;
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  try {
    bytes = await readWhole(body, {
      bytesMax,
      beforeRead: watchReads(deadline, readLimits(asked)),
      afterRead: () => deadline.pause(),
    });
  } catch {
    return { response: refuse(deadline.error ?? brokenUpstream(upstream), exchange) };
  } finally {
    deadline.stop();
  }
  if (bytes === undefined) return { response: refuse(tooLargeAnswer(upstream, bytesMax), exchange) };
  const text = new TextDecoder().decode(bytes);
  const turns = turnsOf(exchange);
  const work = readAnswer(text, answerOptions(asked, { turns }));
  const translated = await turns.take(work, () => deadline.signal.aborted);
  await plugins?.save();
  if (deadline.error !== undefined) return { response: refuse(deadline.error, exchange) };
  if (plugins?.verdict !== undefined) return { usage: readCompletion(text)?.["usage"] };
  const { spent } = question;
  exchange.end({
    status: response.status,
    ...endWith(undefined, errorOf(text)),
    usage: () => addUsage(spent, readCompletion(text)?.["usage"]),
  });
  const answer = spent === undefined ? translated : withUsage(translated ?? text, spent);
  const headers = returnedHeaders(response.headers, { isRewritten: true });
  if (!headers.get("content-type")?.includes("json")) headers.set("content-type", "application/json");
  return { response: new Response(answer ?? bytes, { status: response.status, headers }) };
}

function turnsOf(exchange: Exchange): Turns {
  return new Turns((durationMs) => exchange.worked(durationMs));
}

function answerOptions(
  asked: ChatQuestion,
  { turns, isStreamed = false }: { turns: Turns; isStreamed?: boolean },
): AnswerOptions {
  const { translator, request, upstream, exchange, plugins, calls, question, newId } = asked;
  const isPauseDue = () => turns.isPauseDue;
  return {
    createMatcher: () =>
      calls === undefined
        ? translator.createMatcher({
          beginsInReasoning: upstream.begins_in_reasoning,
          isStreamed,
          isPauseDue,
        })
        : serveCalls(calls),
    isPauseDue,
    createPlugins: plugins && (() => plugins.createStage()),
    createRenderer: () => translator.createRenderer(newId),
    listener: exchange.listener(plugins),
    isStopped: plugins && (() => plugins.verdict !== undefined),
    native: translator.native,
    spent: question.spent,
    choiceCount: typeof request.n === "number" ? request.n : 1,
    wantsUsage: isRecord(request.stream_options) && request.stream_options["include_usage"] === true,
  };
}
