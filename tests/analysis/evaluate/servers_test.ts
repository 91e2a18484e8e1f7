import assert from "node:assert/strict";
import type { Evaluation } from "../../../src/analysis/evaluate/evaluation.ts";
import { PURPOSES } from "../../../src/analysis/evaluate/battery.ts";
import { sampled } from "../../support/fuzz.ts";
import { evaluated } from "./evaluated.ts";
import { type Fault, FAULTS, HARMLESS } from "./faults.ts";
import { createFaultyServer } from "./faulty_server.ts";

/** A quick evaluation without the tasks that take longest and show nothing else. */
const TASKS = [...PURPOSES.keys()].filter((name) => name !== "chain" && name !== "long_call");

function evaluateFaults(faults: Readonly<Record<string, Fault>>): Promise<Evaluation> {
  const { send } = createFaultyServer(faults);
  const all = Object.values(faults);
  const tasks = all.find(({ tasks }) => tasks)?.tasks ?? TASKS;
  return evaluated({ send, tasks, server: all.find(({ server }) => server)?.server });
}

Deno.test("evaluate: each faulty server gives exactly its finding and its advice", async (t) => {
  for (const [name, fault] of sampled(Object.entries(FAULTS), 8)) {
    await t.step(name, async () => {
      const { findings, recommended, lost, columns } = await evaluateFaults({ [name]: fault });
      const shown = JSON.stringify(columns.map(({ name, k, n }) => `${name} ${k}/${n}`));
      assert.deepEqual(findings.map(({ id }) => id), [fault.finding], `${shown} ${JSON.stringify(findings)}`);
      assert.equal(findings[0]?.left === 0, fault.isRepaired, `${shown} ${JSON.stringify(findings)}`);
      // What is seen seldom is measured, tried or left alone, as chance has it.
      const isCertain = recommended?.strength === "measured" || fault.isByChance === true;
      const advised = fault.isByChance === true && recommended === undefined
        ? fault.recommended
        : isCertain
        ? recommended?.column
        : undefined;
      assert.equal(advised, fault.recommended, `${shown} ${JSON.stringify(recommended)}`);
      assert.deepEqual(lost, []);
    });
  }
});

Deno.test("evaluate: a busy server, broken connections and missing usage never count as wrong", async (t) => {
  for (const [name, fault] of Object.entries(HARMLESS)) {
    await t.step(name, async () => {
      const { findings, columns, recommended } = await evaluateFaults({ [name]: fault });
      assert.deepEqual(findings, []);
      assert.equal(recommended, undefined);
      for (const { k, n, unmeasured } of columns) {
        assert.deepEqual([k, unmeasured], [n, name.startsWith("always") ? 3 : 0]);
      }
    });
  }
});
