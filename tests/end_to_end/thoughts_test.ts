/**
 * Thoughts are not the answer: reasoning that a model prints in its text is reasoning on every wire, streamed and whole,
 * whichever marks it has and whoever opened it; and nothing is lost.
 *
 * @module
 */
import assert from "node:assert/strict";
import { THOUGHT_ANSWERS, type ThoughtAnswer } from "../support/thought_answers.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { OPENED_MARKS, PROMPT_MARKS, PROSE_MARKS } from "../support/reasoning_marks.ts";
import type { Arrived, Script } from "../support/scripted_upstream.ts";
import { startWireProxy } from "../support/wire_proxy.ts";
import {
  askRow,
  onRows,
  rowsInTurn,
  WIRE_TABLE,
  type WireOutcome,
  type WireRow,
  WIRES,
} from "../support/wire_table.ts";

const tool = { name: "read_file", schema: { type: "object", properties: { path: { type: "string" } } } };
const PRINTED_CALL =
  "<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>";
const CALL = ["read_file", { path: "a" }];

const RESTS = [
  { printed: "It is 4.", text: "It is 4.", calls: [] },
  { printed: PRINTED_CALL, text: "", calls: [CALL] },
  { printed: `I read it.\n${PRINTED_CALL}`, text: "I read it.\n", calls: [CALL] },
  { printed: "", text: "", calls: [] },
];

async function onEachRow(
  settings: Readonly<Record<string, unknown>>,
  cases: Iterable<{ readonly script: Script; check(got: WireOutcome, row: WireRow): void }>,
  { hasTools = true } = {},
): Promise<void> {
  let script: Script = {};
  const question = { task: "Read it", ...hasTools ? { tool } : {} };
  // An answer with only thoughts stays as it is.
  const config = { policy: { empty_answer: "pass" } };
  await using proxy = await startWireProxy(() => script, { settings, config });
  for (const { script: next, check } of cases) {
    script = next;
    await onRows(rowsInTurn(), async (row) => {
      const got = await askRow(proxy.origin, { row, question });
      try {
        check(got, row);
      } catch (cause) {
        throw new Error(`${JSON.stringify(next)}: ${(cause as Error).message}`);
      }
    });
  }
}

/** Every rest of an answer after these thoughts, ended by the model and at the token limit; in a short run, in turn. */
function* casesOf(marks: typeof PROMPT_MARKS, opened: boolean) {
  for (const [at, [opener, closer]] of marks.entries()) {
    for (const [number, rest] of RESTS.entries()) {
      const ends = ["stop", "length"];
      for (const finish of IS_THOROUGH ? ends : [ends[(at + number) % 2]!]) {
        const text = `${opened ? `\n${opener}` : ""}\nI look.\n\nAt <b>.\n${closer}\n\n${rest.printed}`;
        yield { script: { text, finish }, rest, closer };
      }
    }
  }
}

function* exactly(marks: typeof PROMPT_MARKS, opened: boolean) {
  for (const { script, rest } of casesOf(marks, opened)) {
    yield {
      script,
      check({ reasoning, text, calls, end }: WireOutcome, { wire }: WireRow) {
        assert.deepEqual([reasoning, text.trim()], ["I look.\n\nAt <b>.", rest.text.trim()]);
        // At the token limit, a client of chat completions can't know whether a call is whole.
        if (end !== "cut" || wire !== "chat") assert.deepEqual(calls, rest.calls);
      },
    };
  }
}

Deno.test("thoughts with their opener are reasoning, on every wire and for all marks", async () => {
  await onEachRow({}, exactly([...OPENED_MARKS, ...PROSE_MARKS], true));
});

Deno.test("thoughts that the prompt opened are reasoning, on every wire and for all marks", async () => {
  await onEachRow({ begins_in_reasoning: true }, exactly(PROMPT_MARKS, false));
});

Deno.test("an answer that is expected to begin with thoughts can open them itself, on every wire", async () => {
  await onEachRow({ begins_in_reasoning: true }, exactly(OPENED_MARKS, true));
});

