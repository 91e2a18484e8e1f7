/**
 * What an answer is, and what is done with it: one table for every answer. The first remedy of a row that is possible is
 * taken; when it is used up, the next one.
 *
 *     what the answer is     what is done, in order
 *     called, answered       pass
 *     empty                  ask_again ─▶ next ─▶ pass
 *     endless_thoughts       ask_again ─▶ pass
 *     lost                   raw ─▶ ask_again ─▶ next ─▶ pass
 *     …
 *
 * @module
 */
import data from "./remedies.json" with { type: "json" };

/** What an answer is. */
export type AnswerKind =
  /** It has a call, or a text. */
  | "called"
  | "answered"
  /** Nothing, or only whitespace. */
  | "empty"
  | "thoughts_only"
  /** Thoughts that are over their budget, or repeat themselves. */
  | "endless_thoughts"
  /** Nothing, at the token limit. */
  | "cut"
  /** Nothing, although the model wrote tokens: the server's own parser lost them. */
  | "lost"
  /** It has a printed call that no rule can read. */
  | "unreadable_call"
  /** A plugin wants another answer, such as `strict_validation`. */
  | "rejected"
  /** An error of the server's own parser, or about the tools. */
  | "refused"
  /** The server can't be reached, or can't answer now. */
  | "silent";

/** `raw`: the server is asked once more with its parser off; `next`: the next upstream is asked. */
export type Remedy = "pass" | "ask_again" | "raw" | "next" | "error";

interface Row {
  readonly remedies: readonly Remedy[];
  /** How often the model may be asked more than once because of answers of this kind. */
  readonly questionsMax: number;
}

/** The most questions for one request, however often a plugin wants another. */
export const ATTEMPTS_MAXIMUM = 10;

const REMEDIES: Readonly<Record<AnswerKind, Row>> = {
  called: { remedies: ["pass"], questionsMax: 0 },
  answered: { remedies: ["pass"], questionsMax: 0 },
  empty: { remedies: ["ask_again", "next", "pass"], questionsMax: 1 },
  thoughts_only: { remedies: ["ask_again", "next", "pass"], questionsMax: 1 },
  endless_thoughts: { remedies: ["ask_again", "pass"], questionsMax: 1 },
  cut: { remedies: ["ask_again", "next", "pass"], questionsMax: 1 },
  lost: { remedies: ["raw", "ask_again", "next", "pass"], questionsMax: 1 },
  unreadable_call: { remedies: ["ask_again", "pass"], questionsMax: 2 },
  rejected: { remedies: ["ask_again", "error"], questionsMax: ATTEMPTS_MAXIMUM - 1 },
  refused: { remedies: ["raw", "next", "error"], questionsMax: 1 },
  silent: { remedies: ["next", "error"], questionsMax: 0 },
};

/** Answers without anything that a client can show or run. */
export type EmptyKind = Extract<AnswerKind, "empty" | "thoughts_only" | "endless_thoughts" | "cut" | "lost">;

/** An answer, and what is done with it. */
export interface JudgedAnswer {
  /** What the answer is. */
  readonly kind: AnswerKind;
  /** What is done: the first of those that are possible. */
  readonly remedy: Remedy;
  /** What can be done about it, the usual one first. */
  readonly possible: readonly Remedy[];
}

/** Chooses another of the possible remedies; undefined: it stays. */
export type Judge = (judged: JudgedAnswer) => Remedy | undefined;

interface Situation {
  /** How often the model was asked more than once for this request. */
  readonly asked: number;
  /** Whether a remedy is possible; `pass` and `error` always are. */
  readonly isPossible: (remedy: Remedy) => boolean;
  readonly judge?: Judge | undefined;
}

export function remedyFor(kind: AnswerKind, { asked, isPossible, judge }: Situation): Remedy {
  const { remedies, questionsMax } = REMEDIES[kind];
  const possible = remedies.filter((remedy) => {
    if (remedy === "pass" || remedy === "error") return true;
    const isQuestion = remedy === "ask_again" || remedy === "raw";
    return (!isQuestion || asked < questionsMax) && isPossible(remedy);
  });
  const [remedy = "pass"] = possible;
  return judge?.({ kind, remedy, possible }) ?? remedy;
}

/** The longest thoughts that a sentence repeats, in characters: their end. */
const QUOTED_MAX = 16 * 1024;

/** What the model is asked after an answer without anything. */
export function sentenceFor(kind: EmptyKind, thoughts: string): string {
  return data.sentences[kind].replace("{thoughts}", () => thoughts.slice(-QUOTED_MAX));
}

/** The end of thoughts that Dragoman closes, in the model's own voice. */
export const THOUGHTS_END: string = data.thoughts_end;
