/** What holds for every answer: nothing is lost, and what is called a call is one. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { ContentEvent } from "../../src/engine/event/event.ts";
import { CIRCUMSTANCES, dialectText, OFFERED } from "../support/dialect_text.ts";
import { runs, tell } from "../support/fuzz.ts";
import { callsOf, eventsOf, programOf, shippedRules, textOf } from "../support/matcher_events.ts";

const rules = shippedRules();
const program = programOf(...rules);
/** The rules that leave nothing out: remainders next to a call and invented results leave with it. */
const keeping = rules.filter(({ opaque }) =>
  !["residue", "opener", "leak", "result"].includes(opaque.region ?? "")
);
const ungrouped = programOf(...keeping.filter(({ body }) => body !== "group"));
/** Without and with the group whose wrapper is a fence. */
const grouped = programOf(...keeping.filter(({ rule }) => rule !== "call_fence"));
const fenced = programOf(...keeping);
const circumstances = fc.constantFrom(...CIRCUMSTANCES);

Deno.test("Matcher leaves an answer without a call byte for byte as it came", () => {
  const figures = { cases: 0, "without a call": 0 };
  fc.assert(
    fc.property(dialectText, circumstances, (text, how) => {
      const events = eventsOf([text], { program, offered: OFFERED, ...how });
      figures.cases++;
      if (events.some(({ kind }) => kind === "call_start")) return;
      figures["without a call"]++;
      assert.equal(textOf(events), text);
    }),
    runs(3000),
  );
  tell("no call", figures);
});

Deno.test("Matcher ends every call that it starts exactly once, with one JSON object or with an abort", () => {
  const figures = { cases: 0, calls: 0, aborts: 0 };
  fc.assert(
    fc.property(dialectText, circumstances, (text, how) => {
      const events = eventsOf([text], { program, offered: OFFERED, ...how });
      const calls = callsOf(events);
      assert.deepEqual(calls.map(({ start }) => start.call), calls.map((_, index) => index));
      const ends = events.filter(({ kind }) => kind === "call_end" || kind === "call_abort");
      assert.equal(ends.length, calls.length);
      for (const { json, end } of calls) {
        assert.ok(end);
        assert.ok(json.isWellFormed());
        if (end.kind === "call_end") assert.ok(isObject(JSON.parse(json)), json);
        assert.ok(end.kind === "call_end" || !how.wholeCalls, "an abort where whole calls were asked for");
        figures[end.kind === "call_end" ? "calls" : "aborts"]++;
      }
      figures.cases++;
    }),
    runs(3000),
  );
  tell("contract", figures);
});

Deno.test("Matcher loses nothing: text and the sources of the calls are the answer, whitespace beside calls aside", () => {
  const figures = { cases: 0, calls: 0 };
  fc.assert(
    fc.property(dialectText, fc.boolean(), (text, truncated) => {
      const reading = { program: ungrouped, offered: OFFERED, wholeCalls: true, truncated };
      const events = eventsOf([text], reading);
      figures.cases++;
      figures.calls += callsOf(events).length;
      assert.equal(rebuilt(text, events), text);
    }),
    runs(3000),
  );
  tell("nothing lost", figures);
});

Deno.test("Matcher loses nothing of a group but the tags of the wrapper", () => {
  const figures = { cases: 0, groups: 0 };
  fc.assert(
    fc.property(dialectText, (text) => {
      const events = eventsOf([text], { program: grouped, offered: OFFERED, wholeCalls: true });
      figures.cases++;
      figures.groups += events.filter(({ kind }) => kind === "group_start").length;
      assert.ok(leavesOut(WRAPPERS, { text, sources: sourcesOf(text, events).join("") }), text);
      const others = eventsOf([text], { program: fenced, offered: OFFERED, wholeCalls: true });
      const marks = [...WRAPPERS, ...FENCES];
      assert.ok(leavesOut(marks, { text, sources: sourcesOf(text, others).join("") }), text);
    }),
    runs(2000),
  );
  tell("groups", figures);
});

