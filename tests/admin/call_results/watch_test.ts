import assert from "node:assert/strict";
import { PendingCalls, watchCallResults } from "../../../src/admin/call_results/watch.ts";
import type { ResultLine } from "../../../src/admin/audit/line.ts";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import type { RequestFacts } from "../../../src/proxy/exchange/watch.ts";
import { requestFacts } from "../../support/request_facts.ts";

const FACTS = requestFacts({
  id: "first",
  resultForm: { label: "[{tool}", label_end: "] Result:", rejected: ["invalid"], volatile: [], no_call: [] },
  secrets: ["secret-model"],
});
const PLACE = { choice: 0, isSent: false };
const END = { status: 200, durationMs: 1, addedMs: 1, pieces: 1 };
const start = { kind: "call_start", call: 0, tool: "t", rule: "demo", confidence: 1 } as const;
const CALL: ContentEvent[] = [start, { kind: "call_end", call: 0 }];

/** Answers one request with a call, then sends another with a message. */
function converse(
  message: unknown,
  options: { facts?: Partial<RequestFacts>; id?: string; note?: ContentEvent },
) {
  const lines: ResultLine[] = [];
  const watch = watchCallResults((found) => lines.push(...found));
  const facts = { ...FACTS, ...options.facts };
  const answer = watch(facts);
  for (const event of CALL) answer.observe(event, PLACE);
  if (options.id !== undefined) answer.sent?.({ ...start, id: options.id });
  if (options.note !== undefined) answer.observe(options.note, PLACE);
  answer.end(END);
  const chat = { messages: [{ role: "assistant", content: "" }, message] } as RequestFacts["chat"];
  const next = { ...facts, id: "second", chat };
  watch(next).end(END);
  watch(next).end(END);
  return lines.map(({ answer, request, rule, tool, client, verdict }) =>
    [answer, request, rule, tool, client, verdict].join(" ")
  );
}

Deno.test("watchCallResults reports the result of a call once, by its id or by its label", () => {
  const result = { role: "tool", tool_call_id: "call_1", content: "done" };
  assert.deepEqual(converse(result, { id: "call_1" }), ["first second demo t openai accepted"]);
  assert.deepEqual(converse({ ...result, content: "invalid" }, { id: "call_1" }), [
    "first second demo t openai rejected",
  ]);
  assert.deepEqual(converse(result, { id: "call_2" }), []);
  assert.deepEqual(converse({ role: "user", content: "[t] Result: x" }, {}), [
    "first second demo t openai accepted",
  ]);
});

Deno.test("watchCallResults knows nothing of calls that the client didn't get", () => {
  const labeled = { role: "user", content: "[t] Result: x" };
  const note = { kind: "note", reason: "unwritable", rule: "demo", call: 0, start: 0, end: 0 } as const;
  assert.deepEqual(converse(labeled, { note }), []);
  assert.deepEqual(converse(labeled, { facts: { mode: "dry_run" } }), []);
  assert.deepEqual(converse(labeled, { facts: { resultForm: undefined } }), []);
});

const PENDING = { answer: "a", rule: "r", tool: "t", id: "c" };

Deno.test("PendingCalls keeps the calls of the latest answer of each conversation", () => {
  const pending = new PendingCalls();
  pending.put("one", [PENDING]);
  pending.put("two", [{ ...PENDING, id: "d" }]);
  pending.put("one", [{ ...PENDING, id: "e" }]);
  assert.deepEqual([...pending.of("one"), ...pending.of("two")].map(({ id }) => id), ["e", "d"]);
  pending.put("one", []);
  assert.deepEqual(pending.of("one"), []);
});

Deno.test("PendingCalls is bounded and forgets the oldest conversation first", () => {
  const pending = new PendingCalls();
  for (let number = 0; number <= 10_000; number++) pending.put(`${number}`, [PENDING]);
  assert.deepEqual([pending.of("0").length, pending.of("1").length, pending.of("10000").length], [0, 1, 1]);
  pending.put("many", Array.from({ length: 1000 }, () => PENDING));
  assert.equal(pending.of("many").length, 128);
});
