import assert from "node:assert/strict";
import { isAnswerLine, isErrorLine, standingOf } from "../../../src/desk/audit/standing.ts";
import type { Reason } from "../../../src/engine/event/reason.ts";
import { decisionLine, requestLine } from "../../support/audit_lines.ts";

Deno.test("standingOf tells candidates, attempts, calls made and leaks", () => {
  const table: [Reason, string, string][] = [
    ["transformed", "candidate attempt made leak", "qwen_xml"],
    ["rollout_excluded", "candidate attempt made leak", "qwen_xml"],
    ["malformed", "candidate attempt leak", "qwen_xml"],
    ["quoted", "candidate", "qwen_xml"],
    ["near_miss", "leak", "none"],
    ["plugin_refused", "leak", "qwen_xml"],
    ["plugin_note", "", "qwen_xml"],
    ["json_repaired", "", "qwen_xml"],
    ["repeated_call", "", "native"],
    ["transformed", "", "plugin"],
  ];
  for (const [reason, expected, rule] of table) {
    const { isCandidate, isAttempt, isMade, isLeak } = standingOf(decisionLine(reason, { rule }));
    const found = { candidate: isCandidate, attempt: isAttempt, made: isMade, leak: isLeak };
    assert.equal(
      Object.entries(found).filter(([, is]) => is).map(([name]) => name).join(" "),
      expected,
      reason,
    );
  }
  const failed = standingOf(decisionLine("truncated", { outcome: "failed" }));
  assert.deepEqual([failed.isAttempt, failed.isMade], [true, false]);
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
