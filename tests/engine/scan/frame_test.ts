import assert from "node:assert/strict";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { FRAME_MAXIMUM } from "../../../src/engine/scan/frame.ts";
import { Matcher } from "../../../src/engine/scan/matcher.ts";
import { anyTool } from "../../../src/engine/tool/offered.ts";
import { allCuts, piecesOf } from "../../support/cuts.ts";
import {
  callsOf,
  eventsOf,
  feed,
  merge,
  notesOf,
  programOf,
  textOf,
  told,
  toldInEveryCut,
} from "../../support/matcher_events.ts";

const tagged = {
  rule: "tagged",
  pattern: "<f={tool}>(?<body>…)</f>",
  body: "tagged",
  item: "<p=(?<key>\\w+)>(?<value>…)</p>",
};
const envelope = { rule: "envelope", pattern: "<call>(?<body>…)</call>", body: "envelope" };

/** The kinds of the events before the answer ends. */
function kindsSoFar(rule: Record<string, unknown>, text: string): string[] {
  const matcher = new Matcher(programOf(rule), { offered: anyTool, minimumConfidence: 0, wholeCalls: false });
  return merge(feed(matcher, text)).map(({ kind }) => kind);
}

const commits: [commit: string, text: string, kinds: string[]][] = [
  ["open", "<f=a>", ["call_start", "arguments"]],
  ["first_item", "<f=a>", []],
  ["first_item", "<f=a><p=x>", ["call_start", "arguments"]],
  ["close", "<f=a><p=x>1</p>", []],
  // The closers could come twice, which makes no call.
  ["close", "<f=a><p=x>1</p></f>", []],
  ["close", "<f=a><p=x>1</p></f>.", ["call_start", "arguments", "call_end", "note", "text"]],
];

for (const [commit, text, kinds] of commits) {
  Deno.test(`Frame that commits at ${commit} has sent ${kinds.join(" ") || "nothing"} after ${text}`, () => {
    assert.deepEqual(kindsSoFar({ ...tagged, commit }, text), kinds);
  });
}

Deno.test("Frame returns its text unchanged until the client knows about the call", () => {
  const broken = "<f=a> no </f>";
  const notes = "note malformed: neither an item nor the closing tag";
  const program = programOf({ ...tagged, commit: "close" });
  assert.deepEqual(toldInEveryCut(broken, { program }), [notes, `text ${JSON.stringify(broken)}`]);
});

Deno.test("Frame aborts a call that the client knows about, and the rest is text", () => {
  const broken = "<f=a> no </f>";
  assert.deepEqual(toldInEveryCut(broken, { program: programOf({ ...tagged, commit: "open" }) }), [
    "a { … abort malformed",
    "note malformed: neither an item nor the closing tag",
    'text "no </f>"',
  ]);
});

Deno.test("Frame sends nothing before the close if the client wants whole calls", () => {
  for (const commit of ["open", "first_item", "close"]) {
    const program = programOf({ ...tagged, commit });
    const cut = eventsOf(["<f=a><p=x>1"], { program, wholeCalls: true, truncated: true });
    assert.deepEqual(told(cut), ["note truncated", 'text "<f=a><p=x>1"']);
    const whole = eventsOf(["A <f=a><p=x>1</p></f>"], { program, wholeCalls: true });
    const [call] = callsOf(whole);
    assert.equal(call?.end?.kind === "call_end" && call.end.source, "<f=a><p=x>1</p></f>");
  }
});

Deno.test("Frame doesn't count calls that failed", () => {
  const events = eventsOf(["<f=a> no <f=b><p=x>1</p></f>"], { program: programOf(tagged) });
  assert.deepEqual(callsOf(events).map(({ start }) => [start.tool, start.call]), [["b", 0]]);
});

Deno.test("Frame notes the candidate's position, at every cut", () => {
  const text = 'ab <call>[{"name": "f"}, {"name": "g"}]</call> c';
  for (const pieces of allCuts(text)) {
    const notes = notesOf(eventsOf(pieces, { program: programOf(envelope) }));
    assert.deepEqual(notes.map(({ reason, tool, call, start, end }) => [reason, tool, call, start, end]), [
      ["transformed", "f", 0, 3, 46],
      ["transformed", "g", 1, 3, 46],
    ]);
  }
});

