/** The error for a prompt that is too long, in the words that the agents of each API know. @module */
import type { ApiError } from "../chat/message/error.ts";

/** The error's code, by which agents know it. */
export const OVERFLOW_CODE = "context_length_exceeded";

interface Sizes {
  readonly tokens?: number | undefined;
  readonly context?: number | undefined;
}

export function overflowMessage({ tokens, context }: Sizes): string {
  const sizes = tokens === undefined || context === undefined
    ? ""
    : `: ${tokens} tokens > ${context} maximum`;
  const limit = context === undefined
    ? "It is longer than this model's maximum context length."
    : `This model's maximum context length is ${context} tokens.`;
  const given = tokens === undefined ? "" : ` However, your messages resulted in ${tokens} tokens.`;
  return `prompt is too long${sizes}. ${limit}${given} Please reduce the length of the messages.`;
}

const ANTHROPIC = /^prompt is too long(?:: (\d+) tokens > (\d+) maximum)?/;

/** The message in Anthropic's words; undefined if the error is another one. */
export function anthropicWords({ code, message }: Pick<ApiError, "code" | "message">): string | undefined {
  return code === OVERFLOW_CODE ? ANTHROPIC.exec(message)?.[0] : undefined;
}

/** The message in Google's words. */
export function googleWords({ code, message }: Pick<ApiError, "code" | "message">): string | undefined {
  const [, tokens, context] = code === OVERFLOW_CODE ? ANTHROPIC.exec(message) ?? [] : [];
  if (tokens === undefined) return undefined;
  return `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${context}).`;
}
