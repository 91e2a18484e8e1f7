import assert from "node:assert/strict";
import { age, clock, count, duration, plural, share } from "../../../src/engine/diagnostic/figures.ts";

Deno.test("duration, share, count, plural and age have units and digits that a person can compare", () => {
  const table: [string, string][] = [
    [duration(null), "–"],
    [duration(0.4), "0.4 ms"],
    [duration(0.123), "0.12 ms"],
    [duration(5.94), "5.9 ms"],
    [duration(412.4), "412 ms"],
    [duration(2311), "2.31 s"],
    [duration(75_200), "75.2 s"],
    [share(null), "–"],
    [share(0.125), "12.5%"],
    [count(12345), "12,345"],
    [plural(1, "call"), "1 call"],
    [plural(2, "near miss", "near misses"), "2 near misses"],
    [age(42), "42 s"],
    [age(190), "3 min"],
    [age(7500), "2 h 5 min"],
    [age(360_000), "4 d 4 h"],
  ];
  for (const [shown, wanted] of table) assert.equal(shown, wanted);
  assert.equal(clock(new Date(2026, 4, 1, 9, 5, 7).getTime()), "09:05:07");
});
