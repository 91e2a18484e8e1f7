import assert from "node:assert/strict";
import { keyStep, nextId } from "../../../../src/admin/page/views/list_keys.ts";

Deno.test("keyStep knows the keys of the list, and leaves those of a field alone", () => {
  const steps = ["j", "k", "Enter", "Escape", "/", "p", "c", "?", "x"].map((key) => keyStep({ key }, false));
  assert.deepEqual(steps, [1, -1, "open", "close", "filter", "pause", "clear", "help", undefined]);
  assert.deepEqual(
    ["j", "/", "Escape"].map((key) => keyStep({ key }, true)),
    [undefined, undefined, "leave"],
  );
});

Deno.test("nextId stays inside the list and begins at its top", () => {
  const ids = ["a", "b", "c"];
  const next = (from: string | undefined, step: 1 | -1) => nextId(ids, { from, step });
  assert.deepEqual(
    [next(undefined, 1), next("a", 1), next("c", 1), next("a", -1), next("gone", -1)],
    ["a", "b", "c", "a", "a"],
  );
  assert.equal(nextId([], { from: undefined, step: 1 }), undefined);
});
