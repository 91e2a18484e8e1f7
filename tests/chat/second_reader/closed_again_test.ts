/** Cuts and placements that the wires' table (`tests/end_to_end/evidence_cases_test.ts`) doesn't have. */
import assert from "node:assert/strict";
import { ClosedAgain } from "../../../src/chat/second_reader/closed_again.ts";
import { beginsAgain, closingMarksOf, comeAgain } from "../../../src/chat/second_reader/closing_marks.ts";
import { collect, textAnswer } from "../../../src/engine/event/stage.ts";
import { Matcher } from "../../../src/engine/mod.ts";
import { offer } from "../../../src/engine/tool/offered.ts";
import { allCuts } from "../../support/cuts.ts";
import { callsOf, defaultProgram, merge, notesOf, textOf } from "../../support/matcher_events.ts";

const string = { type: "string" };
const schema = { type: "object", properties: { path: string, content: string }, required: ["path"] };
const offered = offer([{ name: "write_file", schema }, { name: "bash", schema }]);
const program = defaultProgram();

const CLOSERS = "\n</parameter>\n</function>\n</tool_call>";
const OPENER = "<tool_call>\n<function=write_file>\n<parameter=path>\nb\n</parameter>\n<parameter=content>\n";
const call = (content: string) => OPENER + content + CLOSERS;
const AGAIN = call(`a = 1${CLOSERS}\nb = 2`);

function eventsOf(pieces: readonly string[], wholeCalls: boolean) {
  const matcher = new Matcher(program, { offered, minimumConfidence: 0.8, wholeCalls });
  return merge(collect(new ClosedAgain(matcher, { wholeCalls }), textAnswer(pieces)));
}

/** The contents that were written, and the text; of a call that broke off, `off`, because its arguments are no JSON. */
function read(pieces: readonly string[], wholeCalls: boolean): [contents: unknown[], text: string] {
  const events = eventsOf(pieces, wholeCalls);
  const off = new Set(events.flatMap((event) => event.kind === "call_abort" ? [event.call] : []));
  const contents = callsOf(events).map(({ json }, index) => {
    if (!off.has(index)) return JSON.parse(json).content;
    assert.throws(() => JSON.parse(json));
    return "off";
  });
  return [contents, textOf(events)];
}

/** A text, and what is read of a stream, and where each call comes at once. */
const REFUSED: readonly (readonly [text: string, streamed: unknown, whole: unknown])[] = [
  [AGAIN, [["off"], "\nb = 2" + CLOSERS], [[], AGAIN]],
  [`${AGAIN}\nDone.`, [["off"], `\nb = 2${CLOSERS}\nDone.`], [[], `${AGAIN}\nDone.`]],
  [call(`${CLOSERS}\nb = 2`), [["off"], `b = 2${CLOSERS}`], [[], call(`${CLOSERS}\nb = 2`)]],
  [`${call("x")}\n${AGAIN}`, [["x", "off"], "\nb = 2" + CLOSERS], [["x"], AGAIN]],
  // A mark directly before a call leaves with it.
  [`${AGAIN}\n${call("x")}`, [["off", "x"], "b = 2\n</parameter>\n</function>"], [["x"], AGAIN]],
];

Deno.test("ClosedAgain refuses a call whose closing marks come again after other text, however it is cut", () => {
  for (const [text, streamed, whole] of REFUSED) {
    const cuts = allCuts(text);
    for (const pieces of cuts.filter((_, index) => index < 2 || index % 5 === 0 || text === AGAIN)) {
      const trimmed = (found: [unknown[], string]) => [found[0], found[1].trim()];
      assert.deepEqual(trimmed(read(pieces, false)), trimmed(streamed as never), JSON.stringify(pieces));
      assert.deepEqual(trimmed(read(pieces, true)), trimmed(whole as never), JSON.stringify(pieces));
    }
    const reasons = notesOf(eventsOf([text], false)).map(({ reason }) => reason);
    assert.equal(reasons.filter((reason) => reason === "two_readings").length, 1, text);
  }
});

