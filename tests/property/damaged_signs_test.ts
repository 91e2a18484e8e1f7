/** Calls in which one sign is damaged: most are read, and next to none becomes another call. */
import assert from "node:assert/strict";
import { callableTools } from "../../src/engine/evidence/evidence.ts";
import { findMarks } from "../../src/engine/evidence/mark.ts";
import { readRepaired } from "../../src/engine/evidence/repaired.ts";
import { READ_AGAIN } from "../../src/chat/second_reader/ambiguity.ts";
import { SecondReader } from "../../src/chat/second_reader/second_reader.ts";
import { collect, textAnswer } from "../../src/engine/event/stage.ts";
import { EchoGuard, Matcher } from "../../src/engine/mod.ts";
import { offer, type OfferedTools } from "../../src/engine/tool/offered.ts";
import { defaultProgram } from "../support/matcher_events.ts";
import { isJsonEqual } from "../../src/engine/json/equal.ts";
import cases from "../end_to_end/evidence_cases.json" with { type: "json" };

const ROUNDS = 8;
/** Of how many damaged texts the rules read one, too. */
const RULES_SHARE = 4;
const SIGNS = '"{}[](),:=';

/** A generator of numbers that a seed decides. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 2147483648 * below);
  };
}

type Span = readonly [start: number, end: number];

/** The marks and signs of a text outside the values. */
function spansOf(text: string, calls: unknown): Span[] {
  const values = [...JSON.stringify(calls).matchAll(/:"((?:[^"\\]|\\.)+)"/g)].map(([, value]) => value!);
  const isInValue = ([start, end]: Span) =>
    values.some((value) => {
      const at = text.indexOf(value);
      return at >= 0 && start < at + value.length && at < end;
    });
  const signs = [...text].flatMap((sign, at): Span[] => SIGNS.includes(sign) ? [[at, at + 1]] : []);
  const marks = findMarks(text).map(({ start, end }): Span => [start, end]);
  return [...marks, ...signs].filter((span) => !isInValue(span));
}

function damage(text: string, spans: readonly Span[], random: (below: number) => number): string {
  const [start, end] = spans[random(spans.length)]!;
  const [otherStart, otherEnd] = spans[random(spans.length)]!;
  const lost = start + random(end - start);
  const ways = [
    text.slice(0, start) + text.slice(end),
    text.slice(0, end) + text.slice(start),
    text.slice(0, lost) + text.slice(lost + 1),
    text.slice(0, start) + text.slice(otherStart, otherEnd) + text.slice(end),
  ];
  return ways[random(ways.length)]!;
}

const program = defaultProgram();

/** What the rules and evidence read of a whole answer. */
function readByBoth(text: string, offered: OfferedTools): [tool: string, args: unknown][] {
  const options = {
    offered,
    minimumConfidence: 0.9,
    wholeCalls: true,
    readAgain: READ_AGAIN,
    isWhole: true,
  };
  const stage = new SecondReader(new Matcher(program, options), {
    ...options,
    isShown: () => false,
    beginsInReasoning: false,
    echoGuard: new EchoGuard([]),
  });
  const calls = new Map<number, { readonly tool: string; json: string }>();
  for (const event of collect(stage, textAnswer([text]))) {
    if (event.kind === "call_start") calls.set(event.call, { tool: event.tool, json: "" });
    else if (event.kind === "arguments") calls.get(event.call)!.json += event.json;
    else if (event.kind === "call_abort") calls.delete(event.call);
  }
  return [...calls.values()].map(({ tool, json }) => [tool, JSON.parse(json)]);
}

Deno.test("a call with one damaged sign is read by evidence, or none is made; next to none is another one", () => {
  const random = numbers(20261127);
  let [count, right] = [0, 0];
  const wrong: string[] = [];
  const both = { count: 0, right: 0, wrong: [] as string[] };
  for (const { text, calls, tools } of cases) {
    const all = offer(Object.entries(tools).map(([name, schema]) => ({ name, schema })));
    const offered = callableTools(all);
    const read = (given: string) =>
      readRepaired(given, { tools: offered, isCut: false, isShown: () => false }).calls
        .map((call) => [call.tool.name, call.arguments]);
    if (!isJsonEqual(read(text), calls)) continue;
    const spans = spansOf(text, calls);
    for (let round = 0; round < ROUNDS; round++) {
      const damaged = damage(text, spans, random);
      const found = read(damaged);
      count++;
      if (isJsonEqual(found, calls)) right++;
      else if (found.length > 0) wrong.push(damaged);
      if (count % RULES_SHARE > 0) continue;
      const made = readByBoth(damaged, all);
      both.count++;
      if (isJsonEqual(made, calls)) both.right++;
      else if (made.length > 0) both.wrong.push(`${damaged}\n${JSON.stringify(made)}`);
    }
  }
  assert.ok(count > 300, `${count} texts`);
  assert.ok(right >= 0.6 * count, `${right} of ${count} are right`);
  assert.ok(wrong.length <= 0.03 * count, `${wrong.length} of ${count} are others:\n${wrong.join("\n--\n")}`);
  assert.ok(both.right >= 0.6 * both.count, `${both.right} of ${both.count} are right with the rules`);
  assert.ok(
    both.wrong.length <= 0.03 * both.count,
    `${both.wrong.length} of ${both.count} are others with the rules:\n${both.wrong.join("\n--\n")}`,
  );
});
