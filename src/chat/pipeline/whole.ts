/** Sends an answer that isn't streamed through the stages. @module */
import type { ChatCompletion } from "../message/chunk.ts";
import { readCompletion } from "../message/read.ts";
import { writeChanged } from "../message/number_spelling.ts";
import { addUsage } from "../message/usage.ts";
import { type ChoiceOutcome, rewriteCompletion } from "../message/write.ts";
import { inputOf } from "./choice.ts";
import { type AnswerOptions, createChoice } from "./pipeline.ts";
import { finish, type Work } from "./work.ts";

/** Translates an answer that isn't streamed; undefined if its body stays, or another wire's writer gets it. */
export function translateWhole(body: string, options: AnswerOptions): string | undefined {
  return finish(readAnswer(body, options));
}

/** Does the same with pauses. `read` gives what the body is, for those who need it besides: a long one is slow to parse. */
export function* readAnswer(
  body: string,
  options: AnswerOptions,
  read: () => ChatCompletion | undefined = () => readCompletion(body),
): Work<string | undefined> {
  const completion = read();
  if (completion === undefined) return undefined;
  const outcomes: (ChoiceOutcome | undefined)[] = [];
  for (const [position, { index, message, finish_reason: reason }] of completion.choices.entries()) {
    if (message === undefined || message === null) outcomes.push(undefined);
    else {
      const input = { ...inputOf(message, reason), toolCalls: numbered(message.tool_calls) };
      const whole = { ...options, wholeCalls: true };
      outcomes.push(yield* createChoice(whole, index ?? position).takeWhole(input));
    }
  }
  if (options.sink !== undefined) return void endSink(completion, options);
  if (outcomes.every((outcome) => outcome === undefined)) return undefined;
  const changed = rewriteCompletion(completion, outcomes);
  return writeChanged(body, { original: completion, changed });
}

/** Ends an answer whose events went to the writer of another wire. */
function endSink({ usage }: ChatCompletion, { sink, spent }: AnswerOptions): void {
  if (usage != null) sink?.push({ kind: "usage", usage: addUsage(spent, usage) });
  sink?.finish();
}

/** The calls with their index, which is their position in the list. */
function numbered(calls: unknown): unknown {
  if (!Array.isArray(calls)) return calls;
  return calls.map((call, index) => typeof call === "object" && call !== null ? { ...call, index } : call);
}
