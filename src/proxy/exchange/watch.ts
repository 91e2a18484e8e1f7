/**
 * What the watches of requests get: audit log, metrics, terminal, the list of recent decisions. A watch changes nothing
 * and must not throw.
 *
 * @module
 */
import type { AnswerEvent } from "../../chat/event/event.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import type { Client } from "../../chat/client/schema.ts";
import type { CallStartEvent, ContentEvent } from "../../engine/event/event.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { EventPlace } from "../../chat/pipeline/tap.ts";
import type { Mode } from "../../chat/rollout/mode.ts";

export type { EventPlace } from "../../chat/pipeline/tap.ts";

/** What is known of a chat when its upstream has been chosen. */
export interface RequestFacts {
  /** The request's own id. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly beganAt: number;
  /** The client; undefined if it is unknown: then the answer passes untouched. */
  readonly client: string | undefined;
  /** The API that the client speaks: `chat`, or the name of another wire. */
  readonly wire: string;
  /** The name of the client's key in the configuration; undefined if it has none. */
  readonly key?: string | undefined;
  /** The model, as the client calls it. */
  readonly model: string | undefined;
  /** The upstream's name. */
  readonly upstream: string;
  /** Whether the answer is translated. */
  readonly mode: Mode;
  /** The hash that names the conversation; empty if the client is unknown. */
  readonly conversation: string;
  /** Whether the client wants a stream. */
  readonly isStreamed: boolean;
  /** How many tools the request offers: in its list, or in the system prompt of a client that reads calls in text. */
  readonly toolCount: number;
  /** How the client writes results of calls; undefined if it is unknown. */
  readonly resultForm?: Client["results"] | undefined;
  /** The body of the request, if it is a chat: for those who keep parts of it on purpose. */
  readonly chat?: ChatRequest | undefined;
  /** Keys of this request: whoever writes something down keeps them out of it. */
  readonly secrets: readonly string[];
}

/** How a request ended. */
export interface RequestOutcome {
  /** The HTTP status that the client got. */
  readonly status: number;
  /** What went wrong: the code of the error that the client got, or `client_left`. */
  readonly error?: string | undefined;
  /** The text of the error, if it is the upstream's. */
  readonly message?: string | undefined;
  /** The upstreams that were asked before the one that answered. */
  readonly tried?: readonly string[] | undefined;
  /** The upstream that answered, if it isn't that of the facts. */
  readonly upstream?: string | undefined;
  /** The tokens that the upstream states, where `usage` can't be: a worker counts them. */
  readonly tokens?: number | undefined;
  /** Reads the tokens that the upstream states, in OpenAI's shape; undefined if the answer isn't read. */
  readonly usage?: (() => unknown) | undefined;
  /** From the request's arrival to the end of its answer, in milliseconds. */
  readonly durationMs: number;
  /** From the request's arrival to the model's first token, in milliseconds; undefined if none arrived. */
  readonly firstMs?: number | undefined;
  /** How much of it was our own work on the answer, in milliseconds. */
  readonly addedMs: number;
  /** How often such work was done: pieces of a stream, 1 for a whole answer. */
  readonly pieces: number;
}

/** The tokens that the upstream states for a request; undefined if it states none. */
export function tokensUsed({ tokens, usage }: Pick<RequestOutcome, "tokens" | "usage">): number | undefined {
  const stated = tokens === undefined ? usage?.() : undefined;
  if (!isRecord(stated)) return tokens;
  const { total_tokens: total, prompt_tokens: prompt, completion_tokens: completion } = stated;
  if (typeof total === "number") return total;
  return typeof prompt === "number" && typeof completion === "number" ? prompt + completion : undefined;
}

/** Watches one request. */
export interface RequestWatch {
  /** Gets calls, their arguments and every decision; reason codes are those of the request's mode. */
  observe(event: ContentEvent, place: EventPlace): void;
  /** Gets the text of the model, in pieces; only where one choice was asked for. */
  text?(text: string): void;
  /** The model's first token arrives; only where the answer is read. */
  begin?(): void;
  /** Gets what the client gets, or would get, event by event; only where one choice was asked for. */
  written?(event: AnswerEvent): void;
  /** Gets a call as it is sent, with its id. */
  sent?(event: CallStartEvent): void;
  /** How long our work on each of some pieces of the answer took, in milliseconds: on many at once, and on the last ones. */
  worked?(durationsMs: readonly number[]): void;
  /** The request is over. Called once. */
  end(outcome: RequestOutcome): void;
}

/** Begins to watch a request. */
export type WatchRequest = (facts: RequestFacts) => RequestWatch;

/** What the steps of a request learn for the line about it. */
export interface RequestLine {
  /** Whether a `RequestWatch` gets the request, so that it needs no line. */
  isWatched: boolean;
  /** The API of the path. */
  wire?: string | undefined;
  /** The name of the client's key. */
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
  /** The name of the client's key; undefined if it has none. */
  readonly key?: string | undefined;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The code of the error; undefined without an error. */
  readonly error: string | undefined;
  /** From the request's arrival to the head of its answer, in milliseconds. */
  readonly durationMs: number;
}
