/**
 * Pairs of faults: each answer has one cause, the first in the order of causes of the faults that changed it. Dragoman
 * repairs some faults, and then the other one shows.
 *
 * @module
 */
import assert from "node:assert/strict";
import { PURPOSES } from "../../../src/analysis/evaluate/battery.ts";
import type { FindingName } from "../../../src/analysis/evaluate/findings.ts";
import { IS_THOROUGH, runs } from "../../support/fuzz.ts";
import { evaluated } from "./evaluated.ts";
import { FAULTS } from "./faults.ts";
import { createFaultyServer, type FaultyServer } from "./faulty_server.ts";

/** A quick evaluation without the tasks that take longest. */
const TASKS = [...PURPOSES.keys()].filter((name) => name !== "chain" && name !== "long_call");

/** Root causes first. */
const ORDER: readonly FindingName[] = [
  "tools_refused",
  "parser_failed",
  "schema_refused",
  "error_as_answer",
  "request_fails",
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
  "names_changed",
  "context_cut",
  "only_reasoning",
  "empty_answer",
  "repeats_call",
  "ignores_tool_choice",
  "answers_in_words",
  "call_twice",
  "missing_required",
  "no_parallel_calls",
  "wrong_tool",
  "wrong_types",
  "arguments_differ",
  "result_ignored",
  "tokens_left",
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
  // Nothing follows the reasoning, so Dragoman takes the call in it for the answer.
  "reasoning + open_reasoning": "arguments_differ begins_in_reasoning wrong_tool",
  "only_reasoning + open_reasoning": "begins_in_reasoning calls_without_need",
  // A call that isn't needed comes twice.
  "always_calls + called_twice": "call_twice calls_without_need",
  // The token is the text of an answer that has none.
  "only_reasoning + left_tokens": "tokens_left",
  // The answer has a text, the token, so the call in the reasoning isn't looked for.
  "reasoning + left_tokens": "only_reasoning tokens_left",
  // Dragoman doesn't end the arguments of a call that lacks a required parameter.
  "lost_parameter + lost_stream_end": "invalid_arguments stream_differs",
  // Where two calls have one index, Dragoman can't know what the first one's arguments lack.
  "lost_stream_end + same_index": "call_index_repeats invalid_arguments stream_differs",
  // Of two calls with one index, the index is the first cause.
  "lost_stream_start + same_index": "call_index_repeats stream_differs",
  // No whole answer shows what the same request gets: all are errors.
  "text_in_streams + parser_error": "calls_printed_as_text parser_failed",
  // An error ends the stream before it is cut.
  "cut_streams + error_events": "error_as_answer",
  "swallowed_errors + error_events": "error_as_answer",
  "lost_stream_start + error_events": "error_as_answer",
  // Dragoman asked again with the parser off, and that stream has the error.
  "parser_error + error_events": "error_as_answer parser_failed",
  // Through Dragoman, the reasoning is all that there is.
  "open_reasoning + lost_call": "begins_in_reasoning only_reasoning",
  "open_reasoning + empty_answer": "begins_in_reasoning only_reasoning",
  // Dragoman asked again with the parser off; its own error states that this stream ended early.
  "parser_error + swallowed_errors": "parser_failed stream_cut",
};

function firstOf(names: readonly string[]): FindingName | undefined {
  const found = names.flatMap((name) => FAULTS[name]!.finding ?? []);
  return found.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))[0];
}

/** The findings that the faults' own record demands. */
function expectedOf(acted: FaultyServer["acted"]): string[] {
  // Requests without tools are those of a setting, unless Dragoman asks so itself because tools are refused.
  const isPrompted = acted.some(({ faults }) => faults.includes("refused_tools"));
  const own = acted.filter(({ hasTools }) => hasTools || isPrompted);
  const found = own.flatMap(({ faults, isRaw, hasTools }) => [
    // Only Dragoman switches a parser off.
    isRaw || !hasTools ? undefined : firstOf(faults),
    firstOf(faults.filter((name) => !FAULTS[name]!.isRepaired)),
  ]);
  return [...new Set(found)].filter((one) => one !== undefined).sort();
}

/** Of how many pairs one is tried; all take four minutes. The seed says which, and those in the table are always tried. */
const SHARE = 4;

Deno.test({
  name: "evaluate: each pair of faults gives exactly its findings",
  ignore: !IS_THOROUGH,
  async fn() {
    const wrong: string[] = [];
    const names = Object.keys(FAULTS);
    const { seed, numRuns } = runs(1);
    const share = numRuns > 1 ? 1 : SHARE;
    for (const [at, one] of names.entries()) {
      for (const [beyond, other] of names.slice(at + 1).entries()) {
        if ((at + beyond + seed) % share !== 0 && !(`${one} + ${other}` in EXCEPTIONS)) continue;
        const { send, acted } = createFaultyServer({ [one]: FAULTS[one]!, [other]: FAULTS[other]! });
        const server = FAULTS[one]!.server ?? FAULTS[other]!.server;
        const { findings } = await evaluated({ send, server, tasks: TASKS });
        const found = findings.map(({ id }) => id).sort().join(" ");
        const expected = EXCEPTIONS[`${one} + ${other}`] ?? expectedOf(acted).join(" ");
        if (found !== expected) wrong.push(`${one} + ${other}: ${found}, not ${expected}`);
      }
    }
    assert.deepEqual(wrong, []);
  },
});
