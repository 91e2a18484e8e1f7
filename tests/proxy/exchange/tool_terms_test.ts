import assert from "node:assert/strict";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { toolTerms } from "../../../src/proxy/exchange/tool_terms.ts";
import type { Plugin, PluginContext } from "../../../src/proxy/plugin/mod.ts";
import { offer } from "../../../src/engine/tool/offered.ts";
import { speakerOf } from "../../support/spoken.ts";

const schema = {
  type: "object",
  properties: { a: { type: "string" }, n: { type: "integer" } },
  required: ["n"],
};
const offered = offer([{ name: "f", schema }, { name: "g" }]);
const options = { speaker: speakerOf("tags"), offered };

function checkOf(request: Record<string, unknown>): { plugin: Plugin; context: PluginContext } {
  const found = toolTerms(request, options);
  assert(found !== undefined);
  const context = { state: new Map(), note() {} } as unknown as PluginContext;
  return { plugin: found.plugin as Plugin, context };
}

const text = (piece: string): ContentEvent => ({ kind: "text", text: piece });
const ended = { callCount: 0, text: "", truncated: false };

Deno.test("toolTerms has nothing to check without a demand", () => {
  assert.equal(toolTerms({}, options), undefined);
  assert.equal(toolTerms({ tool_choice: "none" }, options), undefined);
  assert.equal(toolTerms({ tools: [{ function: { name: "f", strict: false } }] }, options), undefined);
});

Deno.test("toolTerms asks once more for a call that is missing, and holds the text until then", () => {
  const { plugin, context } = checkOf({ tool_choice: { type: "function", function: { name: "f" } } });
  assert.deepEqual(plugin.onEvent?.(text("Well, "), context), []);
  const stop = plugin.onAnswerEnd?.(ended, context);
  assert(stop !== undefined && "verdict" in stop);
  assert.equal(stop.verdict.kind, "retry");
  assert.match(stop.verdict.message, /a call to the tool `f`.*\nWrite the call like this:\n<call f>/);
  context.state.clear();
  assert.deepEqual(plugin.onEvent?.(text("No."), context), []);
  assert.deepEqual(plugin.onAnswerEnd?.(ended, context), { events: [text("No.")] });
});

Deno.test("toolTerms gives no example where a chat template writes the tools", () => {
  const found = toolTerms({ tool_choice: "required" }, { speaker: undefined, offered });
  const context = { state: new Map(), note() {} } as unknown as PluginContext;
  const stop = found?.plugin.onAnswerEnd?.(ended, context);
  assert(typeof stop === "object" && "verdict" in stop);
  const lesson = "Your answer contains no tool call.\nYour next answer must contain a tool call.";
  assert.equal(stop.verdict.message, lesson);
});

Deno.test("toolTerms releases the text before a call, before a cut and when it is long", () => {
  const start: ContentEvent = { kind: "call_start", call: 0, tool: "f", rule: "r", confidence: 1 };
  const { plugin, context } = checkOf({ tool_choice: "required" });
  plugin.onEvent?.(text("Now: "), context);
  assert.deepEqual(plugin.onEvent?.(start, context), [text("Now: "), start]);
  assert.equal(plugin.onEvent?.(text("after"), context), undefined);
  context.state.clear();
  plugin.onEvent?.(text("cut"), context);
  assert.deepEqual(plugin.onAnswerEnd?.({ ...ended, truncated: true }, context), { events: [text("cut")] });
  context.state.clear();
  const long = "x".repeat(64 * 1024 + 1);
  assert.deepEqual(plugin.onEvent?.(text(long), context), [text(long)]);
  assert.deepEqual(plugin.onAnswerEnd?.(ended, context), { events: [] });
});

Deno.test("toolTerms asks once more for the arguments of a strict tool", () => {
  const tools = [{ function: { name: "f", strict: true } }, { function: { name: "g" } }];
  const { plugin, context } = checkOf({ tools });
  const call = (tool: string, given: Record<string, unknown>) => ({
    tool,
    arguments: given,
    meta: {},
    rule: "r",
  });
  assert.equal(plugin.onCall?.(call("g", { n: "x" }), context), undefined);
  assert.equal(plugin.onCall?.(call("f", { n: 1 }), context), undefined);
  const stop = plugin.onCall?.(call("f", { a: "x" }), context);
  assert(stop !== undefined && "verdict" in stop);
  assert.match(stop.verdict.message, /Required parameters are missing: n/);
  assert.equal(plugin.onCall?.(call("f", { a: "x" }), context), undefined);
});

Deno.test("toolTerms lets only allowed tools pass, and asks once more as long as nothing is sent", () => {
  const allowed = { mode: "auto", tools: [{ type: "function", function: { name: "f" } }] };
  const { plugin, context } = checkOf({ tool_choice: { type: "allowed_tools", allowed_tools: allowed } });
  const start = (tool: string): ContentEvent => ({
    kind: "call_start",
    call: 0,
    tool,
    rule: "r",
    confidence: 1,
  });
  const end: ContentEvent = { kind: "call_end", call: 0 };
  assert.equal(plugin.onEvent?.(start("f"), context), undefined);
  context.state.clear();
  assert.equal(plugin.onEvent?.(text("Well, "), context), undefined);
  for (const event of [start("g"), end]) assert.deepEqual(plugin.onEvent?.(event, context), []);
  assert.equal(plugin.onEvent?.(text("done."), context), undefined);
  context.state.clear();
  const stop = plugin.onEvent?.(start("g"), context);
  assert(stop !== undefined && "verdict" in stop);
  assert.match(stop.verdict.message, /calls `g`, which was not requested.\nCall only these tools: f\./);
  assert.equal(plugin.onAnswerEnd, undefined);
});