Deno.test("Matcher leaves out only remainders that the rule names, next to a call, and what follows an invented result", () => {
  const named = (region: string) => {
    const rule = rules.find(({ opaque }) => opaque.region === region)!;
    return new RegExp(`^(?:${rule.pattern.replace("(?<body>…)", "")})$`);
  };
  for (const token of REMAINDERS) assert.match(token, named("residue"));
  for (const opener of RESULTS) assert.match(opener, named("result"));
  const figures = { cases: 0, calls: 0, "left out": 0, ended: 0, "without a call": 0 };
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom("", "\n", " "), (parts, space) => {
      const answer = parts.map(({ text }) => text).join(space);
      const expected = expectedOf(parts, space);
      if (expected.isEnded) figures.ended++;
      const events = eventsOf([answer], { program, offered: OFFERED, wholeCalls: true });
      assert.equal(callsOf(events).length, expected.calls);
      if (expected.calls === 0) assert.equal(textOf(events), answer);
      assert.equal(textOf(events).replaceAll(/\s/g, ""), expected.text.replaceAll(/\s/g, ""));
      figures.cases++;
      figures.calls += expected.calls;
      figures["left out"] += expected.leftOut;
      if (expected.calls === 0) figures["without a call"]++;
    }),
    runs(3000),
  );
  tell("remainders", figures);
});

/** What the matcher must make of the parts of an answer. */
function expectedOf(parts: readonly Part[], space: string) {
  const expected = { calls: 0, text: "", leftOut: 0, isEnded: false };
  let followsCall = false;
  /** A remainder that leaves if a call is next. */
  let waiting = "";
  /** Whether a candidate was refused: what is around it belongs to it. */
  let isRefused = false;
  let before = "";
  for (const [index, { kind: own, text }] of parts.entries()) {
    const next = parts[index + 1]?.text;
    const isEmptyResult = text === "<tool_response>" &&
      (next === undefined || /^<(?:\/|tool_call>|function=|invoke)/.test(next));
    const kind = isEmptyResult ? "remainder" : own;
    if (kind === "result" && followsCall) return { ...expected, isEnded: true };
    if (kind === "call") {
      expected.calls++;
      if (waiting !== "") expected.leftOut++;
      waiting = "";
    } else if (kind === "remainder" && followsCall) expected.leftOut++;
    else {
      expected.text += waiting;
      const isAlone = before === "" || /[\n.:!?)>\]]$/.test(before);
      waiting = kind === "remainder" && isAlone && !isRefused ? text : "";
      if (waiting === "") expected.text += text;
      isRefused ||= text.includes("never_offered");
    }
    followsCall = kind === "call" || kind === "remainder" && followsCall;
    before = text + space;
  }
  expected.text += waiting;
  return expected;
}

/** Texts that the rule `residue` names. */
const REMAINDERS = [
  "</tool_call>",
  "</function>",
  "</invoke>",
  "</arg_value>",
  "</minimax:tool_call>",
  "</｜DSML｜invoke>",
  "]<]minimax[>[</invoke>",
  "<|im_end|>",
  "<|tool_calls_section_end|>",
  "<tool_response|>",
  "</s>",
  "[/TOOL_CALLS]",
];

/** Openers that the rule `result` names. */
const RESULTS = [
  "<tool_response>",
  "<function_results>",
  "<tool_output>",
  "[TOOL_RESULTS]",
  "<|im_start|>user",
];

/** A part of an answer, with what it is. */
interface Part {
  readonly kind: "call" | "remainder" | "result" | "text";
  readonly text: string;
}

