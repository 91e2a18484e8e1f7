import assert from "node:assert/strict";
import {
  healedRequestLines,
  type HealedRequests,
  watchHealedRequests,
} from "../../../src/cli/service/healed_requests.ts";
import { requestFacts } from "../../support/request_facts.ts";

Deno.test("watchHealedRequests reports each kind of change once", () => {
  const reported: HealedRequests[] = [];
  const watch = watchHealedRequests((healed) => reported.push(healed));
  const place = { choice: 0, isSent: false };
  for (const [reason, detail] of [["healed_ids", "a"], ["server_tool", "b"], ["healed_ids", "a"]] as const) {
    watch(requestFacts()).observe(
      { kind: "note", reason, rule: "llama.cpp", detail, start: 0, end: 0 },
      place,
    );
  }
  const { upstream } = requestFacts();
  assert.deepEqual(reported, [{ upstream, reason: "healed_ids", by: "llama.cpp", detail: "a" }]);
});

Deno.test("healedRequestLines states what is changed and why, and how to switch it off", () => {
  const healed = { upstream: "local", reason: "healed_ids", detail: "nine\u001b[31m" } as const;
  const known = healedRequestLines({ ...healed, by: "llama.cpp" });
  assert.match(known, /^\d\d:\d\d:\d\d {2}healed_ids: requests for local are changed for llama\.cpp: nine/);
  assert.ok(!known.includes("\u001b"));
  assert.match(known, /set heal: false for the upstream\n$/);
  assert.match(healedRequestLines({ ...healed, by: "refused" }), /after its server refused one/);
});
