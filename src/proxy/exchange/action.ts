/**
 * Decides what is done with an upstream's answer: by its head, and if that doesn't settle it, by its first bytes.
 *
 *     answer                                                 action
 *     an error, or no body                                   pass
 *     a web page                                             refuse
 *     of a type or a coding that can't be read               pass
 *     in a dry run or outside the canary                     watch
 *     a stream, or JSON for a client of another wire's       stream
 *     stream
 *     anything else                                          look
 *       its first bytes are a stream                         stream
 *       its first bytes are JSON                             whole
 *       neither, and the bytes were decoded                  refuse
 *       neither                                              pass
 *
 * @module
 */
import type { BodyKind } from "../transport/body_kind.ts";

/** How the client gets its answer, if it speaks another wire than chat completions. */
type WireForm = "stream" | "whole" | undefined;

/** What the head of an answer states, and what its request asked for. */
export interface AnswerHead {
  /** Whether it has a body and no error status. */
  readonly isAnswer: boolean;
  readonly isWebPage: boolean;
  /** What its type promises; undefined if no chat answer has that type. */
  readonly promised: BodyKind | "unsure" | undefined;
  readonly canDecode: boolean;
  /** Whether the client gets converted calls. */
  readonly isLive: boolean;
  readonly hasTranslator: boolean;
  readonly wire: WireForm;
}

type Pass = {
  readonly kind: "pass";
  /** Why the answer isn't translated; absent if the upstream's status is the reason. */
  readonly why?: string;
};

type HeadAction =
  | Pass
  | { readonly kind: "refuse" | "stream" | "look" }
  | { readonly kind: "watch"; readonly promised: BodyKind | "unsure" };

/** What is done with an answer by its head. */
export function actionForHead(head: AnswerHead): HeadAction {
  const { promised, wire } = head;
  if (!head.isAnswer) return { kind: "pass" };
  if (head.isWebPage && head.isLive) return { kind: "refuse" };
  if (promised === undefined) return { kind: "pass", why: "unreadable_type" };
  if (!head.canDecode) return { kind: "pass", why: "unreadable_encoding" };
  if (!head.isLive && head.hasTranslator) return { kind: "watch", promised };
  const isStream = promised === "stream" || (wire === "stream" && promised === "json");
  return { kind: isStream ? "stream" : "look" };
}

/** What the first bytes of an answer show. */
export interface AnswerBody {
  /** Undefined if the body is neither a stream of events nor JSON. */
  readonly kind: BodyKind | undefined;
  readonly wasDecoded: boolean;
  readonly wire: WireForm;
}

type BodyAction = Pass | { readonly kind: "stream" | "whole" | "refuse" };

/** What is done with an answer by its first bytes. */
export function actionForBody({ kind, wasDecoded, wire }: AnswerBody): BodyAction {
  // An upstream can answer a request for a stream with a whole answer. For another wire, that becomes a stream again.
  const isStream = wire === undefined ? kind === "stream" : wire === "stream" && kind !== undefined;
  if (isStream) return { kind: "stream" };
  if (kind === "json") return { kind: "whole" };
  return wasDecoded ? { kind: "refuse" } : { kind: "pass", why: "unreadable_type" };
}
