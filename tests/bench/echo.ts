/**
 * What it costs to compare a call with the request while it repeats the request, in pieces of 5 characters:
 *
 *     deno run --allow-read --allow-env tests/bench/echo.ts
 *
 * Processor time; twice the text takes twice the time and twice the comparisons. Ends with 1 if it takes over 3 times.
 *
 * @module
 */
import type { AnswerEvent } from "../../src/chat/event/event.ts";
import process from "node:process";
import { EchoGuard } from "../../src/engine/scan/echo_guard.ts";
import { Matcher } from "../../src/engine/scan/matcher.ts";
import { OFFERED } from "../support/dialect_text.ts";
import { programOf, shippedRules } from "../support/matcher_events.ts";

const LENGTHS = [50_000, 100_000, 200_000, 400_000];
const RATIO_MAXIMUM = 3;
const ROUNDS = 3;

const program = programOf(...shippedRules());
const line = "  if (a < b) return call(a, [b, `c`]); // a line of code\n";

function measure(length: number): { ms: number; longest: number; steps: number } {
  const value = line.repeat(Math.ceil(length / line.length)).slice(0, length);
  const call =
    `<tool_call>\n<function=write_file>\n<parameter=content>\n${value}\n</parameter>\n</function>\n</tool_call>`;
  const echoGuard = new EchoGuard([`The page:\n${call}\n`]);
  const matcher = new Matcher(program, {
    offered: OFFERED,
    minimumConfidence: 0.9,
    wholeCalls: false,
    echoGuard,
  });
  const out = { push: (event: AnswerEvent) => void (event.kind === "call_end" && Deno.exit(1)) };
  let longest = 0;
  const began = process.cpuUsage().user;
  for (let at = 0; at < call.length; at += 5) {
    const before = performance.now();
    matcher.push({ kind: "text", text: call.slice(at, at + 5) }, out);
    longest = Math.max(longest, performance.now() - before);
  }
  matcher.push({ kind: "text_end", truncated: false, isAnswered: false }, out);
  return { ms: (process.cpuUsage().user - began) / 1000, longest, steps: echoGuard.steps };
}

const best = LENGTHS.map((length) =>
  Array.from({ length: ROUNDS }, () => measure(length)).reduce((a, b) => a.ms < b.ms ? a : b)
);
best.forEach(({ ms, longest, steps }, index) => {
  const ratio = index === 0 ? "" : ` × ${(ms / best[index - 1]!.ms).toFixed(2)}`;
  console.log(
    `${LENGTHS[index]} characters: ${ms.toFixed(0)} ms${ratio}, longest piece ${
      longest.toFixed(1)
    } ms, ${steps} steps`,
  );
});
if (best.at(-1)!.ms / best.at(-2)!.ms > RATIO_MAXIMUM) Deno.exit(1);
