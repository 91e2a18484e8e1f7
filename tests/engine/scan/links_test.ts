import assert from "node:assert/strict";
import { Links } from "../../../src/engine/scan/links.ts";

/** What becomes of the place between two texts of one line, at every cut of the second. */
function outcome(before: string, after: string): string {
  const results = [[after], [...after]].map((pieces) => {
    const links = new Links();
    const watch = links.watch(before);
    for (const piece of pieces) links.feed(piece);
    const open = watch?.outcome;
    links.endLine();
    assert.equal(links.isActive, false);
    return open === "open" ? `open, then ${watch?.outcome}` : open ?? "none";
  });
  assert.equal(results[0], results[1]);
  return results[0]!;
}

const cases: readonly (readonly [before: string, after: string, outcome: string])[] = [
  ["See ", "](x)", "none"],
  ["See [a](b) and ", "](x)", "none"],
  ["See [a] and ", "](x)", "none"],
  ["See [", "](x) there", "closed"],
  ["See ![a ", " b](x)", "closed"],
  ["See [", "][1]", "closed"],
  ["See [a [b] ", "](x)", "closed"],
  ["See [[", "](x)](y)", "closed"],
  ["See [", "] there", "literal"],
  ["See [[", "] and](x)", "closed"],
  ["See [", " and [b](x)", "open, then literal"],
  ["See [", "\\](x)", "open, then literal"],
  ["See \\[", "](x)", "none"],
  ["See [a](<", ">)", "closed"],
  ["See [a](b (", "))", "closed"],
  ["See [a](b (c) ", ")", "closed"],
  ["See [a](b", " and on", "open, then literal"],
];

for (const [before, after, expected] of cases) {
  Deno.test(`Links decides about a place between ${JSON.stringify(before)} and ${JSON.stringify(after)}`, () =>
    assert.equal(outcome(before, after), expected));
}

Deno.test("Links forgets a line that is read again", () => {
  const links = new Links();
  const watch = links.watch("[");
  links.forget();
  links.feed("](x)");
  links.endLine();
  assert.equal(watch?.outcome, "open");
});
