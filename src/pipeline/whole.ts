/**
 * An answer that is not streamed goes through the same stages, once.
 *
 * @module
 */
import type { CompletionChoice } from "../chat/chunk.ts";
import { contentText, readCompletion, reasoningText } from "../chat/read.ts";
import { writeChanged } from "../chat/spelling.ts";
import { type ChoiceOutcome, rewriteCompletion } from "../chat/write.ts";
import type { ChoiceInput } from "./choice.ts";
import { type AnswerOptions, createChoice } from "./pipeline.ts";
import { finish, type Work } from "./work.ts";

/**
 * Translates an answer that is not streamed.
 *
 * @param body the text of the answer's body
 * @param options the same as for a stream
 * @returns the new body; undefined: nothing changes, or the body is not a chat answer
 */
export function translateWhole(body: string, options: AnswerOptions): string | undefined {
  return finish(readAnswer(body, options));
}

/** The same with pauses. */
export function* readAnswer(body: string, options: AnswerOptions): Work<string | undefined> {
  const completion = readCompletion(body);
  if (completion === undefined) return undefined;
  const outcomes: (ChoiceOutcome | undefined)[] = [];
  for (const [position, choice] of completion.choices.entries()) {
    const input = inputOf(choice);
    outcomes.push(input && (yield* createChoice(options, choice.index ?? position).takeWhole(input)));
  }
  if (outcomes.every((outcome) => outcome === undefined)) return undefined;
  const changed = rewriteCompletion(completion, outcomes);
  return writeChanged(body, { original: completion, changed });
}

function inputOf({ message, finish_reason: reason }: CompletionChoice): ChoiceInput | undefined {
  if (message === undefined || message === null) return undefined;
  return {
    text: contentText(message.content),
    reasoning: reasoningText(message),
    role: message.role,
    toolCalls: numbered(message.tool_calls),
    functionCall: message.function_call,
    reason: reason || null,
  };
}

/** In a whole answer the place of a call in the list is its index. */
function numbered(calls: unknown): unknown {
  if (!Array.isArray(calls)) return calls;
  return calls.map((call, index) => typeof call === "object" && call !== null ? { ...call, index } : call);
}