Deno.test("if no one knows where an answer begins, a whole one is split, and a stream loses no more than the mark", async () => {
  function* cases() {
    for (const { script, rest, closer } of casesOf(PROMPT_MARKS, false)) {
      yield {
        script,
        check({ reasoning, text, calls, end }: WireOutcome, row: WireRow) {
          if (end !== "cut" || row.wire !== "chat") assert.deepEqual(calls, rest.calls);
          assert.ok(!text.includes(closer) && !reasoning.includes(closer));
          assert.deepEqual([reasoning, text].map((part) => part.trim()).filter((part) => part !== ""), [
            row.isStreamed ? `I look.\n\nAt <b>.\n${rest.text}`.trim() : "I look.\n\nAt <b>.",
            ...row.isStreamed || rest.text === "" ? [] : [rest.text.trim()],
          ]);
        },
      };
    }
  }
  await onEachRow({ begins_in_reasoning: false }, cases());
});

Deno.test("an answer that the token limit ends in a mark loses no more than the mark, on every wire", async () => {
  /** An answer that ends after every character of a mark; in a short run, after every third one. */
  function* cases(mark: 0 | 1, opened: boolean) {
    for (const [at, pair] of PROMPT_MARKS.entries()) {
      const before = mark === 0 ? "" : `${opened ? pair[0] : ""}\nI look.\n`;
      for (let length = 1 + at % 3; length < pair[mark].length; length += IS_THOROUGH ? 1 : 3) {
        const cut = pair[mark].slice(0, length);
        yield {
          script: { text: before + cut, finish: "length" },
          check({ reasoning, text, calls, end }: WireOutcome) {
            assert.deepEqual([calls, end], [[], "cut"]);
            if (mark === 0) assert.ok(reasoning === "" && [cut, ""].includes(text), reasoning + text);
            else assert.deepEqual([reasoning, text], [`I look.\n${cut}`, ""]);
          },
        };
      }
    }
  }
  await onEachRow({}, [...cases(0, true), ...cases(1, true)]);
  await onEachRow({ begins_in_reasoning: true }, cases(1, false));
});

Deno.test("what was taken for thoughts and ends in peace is the answer, on every wire; a cut one stays thoughts", async () => {
  const answer = "Plain **answer**.\n\n```\n<think>\n```\nDone.";
  await onEachRow({ begins_in_reasoning: true }, [
    { script: { text: answer, finish: "stop" }, check: ({ text }) => assert.equal(text, answer) },
    {
      script: { text: answer, finish: "length" },
      check: ({ text, reasoning }) => assert.deepEqual([text, reasoning], ["", answer]),
    },
    {
      script: { text: `I read it.\n${PRINTED_CALL}`, finish: "stop" },
      check: ({ text, reasoning, calls }) =>
        assert.deepEqual([text, reasoning, calls], ["", "I read it.", [CALL]]),
    },
  ]);
});

Deno.test("a mark that is mentioned or shown stays text, on every wire", async () => {
  const texts = [
    "The tag <think> opens thoughts, and </think> closes them.",
    'Use `</think>` or "</think>".',
    "```\n<think>\nx\n</think>\n```\nThat is it.",
    "It ends with (</think>) here.",
  ];
  await onEachRow(
    {},
    texts.map((text) => ({
      script: { text, finish: "stop" },
      check: (got: WireOutcome) => assert.deepEqual([got.text, got.reasoning], [text, ""]),
    })),
  );
});

Deno.test("`policy.reasoning_text: keep` leaves thoughts in the text, on every wire", async () => {
  const text = "<think>\nI look.\n</think>\n\nIt is 4.";
  await using proxy = await startWireProxy({ text, finish: "stop" }, {
    config: { policy: { reasoning_text: "keep" } },
  });
  await onRows(WIRE_TABLE, async (row) => {
    const got = await askRow(proxy.origin, { row, question: { task: "Read it", tool } });
    assert.deepEqual([got.text, got.reasoning], [text, ""]);
  });
});

Deno.test("reasoning that the upstream separates itself ends what was expected to be thoughts", async () => {
  await onEachRow({ begins_in_reasoning: true }, [{
    script: { reasoning: "I look.", text: "It is 4.", finish: "stop" },
    check: ({ text, reasoning }) => assert.deepEqual([text, reasoning], ["It is 4.", "I look."]),
  }]);
});

