/**
 * Finds which rules have an opener in a text, with one search for all rules.
 *
 * @module
 */
import type { Automaton, State } from "../pattern/automaton.ts";
import { END } from "../pattern/node.ts";
import type { Program } from "../scan/program.ts";
import type { OfferedTools } from "../tool/offered.ts";

/** The names of the rules whose opener matches anywhere in a text. Only these can read a call in it. */
export function rulesWithOpener(program: Program, text: string, offered: OfferedTools): ReadonlySet<string> {
  const automaton = program.automata.root(offered);
  const found = new Set<number>();
  let states = new Set<State>();
  for (let at = 0; at <= text.length; at++) {
    // The quotation decides what begins a line, so each position counts as one too.
    for (const start of [automaton.start(false), automaton.start(true)]) if (start) states.add(start);
    states = afterUnit(automaton, { states, unit: at < text.length ? text.charCodeAt(at) : END, found });
  }
  return new Set([...found].map((rank) => program.rules[rank]!.name));
}

function afterUnit(
  automaton: Automaton,
  { states, unit, found }: { states: ReadonlySet<State>; unit: number; found: Set<number> },
): Set<State> {
  const next = new Set<State>();
  for (const state of states) {
    const reached = automaton.step(state, unit);
    if (reached === null) continue;
    next.add(reached);
    for (const rank of reached.accepted) found.add(rank);
  }
  return next;
}
