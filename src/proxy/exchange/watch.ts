/** What watches of requests receive, such as the audit log. A watch changes nothing and must not throw. @module */
import type { AnswerEvent } from "../../chat/event/event.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { isTokenCount } from "../../chat/message/usage.ts";
import type { Client } from "../../chat/client/schema.ts";
import type { CallStartEvent, ContentEvent } from "../../engine/event/event.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { EventPlace } from "../../chat/pipeline/tap.ts";
import type { Mode } from "../../chat/rollout/canary.ts";

export type { EventPlace } from "../../chat/pipeline/tap.ts";

/** What is known about a chat once its upstream has been chosen. */
export interface RequestFacts {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly beganAt: number;
  /** The client; undefined if it is unknown, and then the answer passes unchanged. */
  readonly client: string | undefined;
  /** The API that the client speaks: `chat`, or the name of another wire. */
  readonly wire: string;
  readonly key?: string | undefined;
  /** The model, as the client calls it. */
  readonly model: string | undefined;
  readonly upstream: string;
  readonly mode: Mode;
  /** The hash that names the conversation; empty if the client is unknown. */
  readonly conversation: string;
  readonly isStreamed: boolean;
  /** How many tools the request offers: in its list, or in the system prompt of a client that reads calls in text. */
  readonly toolCount: number;
  /** How the client writes results of calls; undefined if it is unknown. */
  readonly resultForm?: Client["results"] | undefined;
  /** The request's body if it is a chat, for watches that record parts of it. */
  readonly chat?: ChatRequest | undefined;
  /** The keys of this request. A watch must not record them. */
  readonly secrets: readonly string[];
}

export interface RequestOutcome {
  readonly status: number;
  /** What went wrong: the code of the error that the client got, or `client_left`. */
  readonly error?: string | undefined;
  /** The text of the error, if it is the upstream's. */
  readonly message?: string | undefined;
  /** The upstreams that were asked before the one that answered. */
  readonly tried?: readonly string[] | undefined;
  /** The upstream that answered, if it isn't the first one. */
  readonly upstream?: string | undefined;
  /** The tokens that the upstream stated, if a worker counted them and `usage` isn't available. */
  readonly tokens?: number | undefined;
  /** The tokens of the prompt, if a worker counted them. */
  readonly prompt?: PromptTokens | undefined;
  /** Reads the tokens that the upstream states, in OpenAI's form; undefined if the answer isn't read. */
  readonly usage?: (() => unknown) | undefined;
  /** From the request's arrival to the end of its answer, in milliseconds. */
  readonly durationMs: number;
  /** From the request's arrival to the model's first token, in milliseconds; undefined if none arrived. */
  readonly firstMs?: number | undefined;
  /** Dragoman's own processing time, in milliseconds. */
  readonly addedMs: number;
  /** The number of processed pieces: 1 for a whole answer. */
  readonly pieces: number;
}

interface PromptTokens {
  readonly tokens: number;
  /** Those that came from the server's cache; undefined if it doesn't state them. */
  readonly cached?: number | undefined;
}

/** The tokens of the prompt, as the upstream states them; undefined if it states none. */
export function promptTokens(
  { prompt, usage }: Pick<RequestOutcome, "prompt" | "usage">,
): PromptTokens | undefined {
  const stated = prompt === undefined ? usage?.() : undefined;
  if (!isRecord(stated)) return prompt;
  const { prompt_tokens: tokens, prompt_tokens_details: details } = stated;
  const cached = isRecord(details) ? details["cached_tokens"] : undefined;
  if (!isTokenCount(tokens)) return undefined;
  return isTokenCount(cached) ? { tokens, cached: Math.min(cached, tokens) } : { tokens };
}

/** The tokens that the upstream states for a request; undefined if it states none. */
export function tokensUsed({ tokens, usage }: Pick<RequestOutcome, "tokens" | "usage">): number | undefined {
  const stated = tokens === undefined ? usage?.() : undefined;
  if (!isRecord(stated)) return tokens;
  const { total_tokens: total, prompt_tokens: prompt, completion_tokens: completion } = stated;
  if (isTokenCount(total)) return total;
  return isTokenCount(prompt) && isTokenCount(completion) ? prompt + completion : undefined;
}

export interface RequestWatch {
  /** Receives calls, their arguments and every decision, with the reason codes of the request's mode. */
  observe(event: ContentEvent, place: EventPlace): void;
  /** Receives the model's text in pieces; only if the request has one choice. */
  text?(text: string): void;
  /** The model's first token arrived; only if the answer is read. */
  begin?(): void;
  /** Receives what the client gets, or would get, event by event; only if the request has one choice. */
  written?(event: AnswerEvent): void;
  /** Receives a call as it is sent, with its id. */
  sent?(event: CallStartEvent): void;
  /** Receives the processing times of the last pieces, in milliseconds. */
  worked?(durationsMs: readonly number[]): void;
  /** Receives the end of the request, once. */
  end(outcome: RequestOutcome): void;
}

export type WatchRequest = (facts: RequestFacts) => RequestWatch;

/** What the steps of a request learn for its line in the log. */
export interface RequestLine {
  /** Whether a `RequestWatch` gets the request, so that it needs no line. */
  isWatched: boolean;
  wire?: string | undefined;
  key?: string | undefined;
}

/** A request that no `RequestWatch` gets: it isn't a chat, or it was refused before its upstream was chosen. */
export interface UnwatchedRequest {
  /** Milliseconds since 1970. */
  readonly beganAt: number;
  /** The HTTP method; empty if the request could not be read. */
  readonly method: string;
  /** The path without its query, which may contain a key; empty if the request could not be read. */
  readonly path: string;
  /** The API of the path, as in `RequestFacts`; undefined if it isn't a chat's. */
  readonly wire?: string | undefined;
  readonly key?: string | undefined;
  readonly status: number;
  /** The code of the error; undefined without an error. */
  readonly error: string | undefined;
  /** From the request's arrival to the head of its answer, in milliseconds. */
  readonly durationMs: number;
}
