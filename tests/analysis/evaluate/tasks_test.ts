import assert from "node:assert/strict";
import { evaluated } from "./evaluated.ts";
import { type Fault, FAULTS } from "./faults.ts";
import { createFaultyServer } from "./faulty_server.ts";

/** The tasks that a quick evaluation leaves out. */
const TASKS = [
  "none_allowed",
  "named",
  "error_used",
  "three_calls",
  "long_history",
  "clarify",
  "big_edit",
  "long_no_call",
  "quoted",
  "echo",
  "thinking",
  "big_file",
  "chain",
];

function evaluateTasks(faults: Readonly<Record<string, Fault>>, tasks: readonly string[]) {
  const { send } = createFaultyServer(faults);
  return evaluated({ send, mode: "default", tasks });
}

Deno.test("evaluate: a perfect model does every task, whole and streamed", async () => {
  const { columns, findings, failures } = await evaluateTasks({}, TASKS);
  assert.deepEqual(findings, [], JSON.stringify(failures[0]));
  assert.deepEqual(columns.map(({ name, k, n }) => [name, k, n]), [["alone", 65, 65], ["dragoman", 65, 65]]);
});

Deno.test("evaluate: a chain goes on with what each column gets", async () => {
  const { tasks, findings } = await evaluateTasks({ text: FAULTS.text! }, ["chain", "plain_call"]);
  assert.deepEqual(tasks.find(({ name }) => name === "chain")?.cells, {
    alone: { k: 0, n: 5 },
    dragoman: { k: 5, n: 5 },
  });
  assert.deepEqual(findings.map(({ id, alone, left }) => [id, alone, left]), [[
    "calls_printed_as_text",
    10,
    0,
  ]]);
  const dropped = await evaluateTasks({ dropped_tools: FAULTS.dropped_tools! }, [
    "chain",
    "plain_call",
    "no_call",
  ]);
  assert.deepEqual(dropped.tasks.find(({ name }) => name === "chain")?.cells, {
    alone: { k: 0, n: 5 },
    dragoman: { k: 0, n: 5 },
    prompted: { k: 5, n: 5 },
  });
  assert.deepEqual(dropped.findings.map(({ id }) => id), ["tools_not_in_prompt"]);
});

Deno.test("evaluate: a chain that isn't finished, and one that repeats itself", async () => {
  const early: Fault = {
    finding: "chain_unfinished",
    stage: 2,
    isRepaired: false,
    apply: (draft, { question }) =>
      question?.task === "chain" ? { ...draft, calls: [], text: "Done." } : draft,
  };
  const again: Fault = {
    finding: "repeats_call",
    stage: 2,
    isRepaired: false,
    apply: (draft, { question }) =>
      question?.task === "chain"
        ? { ...draft, text: "", calls: [{ tool: "list_files", arguments: { folder: "." } }] }
        : draft,
  };
  for (const fault of [early, again]) {
    const { findings } = await evaluateTasks({ fault }, ["chain", "plain_call"]);
    assert.deepEqual(findings.map(({ id, tasks }) => [id, tasks]), [[fault.finding, ["chain"]]]);
  }
});
