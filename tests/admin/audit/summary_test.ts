import assert from "node:assert/strict";
import { leftText, summarize, summarizeUnwatched } from "../../../src/admin/audit/summary.ts";
import { decisionLine, requestLine } from "../../support/audit_lines.ts";

Deno.test("summarize counts each outcome of a request's decisions once", () => {
  const found = summarize([
    decisionLine("transformed"),
    decisionLine("json_repaired"),
    decisionLine("quoted"),
    decisionLine("quoted"),
    decisionLine("near_miss"),
    decisionLine("malformed", { repeats: true }),
    decisionLine("truncated", { outcome: "failed" }),
    decisionLine("plugin_note"),
    requestLine({ calls: 3 }),
  ]);
  assert.ok(found);
  const { calls, leftAsText, failed, repaired, nearMisses } = found;
  assert.deepEqual({ calls, leftAsText, failed, repaired, nearMisses }, {
    calls: 3,
    leftAsText: { quoted: 2 },
    failed: 1,
    repaired: 1,
    nearMisses: 1,
  });
  assert.equal(summarize([]), undefined);
});

Deno.test("summarizeUnwatched names the route of a request that isn't a chat, and has no calls", () => {
  const request = { beganAt: 1, method: "GET", path: "/v2", status: 404, error: "not_found", durationMs: 2 };
  const { route, status, error, client, model, calls } = summarizeUnwatched(request);
  assert.deepEqual(
    [route, status, error, client, model, calls],
    ["GET /v2", 404, "not_found", null, null, 0],
  );
  assert.equal(summarizeUnwatched({ ...request, method: "", path: "", error: undefined }).route, null);
});

Deno.test("leftText counts each reason", () => {
  const table: [Record<string, number>, string][] = [
    [{}, ""],
    [{ quoted: 1 }, "1 left as text (quoted)"],
    [{ quoted: 2 }, "2 left as text (quoted)"],
    [{ malformed: 2, truncated: 1 }, "3 left as text (2 malformed, truncated)"],
  ];
  for (const [reasons, text] of table) assert.equal(leftText(reasons), text);
});
