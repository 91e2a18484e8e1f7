/**
 * A model server that is nothing but a socket, a proxy before it, and clients of every wire: for answers that break.
 *
 * @module
 */
import type { ServerOptions } from "../../src/proxy/server/server.ts";
import type { Service } from "../../src/proxy/exchange/service.ts";
import type { WatchRequest } from "../../src/proxy/exchange/watch.ts";
import { bracketService, startProxy, testConfig } from "./proxy.ts";
import {
  chunked,
  type RawRequest,
  type RawUpstream,
  startRawUpstream,
  STREAM_HEAD,
  textEvent,
} from "./raw_upstream.ts";
import { askRow, TOOL, type WireOutcome, type WireRow, type WireTool } from "./wire_table.ts";

/** What a client gets, and what is logged of it. */
export interface LoggedOutcome extends WireOutcome {
  /** The code of the error in the request's line; undefined without an error. */
  readonly logged: string | undefined;
}

export interface WireStage extends AsyncDisposable {
  readonly upstream: RawUpstream;
  /** Where the proxy listens, without a path. */
  readonly origin: string;
  /** Asks and reads the whole answer. Without a tool, the chat route passes the bytes through. */
  ask(
    row: WireRow,
    question?: { readonly task?: string; readonly tool?: WireTool | null },
  ): Promise<LoggedOutcome>;
}

/** How long a request's end may take to be logged after its client has the answer. */
const LOGGED_MS = 2000;

/** What a stage has besides an upstream. */
export interface StageOptions extends Partial<Omit<ServerOptions, "service">> {
  readonly config?: Record<string, unknown>;
  readonly service?: (url: string) => Service | Promise<Service>;
}

/** Starts a stage. `answer` acts on each request as it arrives. */
export async function startStage(
  answer: (request: RawRequest) => void,
  { config, service, ...options }: StageOptions = {},
): Promise<WireStage> {
  const upstream = await startRawUpstream(answer);
  const ends = new Map<string, PromiseWithResolvers<string | undefined>>();
  const endOf = (task: string) => {
    const end = ends.get(task) ?? Promise.withResolvers();
    ends.set(task, end);
    return end;
  };
  const watch: WatchRequest = ({ chat }) => ({
    observe() {},
    end: ({ error }) => endOf(String(chat?.messages?.at(-1)?.content)).resolve(error),
  });
  const made = await service?.(upstream.url) ?? bracketService(testConfig(upstream.url, config));
  const proxy = await startProxy(made, { watches: [watch], ...options });
  let count = 0;
  return {
    upstream,
    origin: proxy.origin,
    async ask(row, { task = "hi", tool = TOOL } = {}) {
      const question = { task: `${task} (${++count})`, tool: tool ?? undefined };
      const outcome = await askRow(proxy.origin, { row, question });
      const { promise, reject } = endOf(question.task);
      const timer = setTimeout(() => reject(new Error("The request's end is not logged")), LOGGED_MS);
      return { ...outcome, logged: await promise.finally(() => clearTimeout(timer)) };
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

/** Whether the proxy asks for a stream. */
export function wantsStream({ text }: RawRequest): boolean {
  return /"stream": *true/.test(text);
}

/** The last events of a stream that ends well. */
export const STREAM_END = textEvent("", { finish_reason: "stop" }) + "data: [DONE]\n\n";

/** The end of a body in chunks. */
export const LAST_CHUNK = "0\r\n\r\n";

/** The JSON of a whole answer. */
export function wholeBody(content: string, finish: string | null = "stop"): string {
  const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: finish }];
  return JSON.stringify({ id: "c1", object: "chat.completion", model: "m", choices });
}

/** The head of a whole answer of a length in bytes. */
export function wholeHead(length: number, type = "application/json"): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;
}

/** Answers with a text, streamed or whole as it is asked for. */
export function answerText(request: RawRequest, text: string): void {
  if (wantsStream(request)) {
    return request.write(STREAM_HEAD + chunked(textEvent(text)) + chunked(STREAM_END) + LAST_CHUNK);
  }
  const body = wholeBody(text);
  request.write(wholeHead(new TextEncoder().encode(body).length) + body);
}