Deno.test("Frame keeps its certain calls if a later one fails", () => {
  const text = '<call>{"name": "f"} {"name": 5}</call>';
  for (const pieces of allCuts(text)) {
    const events = eventsOf(pieces, { program: programOf(envelope), wholeCalls: true });
    assert.deepEqual(told(events), [
      "f {}",
      "note transformed",
      "note invalid_arguments: not an object",
      'text "{\\"name\\": 5}</call>"',
    ]);
    const [call] = callsOf(events);
    assert.equal(call?.end?.kind === "call_end" && call.end.source, '<call>{"name": "f"} ');
  }
});

Deno.test("Frame that must be last waits for the end and accepts only whitespace", () => {
  const last = { ...tagged, where: "last" };
  const call = "<f=a><p=x>1</p></f>";
  const cases: [text: string, truncated: boolean, lines: string[]][] = [
    [`${call}\n \n`, false, ['a {"x":"1"}', "note transformed"]],
    [`${call} and`, false, ["note text_follows", `text ${JSON.stringify(`${call} and`)}`]],
    [`${call}\n`, true, ["note truncated", `text ${JSON.stringify(`${call}\n`)}`]],
  ];
  for (const [text, truncated, lines] of cases) {
    assert.deepEqual(toldInEveryCut(text, { program: programOf(last), truncated }), lines);
  }
});

Deno.test("Frame of several calls that must be last returns all of them if text follows", () => {
  const last = { ...envelope, where: "last" };
  const text = '<call>{"name": "f"}{"name": "g"}</call> and';
  assert.equal(textOf(eventsOf([text], { program: programOf(last) })), text);
});

/** A call whose text has this length up to its closer, opener included. */
function callOf(length: number): string {
  const head = "<f=a><p=x>";
  const tail = "</p></f>";
  return head + "x".repeat(length - head.length - tail.length) + tail;
}

Deno.test("Frame that is not committed ends at exactly 1 MiB, at every cut", () => {
  const program = programOf({ ...tagged, commit: "close" });
  const cuts = (text: string) => [[text], piecesOf(text, [FRAME_MAXIMUM - 1, 1]), piecesOf(text, [65_537])];
  const fits = `y${callOf(FRAME_MAXIMUM)}`;
  const tooLong = `y${callOf(FRAME_MAXIMUM + 1)}`;
  for (const pieces of cuts(fits)) {
    const events = eventsOf(pieces, { program });
    assert.deepEqual(events.map(reasonOf), ["text", "call_start", "arguments", "call_end", "transformed"]);
  }
  let seen: ContentEvent[] | undefined;
  for (const pieces of cuts(tooLong)) {
    const events = eventsOf(pieces, { program });
    assert.deepEqual(events.map(reasonOf), ["text", "over_limit", "text"]);
    assert.equal(textOf(events), tooLong);
    assert.deepEqual(events, seen ??= events);
  }
});

Deno.test("Frame that is committed has no limit", () => {
  const text = callOf(2 * FRAME_MAXIMUM);
  const events = eventsOf(piecesOf(text, [100_000]), { program: programOf(tagged) });
  assert.deepEqual(events.map(reasonOf), ["call_start", "arguments", "call_end", "transformed"]);
});

Deno.test("Frame that closes or fails before its limit ignores the text after it, however long", () => {
  const rest = "x".repeat(2 * FRAME_MAXIMUM);
  const program = programOf({ ...tagged, commit: "close" });
  assert.deepEqual(eventsOf([callOf(100) + rest], { program }).map(reasonOf), [
    "call_start",
    "arguments",
    "call_end",
    "transformed",
    "text",
  ]);
  assert.deepEqual(eventsOf([`<f=a> no${rest}`], { program }).map(reasonOf), ["malformed", "text"]);
});

Deno.test("Frame that commits before its limit continues in the same piece", () => {
  const text = callOf(2 * FRAME_MAXIMUM);
  const events = eventsOf([text], { program: programOf(tagged) });
  assert.deepEqual(events.map(reasonOf), ["call_start", "arguments", "call_end", "transformed"]);
});

function reasonOf(event: ContentEvent): string {
  return event.kind === "note" ? event.reason : event.kind;
}

Deno.test("Frame in a group sends the call's identifiers and keeps them out of the arguments", () => {
  const group = { rule: "g", pattern: "<g>(?<body>…)</g>", body: "group", meta: ["id", "after"] };
  const text = "<g><f=a><p=x>1</p><p=id>r</p><p=after>[1]</p></f></g>";
  const events = eventsOf([text], { program: programOf(group, tagged) });
  const [call] = callsOf(events);
  assert.deepEqual(call?.start.meta, { id: "r", after: "[1]" });
  assert.equal(call?.json, '{"x":"1"}');
});
