/**
 * The lines of the audit log. One line is one JSON object: a decision about one candidate, or one request with its
 * end. A line that is missing its newline was cut off by a crash and is to be skipped.
 *
 * @module
 */
import type { Reason } from "../event/reason.ts";
import type { Mode } from "../rollout/mode.ts";
import type { Outcome } from "./outcome.ts";

/** What both kinds of lines say of their request. */
export interface RequestPart {
  /** The format of the line; a reader skips lines of a format that it does not know. */
  readonly v: 1;
  /** When the request arrived, ISO 8601 in UTC. */
  readonly time: string;
  /** The request's own id. */
  readonly request: string;
  /** The conversation's hash, 16 hex digits; empty where nobody asked that we know. */
  readonly conversation: string;
  /** The client, null where nobody asked that we know. */
  readonly client: string | null;
  /** The model, as the client calls it. */
  readonly model: string | null;
  /** The upstream's name. */
  readonly upstream: string;
  /** `live`, `dry_run`, or `excluded` by the canary. */
  readonly mode: Mode;
}

/** One decision, repair or remark. A candidate has exactly one line that is no repair and no remark. */
export interface DecisionLine extends RequestPart {
  /** The kind of line. */
  readonly kind: "decision";
  /** The choice of the answer. */
  readonly choice: number;
  /** The number of the call in its choice; null where there was no call. */
  readonly call: number | null;
  /** The rule. */
  readonly rule: string;
  /** The rule's confidence, where a call was read. */
  readonly confidence: number | null;
  /** The tool, as far as it was known. */
  readonly tool: string | null;
  /** What became of the candidate. */
  readonly outcome: Outcome;
  /** Why: `dragoman explain CODE`. */
  readonly reason: Reason;
  /** One short phrase, never contents; null where there is none. */
  readonly detail: string | null;
  /** Where the candidate stands in the model's text, in UTF-16 units; null where that is not known. */
  readonly start: number | null;
  /** Its end, like `start`. */
  readonly end: number | null;
  /** How long the candidate is, in UTF-16 units; null where that is not known. */
  readonly characters: number | null;
  /** The first 16 hex digits of the SHA-256 of its text: the same text has the same hash. */
  readonly hash: string | null;
  /** How long the arguments are that the client got, as JSON text. */
  readonly argumentCharacters: number | null;
  /** The candidate's text without secrets; only with `audit.contents`. */
  readonly original?: string;
  /** The arguments that were made of it, without secrets; only with `audit.contents`. */
  readonly rendered?: string;
}

/** One request and how it ended. */
export interface RequestLine extends RequestPart {
  /** The kind of line. */
  readonly kind: "request";
  /** Whether the client wanted a stream. */
  readonly stream: boolean;
  /** How many tools the request lists. */
  readonly tools: number;
  /** The HTTP status that the client got. */
  readonly status: number;
  /** The code of the error that the client heard, or `client_left`; null where all went well. */
  readonly error: string | null;
  /** From the arrival of the request to the end of the answer, in milliseconds. */
  readonly durationMs: number;
  /** How much of it was our own work, in milliseconds. */
  readonly addedMs: number;
  /** How many candidates there were. */
  readonly candidates: number;
  /** How many became calls. */
  readonly transformed: number;
  /** Lines of this request that were left out because there were too many. */
  readonly leftOut: number;
}

/** A gap: lines were lost because the disk did not take them. */
export interface GapLine {
  /** The format of the line. */
  readonly v: 1;
  /** The kind of line. */
  readonly kind: "gap";
  /** How many lines were lost. */
  readonly lost: number;
}

/** Any line of the log. */
export type AuditLine = DecisionLine | RequestLine | GapLine;
