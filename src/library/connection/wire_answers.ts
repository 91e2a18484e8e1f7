/** Answers requests of the Responses and the Anthropic API from a server's chat completions. @module */
import { errorIn } from "../../chat/message/error.ts";
import { StreamedAnswer } from "../../chat/pipeline/streamed.ts";
import { translateWhole } from "../../chat/pipeline/whole.ts";
import { encodeText } from "../../chat/sse/utf8_encoder.ts";
import { isRecord } from "../../engine/object/record.ts";
import { offer, parseJson } from "../../engine/mod.ts";
import { anthropic } from "../../wires/anthropic/anthropic.ts";
import { StreamedWireAnswer, WholeWireAnswer } from "../../wires/answer.ts";
import { responses } from "../../wires/responses/responses.ts";
import type { ItemSource, JsonObject, Wire, WireChat, WireFailure, WireOperation } from "../../wires/wire.ts";
import { translateBody } from "./body.ts";
import { randomText } from "./ids.ts";
import { answerOptions } from "./stages.ts";
import {
  callableTools,
  type Exchange,
  isEventStream,
  isWebStream,
  type ItemMemory,
  promptedBody,
  remark,
  responseLike,
} from "./exchange.ts";
import type { Sent } from "./sent.ts";
import { withBody } from "./with_body.ts";

/** An exchange, and what its requests may refer to. */
interface WireExchange extends Exchange {
  readonly items: ItemMemory;
}

/** The most items of answers that a connection keeps; a request that refers to another one is refused. */
const ITEMS_MAX = 1000;

/** The paths of the wires, below whatever comes before them. */
const PATH = /^(.*?)\/(?:v1\/)?(responses\/?|messages|messages\/count_tokens)$/;

export async function answerWire(sent: Sent, exchange: WireExchange): Promise<Response> {
  const { url, headers } = sent;
  const [, , name = ""] = PATH.exec(url.pathname) ?? [];
  const path = { method: "POST", path: `/v1/${name}`, query: url.searchParams, headers };
  const wire = name.startsWith("responses") ? responses : anthropic;
  const operation = wire.find(path);
  const body = parseJson(sent.body);
  if (operation === undefined || !isRecord(body)) return await exchange.send(...sent.args);
  if (operation.kind === "reply") return Response.json(operation.reply(body).body);
  if (operation.kind !== "chat") return await exchange.send(...sent.args);
  return await answerChat({ sent, wire, operation, body }, exchange);
}

interface WireRequest {
  readonly sent: Sent;
  readonly wire: Wire;
  readonly operation: Extract<WireOperation, { kind: "chat" }>;
  readonly body: JsonObject;
}

async function answerChat(
  { sent, wire, operation, body }: WireRequest,
  exchange: WireExchange,
): Promise<Response> {
  const { connection, send, items } = exchange;
  const chat = operation.read(body, sourceOf(items));
  if ("refusal" in chat) return refuse(wire, chat.refusal);
  for (const { name } of chat.serverTools ?? []) {
    remark(connection, "server_tool", `no chat server has \`${name}\``);
  }
  const text = JSON.stringify(chat.body);
  const response = await send(...withBody(sent, await promptedBody(text, connection) ?? text, {
    to: chatUrl(sent.url),
    headers: chatHeaders(sent.headers),
  }));
  if (!response.ok) return await refuseAs(wire, response);
  if (response.body === null || !isWebStream(response.body)) {
    remark(
      connection,
      "passed_on",
      "the body of the answer isn't a web stream, so it was passed on unchanged",
    );
    return response;
  }
  const arrival = { ...connection, isWhole: !isEventStream(response) };
  const stages = answerOptions(chat.body, callableTools(chat.body) ?? offer([]), arrival);
  return await writeAnswer(response, { wire, chat, stages, items });
}

interface AnswerWriting {
  readonly items: ItemMemory;
  readonly wire: Wire;
  readonly chat: WireChat;
  readonly stages: ReturnType<typeof answerOptions>;
}

async function writeAnswer(
  response: Response,
  { wire, chat, stages, items }: AnswerWriting,
): Promise<Response> {
  const identity = {
    id: randomText(32),
    created: Math.floor(Date.now() / 1000),
    keep: (id: string, read: () => JsonObject) => keep(items, id, read),
  };
  const head = (type: string, body: ReadableStream<Uint8Array> | string) => {
    const written = responseLike(response, body);
    written.headers.set("content-type", type);
    return written;
  };
  if (!chat.body.stream) {
    const sink = new WholeWireAnswer();
    translateWhole(await response.text(), { ...stages, sink });
    if (sink.error !== undefined || !sink.isOver) {
      return refuse(wire, { ...UNREADABLE, ...sink.error, status: 502 });
    }
    return head("application/json", JSON.stringify(chat.writeWhole(sink.answer, identity)));
  }
  const writer = chat.createWriter(identity);
  const sink = new StreamedWireAnswer(writer);
  const begin = encodeText(writer.begin());
  const answer = new StreamedAnswer({ ...stages, sink });
  if (isEventStream(response)) {
    return head(chat.contentType, translateBody(response.body!, answer, { begin }));
  }
  // A server that ignores `stream` answers at once.
  translateWhole(await response.text(), { ...stages, sink });
  if (!sink.isOver) sink.fail(UNREADABLE);
  return head(chat.contentType, writer.begin() + sink.take());
}

const UNREADABLE: WireFailure = {
  status: 502,
  type: "upstream_error",
  code: "upstream_unreadable",
  message: "The server's answer is not a chat answer. Check the base URL",
};

function sourceOf(items: ItemMemory): ItemSource {
  return { take: (id) => items.get(id)?.() };
}

function keep(items: ItemMemory, id: string, read: () => JsonObject): void {
  items.delete(id);
  items.set(id, read);
  for (const oldest of items.keys()) {
    if (items.size <= ITEMS_MAX) break;
    items.delete(oldest);
  }
}

/** `https://host/v1/responses` → `https://host/v1/chat/completions`. */
function chatUrl(url: URL): URL {
  const chat = new URL(url);
  const [, base = ""] = PATH.exec(url.pathname) ?? [];
  const version = url.pathname.slice(base.length).startsWith("/v1/") ? "/v1" : "";
  chat.pathname = `${base}${version}/chat/completions`;
  return chat;
}

/** The headers with the key as chat completions expects it. */
function chatHeaders(sent: Headers): Headers {
  const headers = new Headers(sent);
  const key = headers.get("x-api-key");
  headers.delete("x-api-key");
  if (key !== null && !headers.has("authorization")) headers.set("authorization", `Bearer ${key}`);
  return headers;
}

/** An error of the server in the wire's own form. */
async function refuseAs(wire: Wire, response: Response): Promise<Response> {
  const { status } = response;
  const text = await response.text();
  const refused = refuse(wire, { ...errorIn(text, response), status });
  const retryAfter = response.headers.get("retry-after");
  if (retryAfter !== null) refused.headers.set("retry-after", retryAfter);
  return refused;
}

function refuse(wire: Wire, failure: WireFailure): Response {
  const { status, headers = {} } = failure;
  return Response.json(wire.writeError(failure), { status, headers });
}
