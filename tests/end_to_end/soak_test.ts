/**
 * The running process keeps nothing of a request: a short run of the soak bench.
 *
 * @module
 */
import assert from "node:assert/strict";
import { soak } from "../bench/soak.ts";

/**
 * Bounds for one request, in bytes. Over a few hundred requests the engine still compiles and sizes its heap, so these
 * only catch a leak that is large; `deno task bench:soak` measures small ones.
 */
const HEAP_MAXIMUM = 6_000;
const RESIDENT_MAXIMUM = 120_000;
/** Connections that the pools may open after the warm-up. */
const DESCRIPTORS_MAXIMUM = 32;

Deno.test("hundreds of requests leave no JavaScript objects, no memory and no descriptors behind", async () => {
  const result = await soak({ warmup: 200, requests: 400, concurrency: 16, steps: 4 });
  const shown = JSON.stringify(result, null, 1);
  assert.ok(result.heapSlope < HEAP_MAXIMUM, shown);
  assert.ok(result.residentSlope < RESIDENT_MAXIMUM, shown);
  assert.ok(result.descriptorGrowth <= DESCRIPTORS_MAXIMUM, shown);
});
