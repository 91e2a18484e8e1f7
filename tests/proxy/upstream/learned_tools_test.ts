import assert from "node:assert/strict";
import { type LearnedTools, ToolMemory } from "../../../src/proxy/upstream/learned_tools.ts";

const MODEL = { upstream: "local", model: "m", dialect: "hermes" };
Deno.test("ToolMemory reports a model once that refuses tools", () => {
  const reported: LearnedTools[] = [];
  const memory = new ToolMemory((learned) => reported.push(learned));
  memory.learn({ ...MODEL, reason: "refused" });
  memory.learn({ ...MODEL, reason: "unparsed" });
  assert.deepEqual(reported, [{ ...MODEL, reason: "refused" }]);
  assert.deepEqual(memory.entries(), reported);
  assert.deepEqual([memory.has(MODEL), memory.has({ ...MODEL, model: "other" })], [true, false]);
});

Deno.test("ToolMemory learns nothing from one refusal of a model that has taken tools before", () => {
  const memory = new ToolMemory();
  memory.accept(MODEL, { hasCalls: false });
  memory.refuse({ ...MODEL, hasCalls: false });
  assert.equal(memory.has(MODEL), false);
  memory.refuse({ ...MODEL, model: "other", hasCalls: false });
  assert.equal(memory.has({ ...MODEL, model: "other" }), true);
});

Deno.test("ToolMemory learns that calls in the conversation are refused, unless they were taken before", () => {
  for (const hadCalls of [false, true]) {
    const memory = new ToolMemory();
    memory.accept(MODEL, { hasCalls: hadCalls });
    memory.accept(MODEL, { hasCalls: false });
    memory.refuse({ ...MODEL, hasCalls: true });
    assert.equal(memory.reasonFor(MODEL), hadCalls ? undefined : "refused_calls");
  }
});

Deno.test("ToolMemory forgets what it learned about an upstream", () => {
  const memory = new ToolMemory();
  memory.learn({ ...MODEL, reason: "refused" });
  memory.learn({ ...MODEL, upstream: "other", reason: "refused" });
  memory.accept({ ...MODEL, model: "n" }, { hasCalls: true });
  memory.forget("local");
  assert.deepEqual(memory.entries().map(({ upstream }) => upstream), ["other"]);
  memory.refuse({ ...MODEL, model: "n", hasCalls: false });
  assert.equal(memory.reasonFor({ ...MODEL, model: "n" }), "refused");
});

Deno.test("ToolMemory is bounded", () => {
  const memory = new ToolMemory();
  for (let count = 0; count < 1001; count++) {
    memory.learn({ ...MODEL, model: String(count), reason: "refused" });
  }
  assert.equal(memory.entries().length, 1000);
  assert.equal(memory.has({ ...MODEL, model: "0" }), false);
});
