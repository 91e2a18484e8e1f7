/**
 * Answers a request of a wire other than chat completions: the wire reads the request into a chat request, which is
 * answered like any other, and its writer is the last stage of the answer.
 *
 *     client ─▶ wire.read ─▶ proxy.ts ─▶ answer.ts ─▶ pipeline, with the wire's writer ─▶ keep_alive.ts ─▶ client
 *
 * @module
 */
import { errorIn } from "../../chat/message/error.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { JsonObject, Wire, WireChat, WireFailure } from "../../wires/wire.ts";
import type { WireRequest } from "../../wires/wires.ts";
import { forcedClient, readBody, refuseUnreadable, tooLargeRequest } from "../transport/arrival.ts";
import { readWhole } from "../transport/body.ts";
import {
  errorResponse,
  internalError,
  isError,
  jsonResponse,
  refusalOf,
  withCode,
} from "../transport/respond.ts";
import { Beats } from "./chat_keep_alive.ts";
import { keepAlive } from "./keep_alive.ts";
import { inTime } from "../transport/wait.ts";
import { modelNames } from "../../chat/translator/rule_sets.ts";
import { chooseUpstream } from "../upstream/upstream.ts";
import { answerRequest, passThrough } from "./proxy.ts";
import type { RequestContext } from "./request_context.ts";
import { type SettledChat, settleServerTools } from "./server_tools.ts";
import { WireOutput } from "./wire_output.ts";

export async function answerWire(
  request: Request,
  context: RequestContext,
  { wire, operation }: WireRequest,
): Promise<Response> {
  if (operation.kind === "refusal") return refuse(wire, operation.failure);
  if (operation.kind === "models") {
    return await listModels(request, context, { wire, write: operation.write });
  }
  const body = request.body === null ? undefined : await readJson(request, context);
  if (body !== undefined && isFailure(body)) return refuse(wire, body);
  if (operation.kind === "reply") {
    const reply = operation.reply(body, { contextOf: (model) => contextOf(model, context) });
    return typeof reply.body === "string"
      ? new Response(reply.body, { status: reply.status ?? 200 })
      : jsonResponse(reply.body, reply.status);
  }
  if (operation.kind === "embeddings") {
    const answer = await askUpstream(request, context, {
      wire,
      rest: "/embeddings",
      body: operation.read(body ?? {}),
    });
    return answer instanceof Response ? answer : jsonResponse(operation.write(answer, body ?? {}));
  }
  const { items: kept } = context;
  const { request_bytes_max: charactersMax } = context.service.config.limits;
  const items = await kept.recall(operation.answersNamed?.(body ?? {}) ?? [], charactersMax);
  const chat = operation.read(body ?? {}, items);
  if (items.isTooLong) return refuse(wire, tooLargeRequest(charactersMax));
  if ("refusal" in chat) return refuse(wire, chat.refusal);
  const settled = settleServerTools(chat, { service: context.service, wire: wire.name });
  if ("refusal" in settled) return refuse(wire, settled.refusal);
  return await answerChatOf(request, context, { wire, chat, settled });
}

/** How many tokens the context of a model has, as the client calls it. */
function contextOf(name: string, { service, route }: RequestContext): number | undefined {
  const model = name.replace(/:latest$/, "");
  const chosen = chooseUpstream(service.config, { name: route.upstream, ...model === "" ? {} : { model } });
  if (isError(chosen)) return undefined;
  const upstream = service.servers?.withOnlyModel(chosen, model) ?? chosen;
  return service.servers?.contextOf(upstream, modelNames({ model, upstream }).at(-1));
}

/** A chat of a wire, without the tools that no chat server has. */
interface SettledWireChat {
  readonly wire: Wire;
  readonly chat: WireChat;
  readonly settled: SettledChat;
}

async function answerChatOf(
  request: Request,
  context: RequestContext,
  { wire, chat, settled: { body, notes } }: SettledWireChat,
): Promise<Response> {
  const forced = forcedClient(request, context);
  if (isError(forced)) return refuse(wire, forced);
  const id = crypto.randomUUID().replaceAll("-", "");
  const items = context.items.begin(id);
  const identity = { id, created: Math.floor(Date.now() / 1000), keep: items.keep };
  const output = new WireOutput({ wire: wire.name, chat, identity, items });
  const route = { ...context.route, kind: "chat", rest: "/chat/completions" } as const;
  const beats = new Beats();
  const answering = answerRequest(
    { forced: forced.name, headers: chatHeaders(request, context), chat: body, output },
    { ...context, route, notes, beats },
  );
  const { keep_alive_ms: everyMs } = context.service.config.limits;
  // An early error keeps its status. A client that waits longer gets headers first, and a late error as an event.
  const answered = output.isStreamed ? await inTime(answering, everyMs) : await answering;
  const refusal = answered && refusalOf(answered);
  if (answered !== undefined && refusal !== undefined) return refuseAs(wire, answered, refusal);
  if (answered !== undefined && !output.isStreamed) return answered;
  const late = () =>
    answering.catch((cause) => {
      context.failed?.(cause);
      return errorResponse(internalError(cause));
    });
  const stream = answered?.body ?? late().then((response) => output.restOf(response));
  const beat = () => {
    const bytes = beats.shape === "none" ? NO_BYTES : output.beat();
    if (bytes.length > 0) beats.count++;
    return bytes;
  };
  const begun = output.begin();
  // Some wires begin with nothing, and a client without a byte doesn't know that the answer has begun.
  const begin = answered === undefined && begun.length === 0 ? beat() : begun;
  return output.respond(keepAlive(stream, { begin, beat, everyMs, left: () => void items.save() }));
}

