import assert from "node:assert/strict";
import type { Capture } from "../../../src/analysis/replay/capture.ts";
import { type NearMiss, nearMissLines, watchNearMisses } from "../../../src/cli/service/near_misses.ts";
import { requestFacts } from "../../support/request_facts.ts";
import { createTestContext } from "../../support/context.ts";

const FACTS = requestFacts({ model: "New Model", conversation: "" });
const NOTE = { kind: "note", reason: "near_miss", rule: "none", tool: "read", start: 0, end: 9 } as const;

async function watch(
  notes: readonly (typeof NOTE)[],
  keep?: (capture: Capture) => Promise<string | undefined>,
) {
  const misses: NearMiss[] = [];
  const request = watchNearMisses({ keep, report: (miss) => misses.push(miss) })(FACTS);
  request.text?.("@@call read");
  for (const note of notes) request.observe(note, { choice: 0, isSent: false });
  request.end({ status: 200, durationMs: 1, addedMs: 0, pieces: 1 });
  await new Promise((resolve) => setTimeout(resolve, 0));
  return misses;
}

Deno.test("watchNearMisses reports one near miss of an answer, after its file is written", async () => {
  const kept: Capture[] = [];
  const keep = (capture: Capture) => (kept.push(capture), Promise.resolve("/project/captures/a.json"));
  assert.deepEqual(await watch([NOTE, NOTE], keep), [{
    request: "r",
    model: "New Model",
    tool: "read",
    reason: "near_miss" as const,
    file: "/project/captures/a.json",
  }]);
  assert.deepEqual([kept[0]?.text, kept[0]?.refused], ["@@call read", ["near_miss", "near_miss"]]);
});

Deno.test("nearMissLines prints the command that writes a rule, with a name that is free", () => {
  const context = createTestContext({ workingDirectory: "/project" });
  const place = { context, ruleFolder: "/project/my rules", ruleNames: new Set(["new_model"]) };
  const miss = {
    request: "r",
    model: "New Model",
    tool: "read",
    reason: "near_miss" as const,
    file: "/project/captures/a.json",
  };
  const [line, command] = nearMissLines(miss, place).split("\n");
  assert.match(
    line ?? "",
    /^\d\d:\d\d:\d\d {2}near_miss: the answer of New Model looks like a call to read, /,
  );
  assert.equal(command?.trim(), "dragoman derive captures/a.json --name new_model_2 --output 'my rules'");
});

Deno.test("watchNearMisses reports the third answer of a model that evidence read, with the command for a rule", async () => {
  const misses: NearMiss[] = [];
  const keep = () => Promise.resolve("/project/captures/a.json");
  const watched = watchNearMisses({ keep, report: (miss) => misses.push(miss) });
  const counts: number[] = [];
  for (const model of ["one", "other", "one", "one", "one", "other"]) {
    const request = watched(requestFacts({ model, conversation: "" }));
    request.text?.("<call>read");
    request.observe({ ...NOTE, reason: "read_by_evidence" }, { choice: 0, isSent: false });
    request.end({ status: 200, durationMs: 1, addedMs: 0, pieces: 1 });
    await new Promise((resolve) => setTimeout(resolve, 0));
    counts.push(misses.length);
  }
  assert.deepEqual(counts, [0, 0, 0, 1, 1, 1]);
  const context = createTestContext({ workingDirectory: "/project" });
  const lines = nearMissLines(misses[0]!, { context, ruleFolder: "/project/rules", ruleNames: new Set() });
  assert.match(
    lines,
    /read_by_evidence: 3 answers of one had calls that only evidence read.*of read; a rule.*\n +dragoman derive captures\/a\.json --name one --output rules\n$/,
  );
});

Deno.test("nearMissLines names --record where answers are not recorded", () => {
  const context = createTestContext({ workingDirectory: "/project" });
  const lines = nearMissLines({
    request: "r",
    model: "",
    tool: "read",
    reason: "near_miss" as const,
    file: undefined,
  }, {
    context,
    ruleFolder: "/project/rules",
    ruleNames: new Set(),
  });
  assert.match(lines, /an answer looks like a call to read.*\n.*--record captures\n$/);
});
