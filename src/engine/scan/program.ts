/**
 * The compiled rules of a run with their automata.
 *
 * @module
 */
import type { WeightedRule } from "../compiled/format.ts";
import { Automata } from "./automata.ts";
import type { CompiledRule } from "./compiled_rule.ts";
import type { MarkdownKind } from "./markdown.ts";

/** Checks a shell text against the allowed first words. */
export type CommandCheck = (text: string, words: readonly string[]) => boolean;

/** All rules of a run, immutable and shared by all answers. */
export interface Program {
  readonly rules: readonly CompiledRule[];
  /** The rules that it was made of, and those that are off but can be chosen (`selectRules`). */
  readonly entries: readonly WeightedRule[];
  readonly automata: Automata;
  /** The Markdown structures that quote calls. */
  readonly markdown: ReadonlySet<MarkdownKind>;
  /**
   * Whether a shell text consists of commands that begin with the words of a rule's whitelist. The parser of a shell is
   * nearly as large as the engine and few rules need it; without it, such rules make no call.
   */
  readonly isAllowedCommand?: CommandCheck | undefined;
}

/** The program of compiled rules, which are in the order of their ranks. */
export function createProgram(rules: readonly CompiledRule[], entries: readonly WeightedRule[]): Program {
  const markdown = new Set(rules.flatMap(({ body }) => body.kind === "opaque" ? body.markdown ?? [] : []));
  return { rules, entries, automata: new Automata(rules), markdown };
}
