import assert from "node:assert/strict";
import { gateCall, gateTarget, gateTool, isItemKey } from "../../../src/engine/scan/gate.ts";
import type { CompiledRule } from "../../../src/engine/scan/compiled_rule.ts";
import { offer } from "../../../src/engine/tool/offered.ts";
import { programOf } from "../../support/matcher_events.ts";

function ruleOf(fields: Record<string, unknown>): CompiledRule {
  const rule = { rule: "r", pattern: "<{tool}>(?<body>…)</x>", body: "json", ...fields };
  return programOf(rule).rules[0]!;
}

const offered = offer([{ name: "write" }, { name: "read" }], { create: "write" });

Deno.test("gateTool admits offered tools by name", () => {
  assert.deepEqual(gateTool(ruleOf({}), "create", offered), { name: "write" });
  assert.deepEqual(gateTool(ruleOf({}), "ghost", offered), { reason: "unknown_tool" });
});

Deno.test("gateTool admits only the tools that the rule can call", () => {
  const rule = ruleOf({ whitelist: { tools: ["write"] } });
  assert.deepEqual(gateTool(rule, "create", offered), { name: "write" });
  assert.deepEqual(gateTool(rule, "read", offered), { reason: "not_whitelisted" });
});

Deno.test("gateTarget returns the first offered target", () => {
  const target = (tool: string | string[]) =>
    gateTarget(ruleOf({ pattern: "<x>(?<body>…)</x>", tool }), offered);
  assert.deepEqual(target("read"), { name: "read" });
  assert.deepEqual(target(["ghost", "create", "read"]), { name: "write" });
  assert.deepEqual(target(["ghost"]), { reason: "unknown_tool" });
});

Deno.test("isItemKey requires a declared parameter only if tags look like HTML", () => {
  const item = "<(?<key>\\w+)>(?<value>…)</\\k<key>>";
  const declared = ruleOf({ body: "tagged", item, keys: "declared", extra_keys: ["task_progress"] });
  const tool = { name: "f", schema: { properties: { path: {} } } };
  const cases: [key: string, isItem: boolean][] = [
    ["path", true],
    ["task_progress", true],
    ["toolId", true],
    ["b", false],
  ];
  for (const [key, isItem] of cases) {
    assert.equal(isItemKey(declared, key, { tool, meta: ["toolId"] }), isItem, key);
    assert.equal(isItemKey(ruleOf({ body: "tagged", item }), key, { tool, meta: [] }), true);
  }
  assert.equal(
    isItemKey(declared, "b", { tool: { name: "f" }, meta: [] }),
    true,
    "no schema: every key may be one",
  );
});

Deno.test("gateCall decodes the name according to the rule", () => {
  const options = { offered: offer([{ name: "a&b" }]), minimumConfidence: 0 };
  const groups = { tool: "a&amp;b" };
  assert.deepEqual(gateCall(ruleOf({ name_escapes: "entities" }), groups, options), { name: "a&b" });
  assert.deepEqual(gateCall(ruleOf({}), groups, options), { reason: "unknown_tool" });
});