const NO_BYTES = new Uint8Array(0);

/** The text of a body; undefined if it is longer than the limit. */
async function readText(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<string | undefined> {
  const bytes = await readWhole(body, { bytesMax });
  return bytes && new TextDecoder().decode(bytes);
}

async function listModels(
  request: Request,
  context: RequestContext,
  { wire, write }: { readonly wire: Wire; readonly write: (models: readonly string[]) => unknown },
): Promise<Response> {
  const answer = await askUpstream(request, context, { wire, rest: "/models" });
  if (answer instanceof Response) return answer;
  const list = Array.isArray(answer["data"]) ? answer["data"].filter(isRecord) : [];
  return jsonResponse(write(list.map(({ id }) => id).filter((id) => typeof id === "string")));
}

/** A request to a route of the upstream other than the chat. */
interface SideRequest {
  readonly wire: Wire;
  /** The path below the base URL. */
  readonly rest: string;
  /** Undefined for a GET. */
  readonly body?: JsonObject;
}

/** The JSON object that the upstream answers, or the wire's error. */
async function askUpstream(
  request: Request,
  context: RequestContext,
  { wire, rest, body }: SideRequest,
): Promise<JsonObject | Response> {
  const headers = chatHeaders(request, context);
  const route = { ...context.route, kind: "pass", rest } as const;
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answered = await passThrough(new Request(chatUrl(request), { headers, ...sent }), {
    ...context,
    route,
  });
  if (!answered.ok) return refuseAs(wire, answered, refusalOf(answered) ?? await failureOf(answered));
  const bytesMax = context.service.config.limits.answer_bytes_max;
  const text = await readText(answered.body, bytesMax).catch(() => undefined);
  const value = parseJson(text ?? "");
  return isRecord(value) ? value : refuse(wire, {
    status: 502,
    type: "upstream_error",
    code: "unreadable_answer",
    message: `The upstream's answer at ${rest} isn't a complete JSON object of at most ${bytesMax} bytes. ` +
      "Check that `url` in the configuration is the base URL of a model server",
  });
}

async function readJson(request: Request, { service }: RequestContext): Promise<JsonObject | WireFailure> {
  const bytes = await readBody(request, service.config.limits.request_bytes_max);
  if (isError(bytes)) return bytes;
  const text = new TextDecoder().decode(bytes);
  const value = parseJson(text);
  if (isRecord(value)) return value;
  const deep = refuseUnreadable(text);
  if (deep !== undefined) return deep;
  const message = "The request's body is not a JSON object. Send one, with `content-type: application/json`";
  return { status: 400, type: "invalid_request_error", code: "invalid_json", message };
}

function isFailure(body: JsonObject | WireFailure): body is WireFailure {
  return isError(body);
}

/** Headers by which clients of other wires send their key. */
const KEY_HEADERS = ["x-api-key", "x-goog-api-key"];

/** The headers of the chat request: those that identify the client, and its key in the form of chat completions. */
function chatHeaders({ headers }: Request, { service }: RequestContext): Headers {
  const chat = new Headers({ "content-type": "application/json" });
  // `forEach` takes an eighth of the time of the iterator.
  headers.forEach((value, name) => {
    const isKept = name === "authorization" || name.startsWith("x-dragoman-");
    if (isKept || service.clientHeaders.includes(name)) chat.set(name, value);
  });
  const key = KEY_HEADERS.map((name) => headers.get(name)).find((value) => value !== null);
  if (key !== undefined && !chat.has("authorization")) chat.set("authorization", `Bearer ${key}`);
  return chat;
}

function chatUrl({ url }: Request): URL {
  return new URL("/v1/chat/completions", url);
}

const ERROR_BYTES_MAX = 1024 * 1024;

/** An error in the wire's own form, with the response's `retry-after`. */
function refuseAs(wire: Wire, answered: Response, failure: WireFailure): Response {
  const retryAfter = answered.headers.get("retry-after");
  const response = refuse(wire, failure);
  if (retryAfter !== null) response.headers.set("retry-after", retryAfter);
  return response;
}

/** Why an upstream's response isn't a list. */
async function failureOf(answered: Response): Promise<WireFailure> {
  const { status, body } = answered;
  const text = await readText(body, ERROR_BYTES_MAX) ?? "";
  return { ...errorIn(text, answered), status: status < 400 ? 502 : status };
}

export function refuse(wire: Wire, failure: WireFailure): Response {
  const response = jsonResponse(wire.writeError(failure), failure.status);
  for (const [name, value] of Object.entries(failure.headers ?? {})) response.headers.set(name, value);
  return withCode(response, failure.code);
}
