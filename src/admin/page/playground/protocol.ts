/** The messages between the page and the worker that runs the engine. @module */
import type { DiagnosticJson } from "../../../engine/diagnostic/print.ts";
import type { PlaygroundSetup } from "../../routes/playground.ts";
import type { Derivation } from "../../../analysis/derive/derive.ts";
import type { Reason } from "../../../engine/event/reason.ts";
import type { ReasonEntry } from "../../../engine/event/reason_entry.ts";
import type { Candidate } from "../../../analysis/replay/candidates.ts";
import type { ReceivedAnswer } from "../../../analysis/replay/recorded.ts";
import type { Call } from "../../../engine/rule/outcome.ts";

/** An answer, the request that it is for, and the rule that is being edited. */
export interface AnswerRequest {
  readonly text: string;
  /** The offered tools as text, in one of the forms that `readToolText` reads. */
  readonly tools: string;
  /** The client's name; empty: the request shows it. */
  readonly client: string;
  /** The YAML of the edited rule; empty if there is none. */
  readonly rule: string;
}

export interface Questions {
  /** What a pasted text is: an answer, or a capture with its request. */
  readonly open: { readonly text: string };
  /** What can be written at a place of a rule. */
  readonly complete: { readonly path: readonly (string | number)[]; readonly isValue: boolean };
  readonly trace: AnswerRequest;
  /** What is wrong with a rule, apart from its examples. */
  readonly check: { readonly rule: string };
  readonly examples: { readonly rule: string };
  readonly derive: AnswerRequest & { readonly name: string };
}

export interface Answers {
  readonly open: Opened;
  readonly complete: Choices;
  readonly trace: Trace | Problem;
  readonly check: RuleCheck;
  readonly examples: ExampleResults;
  readonly derive: Derived | Problem;
}

export type Kind = keyof Questions;

export interface Problem {
  readonly problem: string;
  readonly help: string;
}

/** An answer, and what a capture shows of its request. */
export interface Opened {
  readonly text: string;
  /** The offered tools, in a form that `readToolText` reads. */
  readonly tools?: string;
  readonly client?: string;
}

export interface Choices {
  /** The choices; empty if anything can be written. */
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly label: string;
  /** What the field takes, in a few words. */
  readonly detail: string;
  readonly description: string;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A candidate with what a person needs to understand it. */
export interface ExplainedCandidate extends Candidate, Place {
  readonly kind: ReasonEntry["kind"];
  readonly meaning: string;
}

export interface NearRule extends Place {
  readonly rule: string;
  /** Where its opener begins. */
  readonly start: number;
  readonly at: number;
  readonly expected: string;
  /** Why it stops, if it read a call so far. */
  readonly reason?: Reason;
}

/** A rule that reads the answer but makes no call. */
export interface SilentRule {
  readonly rule: string;
  readonly isOff: boolean;
  readonly confidence: number;
  /** The threshold, if the confidence is under it. */
  readonly minimum?: number;
}

export interface Trace {
  readonly client: string;
  /** Whether the client reads calls in the text. */
  readonly writesText: boolean;
  /** What is assumed about the unknown request. */
  readonly assumption?: string;
  /** The offered tools; empty if every name counts as one. */
  readonly tools: readonly string[];
  readonly usesEdited: boolean;
  /** Every decision, repair and remark, by position. */
  readonly candidates: readonly ExplainedCandidate[];
  readonly received: ReceivedAnswer;
  /** The same as `transform` prints it: the message, or the text for a client that reads calls in the text. */
  readonly message: string;
  /** The rules that come nearest, if there is no call. */
  readonly near: readonly NearRule[];
  /** The rules that would make a call if they were on. */
  readonly silent: readonly SilentRule[];
}

export interface RuleCheck {
  /** The rule's name; empty if it has none. */
  readonly name: string;
  /** Whether the name is that of another file's rule, which the edited one replaces. */
  readonly replaces: boolean;
  readonly diagnostics: readonly DiagnosticJson[];
}

export interface ExampleResult {
  readonly name: string;
  readonly kind: "examples" | "untouched";
  readonly line: number;
  readonly expected: { readonly text: string; readonly calls: readonly Call[] };
  /** What the first wrong cut gives; absent if the example passes at every cut. */
  readonly failure?: {
    readonly text: string;
    readonly calls: readonly Call[];
    readonly decisions: readonly string[];
    /** How the answer is cut, and the rules it is read with. */
    readonly how: string;
  };
  /** What else is wrong with the example. */
  readonly errors: readonly string[];
}

export interface ExampleResults {
  /** Each example, in order; empty if the rule can't be read. */
  readonly results: readonly ExampleResult[];
  readonly isReadable: boolean;
}

export interface Derived {
  /** One derivation for each notation in the answer. */
  readonly derivations: readonly Derivation[];
}

export type ToWorker =
  | { readonly kind: "setup"; readonly setup: PlaygroundSetup }
  | {
    readonly [K in Kind]: { readonly kind: K; readonly id: number; readonly question: Questions[K] };
  }[Kind];

export type FromWorker =
  | { readonly kind: "failed"; readonly id: number; readonly message: string }
  | { readonly [K in Kind]: { readonly kind: K; readonly id: number; readonly answer: Answers[K] } }[Kind];
