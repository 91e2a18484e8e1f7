/**
 * No answer and no request keeps others waiting. How long `/health` waits is compared with the time that the work
 * takes, which a slow machine stretches as much; `tests/bench/bounded.ts` has the bound in milliseconds.
 *
 * @module
 */
import assert from "node:assert/strict";
import { IS_THOROUGH, sampled } from "../support/fuzz.ts";
import { SlowModel, slowTexts, WAIT_MAXIMUM_MS } from "../support/slow_texts.ts";

/** The share of the work's time that `/health` may wait. Work that holds the event loop keeps it waiting for nearly all. */
const SHARE_MAXIMUM = 0.5;
/** The best of several tries counts: the machine may be busy with other things. */
const TRIES = 5;
/** Work that isn't cut into turns holds `/health` for as long a share of a shorter text. */
const LENGTHS = { inPieces: 50_000, inOnePiece: IS_THOROUGH ? 250_000 : 100_000 };

Deno.test("/health is answered while slow texts are read", async (test) => {
  await using model = await SlowModel.start();
  for (const [name, text] of sampled(Object.entries(slowTexts(LENGTHS)), 16)) {
    await test.step(`while ${name}`, async () => {
      const seen: string[] = [];
      for (let count = 0; count < TRIES; count++) {
        const { longest, total } = await model.print(text);
        if (longest <= Math.max(WAIT_MAXIMUM_MS, SHARE_MAXIMUM * total)) return;
        seen.push(`${longest.toFixed(0)} of ${total.toFixed(0)} ms`);
      }
      assert.fail(`/health waited ${seen.join(", ")}`);
    });
  }
});
