/**
 * The shape of a recorded answer: what the model printed, what the request offered, and what was found. It contains no
 * keys and no secret values.
 *
 * @module
 */
import type { RequestTool } from "../../chat/message/request.ts";

/** A call as it was found. */
export interface CapturedCall {
  readonly tool: string;
  readonly rule: string;
  /** The arguments as JSON, without secrets. */
  readonly arguments: string;
}

/** A recorded answer. */
export interface Capture {
  /** The format. */
  readonly v: 1;
  /** When the request arrived, ISO 8601 in UTC. */
  readonly time: string;
  /** The request's own id. */
  readonly request: string;
  readonly client: string;
  /** The model that the client names, or null. */
  readonly model: string | null;
  readonly tools: readonly RequestTool[];
  /** The system prompt, if it lists the tools. */
  readonly system: string | null;
  /** The user's last message, without secrets, if the person who recorded wanted it; null: there was none. */
  readonly user?: string | null | undefined;
  /** What the model printed, without secrets. */
  readonly text: string;
  /** The calls that were found. */
  readonly calls: readonly CapturedCall[];
  /** Why other candidates were refused: reason codes, in order. */
  readonly refused: readonly string[];
  /** What was changed in the request for its server, one line each; absent: nothing. */
  readonly healed?: readonly string[] | undefined;
}
