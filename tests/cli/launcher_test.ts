import assert from "node:assert/strict";
import { countInterrupts, followLauncher } from "../../src/cli/context.ts";

Deno.test("an interrupt that both the launcher and the program receive counts once, in any order", () => {
  for (
    const [order, expected] of [
      ["d", 1],
      ["t", 1],
      ["dt", 1],
      ["td", 1],
      ["dd", 2],
      ["tt", 2],
      ["ddtt", 2],
      ["dtdt", 2],
      ["ttdd", 2],
      ["dttt", 3],
    ] as const
  ) {
    let count = 0;
    const { direct, relayed } = countInterrupts(() => count++);
    for (const source of order) (source === "d" ? direct : relayed)();
    assert.equal(count, expected, order);
  }
});

Deno.test("the end of the launcher's input, or its break, is the end of the launcher", async () => {
  for (const isBroken of [false, true]) {
    const heard: string[] = [];
    const input = async function* () {
      yield new TextEncoder().encode("ii");
      await Promise.resolve();
      if (isBroken) throw new Error("broken");
    };
    await followLauncher(input(), { interrupted: () => heard.push("i"), gone: () => heard.push("gone") });
    assert.deepEqual(heard, ["i", "i", "gone"]);
  }
});
