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

Deno.test("Links goes on after an earlier state, without the watches made since", () => {
  const links = new Links();
  links.watch("[");
  const { state } = links;
  const forgotten = links.watch("[");
  links.feed("](x)");
  links.restore(state);
  const watch = links.watch("[");
  links.feed("](x)");
  assert.deepEqual([forgotten?.outcome, watch?.outcome], ["closed", "closed"]);
  links.restore(state);
  links.endLine();
  assert.equal(watch?.outcome, "closed");
});

Deno.test("Links decides only about the positions inside a link", () => {
  const links = new Links();
  const outer = links.watch("a [b ");
  links.feed("[c ");
  const inner = links.watch("a [b [c ");
  links.feed("](x) ");
  assert.deepEqual([outer?.outcome, inner?.outcome], ["open", "closed"]);
  links.feed("[d ");
  const literal = links.watch("");
  links.feed("] ");
  assert.deepEqual([outer?.outcome, literal?.outcome], ["open", "open"]);
  links.feed("] ");
  assert.deepEqual([outer?.outcome, literal?.outcome], ["literal", "literal"]);
});

Deno.test("Links counts brackets beyond its limit to the innermost link", () => {
  const links = new Links();
  const watch = links.watch("[".repeat(5000));
  links.feed("](x)");
  assert.equal(watch?.outcome, "closed");
});
