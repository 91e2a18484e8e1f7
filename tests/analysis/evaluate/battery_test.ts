import assert from "node:assert/strict";
import type { Answer } from "../../../src/analysis/evaluate/answer.ts";
import { estimateTokens, type Question, questionsOf } from "../../../src/analysis/evaluate/battery.ts";
import { checkAnswer, type Reading } from "../../../src/analysis/evaluate/check.ts";
import { checkArguments } from "../../../src/engine/tool/validate.ts";
import { offeredTool } from "../../../src/analysis/replay/tool_list.ts";

const NOTHING: Reading = { rules: [], isNearMiss: false, isInReasoning: false, isUnknownTool: false };

const all = questionsOf({ model: "m", mode: "thorough" });

/** The right answer to a question without a chain. */
function rightAnswer({ expect, request }: Question): Answer {
  const calls = Array.isArray(expect.calls) ? expect.calls : expect.calls === "some"
    ? [{
      tool: expect.tool ?? "list_files",
      arguments: expect.tool === "search" ? { text: "a" } : { folder: "." },
    }]
    : [];
  return {
    status: 200,
    text: calls.length > 0 ? "" : `It is ${expect.text ?? "nothing"}.`,
    reasoning: "",
    calls: calls.map(({ tool, arguments: given }, at) => ({
      id: `call${at}`,
      name: tool,
      arguments: JSON.stringify(given),
    })),
    finish: calls.length > 0 ? "tool_calls" : "stop",
    isStreamed: request.stream === true,
    oddities: new Set(),
  };
}

Deno.test("battery: no request is sent twice, and each expects calls that its tools allow", () => {
  assert.equal(new Set(all.map(({ request }) => JSON.stringify(request))).size, all.length);
  assert.deepEqual(
    ["quick", "default", "thorough"].map((mode) => questionsOf({ model: "m", mode: mode as "quick" }).length),
    [36, 120, 480],
  );
  for (const { task, repeat, expect, request } of all) {
    assert.ok(
      !/\{(?:file|folder|nonce|number|other|system|long|rows|base)\}/.test(JSON.stringify([request, expect])),
      task,
    );
    for (const { tool, arguments: given } of Array.isArray(expect.calls) ? expect.calls : []) {
      const offered = request.tools?.find(({ function: one }) => one?.name === tool);
      assert.deepEqual(
        checkArguments(offeredTool(offered!).schema, given),
        { missing: [], wrong: [] },
        `${task} ${repeat}`,
      );
    }
  }
  const { read, written } = estimateTokens(questionsOf({ model: "m", mode: "quick" }));
  assert.ok(read > 40_000 && read < 80_000 && written > 1000 && written < 15_000, `${read} ${written}`);
});

Deno.test("battery: streamed and whole answers are both asked for", () => {
  for (const task of ["exact_content", "types", "two_calls", "long_call", "chain"]) {
    const forms = all.filter((one) => one.task === task).map(({ request }) => request.stream === true);
    assert.equal(new Set(forms).size, 2, task);
  }
});

/** Changes of a right answer, each of which makes it wrong where it changes something. */
const MUTANTS: readonly ((answer: Answer) => Answer)[] = [
  (answer) => ({ ...answer, status: 400 }),
  (answer) => ({ ...answer, error: "it failed" }),
  (answer) => ({ ...answer, finish: "length" }),
  (answer) => ({ ...answer, finish: null }),
  (answer) => ({ ...answer, text: "", calls: [] }),
  (answer) => ({ ...answer, oddities: new Set(["index_repeats"]) }),
  (answer) => ({ ...answer, oddities: new Set(["swallowed"]) }),
  (answer) => ({ ...answer, oddities: new Set(["broken_off"]) }),
  (answer) => ({ ...answer, calls: answer.calls.map((call) => ({ ...call, id: "" })) }),
  (answer) => ({ ...answer, calls: [...answer.calls, ...answer.calls.slice(0, 1)] }),
  (answer) => ({ ...answer, calls: answer.calls.map((call) => ({ ...call, name: "other" })) }),
  (answer) => ({
    ...answer,
    calls: answer.calls.map((call) => ({ ...call, arguments: `${call.arguments}}` })),
  }),
  (answer) => ({
    ...answer,
    calls: answer.calls.map((call) => ({ ...call, arguments: JSON.stringify(call.arguments) })),
  }),
  (answer) => ({
    ...answer,
    calls: answer.calls.map((call) => ({ ...call, arguments: JSON.parse(String(call.arguments)) })),
  }),
  (answer) => ({
    ...answer,
    calls: answer.calls.map((call) => ({
      ...call,
      arguments: JSON.stringify({ ...JSON.parse(String(call.arguments)), more: 1 }),
    })),
  }),
];

Deno.test("battery: the right answer passes, and every mutant of it fails", () => {
  for (const question of questionsOf({ model: "m", mode: "default" })) {
    if (question.files !== undefined) continue;
    const right = rightAnswer(question);
    assert.deepEqual([...checkAnswer(question, right, NOTHING)], [], `${question.task} ${question.repeat}`);
    for (const [at, mutate] of MUTANTS.entries()) {
      const mutant = mutate(right);
      if (JSON.stringify(mutant) === JSON.stringify(right) && mutant.oddities.size === 0) continue;
      assert.ok(checkAnswer(question, mutant, NOTHING).size > 0, `${question.task}, mutant ${at}`);
    }
    const problems = checkAnswer(question, right, { ...NOTHING, rules: ["a_rule"] });
    assert.equal(
      problems.size,
      question.expect.shows === true ? 0 : 1,
      "only an answer that shows a call has one",
    );
  }
});

Deno.test("battery: one changed character of a file is noticed, a line end at its end is not", () => {
  const question = all.find(({ task }) => task === "exact_content")!;
  const right = rightAnswer(question);
  const withContent = (change: (text: string) => string): Answer => ({
    ...right,
    calls: right.calls.map((call) => {
      const given = JSON.parse(String(call.arguments));
      return { ...call, arguments: JSON.stringify({ ...given, content: change(given.content) }) };
    }),
  });
  assert.deepEqual([...checkAnswer(question, withContent((text) => `${text}\n`), NOTHING)], []);
  for (
    const [from, to] of [["\\", ""], ["&lt;", "<"], ["\t", " "], ["ü", "u"], ["</tool_call>", ""]] as const
  ) {
    assert.deepEqual([...checkAnswer(question, withContent((text) => text.replace(from, to)), NOTHING)], [
      "values",
    ], from);
  }
});
