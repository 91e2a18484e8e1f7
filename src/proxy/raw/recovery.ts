/**
 * Recovers answers that the server's parser lost: the parser failed at what the model wrote, so the answer is an error.
 * The text is read from the error, or the model is asked once more with the parser off.
 *
 *     error ─▶ has the text ─────────────▶ read like an answer
 *       │
 *       ╰────▶ asked again, parser off ──▶ begins with what was read ─▶ the rest is read
 *                                                ╰─▶ doesn't ─▶ the error
 *
 * @module
 */
import type { RequestBody } from "../upstream/request_body.ts";
import type { ApiError } from "../../chat/message/error.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import type { ChatCompletion } from "../../chat/message/chunk.ts";
import { contentText, readCompletion, reasoningText } from "../../chat/message/read.ts";
import { DROPPED_CALLS, type RecoveredAnswer, type StreamedAnswer } from "../../chat/pipeline/streamed.ts";
import { DONE, encodeMessage } from "../../chat/sse/encode.ts";
import type { Reason } from "../../engine/event/reason.ts";
import { collect, textAnswer, type TextStage } from "../../engine/event/stage.ts";
import { type HttpError, isError } from "../transport/respond.ts";
import { drop, readAnswerText, readError } from "../upstream/error_text.ts";
import { type Judge, type Remedy, remedyFor } from "../exchange/remedies.ts";
import { NextUpstream } from "../upstream/routing.ts";
import { parserErrorOf } from "./parser_error.ts";
import type { ServerProfile } from "../upstream/profiles/profiles.ts";
import { withoutStream } from "./raw.ts";
import type { UpstreamAnswer } from "../upstream/upstream.ts";
import type { ReadLimits } from "../exchange/deadline.ts";
import type { SentSoFar } from "./sent_so_far.ts";

export interface Recovery {
  readonly profile: ServerProfile | undefined;
  /** Asks with the parser off; undefined if the server has no such switch, or was asked so. */
  readonly askRaw: ((body: RequestBody) => Promise<UpstreamAnswer | HttpError>) | undefined;
  /** Whether the server was offered no tools, so that a call of its parser is text that it took. */
  readonly takesNoCalls: boolean;
  /** Whether another upstream can answer instead. */
  readonly hasNext: boolean;
  readonly judge?: Judge | undefined;
  recovered(how: Extract<Reason, "asked_raw" | "asked_raw_refused" | "parser_error_read">): void;
}

export interface RecoveryContext {
  readonly recovery: Recovery;
  /** Whether the model was asked before. */
  readonly isRepeated: boolean;
  readonly body: RequestBody;
  readonly request: ChatRequest;
  readonly limits: ReadLimits;
  readonly bytesMax: number;
  readonly createMatcher: () => TextStage;
}

/**
 * Replaces an answer that is an error of the server's parser; any other answer stays. Throws `NextUpstream` if another
 * upstream is asked instead.
 *
 * @param stated the error that the answer states although its status is a success
 */
export async function recoverRefused(
  answered: UpstreamAnswer,
  context: RecoveryContext,
  stated?: ApiError,
): Promise<UpstreamAnswer> {
  const { recovery, body, isRepeated } = context;
  const { profile, askRaw, judge } = recovery;
  if ((answered.response.ok && stated === undefined) || profile === undefined) return answered;
  const { message, same } = stated === undefined
    ? await readError(answered, context.limits)
    : { ...stated, same: answered };
  const isRefused = profile.refusals?.some((refusal) => message.includes(refusal)) === true;
  const failed = isRefused ? { text: undefined, isRest: false } : parserErrorOf(profile, message);
  if (failed === undefined) return same;
  // The text before a rest is unknown. So only a whole text is read, and only if it has a call: agents can't use a part.
  const { text, isRest } = failed;
  if (text !== undefined && !isRest && hasCall(text, context.createMatcher())) {
    await drop(same);
    recovery.recovered("parser_error_read");
    return { response: responseOf(text, context.request), deadline: same.deadline };
  }
  const isPossible = (remedy: Remedy) =>
    remedy === "raw" ? askRaw !== undefined : recovery.hasNext && !isRepeated;
  const remedy = remedyFor("refused", { asked: 0, isPossible, judge });
  const second = remedy === "raw" ? await askRaw?.(body) : undefined;
  if (second !== undefined && !isError(second)) {
    if (second.response.ok) {
      await drop(same);
      recovery.recovered(isRefused ? "asked_raw_refused" : "asked_raw");
      return second;
    }
    await drop(second);
  }
  const last = remedy === "raw" ? remedyFor("refused", { asked: 1, isPossible, judge }) : remedy;
  if (last !== "next") return same;
  same.deadline.stop();
  throw new NextUpstream("refused", { answered: same });
}

function hasCall(text: string, matcher: TextStage): boolean {
  return collect(matcher, textAnswer([text])).some(({ kind }) => kind === "call_end");
}

function responseOf(content: string, { model, stream }: ChatRequest): Response {
  const identity = { id: `chatcmpl-${crypto.randomUUID()}`, created: Math.floor(Date.now() / 1000), model };
  if (stream !== true) {
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
    return Response.json({ ...identity, object: "chat.completion", choices });
  }
  const chunk = (delta: unknown, finish: string | null) =>
    encodeMessage(JSON.stringify({
      ...identity,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish }],
    }));
  const events = chunk({ role: "assistant", content }, null) + chunk({}, "stop") + DONE;
  return new Response(events, { headers: { "content-type": "text/event-stream" } });
}

