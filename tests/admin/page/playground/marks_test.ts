import assert from "node:assert/strict";
import { stretchesOf } from "../../../../src/admin/page/playground/found_panel.ts";
import type { ExplainedCandidate } from "../../../../src/admin/page/playground/protocol.ts";

function candidate(start: number, end: number, more: Partial<ExplainedCandidate> = {}): ExplainedCandidate {
  const rest = { rule: "r", decision: "call", reason: "transformed", kind: "decision", meaning: "" } as const;
  return { start, end, line: 1, column: 1, ...rest, ...more };
}

function shown(text: string, candidates: readonly ExplainedCandidate[]) {
  return stretchesOf(text, candidates).map(({ text, candidates }) => [text, candidates.length]);
}

Deno.test("stretchesOf divides an answer at its candidates and loses nothing", () => {
  assert.deepEqual(shown("", []), []);
  assert.deepEqual(shown("abc", []), [["abc", 0]]);
  assert.deepEqual(shown("abcdef", [candidate(1, 3), candidate(3, 5)]), [["a", 0], ["bc", 1], ["de", 1], [
    "f",
    0,
  ]]);
});

Deno.test("stretchesOf puts repairs, and candidates inside another one, into the mark of the first decision", () => {
  const repair = candidate(1, 4, { decision: "note", kind: "repair", reason: "json_repaired" });
  const found = stretchesOf("abcdef", [
    repair,
    candidate(1, 4),
    candidate(2, 5),
    candidate(1, 1, { kind: "remark" }),
  ]);
  assert.deepEqual(found.map(({ text }) => text), ["a", "bcde", "f"]);
  assert.equal(found[1]?.candidates.length, 4);
  assert.equal(found[1]?.candidates[0]?.kind, "decision");
});
