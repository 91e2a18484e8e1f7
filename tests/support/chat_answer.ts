/**
 * What a client of chat completions puts together of any answer, streamed or whole. It takes what comes, in any order;
 * `wire_readers.ts` has the strict reader.
 *
 * @module
 */

export interface ChatAnswer {
  readonly content: string;
  readonly reasoning: string;
  /** The calls; `json` is their arguments. */
  readonly calls: readonly { readonly tool: string; readonly json: string }[];
  readonly finish: string | undefined;
  /** The error's message, or the error itself. */
  readonly error: string | undefined;
  readonly usage: unknown;
  /** The log probabilities of all messages. */
  readonly logprobs: readonly unknown[];
  /** Whether a stream states its end. */
  readonly isDone: boolean;
}

/** Reads an answer: events if it is streamed, a JSON object otherwise. Throws if that can't be parsed. */
export function readChatAnswer(text: string, isStreamed: boolean): ChatAnswer {
  const messages = isStreamed
    ? [...text.matchAll(/^data: (?!\[DONE\]$)(.*)$/gm)].map(([, data = ""]) => JSON.parse(data))
    : [JSON.parse(text)];
  const answer = { content: "", reasoning: "", finish: undefined, error: undefined, usage: undefined };
  const calls: { tool: string; json: string }[] = [];
  const logprobs: unknown[] = [];
  for (const { choices, error, usage } of messages) {
    answer.error ??= error?.message ?? error;
    answer.usage = usage ?? answer.usage;
    const { delta, message, finish_reason: finish, logprobs: more } = choices?.[0] ?? {};
    answer.finish = finish ?? answer.finish;
    logprobs.push(...more?.content ?? []);
    const { content, reasoning_content: reasoning, tool_calls: made } = delta ?? message ?? {};
    answer.content += content ?? "";
    answer.reasoning += reasoning ?? "";
    for (const [position, { index = position, function: called }] of (made ?? []).entries()) {
      const call = calls[index] ??= { tool: "", json: "" };
      call.tool += called.name ?? "";
      call.json += called.arguments ?? "";
    }
  }
  return { ...answer, calls, logprobs, isDone: text.includes("data: [DONE]") };
}

/** The calls of an answer, each as the tool's name and its arguments. */
export function madeCalls({ calls }: ChatAnswer): [tool: string, args: unknown][] {
  return calls.map(({ tool, json }) => [tool, JSON.parse(json)]);
}
