import assert from "node:assert/strict";
import { addDecision, addRequest, emptyTally, figuresOf } from "../../src/report/tally.ts";
import { decisionLine, requestLine } from "../support/audit_lines.ts";

Deno.test("figuresOf counts a request with several leaked calls once, and native calls not at all", () => {
  const tally = emptyTally();
  addRequest(tally, requestLine({ addedMs: 1 }));
  addRequest(tally, requestLine({ request: "other", addedMs: 3 }));
  for (let call = 0; call < 3; call++) addDecision(tally, decisionLine("transformed", { call }));
  addDecision(tally, decisionLine("transformed", { request: "other", rule: "native" }));
  const { leakRate, leaked, transformed, addedMsMean, addedMsMax } = figuresOf(tally);
  assert.deepEqual([leakRate, leaked, transformed, addedMsMean, addedMsMax], [0.5, 1, 4, 2, 3]);
});

Deno.test("figuresOf counts a near miss as a leak that no rule read", () => {
  const tally = emptyTally();
  addRequest(tally, requestLine());
  addDecision(tally, decisionLine("near_miss", { rule: "none", call: null }));
  const { leakRate, nearMisses, abstained, transformed } = figuresOf(tally);
  assert.deepEqual([leakRate, nearMisses, abstained, transformed], [1, 1, 1, 0]);
});
