import assert from "node:assert/strict";
import { outcomeOf } from "../../../src/admin/audit/outcome.ts";
import { REASONS } from "../../../src/engine/event/reasons.ts";
import { kindOf } from "../../../src/admin/page/mark_kind.ts";

Deno.test("kindOf gives every reason code a kind, and a near miss one of its own", () => {
  const kinds = Object.keys(REASONS).map((reason) =>
    kindOf(reason as "quoted", outcomeOf(reason as "quoted"))
  );
  assert.deepEqual([...new Set(kinds)].sort(), ["call", "near", "remark", "repair", "text", "would"]);
  assert.equal(kindOf("truncated", "failed"), "broken");
  assert.equal(kindOf("would_transform", "would_transform"), "would");
});
