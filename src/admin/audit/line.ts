/** The lines of the audit log, one JSON object each. A line without its newline was cut off by a crash; skip it. @module */
import type { Reason } from "../../engine/event/reason.ts";
import type { Mode } from "../../chat/rollout/canary.ts";
import type { Outcome } from "./outcome.ts";

/** The fields of both kinds of lines. */
export interface RequestPart {
  /** The format of the line; a reader skips unknown formats. */
  readonly v: 1;
  /** When the request arrived, ISO 8601 in UTC. */
  readonly time: string;
  readonly request: string;
  /** The conversation's hash, 16 hex digits; empty if the client is unknown. */
  readonly conversation: string;
  readonly client: string | null;
  /** The API that the client speaks: `chat`, `anthropic`, `responses`, `ollama` or `gemini`. Early logs lack it. */
  readonly wire: string;
  /** The name of the client's key in the configuration, or null if it has none. Early logs lack it. */
  readonly key: string | null;
  readonly model: string | null;
  readonly upstream: string;
  /** `live`, `dry_run`, or `excluded` by the canary. */
  readonly mode: Mode;
}

/** One decision, repair or remark. Each candidate has exactly one line with a decision. */
export interface DecisionLine extends RequestPart {
  readonly kind: "decision";
  readonly choice: number;
  /** The number of the call in its choice; null without a call. */
  readonly call: number | null;
  readonly rule: string;
  readonly confidence: number | null;
  readonly tool: string | null;
  readonly outcome: Outcome;
  /** The reason code; see `dragoman explain CODE`. */
  readonly reason: Reason;
  /** True if another decision of the request counts the same call. */
  readonly repeats?: true;
  /** One short phrase without contents, or null. */
  readonly detail: string | null;
  /** The candidate's start in the model's text, in UTF-16 units; null if unknown. */
  readonly start: number | null;
  /** Its end, like `start`. */
  readonly end: number | null;
  /** The candidate's length in UTF-16 units; null if unknown. */
  readonly characters: number | null;
  /** The first 16 hex digits of the SHA-256 of its text: the same text has the same hash. */
  readonly hash: string | null;
  /** The length of the arguments that the client got, as JSON text. */
  readonly argumentCharacters: number | null;
  /** The candidate's text without secrets; only with `audit.contents`. */
  readonly original?: string;
  /** The arguments read from it, without secrets; only with `audit.contents`. */
  readonly rendered?: string;
  /** What a client that reads calls in text got, or would have, in its notation, without secrets; only with `audit.contents`. */
  readonly written?: string;
}

export interface RequestLine extends RequestPart {
  readonly kind: "request";
  readonly stream: boolean;
  /** How many tools the request offers, in its list or in its system prompt. */
  readonly tools: number;
  readonly status: number;
  /** The code of the error that the client got, or `client_left`; null without an error. */
  readonly error: string | null;
  /** The beginning of the upstream's text of that error, without secrets; null if it stated none. */
  readonly message: string | null;
  /** From the arrival of the request to the end of the answer, in milliseconds. */
  readonly durationMs: number;
  /** From the arrival to the model's first token, in milliseconds; null if none arrived. */
  readonly firstMs: number | null;
  /** Dragoman's own share of that time, in milliseconds. */
  readonly addedMs: number;
  /** Whether the model printed a call as text, whether or not a rule read the call. Early logs call it `leaked`. */
  readonly printedAsText: boolean;
  /** How many calls reached the agent as text. Early logs lack it. */
  readonly reachedAsText: number;
  readonly candidates: number;
  readonly transformed: number;
  /** The number of whole calls that the client got, or would have got: those of the text and the upstream's own. */
  readonly calls: number;
  /** The tools of these calls, the first ones. Early logs lack them. */
  readonly called?: readonly string[];
  /** The tokens that the upstream states; null if it states none. Early logs lack it. */
  readonly tokens: number | null;
  /** The tokens of the prompt, and those of them that came from the server's cache; absent if the upstream states none. */
  readonly promptTokens?: number;
  readonly cachedTokens?: number;
  /** The upstreams that were asked before the one that answered, if there are any. */
  readonly tried?: readonly string[];
  /** The number of lines of this request that were dropped because there were too many. */
  readonly leftOut: number;
}

/** What became of an earlier call, as the agent's next request shows. */
export interface ResultLine extends RequestPart {
  readonly kind: "result";
  /** The id of the request whose answer had the call. */
  readonly answer: string;
  readonly rule: string;
  readonly tool: string;
  /** `accepted`: the agent ran the call; `rejected`: it could not use it. */
  readonly verdict: "accepted" | "rejected";
}

/** A gap: lines that the disk did not take. */
interface GapLine {
  readonly v: 1;
  readonly kind: "gap";
  readonly lost: number;
}

export type AuditLine = DecisionLine | RequestLine | ResultLine | GapLine;
