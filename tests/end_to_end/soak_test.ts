/**
 * The running process answers all wires at once, mixes nothing up, lets clients leave, and keeps nothing of a request: a
 * short run of the soak bench. Memory is measured with all cases only.
 *
 * @module
 */
import assert from "node:assert/strict";
import { soak } from "../bench/soak.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { WORKERS } from "../support/process_stage.ts";

/**
 * Bounds for one request, in bytes. A leak of a signal's listener was 4,900. Resident memory moves by some 15 MB with
 * the engine's own work, so over 1,500 requests only more than that counts; `deno task bench:soak` measures less.
 */
const HEAP_MAXIMUM = 1_000;
const RESIDENT_MAXIMUM = 30_000;
/** Connections that the pools may open after the warm-up, and those of clients that left and are not yet closed. */
const DESCRIPTORS_MAXIMUM = 32;
/** How long `/health` may take on a busy machine. */
const HEALTH_MAXIMUM_MS = 2000;

/** Each worker warms up by itself: two of them take 6,000 requests until resident memory stays. */
const COUNTS = IS_THOROUGH
  ? { warmup: 3000, requests: 1500, steps: 5 }
  : { warmup: 20, requests: 60, steps: 2 };

for (const workers of WORKERS) {
  const name =
    `requests of all wires, 32 at a time, some of which their clients leave, mix nothing up and leave nothing ` +
    `behind, workers: ${workers}`;
  Deno.test({ name, ignore: Deno.build.os !== "linux" }, async () => {
    const warmup = COUNTS.warmup * workers;
    const result = await soak({ ...COUNTS, warmup, concurrency: 32, workers });
    const shown = JSON.stringify(result, null, 1);
    assert.ok(result.left > 0 && result.healthMs < HEALTH_MAXIMUM_MS, shown);
    assert.ok(result.descriptorGrowth <= DESCRIPTORS_MAXIMUM, shown);
    if (!IS_THOROUGH) return;
    assert.ok(result.heapSlope < HEAP_MAXIMUM, shown);
    assert.ok(result.residentSlope < RESIDENT_MAXIMUM * workers, shown);
  });
}
