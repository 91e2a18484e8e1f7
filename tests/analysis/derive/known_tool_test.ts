import assert from "node:assert/strict";
import { knownTools, lastWord, words } from "../../../src/analysis/derive/known_tool.ts";

Deno.test("knownTools gives the names of tools and of their parameters", () => {
  const schema = { type: "object", properties: { path: {} } };
  assert.deepEqual(knownTools([{ name: "a", schema }, { name: "b" }]), [
    { name: "a", keys: ["path"] },
    { name: "b", keys: [] },
  ]);
});

Deno.test("words finds a word that no letter touches", () => {
  assert.deepEqual(words("go gone <go> ago", "go"), [0, 9]);
  assert.equal(lastWord("go gone", "went"), -1);
});
