/**
 * A whole answer is a stream of one chunk: its texts go through the same matcher and the same renderer, fed once.
 * In: the body's text. Out: the new body, or undefined where the old one stays.
 *
 * @module
 */
import { contentText, readCompletion, reasoningText } from "../chat/read.ts";
import { type ChoiceOutcome, isUnchanged, rewriteCompletion } from "../chat/write.ts";
import { type AnswerOptions, createChoice } from "./answer.ts";
import type { Choice, ChoiceInput } from "./choice.ts";

/**
 * Translates an answer that is not streamed.
 *
 * @param body the text of the answer's body
 * @param options the same as for a stream
 * @returns the new body; undefined: nothing changes, or the body is no chat answer
 */
export function translateWhole(body: string, options: AnswerOptions): string | undefined {
  const completion = readCompletion(body);
  if (completion === undefined) return undefined;
  const outcomes = completion.choices.map((choice, position): ChoiceOutcome | undefined => {
    const { message } = choice;
    if (message === undefined || message === null) return undefined;
    const text = contentText(message.content);
    const reason = choice.finish_reason || null;
    const translated = createChoice(options, choice.index ?? position);
    const { role, function_call: functionCall } = message;
    const toolCalls = numbered(message.tool_calls);
    const reasoning = reasoningText(message);
    const outcome = readWhole(translated, { text, reasoning, reason, role, toolCalls, functionCall });
    return isUnchanged(outcome, { text, reason, toolCalls, functionCall }) ? undefined : outcome;
  });
  if (outcomes.every((outcome) => outcome === undefined)) return undefined;
  return JSON.stringify(rewriteCompletion(completion, outcomes));
}

/** In a whole answer the place of a call in the list is its index. */
function numbered(calls: unknown): unknown {
  if (!Array.isArray(calls)) return calls;
  return calls.map((call, index) => typeof call === "object" && call !== null ? { ...call, index } : call);
}

function readWhole(choice: Choice, input: ChoiceInput): ChoiceOutcome {
  const outcome = choice.read(input);
  if (choice.isEnded) return outcome;
  const rest = choice.end({ truncated: false });
  const role = outcome.role ?? rest.role;
  const deltas = [...outcome.deltas, ...rest.deltas];
  return { deltas, finishReason: rest.finishReason, ...(role === undefined ? {} : { role }) };
}
