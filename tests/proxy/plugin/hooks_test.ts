import assert from "node:assert/strict";
import { Hooks } from "../../../src/proxy/plugin/hooks.ts";
import type { Plugin } from "../../../src/proxy/plugin/mod.ts";
import { offer } from "../../../src/engine/tool/offered.ts";
import { hookOptions } from "../../support/plugins.ts";

function open(...plugins: readonly Plugin[]): Hooks {
  return new Hooks(hookOptions(plugins.map((plugin) => ({ plugin, options: { level: 1 } })), {
    offered: offer([{ name: "a" }], { b: "a" }),
  }));
}

const isNumber = (value: unknown): value is number => typeof value === "number";

Deno.test("Hooks gives each plugin its options and a memory of its own", () => {
  const hooks = open({ name: "one" }, { name: "two" });
  const [one, two] = hooks.active;
  one?.context.state.set("x", 1);
  assert.deepEqual([one?.context.options, two?.context.state.size], [{ level: 1 }, 0]);
});

Deno.test("Hooks returns a hook's result, and notes one that fails", () => {
  const hooks = open({ name: "one" });
  const [active] = hooks.active;
  assert.ok(active);
  assert.equal(hooks.call(active, { hook: "onCall", call: () => 7, isResult: isNumber }), 7);
  assert.equal(hooks.call(active, { hook: "onCall", call: () => "7", isResult: isNumber }), undefined);
  active.context.note("seen");
  const notes = hooks.takeNotes().map(({ rule, reason, detail }) => [rule, reason, detail]);
  assert.deepEqual(notes, [
    ["one", "plugin_failed", "onCall returned an invalid result"],
    ["one", "plugin_note", "seen"],
  ]);
  assert.deepEqual(hooks.takeNotes(), []);
});
