/** One judged answer of an evaluation. A column is a way to ask: alone, through Dragoman, or with another setting. @module */
import type { FindingName } from "./findings.ts";

export interface Sample {
  readonly task: string;
  readonly repeat: number;
  readonly column: string;
  readonly isStreamed: boolean;
  /** Null if the answer shows nothing about the model, such as a busy server. */
  readonly isRight: boolean | null;
  /** The HTTP status; 0 if no answer arrived. */
  readonly status: number;
  readonly finding?: FindingName | undefined;
  readonly rule?: string | undefined;
  readonly hasCall: boolean;
  readonly expectsCall: boolean;
  readonly hasTools: boolean;
  /** Whether the calls are offered tools with arguments that fit; undefined without a call. */
  readonly fitsSchema?: boolean | undefined;
  /** How long the server took, in milliseconds, if it was asked in this run. */
  readonly ms?: number | undefined;
  readonly exchange: Exchange;
}

interface Exchange {
  readonly request: string;
  /** The answer's body, of the server. */
  readonly raw: string;
  /** The answer's body, as the agent gets it. */
  readonly got: string;
  readonly text: string;
}

/** The first two columns: the server alone, and through Dragoman as it is configured. */
export const ALONE = "alone";
export const THROUGH = "dragoman";

/** What the same question has in common in all columns. */
export function keyOf({ task, repeat }: Pick<Sample, "task" | "repeat">): string {
  return `${task} ${repeat}`;
}
