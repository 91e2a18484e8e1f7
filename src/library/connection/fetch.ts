/**
 * A `fetch` for SDKs: requests of chat completions go through, and the calls that the model prints as text are calls in the
 * answer. Requests of the Responses and the Anthropic API are answered from the server's chat completions, as in the
 * proxy. Everything else is passed on unchanged.
 *
 *     SDK ─▶ dragomanFetch ─▶ fetch ─▶ server
 *     SDK ◀─ stages of the answer ◀─ body
 *
 * @module
 */
import { readRequest } from "../../chat/message/request.ts";
import type { AnswerOptions } from "../../chat/pipeline/pipeline.ts";
import { StreamedAnswer } from "../../chat/pipeline/streamed.ts";
import { translateWhole } from "../../chat/pipeline/whole.ts";
import { translateBody } from "./body.ts";
import {
  type Exchange,
  isEventStream,
  isWebStream,
  type KeptItems,
  promptedBody,
  responseLike,
} from "./exchange.ts";
import { answerOptions, callableTools, type Connection, connectionOf, remark } from "./options.ts";
import { type Sent, sentOf, withBody } from "./sent.ts";
import type { ConnectionOptions } from "../types.ts";

/** The type of `fetch` where this is compiled. */
export type Fetch = typeof globalThis extends { fetch: infer Own } ? Own
  : (input: unknown, init?: unknown) => Promise<unknown>;

/** How `dragomanFetch` works. */
export interface FetchOptions extends ConnectionOptions {
  /** What sends the requests; the runtime's own `fetch` by default. */
  readonly fetch?: Fetch | undefined;
}

/**
 * A `fetch` that makes calls of the text of answers. Give it to an SDK as its `fetch`.
 *
 * @throws TypeError if the rules aren't rules
 */
export function dragomanFetch(options: FetchOptions = {}): Fetch {
  const connection = connectionOf(options);
  const send = (options.fetch ?? ((input, init) => globalThis.fetch(input, init))) as typeof globalThis.fetch;
  const items: KeptItems = new Map();
  let wires: Promise<typeof import("./wire_answers.ts")> | undefined;
  const answer: typeof globalThis.fetch = async (input, init) => {
    const sent = await sentOf(input, init);
    if (sent === undefined) return await send(input, init);
    if (sent.route === "chat") return await answerChat(sent, { connection, send });
    const { answerWire } = await (wires ??= import("./wire_answers.ts"));
    return await answerWire(sent, { connection, send, items });
  };
  return answer as Fetch;
}

async function answerChat(sent: Sent, exchange: Exchange): Promise<Response> {
  const { connection, send } = exchange;
  const request = readRequest(sent.body);
  const offered = request && callableTools(request);
  const body = await promptedBody(sent.body, exchange);
  const response = await send(...(body === undefined ? sent.args : withBody(sent, body)));
  if (request === undefined || offered === undefined) return response;
  return await translateResponse(response, {
    options: answerOptions(request, offered, connection),
    connection,
  });
}

/** How a response is translated. */
interface ResponseTranslation {
  readonly options: AnswerOptions;
  readonly connection: Connection;
}

/** A response with its calls. An error, and a body that isn't a web stream, are passed on. */
async function translateResponse(
  response: Response,
  { options, connection }: ResponseTranslation,
): Promise<Response> {
  if (!response.ok || response.body === null) return response;
  if (!isWebStream(response.body)) {
    remark(
      connection,
      "passed_on",
      "the body of the answer isn't a web stream, so it was passed on unchanged",
    );
    return response;
  }
  if (isEventStream(response)) {
    return responseLike(response, translateBody(response.body, new StreamedAnswer(options)));
  }
  const text = await response.text();
  return responseLike(response, translateWhole(text, options) ?? text);
}
