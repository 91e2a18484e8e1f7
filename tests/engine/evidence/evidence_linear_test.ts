/** The work of the second reader grows with the text, whatever is repeated in it. */
import assert from "node:assert/strict";
import { IS_THOROUGH, sampled } from "../../support/fuzz.ts";
import { StepCounter } from "../../support/steps.ts";

const counter = await StepCounter.start();
const { callableTools, readEvidence } = await import("../../../src/engine/evidence/evidence.ts");
const { offer } = await import("../../../src/engine/tool/offered.ts");
const { Hold } = await import("../../../src/engine/evidence/hold.ts");

const properties = { path: { type: "string" }, content: { type: "string" } };
const tools = callableTools(
  offer(["read", "write"].map((name) => ({ name, schema: { type: "object", properties } }))),
);

const UNITS = [
  "<tool_call>read",
  '{"name": "read", ',
  "<read><path>",
  "</path>",
  "[read(",
  "read: {",
  "<parameter=path>",
  "]<]x[>[<read>",
  '<a b="',
  '[{"tool": ',
];

/** The length of the shorter text. */
const LENGTH = IS_THOROUGH ? 20_000 : 6_000;

/** The steps for twice as much text are at most this many times as many. */
const GROWTH_MAXIMUM = 2.6;

Deno.test("readEvidence and Hold take linear time", async () => {
  for (const unit of sampled(UNITS, 4)) {
    const stepsOf = async (length: number) => {
      const text = unit.repeat(Math.ceil(length / unit.length));
      await counter.forget();
      const { total, byFunction } = await counter.count(() => {
        readEvidence(text, { tools, isCut: false, isShown: () => false });
        const hold = new Hold(tools);
        for (let at = 0; at < text.length; at += 97) {
          hold.push(text.slice(at, at + 97));
          while (hold.isCall) {
            hold.refuse();
            hold.push("");
          }
        }
      });
      return { total, byFunction };
    };
    await stepsOf(2000);
    const [small, large] = [await stepsOf(LENGTH), await stepsOf(2 * LENGTH)];
    const most = [...large.byFunction].sort(([, a], [, b]) => b - a).slice(0, 3).join("; ");
    assert.ok(
      large.total <= GROWTH_MAXIMUM * small.total + 100_000,
      `${unit}: ${small.total} → ${large.total} steps, most in ${most}`,
    );
  }
});
