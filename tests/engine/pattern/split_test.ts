import assert from "node:assert/strict";
import { minimumLength, namesIn, WRAPPER } from "../../../src/engine/pattern/node.ts";
import { splitPattern } from "../../../src/engine/pattern/split.ts";

function split(pattern: string, hole: "body" | "value" = "body") {
  const { split, problems } = splitPattern(pattern, hole);
  assert.deepEqual(problems, []);
  assert.ok(split);
  return split;
}

Deno.test("splitPattern finds a wrapper that is optional on both sides", () => {
  const { opener, closer, wrapperCloser, groups } = split(
    "(?:<w>\\s*)?<f={tool}>(?<body>…)</f>(?:\\s*</w>)?",
  );
  assert.deepEqual(namesIn(opener, "group"), [WRAPPER, "tool"]);
  assert.deepEqual(groups, ["tool"], "the wrapper isn't one of the rule's groups");
  assert.equal(minimumLength(closer), "</f>".length);
  assert.equal(wrapperCloser && minimumLength(wrapperCloser), "</w>".length);
});

const unwrapped: [name: string, pattern: string][] = [
  ["it is optional before only", "(?:<w>)?<a {tool}>(?<body>…)</a>"],
  ["it is optional after only", "<a {tool}>(?<body>…)</a>(?:</w>)?"],
  ["it is a single character", "(?:\\n)?<a {tool}>(?<body>…)</a>(?:\\n)?"],
  ["it can repeat", "(?:<w>)*<a {tool}>(?<body>…)</a>(?:</w>)*"],
];

for (const [name, pattern] of unwrapped) {
  Deno.test(`splitPattern sees no wrapper if ${name}`, () => {
    const { opener, wrapperCloser } = split(pattern);
    assert.equal(wrapperCloser, undefined);
    assert.equal(namesIn(opener, "group").includes(WRAPPER), false);
  });
}

const wrongItems: [name: string, item: string, code: string, message: RegExp][] = [
  ["a look-ahead after the value", "<(?<key>a)>(?<value>…)</a>(?=\\n)", "pattern_unsupported", /look ahead/],
  ["a reference to an unknown group", "<(?<key>a)>(?<value>…)</\\k<x>>", "pattern_reference", /`x`/],
  [
    "a group whose name is in the pattern too",
    "<(?<ns>a)(?<key>a)>(?<value>…)</a>",
    "pattern_reference",
    /`ns`/,
  ],
];

for (const [name, item, code, message] of wrongItems) {
  Deno.test(`splitPattern refuses an item with ${name}`, () => {
    const { split, problems } = splitPattern(item, "value", ["tool", "ns"]);
    assert.equal(split, undefined);
    assert.deepEqual(problems.map((problem) => problem.code), [code]);
    assert.match(problems[0]!.message, message);
  });
}

const wrong: [name: string, pattern: string, code: string, expected: RegExp | undefined][] = [
  ["dots in the place of the hole", "<a>(?<body>...)</a>", "pattern_hole", /… for any text/],
  ["two holes", "a(?<body>…)b(?<body2>…)c", "pattern_hole", /exactly one hole/],
  ["a hole of another name", "a(?<value>…)b", "pattern_hole", /\(\?<body>…\)/],
  ["a hole inside a group", "a(?:(?<body>…))?b", "pattern_hole", /not inside another group/],
  ["a hole in one of several branches", "a(?<body>…)b|c", "pattern_hole", undefined],
  ["an empty opener", "(?<body>…)b", "pattern_empty_opener", /at least one character/],
  ["an opener that can be empty", "a*(?<body>…)b", "pattern_empty_opener", undefined],
  ["an opener that looks ahead at nothing", "(?=a*)(?<body>…)b", "pattern_empty_opener", undefined],
  ["an opener longer than the text that can be held", "a{512}b(?<body>…)c", "pattern_too_long", /512/],
  ["a reference in the opener", "(?<x>a)\\k<x>(?<body>…)b", "pattern_reference", /only after the hole/],
  ["a reference to a group after the hole", "a(?<body>…)(?<x>b)\\k<x>", "pattern_reference", /named group/],
  ["a reference to another group", "(?<y>a)(?<body>…)(?<x>b)\\k<x>", "pattern_reference", /one of y/],
  ["^ in the middle of the opener", "a^b(?<body>…)c", "pattern_unsupported", /very beginning/],
  ["^ inside a group", "(?:^a)b(?<body>…)c", "pattern_unsupported", undefined],
  ["^ in the middle of the closer", "a(?<body>…)b^c", "pattern_unsupported", undefined],
  ["a syntax error", "a(?<body>…)b(", "pattern_syntax", undefined],
];

for (const [name, pattern, code, expected] of wrong) {
  Deno.test(`splitPattern refuses ${name}`, () => {
    const { split, problems } = splitPattern(pattern, "body");
    assert.equal(split, undefined);
    assert.deepEqual(problems.map((problem) => problem.code), [code]);
    if (expected) assert.match(problems[0]?.expected ?? "", expected);
  });
}

Deno.test("splitPattern refuses an item's closer that can be absent, but no separator and no notation without closers", () => {
  const codesOf = (closer: string) =>
    splitPattern(`<(?<key>\\w+)>(?<value>…)${closer}`, "value").problems.map(({ code }) => code);
  for (const closer of ["(?:</p>)?", "\\s*(?:</p>)?", "(?:</p>|)"]) {
    assert.deepEqual(codesOf(closer), ["pattern_empty_closer"], closer);
  }
  for (const closer of ["", ",?", "\\s*", "(?:\\r?\\n)?", "(?:,|;|)", "</p>", "(?:\\r?\\n)?</p>"]) {
    assert.deepEqual(codesOf(closer), [], closer);
  }
});
