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
import type { Exchange, ItemMemory } from "./exchange.ts";
import { connectionOf } from "./options.ts";
import { type Sent, sentOf } from "./sent.ts";
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
  const items: ItemMemory = new Map();
  const answer: typeof globalThis.fetch = async (input, init) => {
    const sent = await sentOf(input, init);
    if (sent === undefined) return await send(input, init);
    if (sent.route === "chat") return await answerChat(sent, { connection, send });
    const { answerWire } = await import("./wire_answers.ts");
    return await answerWire(sent, { connection, send, items });
  };
  return answer as Fetch;
}

/** Answers a request of chat completions. What translates the answer is loaded while the server works on it. */
async function answerChat(sent: Sent, { connection, send }: Exchange): Promise<Response> {
  const loading = import("./chat_answers.ts");
  const args = connection.prompt ? await (await loading).promptedArguments(sent, connection) : sent.args;
  const [response, { translateResponse }] = await Promise.all([send(...args), loading]);
  return await translateResponse(response, { body: sent.body, connection });
}
