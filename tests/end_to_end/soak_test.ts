/**
 * The running process keeps nothing of a request: a short run of the soak bench. Only `.ci/run` waits for it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { soak } from "../bench/soak.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";

/**
 * Bounds for one request, in bytes. A leak of a signal's listener was 4,900. Resident memory moves by some 15 MB with
 * the engine's own work, so over 1,500 requests only more than that counts; `deno task bench:soak` measures less.
 */
const HEAP_MAXIMUM = 1_000;
const RESIDENT_MAXIMUM = 30_000;
/** Connections that the pools may open after the warm-up. */
const DESCRIPTORS_MAXIMUM = 16;

const name = "1,500 requests, 32 at a time, leave no objects, no memory and no descriptors behind";
Deno.test({ name, ignore: !IS_THOROUGH }, async () => {
  const result = await soak({ warmup: 1500, requests: 1500, concurrency: 32, steps: 5 });
  const shown = JSON.stringify(result, null, 1);
  assert.ok(result.heapSlope < HEAP_MAXIMUM, shown);
  assert.ok(result.residentSlope < RESIDENT_MAXIMUM, shown);
  assert.ok(result.descriptorGrowth <= DESCRIPTORS_MAXIMUM, shown);
});
