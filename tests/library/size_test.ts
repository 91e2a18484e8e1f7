import assert from "node:assert/strict";
import { measureBundles } from "./sizes.ts";

/**
 * What each bundle may have, in compressed bytes: 3 % more than it had in November 2026. The goals in `sizes.ts` are lower;
 * the engine has grown by a quarter since they were set.
 */
const BOUNDS: Readonly<Record<string, number>> = {
  "engine": 50_000,
  "engine and shipped rules": 60_000,
  "fetch, with the engine and the rules": 61_500,
  "AI SDK middleware, with the engine and the rules": 61_200,
};

Deno.test("the library's bundles stay small", async () => {
  for (const { name, compressed } of await measureBundles()) {
    assert.ok(compressed <= BOUNDS[name]!, `${name} has ${compressed} bytes, more than ${BOUNDS[name]}`);
  }
});
