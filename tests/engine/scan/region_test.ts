import assert from "node:assert/strict";
import { Cursor } from "../../../src/engine/scan/cursor.ts";
import { Emission } from "../../../src/engine/scan/emission.ts";
import { Region } from "../../../src/engine/scan/region.ts";
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
  const root = Region.root(program, anyTool);
  assert.equal(root.isCloser(0), false);
  assert.deepEqual(program.rules.map((_, index) => root.rule(index).name), [
    "call",
    "group",
    "fence",
    "quote",
  ]);
  const [, , rule] = program.rules;
  const region = Region.open(rule!, { session, groups: {}, offset: 3, atLineStart: false });
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
  const region = Region.open(rule, { session, groups: {}, offset: 0, atLineStart: true });
  assert.equal(region.search.isAnchored, true);
  assert.equal(region.search, region.search, "a search that has begun goes on");
  region.group?.open();
  assert.equal(region.search.isAnchored, false);
  const { search } = region;
  region.restart();
  assert.notEqual(region.search, search);
});
