/** A question of a chat: what is sent to the upstream, and what its answer is read, translated and recovered with. @module */
import type { TextStage } from "../../engine/event/stage.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import type { AnswerOptions } from "../../chat/pipeline/pipeline.ts";
import type { Listener } from "../../chat/pipeline/tap.ts";
import { inOrder } from "../../chat/event/stage.ts";
import type { RequestPlugins } from "../plugin/run.ts";
import { ToolCallRenderer } from "../../chat/render/tool_calls.ts";
import type { AskAgain } from "./ask_again.ts";
import { readLimits, type Watched } from "./pass_on.ts";
import type { RecoveryContext } from "../raw/recovery.ts";
import type { ChatSending } from "./sending.ts";
import type { Question } from "./retry.ts";
import { serve, type ServedAnswer } from "../transport/served.ts";
import type { Service, Translator } from "./service.ts";
import type { AnswerBeginning } from "../upstream/beginnings.ts";
import { brokenUpstream } from "../upstream/upstream.ts";
import { Turns } from "./turns.ts";
import type { ReasoningReader } from "../../chat/translator/reasoning_reader.ts";
import type { AnswerThoughts } from "./thought_memory.ts";
import type { WireOutput } from "./wire_output.ts";

/** A question of a chat, and what its answer is translated with. */
export interface AskedChat {
  /** Undefined: no calls are read, and the answer is only converted to the client's wire. */
  readonly translator: Translator | undefined;
  /** Reads an answer in which no calls are read; undefined: all of its text is text. */
  readonly reasoningReader?: ReasoningReader | undefined;
  readonly request: ChatRequest;
  readonly service: Service;
  readonly upstream: UpstreamConfig;
  readonly exchange: Watched;
  /** Writes the answer for a client of another wire; without it, the client gets chat messages. */
  readonly output?: WireOutput | undefined;
  readonly plugins: RequestPlugins | undefined;
  readonly newId: () => string;
  /** What answers the request without a model. */
  readonly served?: ServedAnswer | undefined;
  /** Asks again for printed calls that no rule could read; undefined: they stay in the text. */
  readonly askAgain?: AskAgain | undefined;
  /** Remembers the thoughts before calls; undefined: no one needs them. */
  readonly thoughts?: AnswerThoughts | undefined;
  readonly sending: Pick<ChatSending, "send" | "profile" | "recovery" | "reword" | "leaveBusy">;
  /** Where the answer begins; undefined: outside the reasoning. */
  readonly beginning?: AnswerBeginning | undefined;
  readonly question: Question;
}

/** What a lost answer is recovered with; undefined if it can't be. */
export function recoveryContext(asked: AskedChat): RecoveryContext | undefined {
  const { sending: { recovery }, question, request, service, translator } = asked;
  if (recovery === undefined || translator === undefined || question.body === null) return undefined;
  const bytesMax = service.config.limits.answer_bytes_max;
  const { body } = question;
  const createMatcher = () => translator.createMatcher();
  const isRepeated = (question.attempts ?? 1) > 1;
  return { recovery, isRepeated, body, request, limits: readLimits(asked), bytesMax, createMatcher };
}

export function turnsOf(exchange: Watched): Turns {
  return new Turns((durationMs) => exchange.worked(durationMs));
}

/** Reads no calls. */
const PLAIN_TEXT: TextStage = {
  push(event, out) {
    if (event.kind !== "text_end") out.push(event);
  },
};

/** A listener, which may be none, after another one that has seen the same. */
function after(seen: Partial<Pick<Listener, "event" | "sent">>, listener: Listener | undefined): Listener {
  return {
    begin: () => listener?.begin?.(),
    event(event, place) {
      seen.event?.(event, place);
      listener?.event(event, place);
    },
    sent(event) {
      seen.sent?.(event);
      listener?.sent?.(event);
    },
    ...listener?.written && { written: (event) => listener.written?.(event) },
    ...listener?.text && { text: (text, choice) => listener.text?.(text, choice) },
  };
}

/** A listener from which the next answer's beginning is learned. */
function learning(
  listener: Listener | undefined,
  beginning: AnswerBeginning | undefined,
): Listener | undefined {
  if (beginning === undefined) return listener;
  return after({ event: (event) => event.kind === "note" && beginning.see(event.reason) }, listener);
}

export function answerOptions(
  asked: AskedChat,
  { turns, isStreamed = false }: { turns: Turns; isStreamed?: boolean },
): AnswerOptions {
  const { translator, reasoningReader, request, exchange, plugins, served, question, newId } = asked;
  const { beginning, upstream, thoughts } = asked;
  return remembered(thoughts, {
    createMatcher(transcript) {
      if (served !== undefined) return serve(served);
      const beginsInReasoning = beginning?.beginsInReasoning ?? false;
      const reading = { beginsInReasoning, isForClient: true, isStreamed };
      return translator?.createMatcher(reading, transcript) ?? reasoningReader?.createMatcher(reading) ??
        PLAIN_TEXT;
    },
    isPauseDue: () => turns.isPauseDue,
    createPlugins: plugins && (() => plugins.createStage()),
    createRenderer: () => translator?.createRenderer(newId) ?? new ToolCallRenderer(newId),
    listener: learning(exchange.listener(plugins), beginning),
    isStopped: plugins && (() => plugins.verdict !== undefined),
    native: translator?.native,
    reasoningField: (translator ?? reasoningReader)?.reasoningField,
    wholeCalls: translator?.wholeCalls,
    broken: brokenUpstream(upstream),
    reword: (error) => asked.sending.reword(error),
    spent: question.spent,
    choiceCount: typeof request.n === "number" ? request.n : 1,
    wantsUsage: isRecord(request.stream_options) && request.stream_options["include_usage"] === true,
  });
}

function remembered(thoughts: AnswerThoughts | undefined, options: AnswerOptions): AnswerOptions {
  if (thoughts === undefined) return options;
  const { createPlugins, listener } = options;
  return {
    ...options,
    createPlugins: () => createPlugins === undefined ? thoughts : inOrder(createPlugins(), thoughts),
    listener: after({ sent: (event) => thoughts.sent(event) }, listener),
  };
}
