import assert from "node:assert/strict";
import { UnhandledLog } from "../../../src/cli/service/unhandled.ts";

Deno.test("UnhandledLog prints an error once a minute, escaped, and counts every one", () => {
  const printed: string[] = [];
  let now = 0;
  const log = new UnhandledLog((text) => void printed.push(text), () => now);
  const error = { source: "plugin a", text: "Error: \x1b[31mred\n    at f (file:///a.ts:1:1)" };
  for (let count = 0; count < 3; count++) log.add(error);
  log.add({ source: "unknown", text: "string" });
  assert.equal(printed.length, 2);
  assert.equal(
    printed[0]?.slice("00:00:00".length),
    "  unhandled_error: plugin a: Error: \\u001b[31mred\n    at f (file:///a.ts:1:1)\n",
  );
  now = 60_000;
  log.add(error);
  assert.equal(printed.length, 3);
  assert.deepEqual([...log.counts], [["plugin a", 4], ["unknown", 1]]);
});

Deno.test("UnhandledLog counts a bounded number of sources", () => {
  const log = new UnhandledLog(() => {}, () => 0);
  for (let count = 0; count < 3000; count++) log.add({ source: `plugin ${count}`, text: "x" });
  assert.ok(log.counts.size <= 1001);
  assert.equal([...log.counts.values()].reduce((sum, count) => sum + count), 3000);
});
