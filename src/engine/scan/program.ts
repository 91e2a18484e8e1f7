/**
 * The compiled rules of a run with their automata.
 *
 * @module
 */
import type { Automata } from "./automata.ts";
import type { CompiledRule } from "./compiled_rule.ts";
import type { MarkdownKind } from "./markdown.ts";

/** All rules of a run, immutable and shared by all answers. */
export interface Program {
  /** The rules by rank. */
  readonly rules: readonly CompiledRule[];
  /** The automaton for each state of the matcher. */
  readonly automata: Automata;
  /** The Markdown structures that quote calls. */
  readonly markdown: ReadonlySet<MarkdownKind>;
}
