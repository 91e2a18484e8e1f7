/** The events of an answer as a wire's writer gets them: one call after the other, with usage at the end. @module */
import type { ApiError } from "../chat/message/error.ts";

/** Tokens as chat completions counts them. */
export interface TokenCounts {
  /** Tokens of the prompt, the cached ones included. */
  readonly prompt: number;
  readonly completion: number;
  /** Tokens of the prompt that came from the upstream's cache. */
  readonly cached: number;
  /** Tokens of the completion that were reasoning. */
  readonly reasoning: number;
}

export interface WireCall {
  readonly call: number;
  readonly id: string;
  readonly tool: string;
  readonly json: string;
}

export type WireEvent =
  /** The model's reasoning, never empty. */
  | { readonly kind: "reasoning"; readonly text: string }
  /** Text, never empty. */
  | { readonly kind: "text"; readonly text: string }
  /** A call begins. `call` is its number in the answer: 0, 1, 2 … */
  | { readonly kind: "call_start"; readonly call: number; readonly id: string; readonly tool: string }
  /** A piece of the call's arguments. The pieces of a call concatenate to `json` of its end. */
  | { readonly kind: "arguments"; readonly call: number; readonly json: string }
  /** The call is whole: `json` is one JSON object. */
  | { readonly kind: "call_end" } & WireCall
  /** The call broke off. Its arguments must never be presented as whole. */
  | { readonly kind: "call_abort" } & WireCall
  | { readonly kind: "finish"; readonly reason: FinishReason; readonly usage: TokenCounts | undefined }
  | { readonly kind: "error"; readonly error: ApiError };

/** Why an answer is over, in chat completions' words. */
export type FinishReason = "stop" | "tool_calls" | "length" | "content_filter";

export type AnswerPart =
  | { readonly kind: "reasoning"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | {
    readonly kind: "call";
    readonly id: string;
    readonly tool: string;
    readonly json: string;
    /** False if the call broke off: `json` is not one JSON object. */
    readonly isWhole: boolean;
  };

export interface WholeAnswer {
  readonly parts: readonly AnswerPart[];
  readonly reason: FinishReason;
  readonly usage: TokenCounts | undefined;
}

/** A call that broke off as text, because some clients show no message after the token limit. */
export function cutCallText(tool: string, json: string): string {
  return `\n[The call to ${tool} is incomplete or can't be read, and wasn't made: ${json}]\n`;
}
