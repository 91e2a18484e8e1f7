/**
 * Every pair of faults: each answer has one cause, the first in the order of causes of the faults that changed it. Dragoman
 * repairs some faults, and then the other one shows.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { FindingName } from "../../../src/analysis/evaluate/findings.ts";
import { evaluated } from "./evaluated.ts";
import { FAULTS } from "./faults.ts";
import { createFaultyServer, type FaultyServer } from "./faulty_server.ts";

/** Root causes first. */
const ORDER: readonly FindingName[] = [
  "tools_refused",
  "parser_failed",
  "schema_refused",
  "error_as_answer",
  "error_swallowed",
  "stream_cut",
  "answer_cut",
  "call_in_reasoning",
  "begins_in_reasoning",
  "calls_printed_as_text",
  "stream_differs",
  "unread_dialect",
  "call_lost",
  "tools_not_in_prompt",
  "call_index_repeats",
  "ids_missing",
  "arguments_encoded_twice",
  "finish_reason_wrong",
  "only_reasoning",
  "empty_answer",
  "repeats_call",
  "ignores_tool_choice",
  "answers_in_words",
  "no_parallel_calls",
  "wrong_tool",
  "wrong_types",
  "arguments_differ",
  "result_ignored",
  "calls_without_need",
];

/** Pairs that no one can tell apart by the answers, and what is found instead. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  // A tool that isn't offered, in a notation that no rule reads, is prose.
  "wrong_tool + unread_notation": "answers_in_words unread_dialect",
  // In the reasoning, a call of a tool that isn't offered is a thought.
  "wrong_tool + reasoning": "call_in_reasoning only_reasoning",
  // Whole answers have text, too, so streams aren't the cause.
  "text_in_streams + flaky_text": "calls_printed_as_text",
  "text_in_streams + rare_text": "calls_printed_as_text",
  // The answer isn't empty, so its reasoning isn't the only place of the call.
  "reasoning + open_reasoning": "begins_in_reasoning",
  // Dragoman asked again with the parser off; its own error states that this stream ended early.
  "parser_error + swallowed_errors": "parser_failed stream_cut",
};

/** Faults that Dragoman learns to repair during the run, so that chance decides which answers show the other fault, too. */
const LEARNED: readonly string[] = ["refused_tools", "open_reasoning"];

function firstOf(names: readonly string[]): FindingName | undefined {
  const found = names.flatMap((name) => FAULTS[name]!.finding ?? []);
  return found.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))[0];
}

/** The findings that the faults' own record demands. */
function expectedOf(acted: FaultyServer["acted"]): string[] {
  const found = acted.flatMap(({ faults, isRaw }) => [
    // Only Dragoman switches a parser off.
    isRaw ? undefined : firstOf(faults),
    firstOf(faults.filter((name) => !FAULTS[name]!.isRepaired)),
  ]);
  return [...new Set(found)].filter((one) => one !== undefined).sort();
}

Deno.test({
  name: "evaluate: each pair of faults gives exactly its findings",
  ignore: Deno.env.get("DRAGOMAN_THOROUGH") !== "1",
  async fn() {
    const wrong: string[] = [];
    const names = Object.keys(FAULTS);
    for (const [at, one] of names.entries()) {
      for (const other of names.slice(at + 1)) {
        const { send, acted } = createFaultyServer({ [one]: FAULTS[one]!, [other]: FAULTS[other]! });
        const server = FAULTS[one]!.server ?? FAULTS[other]!.server;
        const { findings } = await evaluated({ send, server });
        const found = findings.map(({ id }) => id).sort().join(" ");
        const expected = EXCEPTIONS[`${one} + ${other}`] ?? expectedOf(acted).join(" ");
        const own = [one, other].flatMap((name) => FAULTS[name]!.finding ?? []);
        const isRight = [one, other].some((name) => LEARNED.includes(name))
          ? findings.some(({ id }) => own.includes(id))
          : found === expected;
        if (!isRight) wrong.push(`${one} + ${other}: ${found}, not ${expected}`);
      }
    }
    assert.deepEqual(wrong, []);
  },
});
