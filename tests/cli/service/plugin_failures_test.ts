import assert from "node:assert/strict";
import { watchPluginFailures } from "../../../src/cli/service/plugin_failures.ts";
import { requestFacts } from "../../support/request_facts.ts";

const FACTS = requestFacts({ secrets: ["key-12345678"] });
const FAILED = {
  kind: "note",
  reason: "plugin_failed",
  rule: "careful",
  start: 0,
  end: 0,
  detail: "onCall threw TypeError at careful.ts:12: no key-12345678\x1b",
} as const;

Deno.test("watchPluginFailures prints a failure once a minute, without secrets and control characters", () => {
  const lines: string[] = [];
  let time = new Date(2026, 4, 1, 9, 5, 7).getTime();
  const watch = watchPluginFailures((line) => lines.push(line), () => time)(FACTS);
  const place = { choice: 0, isSent: false };
  watch.observe(FAILED, place);
  watch.observe(FAILED, place);
  watch.observe({ ...FAILED, reason: "plugin_changed" }, place);
  assert.equal(lines.length, 1);
  assert.match(
    lines[0]!,
    /^09:05:07 {2}plugin_failed: careful: onCall threw TypeError at careful\.ts:12: no /,
  );
  assert.ok(!lines[0]!.includes("key-12345678") && !lines[0]!.includes("\x1b"), lines[0]!);
  time += 60_000;
  watch.observe(FAILED, place);
  assert.equal(lines.length, 2);
});
