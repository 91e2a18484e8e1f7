/**
 * How long it takes to check one call's arguments among 1,000 tools with schemas of 100 properties each.
 *
 *     deno run tests/bench/validate.ts
 *
 * The first pass prepares each tool's schema, as the first call of a request does; the second is every later call.
 * Bound: 5 ms for 99 of 100 later calls.
 *
 * @module
 */
import { checkArguments } from "../../src/engine/tool/validate.ts";

const TOOLS = 1000;
const PROPERTIES = 100;
const BOUND_MS = 5;

const names = Array.from(
  { length: TOOLS },
  (_, tool) => Array.from({ length: PROPERTIES }, (_, index) => `p${tool}_${index}`),
);
const either = { anyOf: [{ type: "string" }, { type: "array", items: { type: "integer", minimum: 0 } }] };
const schemas = names.map((list) => ({
  type: "object",
  properties: Object.fromEntries(list.map((name) => [name, either])),
  additionalProperties: false,
}));
const values = names.map((list) =>
  Object.fromEntries(list.map((name, index) => [name, index % 2 ? "x" : [1, 2]]))
);

function took(tool: number): number {
  const began = performance.now();
  const { missing, wrong } = checkArguments(schemas[tool], values[tool]);
  if (missing.length + wrong.length > 0) throw new Error("The arguments are right, and were not found so");
  return performance.now() - began;
}

/** Checks every tool once and prints the figures; gives the 99th percentile. */
function pass(name: string): number {
  const times = schemas.map((_, tool) => took(tool)).sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? NaN;
  const figures = [["median", 0.5], ["99th percentile", 0.99], ["most", 0.9999]] as const;
  console.log(`${name}: ${figures.map(([word, share]) => `${word} ${at(share).toFixed(2)} ms`).join(", ")}`);
  return at(0.99);
}

console.log(`one call among ${TOOLS} tools of ${PROPERTIES} properties (bound ${BOUND_MS} ms)`);
pass("first call of a tool");
if (pass("every later one") > BOUND_MS) Deno.exitCode = 1;