const part: fc.Arbitrary<Part> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...REMAINDERS).map((text) => ({ kind: "remainder" as const, text })),
  },
  { weight: 1, arbitrary: fc.constantFrom(...RESULTS).map((text) => ({ kind: "result" as const, text })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "<function=read_file><parameter=path>a</parameter></function>",
      '<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>',
      '<invoke name="read_file"><parameter name="path">a</parameter></invoke>',
    ).map((text) => ({ kind: "call" as const, text })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "So it is.",
      "Then five, ",
      "<function=never_offered><parameter=path>a</parameter></function>",
    ).map((text) => ({ kind: "text" as const, text })),
  },
);

/** What each event is in the answer; the first words of a text that were before a call's closer are there again. */
function sourcesOf(answer: string, events: readonly ContentEvent[]): string[] {
  const sources = events.map((event) =>
    event.kind === "text" ? event.text : event.kind === "call_end" ? event.source ?? "" : ""
  );
  for (const [index, event] of events.entries()) {
    if (event.kind !== "note" || event.reason !== "text_before_closer") continue;
    const call = sources.findLastIndex((source, at) => at < index && source !== "");
    const text = events.findIndex(({ kind }, at) => at > index && kind !== "note");
    const following = events[text]?.kind === "text" ? sources[text]! : "";
    const [source, rest] = withWords(sources[call]!, { following, before: answer.slice(0, event.end) });
    sources[call] = source;
    if (following !== "") sources[text] = rest;
  }
  return sources;
}

/** A call's source with the words before its closer, and what follows the call without them. */
function withWords(
  source: string,
  { following, before }: { following: string; before: string },
): [source: string, rest: string] {
  const written = source.trimEnd();
  for (let length = 0; length <= following.length; length++) {
    const whole = before.trimEnd().slice(-written.length - length);
    for (let at = 0; at <= written.length; at++) {
      if (whole !== written.slice(0, at) + following.slice(0, length) + written.slice(at)) continue;
      return [whole + source.slice(written.length), following.slice(length)];
    }
  }
  assert.fail(`${source} and the words of ${following} don't end ${before}`);
}

/** The events put together again; whitespace that left with a call is taken from the answer, nothing else is. */
function rebuilt(answer: string, events: readonly ContentEvent[]): string {
  let text = "";
  let wasCall = false;
  for (const [index, source] of sourcesOf(answer, events).entries()) {
    if (source === "") continue;
    const isCall = events[index]!.kind === "call_end";
    const isOwnSpace = source.trimStart().length < source.length;
    if ((isCall || wasCall) && !isOwnSpace) text += spaceAt(answer, text.length);
    text += source;
    wasCall = isCall;
  }
  return wasCall ? text + spaceAt(answer, text.length) : text;
}

function spaceAt(text: string, at: number): string {
  const rest = text.slice(at);
  return rest.slice(0, rest.length - rest.trimStart().length);
}

const WRAPPERS = ["<multi_tool_use>", "</multi_tool_use>", '<multi_tool_usemode="parallel">'];

/** The marks of a fence around calls, with and without what they name. */
const FENCES = ["`", "~"].flatMap((mark) => [3, 4, 5, 6, 7, 8].map((count) => mark.repeat(count)))
  .flatMap((fence) =>
    ["", "tool_code", "tool_call", "tool_calls", "function_call", "function_calls"].map((name) =>
      fence + name
    )
  );

/** Whether the sources are the text without some of these marks, whitespace aside. */
function leavesOut(marks: readonly string[], { text, sources }: { text: string; sources: string }): boolean {
  const from = text.replaceAll(/\s/g, "");
  const to = sources.replaceAll(/\s/g, "");
  /** For each index in the text, the indices in the sources that can be reached with it. */
  const reached = Array.from({ length: from.length + 1 }, () => new Set<number>());
  reached[0]!.add(0);
  for (const [index, targets] of reached.entries()) {
    for (const target of targets) {
      if (index < from.length && from[index] === to[target]) reached[index + 1]!.add(target + 1);
      for (const mark of marks) {
        if (from.startsWith(mark, index)) reached[index + mark.length]!.add(target);
      }
    }
  }
  return reached[from.length]!.has(to.length);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
