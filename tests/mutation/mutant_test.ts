import assert from "node:assert/strict";
import { applyMutant, mutantsOf } from "./mutant.ts";

function changed(source: string): string[] {
  return mutantsOf(source).map((mutant) => applyMutant(source, mutant));
}

Deno.test("mutantsOf swaps comparisons and connectives", () => {
  assert.deepEqual(changed("return a < b && c;"), ["return a <= b && c;", "return a < b || c;"]);
});

Deno.test("mutantsOf lowers and doubles a limit, also one that is written as a product", () => {
  assert.deepEqual(changed("const LIMIT = 4 * 1_024;"), ["const LIMIT = 4095;", "const LIMIT = 8192;"]);
});

Deno.test("mutantsOf leaves out a statement", () => {
  assert.deepEqual(changed("  this.#text.push(a);\n"), ["  ;\n"]);
});

Deno.test("mutantsOf changes no comment, no text and no type", () => {
  assert.deepEqual(
    changed('// a < b\nconst text = "a === b";\nreadonly x: a | b;\nconst m = new Map<A, B>();'),
    [],
  );
});