Deno.test("ClosedAgain makes calls whose closing marks something opens, or of which only a part comes again", () => {
  const others: readonly (readonly [text: string, contents: readonly string[]])[] = [
    [`${call("x")}\nDone.`, ["x"]],
    [`${call("x")}\n${call("y")}`, ["x", "y"]],
    [`${call("x")}\nThe call ends in </tool_call>`, ["x"]],
    [`${call("x")}\nThen ${call("y").replace("write_file", "other")}`, ["x"]],
    // The value is also in the closing marks.
    [`${call("tool")}\nAs in <b>this</b>`, ["tool"]],
    [call(`see\n${call("q")}\nthere`), [`see\n${call("q")}\nthere`]],
    [`${call("x")}\n<tool_call>\n{"name": "bash", "arguments": {"path": "y"}}\n</tool_call>`, [
      "x",
      undefined!,
    ]],
  ];
  for (const [text, contents] of others) {
    for (const wholeCalls of [false, true]) {
      for (const pieces of [[text], text.split("")]) {
        assert.deepEqual(read(pieces, wholeCalls)[0], contents, text);
      }
    }
  }
});

/** What was sent of an answer before its end. */
function sentOf(text: string): unknown[] {
  const stage = new ClosedAgain(
    new Matcher(program, { offered, minimumConfidence: 0.8, wholeCalls: false }),
    { wholeCalls: false },
  );
  const [piece] = textAnswer([text]);
  return merge(collect(stage, [piece!])).map((event) => "json" in event ? event.json.slice(-2) : event.kind);
}

Deno.test("ClosedAgain sends all but the last brace at once, and everything of a call that states where its values end", () => {
  assert.deepEqual(sentOf(`${call("x")}\nDone.`), ["call_start", 'x"', "text"]);
  const json = '<tool_call>\n{"name": "bash", "arguments": {"path": "y"}}\n</tool_call>\nDone.';
  assert.deepEqual(sentOf(json), ["call_start", '"}', "call_end", "note", "text"]);
  const long = "x".repeat(512 * 1024);
  assert.deepEqual(sentOf(`${call("x")}\n${long}`), ["call_start", 'x"', "text", "}", "call_end", "note"]);
});

Deno.test("comeAgain sees closing marks that also open only where they aren't a pair", () => {
  const fenced = "```tool write_file\n@content\na = 1\n```";
  const marks = closingMarksOf(fenced, { tool: "write_file", json: '{"content":"a = 1"}' })!;
  const rests: readonly (readonly [rest: string, comesAgain: boolean])[] = [
    ["\nb = 2\n```", true],
    ["\nb = 2\n```\nDone.", true],
    ["\nIt does this:\n```js\na()\n```\nDone.", false],
    [`\n${fenced}\nDone.`, false],
    ["\n```", false],
    ["\nDone.", false],
  ];
  for (const [rest, comesAgain] of rests) {
    assert.equal(comeAgain(rest, marks, { isWhole: true }), comesAgain, rest);
  }
});

Deno.test("closingMarksOf finds what follows an empty value by the sign of another parameter", () => {
  const call = "|tool|write_file|path=a|content=|end|";
  assert.equal(
    closingMarksOf(call, { tool: "write_file", json: '{"path":"a","content":""}' })?.closers,
    "|end|",
  );
});

Deno.test("beginsAgain sees that a parameter is the call's own beginning", () => {
  const about = { tool: "write_file", json: '{"content":"x","tool":"write_file\\ny"}' };
  const call = "|tool| write_file\n|content| x\n|tool| write_file\ny\n|end|";
  assert.equal(beginsAgain(call, about), true);
  assert.equal(beginsAgain(call.replace("|tool| write_file\ny", "|tool| write_files"), about), true);
  assert.equal(beginsAgain(call.replace("|tool| write_file\ny", "|kind| write_file\ny"), about), false);
  assert.equal(beginsAgain(call, { tool: "write_file", json: '{"content":"x"}' }), false);
});
