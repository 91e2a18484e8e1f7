/** What a request passes between an SDK and a server, whichever API it is of. @module */
import { type ChatRequest, readRequest } from "../../chat/message/request.ts";
import { requestTools } from "../../chat/message/request_tools.ts";
import { offer, type OfferedTools } from "../../engine/mod.ts";
import type { JsonObject } from "../../wires/wire.ts";
import type { ConnectionOptions, Note, Reason } from "../types.ts";
import type { Connection } from "./options.ts";

/** What answers a request. */
export interface Exchange {
  readonly connection: Connection;
  readonly send: typeof globalThis.fetch;
}

/** Item of an answer → a function that gives it, the oldest first: what a later request may refer to. */
export type ItemMemory = Map<string, () => JsonObject>;

/** The tools that the answer to a request can call; undefined if it can call none. */
export function callableTools(request: ChatRequest): OfferedTools | undefined {
  if (request.tool_choice === "none" || request.function_call === "none") return undefined;
  const tools = requestTools(request);
  return tools.length === 0 ? undefined : offer(tools);
}

/** The body with its tools in the prompt; undefined if it stays unchanged. */
export async function promptedBody(body: string, connection: Connection): Promise<string | undefined> {
  const { prompt } = connection;
  if (prompt === undefined || prompt === false) return undefined;
  const { prompted } = await import("../prompted.ts");
  const model = readRequest(body)?.model;
  const wanted = prompt === true ? { model: typeof model === "string" ? model : "" } : prompt;
  return prompted(connection.rules, wanted, connection).write(body);
}

/** Whether a body is a stream as browsers have it, not one of Node's. */
export function isWebStream(body: unknown): body is ReadableStream<Uint8Array> {
  return typeof body === "object" && body !== null && "getReader" in body &&
    typeof body.getReader === "function";
}

export function isEventStream({ headers }: Response): boolean {
  return headers.get("content-type")?.includes("text/event-stream") ?? false;
}

/** Headers that describe the bytes of the upstream's body. */
const BODY_HEADERS = ["content-length", "content-encoding", "transfer-encoding"];

/** A response with another body. */
export function responseLike(
  { status, statusText, headers, url }: Response,
  body: ReadableStream<Uint8Array> | string,
): Response {
  const own = new Headers(headers);
  for (const name of BODY_HEADERS) own.delete(name);
  const response = new Response(body, { status, statusText, headers: own });
  Object.defineProperty(response, "url", { value: url });
  return response;
}

/** Notes something about a connection, not about a call. */
export function remark({ onNote }: ConnectionOptions, reason: Reason, detail: string): void {
  onNote?.({ reason, rule: "", start: 0, end: 0, detail } satisfies Note);
}
