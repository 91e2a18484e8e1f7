import assert from "node:assert/strict";
import fc from "fast-check";
import { orderPlugins } from "../../../src/proxy/plugin/order.ts";

Deno.test("orderPlugins finds a cycle of one and what is missing", () => {
  assert.deepEqual(orderPlugins([{ name: "a", requires: ["a", "x"] }]).problems, [
    { kind: "cycle", names: ["a", "a"] },
    { kind: "missing", plugin: "a", requires: "x" },
  ]);
});

Deno.test("orderPlugins puts every plugin after those that it requires, each once", () => {
  const graph = fc.array(fc.array(fc.nat(30), { maxLength: 3 }), { maxLength: 30 });
  fc.assert(fc.property(graph, (edges) => {
    // Only edges to an earlier one, so that there is no cycle.
    const plugins = edges.map((to, index) => ({
      name: `p${index}`,
      requires: to.filter((target) => target < index).map((target) => `p${target}`),
    }));
    const { ordered, problems } = orderPlugins([...plugins].reverse());
    assert.deepEqual(problems, []);
    assert.equal(new Set(ordered).size, plugins.length);
    for (const [at, { requires }] of ordered.entries()) {
      for (const name of requires) assert(ordered.findIndex((other) => other.name === name) < at);
    }
  }));
});
