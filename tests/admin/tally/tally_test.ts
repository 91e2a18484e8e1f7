import assert from "node:assert/strict";
import { addDecision, addRequest, addResult, emptyTally, figuresOf } from "../../../src/admin/tally/tally.ts";
import { decisionLine, requestLine, resultLine } from "../../support/audit_lines.ts";

Deno.test("figuresOf counts answers that printed calls as text among answers to requests that offered tools", () => {
  const tally = emptyTally();
  addRequest(tally, requestLine({ addedMs: 1, firstMs: 20 }));
  addRequest(tally, requestLine({ printedAsText: false, addedMs: 3, firstMs: 40 }));
  addRequest(tally, requestLine({ tools: 0, firstMs: null }));
  addRequest(tally, requestLine({ client: null }));
  addRequest(tally, requestLine({ status: 502, error: "upstream_unreachable" }));
  addRequest(tally, requestLine({ error: "client_left", printedAsText: false }));
  const { requests, errors, answers, printedAsText, printedAsTextRate, errorRate, addedMsMax, firstMsMean } =
    figuresOf(tally);
  assert.deepEqual([requests, errors, answers, printedAsText], [6, 1, 3, 1]);
  assert.deepEqual([printedAsTextRate, errorRate, addedMsMax, firstMsMean], [1 / 3, 1 / 6, 3, 30]);
});

Deno.test("figuresOf counts as success the calls made of all attempts", () => {
  const tally = emptyTally();
  const reasons = ["transformed", "would_transform", "malformed", "unwritable", "missing_required"] as const;
  for (const reason of reasons) addDecision(tally, decisionLine(reason));
  addDecision(tally, decisionLine("truncated", { outcome: "failed" }));
  // Examples are candidates, but no attempts; a near miss, a plugin's refusal and notes are neither.
  for (const reason of ["quoted", "echo"] as const) addDecision(tally, decisionLine(reason));
  for (const reason of ["near_miss", "plugin_refused", "plugin_note", "json_repaired"] as const) {
    addDecision(tally, decisionLine(reason));
  }
  addDecision(tally, decisionLine("repeated_call", { rule: "native" }));
  // A reading that another decision counts is nothing.
  addDecision(tally, decisionLine("malformed", { repeats: true }));
  addDecision(tally, decisionLine("near_miss", { repeats: true }));
  const { candidates, attempts, successRate, nearMisses, repairs, abstained, printedCalls, reachedAsText } =
    figuresOf(tally);
  assert.deepEqual([candidates, attempts, successRate], [8, 6, 2 / 6]);
  // The dry run's call, three attempts that were left, the near miss and the refusal; the broken one arrived in part.
  assert.deepEqual([printedCalls, reachedAsText], [8, 6]);
  assert.deepEqual([nearMisses, repairs, abstained], [1, 1, 5]);
});

Deno.test("figuresOf counts the calls that agents accepted", () => {
  const tally = emptyTally();
  for (const verdict of ["accepted", "accepted", "rejected"] as const) addResult(tally, resultLine(verdict));
  const { accepted, rejected, acceptanceRate } = figuresOf(tally);
  assert.deepEqual([accepted, rejected, acceptanceRate], [2, 1, 2 / 3]);
});
