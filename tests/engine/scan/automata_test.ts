import assert from "node:assert/strict";
import { Search } from "../../../src/engine/pattern/search.ts";
import { anyTool, offer } from "../../../src/engine/tool/offered.ts";
import type { Texts } from "../../../src/engine/pattern/automaton.ts";
import { RuleAutomata } from "../../../src/engine/scan/rule_automata.ts";
import { allCuts } from "../../support/cuts.ts";
import { callsOf, eventsOf, programOf } from "../../support/matcher_events.ts";

const item = "<k (?<key>\\w+)>(?<value>…)</k>";

const html = {
  rule: "html",
  pattern: "<{tool}>(?<body>…)</\\k<tool>>",
  body: "tagged",
  item: "<(?<key>\\w+)>(?<value>…)</\\k<key>>",
  keys: "declared",
};
const fence = {
  rule: "fence",
  pattern: "^(?<fence>`{3,8})(?<body>…)\\k<fence>",
  body: "opaque",
  region: "fence",
};

function found(automaton: ConstructorParameters<typeof Search>[0], text: string): string {
  return new Search(automaton).next({ text, base: 0, at: 0, atLineStart: true, isEnd: false }).type;
}

Deno.test("Automata find only tags of offered tools if tags look like HTML", () => {
  const { automata } = programOf(html);
  const some = automata.root(offer([{ name: "read" }], { cat: "read" }));
  assert.equal(found(some, "<read>"), "match");
  assert.equal(found(some, "<cat>"), "match");
  assert.equal(found(some, "<re"), "held");
  assert.equal(found(some, "<rod"), "nothing");
  assert.equal(found(automata.root(offer([])), "<r"), "nothing");
  assert.equal(found(automata.root(anyTool), "<rod>"), "match");
});

Deno.test("Automata are cached for the same names, even in another request", () => {
  const { automata } = programOf(html);
  const offered = offer([{ name: "read" }]);
  assert.equal(automata.root(offered), automata.root(offered));
  assert.equal(automata.root(offered), automata.root(offer([{ name: "read" }])));
  assert.notEqual(automata.root(offered), automata.root(offer([{ name: "write" }])));
});

Deno.test("Automata of a region end at its own fence", () => {
  const { automata, rules } = programOf(html, fence);
  const rule = rules.find(({ name }) => name === "fence")!;
  const region = (fence: string) =>
    automata.region(rule, automata.calling, { texts: { fence }, offered: anyTool });
  const four = region("````");
  assert.equal(found(four, "````"), "match");
  assert.equal(found(four, "```a"), "nothing");
  assert.equal(region("````"), four);
  assert.notEqual(region("```"), four);
  assert.deepEqual(automata.calling.map(({ name }) => name), ["html"]);
});

Deno.test("Automata are removed from a full cache, the least recently used first", () => {
  const { automata, rules } = programOf({
    rule: "r",
    pattern: "<(?<n>\\w+) {tool}>(?<body>…)</\\k<n>>",
    body: "json",
  });
  const text = (texts: Texts) => new RuleAutomata(automata, rules[0]!, texts).text();
  const first = text({ n: "first" });
  const second = text({ n: "second" });
  for (let count = 0; count < 511; count++) {
    text({ n: `${count}` });
    text({ n: "first" });
  }
  assert.equal(text({ n: "first" }), first);
  assert.notEqual(text({ n: "second" }), second);
});

Deno.test("Automata number the names of requests without end", () => {
  const { automata } = programOf(html);
  const first = offer([{ name: "first" }]);
  const kept = automata.root(first);
  for (let count = 0; count < 600; count++) {
    assert.equal(found(automata.root(offer([{ name: `t${count}` }])), `<t${count}>`), "match");
  }
  assert.equal(found(automata.root(first), "<first>"), "match");
  assert.equal(found(kept, "<first>"), "match", "what runs with it goes on");
});

Deno.test("a call counts as the next one of a wrapper even if another rule reads it", () => {
  const wrapper = { pattern: "(?:<w>)?<a {tool}>(?<body>…)</a>(?:</w>)?", body: "tagged", item };
  const empty = { rule: "empty", pattern: "(?:<w>)?<b {tool}/>(?<body>…)(?:</w>)?", body: "none" };
  const program = programOf({ rule: "tagged", ...wrapper }, empty);
  const events = eventsOf(["<w><a f><k x>1</k></a><b g/></w>"], { program });
  assert.deepEqual(callsOf(events).map(({ start }) => start.tool), ["f", "g"]);
});

Deno.test("Automata of an answer that has begun omit rules that count only at its start", () => {
  const { automata } = programOf({
    rule: "start",
    pattern: "(?=\\[{tool}\\()(?<body>…)",
    body: "call_list",
    keys: "declared",
    begins: "answer",
  });
  const offered = offer([{ name: "read" }]);
  assert.equal(found(automata.root(offered), "[read("), "match");
  assert.equal(found(automata.root(offered, { hasBegun: true }), "[read("), "nothing");
});

Deno.test("a rule that counts at the start reads nothing later, however the answer is cut", () => {
  const program = programOf({
    rule: "start",
    pattern: "(?=\\[{tool}\\()(?<body>…)",
    body: "call_list",
    at: "start",
  });
  for (const text of ["A [f()]", "[f()] [f()]"]) {
    for (const pieces of allCuts(text)) {
      assert.equal(callsOf(eventsOf(pieces, { program })).length, text.startsWith("[") ? 1 : 0);
    }
  }
});
