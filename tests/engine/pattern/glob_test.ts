import assert from "node:assert/strict";
import fc from "fast-check";
import { matchesGlob } from "../../../src/engine/pattern/glob.ts";
import { runs } from "../../support/fuzz.ts";
import { countWork } from "../../support/work.ts";

Deno.test("matchesGlob takes only * for a wildcard, which matches any character", () => {
  const cases = [["*", "a\nb", true], ["a.c", "abc", false], ["[a]*", "[a]b", true], [
    "*-*-coder",
    "a-coder",
    false,
  ]] as const;
  for (const [pattern, text, matches] of cases) assert.equal(matchesGlob(pattern, text), matches, pattern);
});

/** The definition, character by character. */
function isOneOf(pattern: string, text: string): boolean {
  if (pattern === "") return text === "";
  if (pattern[0] === "*") {
    return isOneOf(pattern.slice(1), text) || (text !== "" && isOneOf(pattern, text.slice(1)));
  }
  return text[0] === pattern[0] && isOneOf(pattern.slice(1), text.slice(1));
}

Deno.test("matchesGlob agrees with the definition", () => {
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 7 });
  const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 9 });
  fc.assert(
    fc.property(pattern, text, (pattern, text) => {
      assert.equal(matchesGlob(pattern, text), isOneOf(pattern, text));
    }),
    runs(3000),
  );
});

Deno.test("matchesGlob does twice the work for a name twice as long", () => {
  const patterns = ["*-*-*-coder", "*a*a*a*a*b", "a*-*-*-*-*-*x", "*-a-*-a-*-b"];
  for (const pattern of patterns) {
    for (const unit of ["-", "a", "-a", "a-", "-coder"]) {
      const [short, long] = [2000, 4000].map((count) =>
        countWork(() => matchesGlob(pattern, unit.repeat(count)))
      );
      assert.ok(long! <= 2.1 * short! + 100, `${pattern} on ${unit}: ${short} → ${long}`);
      assert.ok(long! <= 4 * 4000 * unit.length + 100, `${pattern} on ${unit}: ${long}`);
    }
  }
});
