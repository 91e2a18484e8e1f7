/**
 * How long `/health` waits while the running proxy reads texts that are written to be slow, in milliseconds:
 *
 *     deno run --allow-all tests/bench/bounded.ts
 *
 * The best of five tries counts. Run it on a quiet machine; `tests/end_to_end/bounded_test.ts` compares with the time
 * that the work takes instead.
 *
 * @module
 */
import { SlowModel, slowTexts, WAIT_MAXIMUM_MS } from "../support/slow_texts.ts";

const TRIES = 5;
const LENGTHS = { inPieces: 200_000, inOnePiece: 1_000_000 };

let slow = 0;
await using model = await SlowModel.start();
for (const [name, text] of Object.entries(slowTexts(LENGTHS))) {
  let best = Infinity;
  for (let count = 0; count < TRIES && best > WAIT_MAXIMUM_MS; count++) {
    best = Math.min(best, (await model.print(text)).longest);
  }
  if (best > WAIT_MAXIMUM_MS) slow++;
  console.log(`${best.toFixed(0).padStart(4)} ms  while ${name}`);
}
console.log(slow === 0 ? `None waits over ${WAIT_MAXIMUM_MS} ms` : `${slow} wait over ${WAIT_MAXIMUM_MS} ms`);
Deno.exitCode = slow === 0 ? 0 : 1;
