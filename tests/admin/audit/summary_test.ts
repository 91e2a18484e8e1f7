import assert from "node:assert/strict";
import { endsOf, summarize, summarizeUnwatched } from "../../../src/admin/audit/summary.ts";
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

Deno.test("endsOf states each end of a request's calls with its own words, the reasons of left texts, and the tools", () => {
  const plain = summarize([requestLine({ calls: 0 })])!;
  const table: [Partial<typeof plain>, string][] = [
    [{}, ""],
    [{ leftAsText: { quoted: 1 } }, "1 left as text (quoted)"],
    [{ leftAsText: { quoted: 2 } }, "2 left as text (quoted)"],
    [{ leftAsText: { malformed: 2, truncated: 1 } }, "3 left as text (2 malformed, truncated)"],
    [{ calls: 3, called: ["a", "b", "a"] }, "a ×2, b ×1"],
    [{ calls: 9, called: ["a", "b", "c", "d", "a"] }, "a ×2, b ×1, c ×1, 5 more"],
    [{ calls: 2 }, "2 calls"],
    [{ calls: 1, called: ["a"], mode: "dry_run" }, "a ×1 (not converted: dry run)"],
    [
      { lost: 1, failed: 2, refused: 3, nearMisses: 1, repaired: 2 },
      "1 lost, 2 broke off, 3 refused, 1 near miss, 2 repairs",
    ],
  ];
  for (const [more, text] of table) {
    const ends = endsOf({ ...plain, ...more }).map(({ text, more }) => `${text} ${more}`.trimEnd());
    assert.equal(ends.join(", "), text);
  }
});