Deno.test("without tools, thoughts are reasoning too, on every wire, and a call stays text", async () => {
  function* cases(marks: typeof PROMPT_MARKS, opened: boolean) {
    for (const { script, rest } of casesOf(marks, opened)) {
      const printed = rest.printed.trim();
      yield {
        script,
        check({ reasoning, text, calls }: WireOutcome) {
          assert.deepEqual([reasoning, text.trim(), calls], ["I look.\n\nAt <b>.", printed, []]);
        },
      };
    }
  }
  await onEachRow({}, cases(OPENED_MARKS, true), { hasTools: false });
  await onEachRow({ begins_in_reasoning: true }, cases(PROMPT_MARKS, false), { hasTools: false });
});

Deno.test("what a template writes around the answer after thoughts leaves with them, on every wire", async () => {
  const frames = [
    ["<think>\nI look.\n</think>\n\n<response>\n", "\n</response>\n"],
    ["<|START_THINKING|>I look.<|END_THINKING|><|START_RESPONSE|>", "<|END_RESPONSE|>"],
    ["<|open|>think<|sep|>I look.<|close|>think<|sep|><|open|>response<|sep|>", "<|close|>response<|sep|>"],
    [
      "<|channel|>analysis<|message|>I look.<|end|><|start|>assistant<|channel|>final<|message|>",
      "<|return|>",
    ],
  ];
  await onEachRow(
    {},
    frames.map(([before, after]) => ({
      script: { text: `${before}It is <b>4</b>.${after}`, finish: "stop" },
      check: (got: WireOutcome) =>
        assert.deepEqual([got.reasoning, got.text], ["I look.", "It is <b>4</b>."]),
    })),
  );
});

Deno.test("a sentence that can begin thoughts and that no other one closes is the answer, on every wire", async () => {
  const answer = "Here is my thought process:\n\n1. Look.\n2. Write.\n";
  await onEachRow({}, [{
    script: { text: answer, finish: "stop" },
    check: ({ text }: WireOutcome) => assert.equal(text, answer),
  }]);
});

Deno.test("answers of all kinds of models reach a client, whole, by character and in pieces", async () => {
  const cuts = [{ isStreamed: false }, { isStreamed: true, pieceLength: 1 }, {
    isStreamed: true,
    pieceLength: 7,
  }];
  const script = ({ body }: Arrived): Script => {
    const [, at, pieceLength] = /answer (\d+) in pieces of (\d)/.exec(body)!;
    const { printed, separated, finish = "stop" } = THOUGHT_ANSWERS[Number(at)]!;
    return {
      text: printed,
      finish,
      pieceLength: Number(pieceLength),
      ...separated === undefined ? {} : { reasoning: separated },
    };
  };
  await using proxy = await startWireProxy(script, { settings: { server: "none" } });
  /** What a client of each wire in turn gets, with the name of the answer. */
  const get = async (
    answer: ThoughtAnswer,
    at: number,
    { isStreamed, pieceLength = 0 }: typeof cuts[number],
  ) => {
    const wire = WIRES[at % WIRES.length]!;
    const row = WIRE_TABLE.find((row) => row.wire === wire && row.isStreamed === isStreamed)!;
    const question = { task: `Print answer ${at} in pieces of ${pieceLength}`, tool };
    const headers = { "x-dragoman-begins-in-reasoning": String(answer.begins ?? "auto") };
    const { reasoning, text, calls } = await askRow(proxy.origin, { row, question, headers });
    return [answer.name, row.name, reasoning, text.trimEnd(), calls.length];
  };
  for (const cut of cuts) {
    const got = await Promise.all(THOUGHT_ANSWERS.map((answer, at) => get(answer, at, cut)));
    const wanted = THOUGHT_ANSWERS.map(({ name, reasoning, text, calls, isShownFirst = false }, at) => [
      name,
      `${WIRES[at % WIRES.length]}, ${cut.isStreamed ? "streamed" : "whole"}`,
      isShownFirst && cut.isStreamed ? text : reasoning,
      text,
      calls,
    ]);
    assert.deepEqual(got, wanted);
  }
});
