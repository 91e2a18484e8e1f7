/** What the page shows of a request, from its arrival on: messages from the server to the page. @module */
import type { Reason } from "../../engine/event/reason.ts";
import type { End } from "../audit/ends.ts";
import type { RequestSummary } from "../audit/summary.ts";

/** `waiting` for the model, `streaming`, or over: `done`, `cut` (a call broke off or was lost), `error`, `left` by the client. */
export type LiveState = "waiting" | "streaming" | "done" | "cut" | "error" | "left";

/** A request in the list. While it runs, status and durations are null. */
export interface LiveRequest extends Omit<RequestSummary, "status" | "durationMs"> {
  readonly id: string;
  /** The hash that names the conversation; empty if the client is unknown. */
  readonly conversation: string;
  /** The sums of the conversation's requests so far that state their prompts; absent without any. */
  readonly conversationPrompts?: {
    readonly requests: number;
    readonly tokens: number;
    readonly cached: number;
  };
  readonly state: LiveState;
  readonly status: number | null;
  /** From the arrival to the end, in milliseconds; null while it runs. */
  readonly durationMs: number | null;
  readonly addedMs: number | null;
  readonly isStreamed: boolean;
  /** The number of answers that it asks for; the texts of several ones aren't kept. */
  readonly choices: number;
  readonly tools: number;
  /** The command that derives a rule from its near miss; null if there is none, or if the answer isn't recorded. */
  readonly command: string | null;
  /** The number of calls that the agent ran, and of those that it could not use, as its next request showed. */
  readonly accepted: number;
  /** See `accepted`. */
  readonly rejected: number;
}

export interface LiveBatch {
  /** True: the requests are all that there are; otherwise, those that changed. */
  readonly isWhole: boolean;
  /** Whether texts are kept (`admin.contents`). */
  readonly hasContents: boolean;
  readonly requests: readonly LiveRequest[];
}

/** A decision, a repair or a remark, in the order of their arrival. */
export interface LiveMark {
  readonly end: End;
  readonly reason: Reason;
  readonly rule: string;
  readonly tool: string | null;
  readonly call: number | null;
  readonly detail: string | null;
  /** Where it begins in the model's text; null if it has no place there. */
  readonly start: number | null;
  /** From the arrival of the request, in milliseconds; null if it wasn't seen to arrive. */
  readonly atMs: number | null;
  /** The length of its text, in UTF-16 units; null if it has no place in the model's text. */
  readonly characters: number | null;
}

export interface BeforePart {
  /** The text, without secrets. */
  readonly text: string;
  /** The marks that it belongs to: positions in the list of marks. */
  readonly marks: readonly number[];
}

/** A piece of what the client got: text, or a call. */
export interface AfterPart {
  /** The text, or the arguments of the call as JSON; without secrets. */
  readonly text: string;
  /** The number of the call; null for text that isn't a call. */
  readonly call: number | null;
  /** The tool of a call in a structure of its own; null for text, also for a call in a client's own notation. */
  readonly tool: string | null;
  readonly state: "open" | "done" | "broken" | null;
  /** Whether it is the model's reasoning, which the upstream keeps apart. */
  readonly isReasoning: boolean;
}

export interface LiveContents {
  /** What the model wrote. */
  readonly before: readonly BeforePart[];
  /** What the client got, or would have got in a dry run. */
  readonly after: readonly AfterPart[];
  /** Whether the rest of a text was dropped because it is too long. */
  readonly isCut: boolean;
  /** The request as the client sent it, without secrets; null if it is too long or isn't kept anymore. */
  readonly chat: string | null;
}

export interface LiveDetail {
  readonly request: LiveRequest;
  /** Changes with every change of the detail. */
  readonly version: number;
  /** Its decisions, repairs and remarks; null if they aren't kept anymore. */
  readonly marks: readonly LiveMark[] | null;
  /** What its error means, and what to do; null without an error, or if it is the upstream's own. */
  readonly errorMeaning: string | null;
  /** Its texts; null without `admin.contents`, or if they aren't kept anymore. */
  readonly contents: LiveContents | null;
}

export function isRunning({ state }: Pick<LiveRequest, "state">): boolean {
  return state === "waiting" || state === "streaming";
}
