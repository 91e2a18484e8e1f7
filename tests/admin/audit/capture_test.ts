import assert from "node:assert/strict";
import { captureRequest } from "../../../src/admin/audit/capture.ts";
import { type Capture, parseCapture } from "../../../src/analysis/replay/capture.ts";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import type { RequestFacts } from "../../../src/proxy/exchange/watch.ts";
import { requestFacts } from "../../support/request_facts.ts";

const TOOL = {
  type: "function",
  function: { name: "t", parameters: { properties: { password: { type: "string" } } } },
};

const FACTS = requestFacts({
  conversation: "",
  chat: { tools: [TOOL], messages: [{ role: "user", content: "private words" }] },
  secrets: ["key-12345678"],
});
const EVENTS: readonly ContentEvent[] = [
  { kind: "note", reason: "unknown_tool", rule: "demo", start: 0, end: 4 },
  { kind: "call_start", call: 0, tool: "t", rule: "demo", confidence: 1 },
  { kind: "arguments", call: 0, json: '{"password":"hunter2"}' },
  { kind: "call_end", call: 0 },
  { kind: "note", reason: "transformed", rule: "demo", tool: "t", call: 0, start: 5, end: 20 },
  { kind: "note", reason: "json_repaired", rule: "demo", tool: "t", call: 0, start: 5, end: 20 },
  { kind: "note", reason: "healed_schema", rule: "server", tool: "t", detail: "pattern", start: 0, end: 0 },
];

function capture(facts: RequestFacts, pieces: readonly string[], keepsMessages = false): Capture[] {
  const kept: Capture[] = [];
  const watch = captureRequest(facts, (each) => kept.push(each), { keepsMessages });
  for (const piece of pieces) watch.text?.(piece);
  for (const event of EVENTS) watch.observe(event, { choice: 0, isSent: false });
  watch.end({ status: 200, durationMs: 1, addedMs: 1, pieces: 1 });
  return kept;
}

Deno.test("captureRequest keeps text, tools and calls, and no secret and no message of the person", () => {
  const [kept] = capture(FACTS, ["say hun", "ter2 key-12345678"]);
  assert.equal(kept?.text, "say [redacted] [redacted]");
  assert.deepEqual(kept?.tools, [TOOL]);
  assert.deepEqual(kept?.calls, [{ tool: "t", rule: "demo", arguments: '{"password":"[redacted]"}' }]);
  assert.deepEqual(kept?.refused, ["unknown_tool"]);
  assert.deepEqual(kept?.healed, ["healed_schema for server: t: pattern"]);
  assert.ok(!JSON.stringify(kept).includes("private words"));
});

Deno.test("captureRequest keeps the user's last message if it is wanted, without secrets and not longer than its limit", () => {
  const messages = [
    { role: "user", content: "an earlier task" },
    {
      role: "user",
      content: [{ type: "text", text: "Send hunter2 and key-12345678. " + "x".repeat(70_000) }],
    },
    { role: "assistant", content: "" },
    { role: "tool", content: "a result" },
  ];
  const [kept] = capture({ ...FACTS, chat: { tools: [TOOL], messages } }, ["x"], true);
  assert.match(kept?.user ?? "", /^Send \[redacted\] and \[redacted\]\. x+$/);
  assert.equal(kept?.user?.length, 64 * 1024);
  assert.deepEqual(parseCapture(JSON.stringify(kept))?.user, kept?.user);
  assert.equal(capture({ ...FACTS, chat: { tools: [TOOL] } }, ["x"], true)[0]?.user, null);
});

Deno.test("captureRequest keeps the system prompt where the tools stand in it", () => {
  const chat = { messages: [{ role: "system", content: "# Tools" }] };
  assert.deepEqual(capture({ ...FACTS, chat }, ["x"]).map(({ system, tools }) => [system, tools]), [[
    "# Tools",
    [],
  ]]);
});

Deno.test("captureRequest keeps nothing of an unknown client or of no text", () => {
  assert.deepEqual(capture({ ...FACTS, client: undefined }, ["x"]), []);
  assert.deepEqual(capture(FACTS, []), []);
});