interface EndingChoice {
  readonly finish_reason?: string | null | undefined;
  readonly delta?: { readonly content?: unknown; readonly tool_calls?: unknown } | null | undefined;
  readonly message?: { readonly content?: unknown; readonly tool_calls?: unknown } | null | undefined;
}

/** Whether an answer ends with calls but has none: the server's parser saw their marks and dropped what it couldn't read. */
function endsWithoutItsCalls(choice: EndingChoice): boolean {
  return choice.finish_reason === "tool_calls" && !hasCalls(choice);
}

function hasCalls({ delta, message }: EndingChoice): boolean {
  const { tool_calls: calls } = delta ?? message ?? {};
  return calls != null && !(Array.isArray(calls) && calls.length === 0);
}

/** Returns a check whether a chunk ends an answer whose calls were dropped. */
export function dropsCalls(
  { recovery, createMatcher }: RecoveryContext,
  sent: SentSoFar,
): (chunk: { readonly choices: readonly EndingChoice[] }) => boolean {
  return ({ choices: [choice] }) => {
    if (choice === undefined) return false;
    const isLost = endsWithoutItsCalls(choice) || (recovery.takesNoCalls && hasCalls(choice));
    return isLost && recovery.askRaw !== undefined && sent.callCount === 0 &&
      !hasCall(sent.text, createMatcher());
  };
}

/** Replaces a whole answer whose calls were dropped; undefined if it has its calls, or can't be replaced. */
export async function recoverDropped(
  { choices: [choice, ...others], usage }: ChatCompletion,
  context: RecoveryContext,
): Promise<{ readonly completion: ChatCompletion; readonly usage: unknown } | undefined> {
  const { recovery, body, createMatcher } = context;
  if (choice === undefined || others.length > 0) return undefined;
  const isLost = endsWithoutItsCalls(choice) || (recovery.takesNoCalls && hasCalls(choice));
  if (!isLost) return undefined;
  if (hasCall(contentText(choice.message?.content) ?? "", createMatcher())) return undefined;
  const isPossible = (remedy: Remedy) => remedy === "raw" && recovery.askRaw !== undefined;
  if (remedyFor("lost", { asked: 0, isPossible, judge: recovery.judge }) !== "raw") return undefined;
  const answered = await recovery.askRaw?.(body);
  if (answered === undefined || isError(answered)) return undefined;
  const completion = readCompletion(await readAnswerText(answered, context));
  if (completion === undefined) return undefined;
  recovery.recovered("asked_raw");
  return { completion, usage };
}

export function losesAnswer(profile: ServerProfile): (error: ApiError) => boolean {
  return ({ message }) => parserErrorOf(profile, message) !== undefined;
}

/** Returns a check whether a chunk replaces an error that the server swallowed. */
export function swallowsError(
  { swallowed_error: fields }: ServerProfile,
): ((chunk: Readonly<Record<string, unknown>>) => boolean) | undefined {
  if (fields === undefined) return undefined;
  return (chunk) => Object.entries(fields).every(([field, value]) => chunk[field] === value);
}

/** Recovers the rest of a stream that the parser's error ended; undefined if it is lost. */
export async function recoverLost(
  pipeline: Pick<StreamedAnswer, "lost" | "hasOwnCalls">,
  { sent, ...context }: RecoveryContext & { readonly sent: SentSoFar },
): Promise<RecoveredAnswer | undefined> {
  const { recovery, body } = context;
  const { profile, askRaw } = recovery;
  // The reader holds calls that weren't passed on, so it is unknown what the client will get.
  const nothing = pipeline.lost === DROPPED_CALLS ? { text: "", finish: "stop" } : undefined;
  const isKnown = sent.isWhole && (sent.callCount > 0 || !pipeline.hasOwnCalls);
  if (pipeline.lost === undefined || profile === undefined || !isKnown) return nothing;
  const { text, isRest } = parserErrorOf(profile, pipeline.lost.message) ?? {};
  if (text !== undefined && isRest === true) {
    recovery.recovered("parser_error_read");
    return { text, finish: "stop" };
  }
  const isPossible = (remedy: Remedy) => remedy === "raw" && askRaw !== undefined;
  const kind = pipeline.lost === DROPPED_CALLS ? "lost" : "refused";
  const remedy = remedyFor(kind, { asked: 0, isPossible, judge: recovery.judge });
  const asked = remedy === "raw" ? withoutStream(body) : undefined;
  const answered = asked === undefined ? undefined : await askRaw?.(asked);
  if (answered === undefined || isError(answered)) return nothing;
  const completion = readCompletion(await readAnswerText(answered, context));
  const [choice] = completion?.choices ?? [];
  const remainder = sent.remainderOf(contentText(choice?.message?.content) ?? "", context.createMatcher);
  if (completion === undefined || choice == null || remainder === undefined) return nothing;
  recovery.recovered("asked_raw");
  return {
    identity: completion,
    // Different reasoning after what the client already has would contradict it.
    reasoning: sent.hasReasoning ? undefined : reasoningText(choice.message),
    text: remainder,
    finish: choice.finish_reason ?? "stop",
    usage: completion.usage,
  };
}
