import assert from "node:assert/strict";
import { ToolList } from "../../../src/wires/responses/tools.ts";

const f = { type: "function", name: "f", parameters: { type: "object" } };

function names(tools: ToolList): unknown[] {
  return tools.functions.map((entry) => Reflect.get(entry["function"] as object, "name"));
}

Deno.test("ToolList gives every tool a name of its own that leads back to it", () => {
  const tools = new ToolList();
  tools.add([f, { type: "namespace", name: "n", tools: [f] }, { ...f, name: "n__f" }, {
    type: "web_search",
  }]);
  assert.deepEqual(names(tools), ["f", "n__f", "n__f_2"]);
  assert.deepEqual(tools.toolOf("n__f"), { name: "f", namespace: "n", isCustom: false });
  assert.equal(tools.functionOf("f", "n"), "n__f");
  assert.equal(tools.functionOf("n__f"), "n__f_2");
});

Deno.test("ToolList keeps names within the servers' limit", () => {
  const tools = new ToolList();
  tools.add([{ type: "namespace", name: "n".repeat(60), tools: [f, { ...f, name: "g" }] }]);
  for (const name of names(tools)) assert.ok(String(name).length <= 64);
  assert.equal(new Set(names(tools)).size, 2);
});

Deno.test("ToolList offers a custom tool as a function with its text, and states its grammar", () => {
  const tools = new ToolList();
  tools.add([{ type: "custom", name: "p", description: "Patches", format: { definition: "start: X" } }]);
  const { description, parameters } = tools.functions[0]!["function"] as Record<string, unknown>;
  assert.match(String(description), /^Patches\n\n.*\nstart: X$/s);
  assert.deepEqual(Reflect.get(parameters as object, "required"), ["input"]);
});
