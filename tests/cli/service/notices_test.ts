import assert from "node:assert/strict";
import { printNotices, printPluginFailures } from "../../../src/cli/service/notices.ts";
import type { NoteEvent } from "../../../src/engine/event/event.ts";
import type { WatchRequest } from "../../../src/proxy/exchange/watch.ts";
import { requestFacts } from "../../support/request_facts.ts";

const FACTS = requestFacts({ secrets: ["key-12345678"] });

function show(watch: WatchRequest, notes: readonly Pick<NoteEvent, "reason" | "rule" | "detail" | "tool">[]) {
  const request = watch(FACTS);
  for (const note of notes) {
    request.observe({ kind: "note", start: 0, end: 0, ...note }, { choice: 0, isSent: false });
  }
}

Deno.test("printNotices prints each kind of change once: what, why, and how to switch it off", () => {
  const lines: string[] = [];
  const watch = printNotices((text) => lines.push(text));
  const healed = { reason: "healed_ids", rule: "llama.cpp", detail: "nine\u001b[31m" } as const;
  show(watch, [healed, { ...healed, reason: "near_miss" }, healed, { ...healed, rule: "refused" }]);
  const requests = `healed_ids: requests for ${FACTS.upstream} are changed`;
  assert.equal(lines.length, 2);
  assert.match(lines[0]!, new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}${requests} for llama\\.cpp: nine`));
  assert.ok(!lines[0]!.includes("\u001b"));
  assert.match(lines[0]!, /\n {10}.*set heal: false for the upstream\n$/);
  assert.match(lines[1]!, /after its server refused a request/);
});

Deno.test("printNotices names the tool, with control characters escaped, and the setting", () => {
  const lines: string[] = [];
  const note = { rule: "responses", tool: "web\u001b[31m" };
  show(printNotices((text) => lines.push(text)), [
    { ...note, reason: "near_miss" },
    { ...note, reason: "server_tool" },
  ]);
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /^\d\d:\d\d:\d\d {2}server_tool: the model isn't offered web/);
  assert.ok(!lines[0]!.includes("\u001b"));
  assert.match(lines[0]!, /set tools\.server_tools\n$/);
});

Deno.test("printNotices names both models and the key that switches it off", () => {
  const lines: string[] = [];
  const note = { rule: "local", detail: "haiku\u001b became real" };
  show(printNotices((text) => lines.push(text)), [
    { ...note, reason: "near_miss" },
    { ...note, reason: "only_model" },
  ]);
  assert.equal(lines.length, 1);
  assert.match(
    lines[0]!,
    /only_model: .* has only one model, so requests use that model: haiku.* became real\n.*one_model: false/,
  );
  assert(!lines[0]!.includes("\u001b"));
});

Deno.test("printPluginFailures prints a failure once a minute, without secrets and control characters", () => {
  const lines: string[] = [];
  let time = new Date(2026, 4, 1, 9, 5, 7).getTime();
  const watch = printPluginFailures((line) => lines.push(line), () => time);
  const detail = "onCall threw TypeError at careful.ts:12: no key-12345678\x1b";
  const failed = { reason: "plugin_failed", rule: "careful", detail } as const;
  show(watch, [failed, failed, { ...failed, reason: "plugin_changed" }]);
  assert.equal(lines.length, 1);
  assert.match(
    lines[0]!,
    /^09:05:07 {2}plugin_failed: careful: onCall threw TypeError at careful\.ts:12: no /,
  );
  assert.ok(!lines[0]!.includes("key-12345678") && !lines[0]!.includes("\x1b"), lines[0]!);
  time += 60_000;
  show(watch, [failed]);
  assert.equal(lines.length, 2);
});
