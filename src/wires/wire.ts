/**
 * The contract of a wire: an API that clients speak. A wire turns a client's request into a chat request and the events
 * of the answer into its own messages. Everything between works on the chat request and the events, and
 * knows no wire.
 *
 *     client ─▶ wire.read ─▶ chat request ─▶ (matcher, plugins, rollout, audit) ─▶ answer events ─▶ wire writer ─▶ client
 *
 * A wire is a folder under `src/wires` and a line in `wires.ts`. Chat completions has no folder: its bytes can pass
 * unchanged, so `proxy` handles it.
 *
 * @module
 */
import type { ApiError } from "../chat/message/error.ts";
import type { WholeAnswer, WireEvent } from "./event.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export interface WirePath {
  readonly method: string;
  /** The path below the names of an upstream and a client: `/v1/messages`. Without a query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
}

export interface Wire {
  readonly name: string;
  /** What a request asks for; undefined if the request is not this wire's. */
  find(request: WirePath): WireOperation | undefined;
  writeError(error: WireFailure): unknown;
  /** An error in a stream whose writer is lost; absent if it is the same. */
  writeLateError?(error: WireFailure): unknown;
}

export type WireOperation =
  | {
    readonly kind: "chat";
    /** The answers whose items the request names instead of sending them; absent if the wire's clients always send them. */
    answersNamed?(body: JsonObject): readonly string[];
    /** @param items the items of these answers */
    read(body: JsonObject, items?: ItemSource): WireChat | WireRefusal;
  }
  /** A request that needs no upstream. `body` is undefined for a request without a JSON body. */
  | { readonly kind: "reply"; reply(body: JsonObject | undefined, known?: KnownModels): WireReply }
  /** A request that is always refused. */
  | { readonly kind: "refusal"; readonly failure: WireFailure }
  /** Vectors for texts: the request for the upstream's `/embeddings`, and its answer in the wire's own form. */
  | {
    readonly kind: "embeddings";
    read(body: JsonObject): JsonObject;
    write(answer: JsonObject, body: JsonObject): unknown;
  }
  /** The upstream's list of models in the wire's own form. */
  | { readonly kind: "models"; write(models: readonly string[]): unknown };

export interface KnownModels {
  /** How many tokens a prompt and its answer may have together; undefined if nothing states it. */
  contextOf(model: string): number | undefined;
}

export interface ItemSource {
  /** The item, once for each time that a request names it; undefined if it isn't kept. */
  take(id: string): JsonObject | undefined;
}

/** Takes an item that is sent to the client; `read` returns it as far as it was sent. */
export type KeepItem = (id: string, read: () => JsonObject) => void;

/** A response that needs no upstream. */
export interface WireReply {
  /** 200 by default. */
  readonly status?: number;
  /** A string is sent as plain text, anything else as JSON. */
  readonly body: unknown;
}

/** A request that the wire can't turn into a chat request. */
export interface WireRefusal {
  readonly refusal: WireFailure;
}

/** An error with its HTTP status, and details that only the wire knows. */
export interface WireFailure extends ApiError {
  readonly status: number;
  /** Headers that the status demands. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields of the error object that the wire's own clients read. */
  readonly details?: JsonObject;
}

/** The body of a chat request; `stream` is true if the client wants a stream. */
export type ChatBody = JsonObject & { readonly stream: boolean };

export interface WireChat {
  readonly body: ChatBody;
  /** Tools of the request that a chat server doesn't have; `body` is without them. */
  readonly serverTools?: readonly ServerTool[];
  readonly contentType: string;
  createWriter(answer: AnswerIdentity): WireWriter;
  /** Why a whole answer isn't valid for this request; absent if every answer is. */
  refuseWhole?(answer: WholeAnswer): ApiError | undefined;
  /** Writes a whole answer: the value of the JSON body. */
  writeWhole(answer: WholeAnswer, identity: AnswerIdentity): unknown;
}

/** A tool that runs on the servers of the wire's own API, such as web search. */
export interface ServerTool {
  readonly name: string;
  readonly entry: JsonObject;
  readonly isChosen?: boolean;
}

/** The parts of an answer that don't come from the model. */
export interface AnswerIdentity {
  /** A random part of ids: lower-case letters and digits. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Takes each item that a later request may name. */
  readonly keep?: KeepItem | undefined;
}

export interface WireWriter {
  /** The beginning of the answer, before any event. */
  begin(): string;
  /** What the client gets for an event. No event follows `finish` or `error`, and none a connection that has to break. */
  push(event: WireEvent): string;
  /** What keeps the connection alive now, while the model is silent or a call is held. */
  beat(): string;
  /** The code of the error if the model's answer isn't valid for this request. */
  readonly errorCode?: string | undefined;
}
