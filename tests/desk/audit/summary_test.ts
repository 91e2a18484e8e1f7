import assert from "node:assert/strict";
import { summarize, summarizeUnwatched } from "../../../src/desk/audit/summary.ts";
import { decisionLine, requestLine } from "../../support/audit_lines.ts";

Deno.test("summarize counts each outcome of a request's decisions once", () => {
  const found = summarize([
    decisionLine("transformed"),
    decisionLine("json_repaired"),
    decisionLine("quoted"),
    decisionLine("quoted"),
    decisionLine("near_miss"),
    decisionLine("truncated", { outcome: "failed" }),
    decisionLine("plugin_note"),
    requestLine({ calls: 3 }),
  ]);
  assert.ok(found);
  const { calls, refused, failed, repaired, nearMisses } = found;
  assert.deepEqual({ calls, refused, failed, repaired, nearMisses }, {
    calls: 3,
    refused: { quoted: 2 },
    failed: 1,
    repaired: 1,
    nearMisses: 1,
  });
  assert.equal(summarize([]), undefined);
});

Deno.test("summarizeUnwatched names the route of a request that isn't a chat, and has no calls", () => {
  const request = { beganAt: 1, method: "GET", path: "/v2", status: 404, error: "not_found", durationMs: 2 };
  const { route, status, error, client, model, calls } = summarizeUnwatched(request);
  assert.deepEqual([route, status, error, client, model, calls], [
    "GET /v2",
    404,
    "not_found",
    null,
    null,
    0,
  ]);
  assert.equal(summarizeUnwatched({ ...request, method: "", path: "", error: undefined }).route, null);
});
