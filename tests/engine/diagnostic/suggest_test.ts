import assert from "node:assert/strict";
import { didYouMean, didYouMeanOneOf, suggest } from "../../../src/engine/diagnostic/suggest.ts";

Deno.test("suggest finds the name that is nearest to a misspelling", () => {
  const known = ["commit", "confidence", "pattern", "key_env", "at"];
  const cases: [string, string | undefined][] = [
    ["confidense", "confidence"],
    ["patern", "pattern"],
    ["pattren", "pattern"],
    ["Pattern", "pattern"],
    ["key-env", "key_env"],
    ["att", "at"],
    ["colour", undefined],
    ["", undefined],
  ];
  assert.deepEqual(cases.map(([name]) => [name, suggest(name, known)]), cases);
});

Deno.test("suggest counts a swap of neighbours once", () => {
  assert.equal(suggest("ab", ["ba"]), "ba");
  assert.equal(suggest("ab", ["cd"]), undefined);
});

Deno.test("didYouMean lists the known names where none is near and they are few", () => {
  assert.equal(didYouMean("bodi", ["body", "item"]), "did you mean `body`?");
  assert.equal(didYouMean("zzz", ["body", "item"]), "known here: body, item");
  assert.equal(didYouMean("zzz", []), undefined);
  assert.equal(didYouMean("zzz", Array.from({ length: 25 }, (_, index) => `name${index}`)), undefined);
});

Deno.test("didYouMeanOneOf lists every known name if none is near, however many there are", () => {
  const many = Array.from({ length: 30 }, (_, index) => `name_${index}`);
  assert.equal(didYouMeanOneOf("zzzzzzzz", many), `known here: ${many.join(", ")}`);
  assert.equal(didYouMeanOneOf("name_29", many), "did you mean `name_29`?");
});
