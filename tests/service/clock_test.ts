import assert from "node:assert/strict";
import { clockTime } from "../../src/service/clock.ts";

Deno.test("clockTime pads every part", () => {
  assert.equal(clockTime(new Date(2026, 0, 1, 9, 5, 7)), "09:05:07");
});
