import assert from "node:assert/strict";
import { parsePattern } from "../../../src/engine/pattern/parse.ts";
import { sketch } from "../../../src/engine/pattern/sketch.ts";

const SKETCHES: readonly [pattern: string, sketch: string][] = [
  ["<parameter=(?<key>[^>\\s]{1,64})>\\n?", "<parameter=KEY>"],
  ["<?a>\\s?b?", "<a>"],
  ["a[=\\s]b", "a=b"],
  ["(?:<a>\\s*)?<b>", "<b>"],
  ["(?:x|y){2}[a-z]", "xx…"],
  ["<do>(?=\\{)", "<do>"],
];

for (const [pattern, expected] of SKETCHES) {
  Deno.test(`sketch draws ${pattern}`, () => assert.equal(sketch(parsePattern(pattern).node!), expected));
}
