import assert from "node:assert/strict";
import { BUILT_IN_PLUGINS } from "../../../src/proxy/plugin/built_in.ts";
import {
  defaultOf,
  shippedPlugins,
  shippedPluginsPage,
  valueOf,
} from "../../../src/proxy/plugin/shipped_page.ts";

Deno.test("shippedPlugins gives every built-in plugin, and each one describes itself and its options", async () => {
  const plugins = await shippedPlugins();
  assert.deepEqual(plugins.map(({ name }) => name), Object.keys(BUILT_IN_PLUGINS));
  for (const { name, description, options = {} } of plugins) {
    assert.ok(description, name);
    for (const [option, field] of Object.entries(options)) assert.ok(field.description, `${name}.${option}`);
  }
});

Deno.test("shippedPluginsPage has a table of options for each plugin", () => {
  const page = shippedPluginsPage([{
    name: "careful",
    description: "Refuses calls",
    requires: ["other"],
    options: { words: { type: "texts", default: ["a|b"], description: "What is refused" } },
  }]);
  const expected =
    "\n## careful\n\nRefuses calls. It requires `other`.\n\n| option | value | default | meaning |\n" +
    '|---|---|---|---|\n| `words` | a list of texts | `["a\\|b"]` | What is refused |\n';
  assert.ok(page.endsWith(expected), page);
});

Deno.test("valueOf and defaultOf name what an option takes", () => {
  assert.equal(valueOf({ type: "number", minimum: 1 }), "a number from 1");
  assert.equal(valueOf({ type: "text", values: ["a", "b"] }), "`a` or `b`");
  assert.equal(defaultOf({ type: "text" }), "required");
});
