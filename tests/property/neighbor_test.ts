/**
 * A broken call doesn't take its valid neighbor with it, and is itself made only as what it says: for the printed
 * example of every rule, cut anywhere or without one of its marks, and followed by the same call with another value.
 *
 * Values that are free text are the exception: a call in one that is never closed can be an example, so it isn't made,
 * and where the whole text is a call with the other one in a value that needs no more repairs, that reading counts.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { isRepair } from "../../src/engine/event/reason.ts";
import { readOffer } from "../../src/engine/rule/offer.ts";
import type { Rule } from "../../src/engine/rule/schema.ts";
import type { OfferedTools } from "../../src/engine/tool/offered.ts";
import type { Program } from "../../src/engine/scan/program.ts";
import { piecesOf } from "../support/cuts.ts";
import { runs, tell } from "../support/fuzz.ts";
import {
  callsOf,
  defaultRules,
  eventsOf,
  notesOf,
  programOf,
  shippedRules,
} from "../support/matcher_events.ts";

/** A printed call, the same call with another value, and what is read of each. */
interface Pair {
  readonly text: string;
  readonly next: string;
  /** What is between the two. */
  readonly gap: string;
  readonly call: PlainCall;
  readonly nextCall: PlainCall;
  /** The number of repairs that the printed call needs. */
  readonly repairs: number;
  readonly offered: OfferedTools;
}

interface PlainCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const byDefault = defaultRules({ withExamples: true });
const usual = programOf(...byDefault);

/** Rules whose neighbor is in doubt: a word begins the opener, an open fence holds it, JSON alone is the call, or brackets can be a link. */
const IN_DOUBT = [
  "bang_json",
  "bare_json",
  "cohere_action_block",
  "deepseek_v3",
  "functions_index_json",
  "gemma_plain",
  "harmony_plain",
  "json_block",
  "json_then_text",
  "openai_block",
  "tool_call_block",
  "tool_calls_block",
  "tool_request",
];

const QUOTES_AND_BRACKETS = "\"'{}[]<>()";

function read(text: string, { program, offered }: { program: Program; offered: OfferedTools }) {
  const reading = { program, offered, minimumConfidence: 0 };
  const events = eventsOf([text], reading);
  assert.deepEqual(eventsOf(piecesOf(text, [5, 2, 11]), reading), events);
  const whole = callsOf(events).filter(({ end }) => end?.kind === "call_end");
  const repairs = notesOf(events).filter(({ reason }) => isRepair(reason)).map((note) => note.call);
  return whole.map(({ start, json }) => {
    const call: PlainCall = { tool: start.tool, arguments: JSON.parse(json) };
    return { call, repairs: repairs.filter((call) => call === start.call).length };
  });
}

function callsIn(text: string, options: { program: Program; offered: OfferedTools }): PlainCall[] {
  return read(text, options).map(({ call }) => call);
}

/** The examples of a rule with one call, of which another with another value can follow. */
function pairsOf(rule: Rule, program: Program): Pair[] {
  return (rule.examples ?? []).flatMap(({ input, text, calls, offered: written }): Pair[] => {
    // Text in a value that is the value's own closer ends it where the rest is cut off.
    const hasMarks = rule.body === "tagged" && JSON.stringify(calls[0]?.arguments ?? {}).includes("<");
    if (calls.length !== 1 || (text ?? "") !== "" || hasMarks) return [];
    const { offered } = readOffer(written);
    const values = Object.values(calls[0]!.arguments ?? {});
    const value = values.find((value): value is string =>
      typeof value === "string" && /^[\w ./-]{2,}$/.test(value) && input.split(value).length === 2
    );
    if (value === undefined) return [];
    const next = input.replace(value, `${value.slice(0, -1)}q`);
    const single = [input, next].flatMap((text) => callsIn(text, { program, offered }));
    const isRead = (gap: string) =>
      JSON.stringify(callsIn(input + gap + next, { program, offered })) === JSON.stringify(single);
    if (single.length !== 2) return [];
    const repairs = read(input, { program, offered })[0]!.repairs;
    const pair = { text: input, next, call: single[0]!, nextCall: single[1]!, offered, repairs };
    return ["", "\n"].filter(isRead).map((gap) => ({ ...pair, gap }));
  });
}

/** Whether a call is another, or one with fewer of its parameters, whose closers are missing. */
function isPart(call: PlainCall, of: PlainCall): boolean {
  return call.tool === of.tool &&
    Object.entries(call.arguments).every(([key, value]) =>
      JSON.stringify(of.arguments[key]) === JSON.stringify(value)
    );
}

for (const rule of shippedRules({ withExamples: true })) {
  if (rule.body !== "json" && rule.body !== "envelope" && rule.body !== "tagged") continue;
  const program = byDefault.some((other) => other.rule === rule.rule) ? usual : programOf(...byDefault, rule);
  const pairs = pairsOf(rule, program);
  if (pairs.length === 0) continue;
  const hasText = rule.body === "tagged";
  const isInAmbiguity = rule.begins === "answer" || IN_DOUBT.includes(rule.rule);

  Deno.test(`Matcher reads a call of ${rule.rule} after a broken one`, () => {
    const figures = { cases: 0, made: 0, "well-formed": 0 };
    fc.assert(
      fc.property(
        fc.constantFrom(...pairs),
        fc.nat(),
        fc.boolean(),
        ({ text, next, gap, call, nextCall, offered, repairs: own }, which, isCut) => {
          const begin = text.search(/\S/) + 2;
          const marks = [...text].flatMap((mark, at) =>
            at >= begin && QUOTES_AND_BRACKETS.includes(mark) ? [at] : []
          );
          if (!isCut && marks.length === 0) return;
          const at = isCut ? begin + which % (text.length - 1 - begin) : marks[which % marks.length]!;
          const broken = isCut ? text.slice(0, at) : text.slice(0, at) + text.slice(at + 1);
          // A one-line value before a line break counts as whole.
          if (hasText && isCut && gap !== "") return;
          const all = read(broken + gap + next, { program, offered });
          const wanted = JSON.stringify(nextCall);
          const others = all.filter((one) => JSON.stringify(one.call) !== wanted && !isPart(one.call, call));
          figures.cases++;
          const isMade = all.some((one) => JSON.stringify(one.call) === wanted);
          if (isMade) figures.made++;
          figures["well-formed"] += others.length;
          if (isInAmbiguity) return;
          for (const { call, repairs } of others) {
            assert.ok(
              repairs <= own,
              `${JSON.stringify(broken + gap + next)} makes ${JSON.stringify(call)}`,
            );
          }
          // Text before it can open a fence that nothing closes.
          assert.ok(hasText || isMade || broken.includes("```"), `lost after ${JSON.stringify(broken)}`);
        },
      ),
      runs(60),
    );
    tell(`neighbor ${rule.rule}`, figures);
  });
}
