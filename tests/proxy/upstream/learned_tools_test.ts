import assert from "node:assert/strict";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { type LearnedTools, ToolMemory } from "../../../src/proxy/upstream/learned_tools.ts";

const MODEL = { upstream: "local", model: "m", dialect: "hermes" };
const OUTCOME = { status: 200, durationMs: 1, addedMs: 0, pieces: 1 };
const call = (rule: string): ContentEvent => ({
  kind: "call_start",
  call: 0,
  tool: "f",
  rule,
  confidence: 1,
});

function answer(memory: ToolMemory, rules: readonly string[], model = MODEL): void {
  const watch = memory.watch(model);
  for (const rule of rules) watch.observe(call(rule), { choice: 0, isSent: true });
  watch.end(OUTCOME);
}

Deno.test("ToolMemory reports a model once that refuses tools", () => {
  const reported: LearnedTools[] = [];
  const memory = new ToolMemory((learned) => reported.push(learned));
  memory.learn({ ...MODEL, reason: "refused" });
  memory.learn({ ...MODEL, reason: "leaked" });
  assert.deepEqual(reported, [{ ...MODEL, reason: "refused" }]);
  assert.deepEqual(memory.entries(), reported);
  assert.deepEqual([memory.has(MODEL), memory.has({ ...MODEL, model: "other" })], [true, false]);
});

Deno.test("ToolMemory learns nothing from one refusal of a model that has taken tools before", () => {
  const memory = new ToolMemory();
  memory.accept(MODEL);
  memory.refuse(MODEL);
  assert.equal(memory.has(MODEL), false);
  memory.refuse({ ...MODEL, model: "other" });
  assert.equal(memory.has({ ...MODEL, model: "other" }), true);
  for (let count = 0; count < 5; count++) answer(memory, ["hermes"]);
  assert.equal(memory.has(MODEL), true, "leaks still count");
});

Deno.test("ToolMemory learns from five answers whose calls were all printed", () => {
  const memory = new ToolMemory();
  for (let count = 0; count < 4; count++) {
    answer(memory, ["hermes", "hermes"]);
    answer(memory, []);
    answer(memory, ["plugin"]);
  }
  assert.equal(memory.has(MODEL), false);
  answer(memory, ["qwen_xml"]);
  assert.equal(memory.has(MODEL), true);
});

Deno.test("ToolMemory leaves a model alone that also sends calls of its own", () => {
  const memory = new ToolMemory();
  answer(memory, ["native"]);
  for (let count = 0; count < 9; count++) answer(memory, ["hermes"]);
  assert.equal(memory.has(MODEL), false);
});

Deno.test("ToolMemory is bounded", () => {
  const memory = new ToolMemory();
  for (let count = 0; count < 1001; count++) {
    memory.learn({ ...MODEL, model: String(count), reason: "refused" });
  }
  assert.equal(memory.entries().length, 1000);
  assert.equal(memory.has({ ...MODEL, model: "0" }), false);
});
