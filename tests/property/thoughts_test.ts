/**
 * Thoughts between any marks of `think.yaml`: no character waits longer than the longest mark, and an answer that ends inside
 * a mark loses at most what is there of it.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createReasoningReader } from "../../src/chat/translator/reasoning_reader.ts";
import type { MatchEvent } from "../../src/engine/event/event.ts";
import { textAnswer, type TextStage } from "../../src/engine/event/stage.ts";
import { isBlank } from "../../src/engine/pattern/node.ts";
import { openAnswer } from "../../src/engine/scan/whole_answer.ts";
import { offer } from "../../src/engine/tool/offered.ts";
import { oneByOne } from "../support/cuts.ts";
import { runs, tell } from "../support/fuzz.ts";
import { shippedProgram } from "../support/matcher_events.ts";
import { type MarkPair, reasoningMarks } from "../support/rule_marks.ts";

const program = shippedProgram();
const MARKS = reasoningMarks(program, (rule) => rule.startsWith("think"));
const ALL_MARKS = MARKS.flatMap(({ opener, closer }) => [opener, closer]);
const LONGEST = Math.max(...ALL_MARKS.map(({ length }) => length));
const PREFILLED = MARKS.filter(({ rule }) => !["think_prose", "think_tags"].includes(rule));
const createReader = createReasoningReader(program)!;

/** Who opened the thoughts: the answer, a prompt of which it is known, or one of which it isn't. */
const STATES = ["opened", "prefilled", "unknown"] as const;
type State = typeof STATES[number];

/** A part of an answer; a mark leaves it. */
interface Part {
  readonly text: string;
  readonly isMark?: true;
}

const word = fc.stringMatching(/^[a-z.,]{1,30}$/);
/** The beginning of a mark, and something else. */
const begun = fc.constantFrom(...ALL_MARKS).chain((mark) =>
  fc.integer({ min: 1, max: mark.length - 1 }).map((length) => `${mark.slice(0, length)}~`)
);
const prose = fc.array(fc.oneof(word, begun), { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));

function partsOf(
  state: State,
  { opener, closer }: MarkPair,
  [thought, text]: readonly [string, string],
): Part[] {
  const isOpened = state === "opened";
  return [
    ...isOpened ? [{ text: opener, isMark: true } as const, { text: "\n" }] : [],
    { text: `${thought}\n` },
    { text: closer, isMark: true },
    { text: `\n\n${text}` },
  ];
}

const answers = fc.tuple(fc.constantFrom(...STATES), prose, prose).chain(([state, thought, text]) =>
  fc.constantFrom(...state === "opened" ? MARKS : PREFILLED)
    .map((pair) => ({ state, parts: partsOf(state, pair, [thought, text]) }))
);

function without(text: string): string {
  return text.replaceAll(/\s/g, "");
}

/** What a reader gives for more of an answer: its text, its reasoning, and how many calls. */
function give(reader: TextStage, ...events: readonly MatchEvent[]) {
  const got = { text: "", reasoning: "", calls: 0 };
  const out = {
    push(event: MatchEvent) {
      if (event.kind === "text" || event.kind === "reasoning") got[event.kind] += event.text;
      got.calls += Number(event.kind === "call_start");
    },
  };
  for (const event of events) reader.push(event, out);
  return got;
}

Deno.test("no character of an answer with thoughts waits longer than the longest mark, whoever opened them", () => {
  const figures = { cases: 0, "longest mark": LONGEST, "longest wait": 0 };
  fc.assert(
    fc.property(answers, ({ state, parts }) => {
      const reader = createReader({ isStreamed: true, beginsInReasoning: state === "prefilled" });
      let given = 0;
      let read = 0;
      /** Where each character that stays was read. */
      const staying: number[] = [];
      let got = "";
      for (const { text, isMark } of parts) {
        for (const unit of text.split("")) {
          read++;
          if (!isMark && !isBlank(unit)) staying.push(read);
          const { text, reasoning } = give(reader, { kind: "text", text: unit });
          const more = without(reasoning + text);
          got += more;
          given += more.length;
          const wait = read - (staying[given] ?? read);
          figures["longest wait"] = Math.max(figures["longest wait"], wait);
          assert.ok(wait <= LONGEST, `${wait} characters`);
        }
      }
      got += without(give(reader, { kind: "text_end", truncated: false, isAnswered: false }).text);
      assert.equal(got, without(parts.map(({ text, isMark }) => isMark ? "" : text).join("")));
      figures.cases++;
    }),
    runs(1000),
  );
  tell("thoughts", figures);
});

/** What a client gets of an answer whose text ends there. */
function read(text: string, { state, isWhole, truncated }: Cut) {
  const reader = openAnswer(program, {
    offered: offer([{ name: "read_file" }]),
    minimumConfidence: 0.9,
    wholeCalls: isWhole,
    separatesReasoning: true,
    beginsInReasoning: state === "prefilled",
    dropsCutCalls: true,
    isWhole,
  });
  return give(reader, ...textAnswer(isWhole ? [text] : oneByOne(text), { truncated }));
}

/** An answer that ends in a mark, and what a client may get of it. */
function cutAnswer(
  { rule, ...pair }: MarkPair,
  { state, mark, length, isWhole, truncated }: Cut,
): { readonly printed: string; readonly wanted: readonly (readonly [reasoning: string, text: string])[] } {
  const cut = pair[mark].slice(0, length);
  // At the token limit, what begins a mark can leave the text.
  const ends = truncated ? [cut, ""] : [cut];
  if (mark === "opener") return { printed: cut, wanted: ends.map((end) => ["", end]) };
  const before = `${state === "opened" ? pair.opener : ""}\nI look.`;
  const printed = before + cut;
  if (state === "unknown") return { printed, wanted: ends.map((end) => ["", before + end]) };
  // What was only taken for thoughts and ends in peace is the answer; a stream has shown it as thoughts before.
  const isAnswer = !truncated && (state === "prefilled" || rule === "think_prose");
  return { printed, wanted: [[isAnswer && isWhole ? "" : `I look.${cut}`, isAnswer ? printed : ""]] };
}

interface Cut {
  readonly state: State;
  readonly mark: "opener" | "closer";
  readonly length: number;
  readonly isWhole: boolean;
  readonly truncated: boolean;
}

function* cutsOf(pair: MarkPair): Generator<Cut> {
  for (const state of STATES) {
    if (state !== "opened" && !PREFILLED.includes(pair)) continue;
    for (const mark of state === "opened" ? ["opener", "closer"] as const : ["closer"] as const) {
      for (let length = 1; length < pair[mark].length; length++) {
        for (const isWhole of [true, false]) {
          for (const truncated of [true, false]) yield { state, mark, length, isWhole, truncated };
        }
      }
    }
  }
}

Deno.test("an answer that ends in any character of a mark loses at most what is there of it, whoever opened the thoughts", () => {
  let count = 0;
  for (const pair of MARKS) {
    for (const cut of cutsOf(pair)) {
      const { printed, wanted } = cutAnswer(pair, cut);
      const got = read(printed, cut);
      const isWanted = wanted.some(([reasoning, text]) =>
        reasoning.trimEnd() === got.reasoning.trimEnd() && text === got.text
      );
      assert.ok(isWanted && got.calls === 0, JSON.stringify({ printed, ...cut, got, wanted }));
      count++;
    }
  }
  assert.ok(count > 3000, String(count));
});
