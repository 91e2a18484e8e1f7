import assert from "node:assert/strict";
import { isAnswerLine, isErrorLine, standingOf } from "../../../src/admin/audit/classification.ts";
import type { Reason } from "../../../src/engine/event/reason.ts";
import { decisionLine, requestLine } from "../../support/audit_lines.ts";

Deno.test("standingOf tells candidates, attempts, calls made, printed ones and those that reached the agent as text", () => {
  const table: [Reason, string, string][] = [
    ["transformed", "candidate attempt made printed", "qwen_xml"],
    ["rollout_excluded", "candidate attempt made printed reached", "qwen_xml"],
    ["malformed", "candidate attempt printed reached", "qwen_xml"],
    ["quoted", "candidate", "qwen_xml"],
    ["near_miss", "printed reached", "none"],
    ["plugin_refused", "printed reached", "qwen_xml"],
    ["plugin_note", "", "qwen_xml"],
    ["json_repaired", "", "qwen_xml"],
    ["repeated_call", "", "native"],
    ["transformed", "", "plugin"],
  ];
  for (const [reason, expected, rule] of table) {
    const { isCandidate, isAttempt, isMade, isPrinted, isReached } = standingOf(
      decisionLine(reason, { rule }),
    );
    const found = {
      candidate: isCandidate,
      attempt: isAttempt,
      made: isMade,
      printed: isPrinted,
      reached: isReached,
    };
    assert.equal(
      Object.entries(found).filter(([, is]) => is).map(([name]) => name).join(" "),
      expected,
      reason,
    );
  }
  const failed = standingOf(decisionLine("truncated", { outcome: "failed" }));
  assert.deepEqual([failed.isAttempt, failed.isMade, failed.isReached], [true, false, false]);
  const repeated = standingOf(decisionLine("malformed", { repeats: true }));
  assert.deepEqual(Object.values(repeated).filter((is) => is), []);
});

Deno.test("isErrorLine and isAnswerLine tell errors from answers, and both from clients that left", () => {
  assert.deepEqual([isErrorLine(requestLine()), isAnswerLine(requestLine())], [false, true]);
  const left = requestLine({ error: "client_left" });
  assert.deepEqual([isErrorLine(left), isAnswerLine(left)], [false, true]);
  const page = requestLine({ error: "unreadable_type" });
  assert.deepEqual([isErrorLine(page), isAnswerLine(page)], [true, false]);
  assert.deepEqual([isErrorLine(requestLine({ status: 429 })), isAnswerLine(requestLine({ tools: 0 }))], [
    true,
    false,
  ]);
});
