import assert from "node:assert/strict";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { loadLate } from "../../../src/admin/metrics/late.ts";
import type { Metrics } from "../../../src/admin/metrics/metrics.ts";
import { requestFacts } from "../../support/request_facts.ts";

const FACTS = requestFacts({ conversation: "00" });
const EVENT: ContentEvent = { kind: "text", text: "a" };

/** Metrics that write down what they hear. */
function recording(): { lines: string[]; metrics: Metrics } {
  const lines: string[] = [];
  const metrics: Metrics = {
    add: (added) => void lines.push(`add ${added.length}`),
    watch: ({ id }) => ({
      observe: (event) => void lines.push(`${id} ${event.kind}`),
      worked: (durationsMs) => void lines.push(`${id} worked ${durationsMs}`),
      end: ({ status }) => void lines.push(`${id} end ${status}`),
    }),
    page: () => Promise.resolve({ text: lines.join(), type: "text/plain" }),
  };
  return { lines, metrics };
}

Deno.test("loadLate loads nothing until it is used", () => {
  loadLate(() => assert.fail("it was loaded"));
});

Deno.test("loadLate counts in order what happens while the library is loaded, and afterwards", async () => {
  const { lines, metrics } = recording();
  const { promise, resolve } = Promise.withResolvers<Metrics>();
  let loads = 0;
  const late = loadLate(() => {
    loads++;
    return promise;
  });
  const watch = late.watch(FACTS);
  watch.observe(EVENT, { choice: 0, isSent: false });
  watch.worked?.([2]);
  const other = late.watch({ ...FACTS, id: "s" });
  late.add([]);
  assert.deepEqual(lines, []);
  resolve(metrics);
  await late.page();
  watch.end({ status: 200, durationMs: 1, addedMs: 1, pieces: 1 });
  other.end({ status: 500, durationMs: 1, addedMs: 1, pieces: 1 });
  late.watch({ ...FACTS, id: "t" }).observe(EVENT, { choice: 0, isSent: false });
  assert.deepEqual(lines, ["r text", "r worked 2", "add 0", "r end 200", "s end 500", "t text"]);
  assert.equal(loads, 1);
});
