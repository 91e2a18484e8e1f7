/** What a speaker gets and gives: earlier calls and results, calls as text, or what the dialect can't carry. @module */
import type { Arguments } from "./value.ts";

export interface SpokenCall {
  readonly tool: string;
  readonly arguments: Arguments;
  /** Its number in the conversation, from 0. */
  readonly index: number;
}

export interface SpokenResult {
  /** The tool's name; empty if the conversation doesn't have the call. */
  readonly tool: string;
  readonly content: string;
  readonly index: number;
}

export interface Unspeakable {
  readonly rule: string;
  readonly tool: string;
  /** The first argument that doesn't come back as it was; absent if only all of them together don't. */
  readonly parameter?: string | undefined;
  readonly text: string;
}

/** Calls as text, or the first one that can't be written. */
export type WrittenCalls = { readonly text: string; readonly isOtherwise: boolean } | Unspeakable;
