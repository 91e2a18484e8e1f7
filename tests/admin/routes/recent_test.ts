import assert from "node:assert/strict";
import { Recent } from "../../../src/admin/routes/recent.ts";
import type { DecisionLine, RequestLine } from "../../../src/admin/audit/line.ts";

Deno.test("Recent keeps the last hundred decisions, the latest first, and counts all", () => {
  const recent = new Recent();
  for (let call = 0; call < 150; call++) {
    const outcome = call % 3 === 0 ? "abstained" : "transformed";
    recent.add([
      { kind: "decision", rule: "demo", outcome, call } as DecisionLine,
      { kind: "request" } as RequestLine,
    ]);
  }
  assert.deepEqual([recent.decisions.length, recent.decisions[0]?.call, recent.requests], [100, 149, 150]);
  assert.deepEqual(recent.hitsOf("demo"), { left: 50, made: 100 });
  assert.deepEqual(recent.hitsOf("none"), {});
});
