import assert from "node:assert/strict";
import { Cursor } from "../../../src/engine/scan/cursor.ts";
import { Emission } from "../../../src/engine/scan/emission.ts";
import { Region, Regions } from "../../../src/engine/scan/region.ts";
import type { Session } from "../../../src/engine/scan/session.ts";
import { anyTool, offer } from "../../../src/engine/tool/offered.ts";
import { eventsOf, programOf, textOf, told } from "../../support/matcher_events.ts";

const call = { pattern: "<<{tool}>>(?<body>…)<</>>", body: "json" };
const fence = {
  rule: "fence",
  pattern: "^(?<fence>`{3,8})\\n(?<body>…)^\\k<fence>(?=\\n)",
  body: "opaque",
  region: "fence",
};
const quote = { rule: "quote", pattern: '"(?<body>…)"', body: "opaque", region: "quote" };
const think = { rule: "think", pattern: "<think>(?<body>…)</think>", body: "opaque", region: "reasoning" };
const group = { rule: "group", pattern: "<g>(?<body>…)</g>", body: "group" };

function read(inside: string, text: string): string[] {
  const program = programOf({ rule: "call", ...call, inside }, fence, quote, think, group);
  return told(eventsOf([text], { program }));
}

const CALL = "<<f>>{}<</>>";
const regions: [name: string, text: string][] = [
  ["fence", `\`\`\`\n${CALL}\n\`\`\`\n`],
  ["quote", `"${CALL}"`],
  ["reasoning", `<think>${CALL}</think>`],
];

const readIn: Record<string, string[]> = { none: [], fence: ["fence"], any: ["fence"] };

for (const [inside, names] of Object.entries(readIn)) {
  for (const [region, text] of regions) {
    const isRead = names.includes(region);
    Deno.test(`Region: inside ${inside} a call in a ${region} is ${isRead ? "read" : "quoted"}`, () => {
      const lines = read(inside, `a\n${text}`);
      assert.equal(lines.includes("f {}"), isRead, lines.join());
      assert.equal(lines.includes("note quoted"), !isRead, lines.join());
    });
  }
}

Deno.test("Region of a fence ends at its own fence and not at a shorter one", () => {
  const inner = "```\nx\n```\n";
  assert.deepEqual(read("none", `\`\`\`\`\n${inner}${CALL}\n\`\`\`\`\n${CALL}`).slice(-2), [
    "f {}",
    "note transformed",
  ]);
});

Deno.test("Region that never closes is text to its end", () => {
  const text = `<think>${CALL} and`;
  const events = eventsOf([text], { program: programOf({ rule: "call", ...call }, think) });
  assert.deepEqual(events.filter(({ kind }) => kind === "call_start"), []);
  assert.equal(textOf(events), text);
});

Deno.test("Region searches for its closer first, then for the rules that make calls", () => {
  const program = programOf({ rule: "call", ...call }, fence, quote, group);
  const options = { offered: offer([]), minimumConfidence: 0, wholeCalls: false };
  const session: Session = { program, options, cursor: new Cursor(), emission: new Emission(), calls: 0 };
  const root = new Region(session);
  assert.equal(root.isCloser(0), false);
  assert.deepEqual(program.rules.map((_, index) => root.rule(index).name), [
    "call",
    "group",
    "fence",
    "quote",
  ]);
  const [, , rule] = program.rules;
  const region = new Region(session, { rule: rule!, offset: 3, atLineStart: false });
  assert.equal(region.isCloser(0), true);
  assert.equal(region.isCloser(1), false);
  assert.equal(region.rule(1).name, "call");
  assert.equal(region.group, undefined);
});

Deno.test("Region of a group searches only at its position until it has a call", () => {
  const program = programOf({ rule: "call", ...call }, group);
  const options = { offered: anyTool, minimumConfidence: 0, wholeCalls: false };
  const session: Session = { program, options, cursor: new Cursor(), emission: new Emission(), calls: 0 };
  const rule = program.rules.find(({ name }) => name === "group")!;
  const region = new Region(session, { rule, offset: 0, atLineStart: true });
  assert.equal(region.search.isAnchored, true);
  assert.equal(region.search, region.search, "a search that has begun goes on");
  region.group?.open();
  assert.equal(region.search.isAnchored, false);
  const { search } = region;
  region.restart();
  assert.notEqual(region.search, search);
});

function begin(beginsInReasoning: boolean): { session: Session; regions: Regions } {
  const session: Session = {
    program: programOf({ rule: "think", pattern: "<t>(?<body>…)</t>", body: "opaque", region: "reasoning" }),
    options: { offered: offer([]), minimumConfidence: 0, wholeCalls: false, beginsInReasoning },
    calls: 0,
    cursor: new Cursor(),
    emission: new Emission(),
  };
  return { session, regions: new Regions(session) };
}

Deno.test("Regions begins in the answer, or in its reasoning", () => {
  assert.equal(begin(false).regions.innermost.kind, "answer");
  const { regions } = begin(true);
  assert.equal(regions.innermost.kind, "reasoning");
  regions.leave();
  assert.equal(regions.innermost.kind, "answer");
});

Deno.test("Regions returns to the open regions of an earlier position", () => {
  const { session, regions } = begin(false);
  const before = regions.state;
  const [rule] = session.program.rules;
  regions.enter(new Region(session, { rule: rule!, offset: 3, atLineStart: false }));
  const inside = regions.state;
  assert.equal(regions.innermost.kind, "reasoning");
  regions.restore(before);
  assert.equal(regions.innermost.kind, "answer");
  regions.restore(inside);
  assert.deepEqual([regions.innermost.kind, regions.group], ["reasoning", undefined]);
});
