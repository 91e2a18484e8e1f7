import assert from "node:assert/strict";
import { Automaton } from "../../../src/engine/pattern/automaton.ts";
import { LENGTH_MAXIMUM, NESTING_MAXIMUM, STEPS_MAXIMUM } from "../../../src/engine/pattern/limit.ts";
import { namesIn, type Node, sequence } from "../../../src/engine/pattern/node.ts";
import { parsePattern, REPEAT_MAXIMUM, TOOL_NAME } from "../../../src/engine/pattern/parse.ts";

/** Whether a pattern matches a whole text. */
function matches(pattern: string, text: string): boolean {
  const { node, problems } = parsePattern(pattern);
  assert.deepEqual(problems, []);
  const whole: Node = sequence(node!, { type: "end" });
  const automaton = new Automaton([{ node: whole, priority: 0 }]);
  let state = automaton.start(true);
  for (const unit of [...text.split("").map((one) => one.charCodeAt(0)), 0x10000]) {
    state = state && automaton.step(state, unit);
  }
  return state !== null && state.accepted.length > 0;
}

/** Patterns on which JavaScript's engine must agree. */
const PATTERNS = [
  "abc",
  "a|bc|",
  "a(?:b|c)d",
  "(?<x>a+)b*",
  "(ab)?c",
  "a{2,3}",
  "a{2}",
  "a{2,}",
  "a+?b",
  "[a-c]x",
  "[^a-c]x",
  "[\\d\\s]x",
  "[^\\w]",
  "\\d\\D",
  "\\s\\S",
  "\\w\\W",
  ".",
  "\\.\\*\\{\\}",
  "\\n|\\t|\\x41|\\u0042",
  "^a",
  "[😀]",
  "é+",
];
const TEXTS = [
  ..."|a|b|c|abc|bc|abd|acd|ab|aab|aaa|aaaa|aa|abb|cx|dx|5x| x|5a|55| a|a |_|-|a-|.|x|B|A|.*{}|é|éé".split(
    "|",
  ),
  "\n",
  "\r",
  "\t",
  "\u2028",
  "\ud83d",
  "\ude00",
];

for (const pattern of PATTERNS) {
  Deno.test(`parsePattern reads ${pattern} as JavaScript does`, () => {
    const expected = new RegExp(`^(?:${pattern})$`);
    const wrong = TEXTS.filter((text) => matches(pattern, text) !== expected.test(text));
    assert.deepEqual(wrong, []);
  });
}

Deno.test("parsePattern reads {tool} as a name of up to 128 characters", () => {
  assert.ok(matches("<{tool}>", "<mcp.server:read_file/v-1>"));
  assert.ok(matches("{tool}", "_" + "a".repeat(127)));
  for (const name of ["", "1a", "-a", "a b", "a".repeat(129)]) {
    assert.equal(matches("{tool}", name), false, name);
  }
});

Deno.test("parsePattern reads {tool} as the pattern that it abbreviates, also where that is an error", () => {
  for (const pattern of ["<{tool}>(?<body>…)</a>", "{tool}|a", "(?:{tool} )*", "{tool}?"]) {
    const written = pattern.replace("{tool}", () => TOOL_NAME);
    assert.deepEqual(parsePattern(pattern), parsePattern(written), pattern);
  }
  for (const pattern of ["{tool}+", "{tool}{2}", "[{tool}]", "{tool}{tool}"]) {
    assert.equal(parsePattern(pattern).problems[0]?.code, "pattern_syntax", pattern);
  }
});

Deno.test("parsePattern recognizes the hole by its one character", () => {
  const { node } = parsePattern("a(?<body>…)b");
  assert.ok(node?.type === "sequence");
  assert.deepEqual(node.items[1], { type: "hole", name: "body" });
  const { node: dots } = parsePattern("(?<body>...)");
  assert.equal(dots?.type, "group");
});

Deno.test("parsePattern turns a look-ahead at the end or before the hole into a mark", () => {
  const cases = ["a(?=b)", "a(?=b)(?<body>…)c"];
  for (const pattern of cases) {
    const { node } = parsePattern(pattern);
    assert.ok(node?.type === "sequence");
    assert.deepEqual(node.items[1], { type: "mark" });
  }
});

Deno.test("parsePattern reads $ in a look-ahead before the hole as the end of the answer", () => {
  const { node } = parsePattern("a(?=b|$)(?<body>…)c");
  assert.ok(node?.type === "sequence" && node.items[2]?.type === "choice");
  assert.deepEqual(node.items[2].items[1], { type: "end" });
});

const unsupported: [pattern: string, code: string, offset: number, length: number, message: string][] = [
  ["ab(?!c)", "pattern_unsupported", 2, 5, "A negative look-ahead is not supported"],
  ["ab(?<=c)", "pattern_unsupported", 2, 6, "A look-behind is not supported"],
  ["ab(?<!c)", "pattern_unsupported", 2, 6, "A look-behind is not supported"],
  ["ab$c", "pattern_unsupported", 2, 1, "`$` is in the middle of the pattern"],
  ["a(?=$b)(?<body>…)", "pattern_unsupported", 4, 1, "`$` is in the middle of the pattern"],
  ["ab\\b", "pattern_unsupported", 2, 2, "A word boundary is not supported"],
  ["ab\\B", "pattern_unsupported", 2, 2, "A word boundary is not supported"],
  [
    "a(?=b)c",
    "pattern_unsupported",
    1,
    5,
    "A look-ahead must be directly before the hole or at the end",
  ],
  ["(a)\\1", "pattern_unsupported", 3, 2, "A numbered backreference is not supported"],
  ["a(?i:b)", "pattern_unsupported", 1, 6, "Flags inside a pattern are not supported"],
  ["a{1,600}", "pattern_repeat", 1, 7, "Cannot repeat 600 times"],
  ["a{600,}", "pattern_repeat", 1, 6, "Cannot repeat 600 times"],
  ["a(?=b)*", "pattern_unsupported", 1, 6, "A look-ahead cannot be repeated"],
  [
    "(?:a(?=b))c",
    "pattern_unsupported",
    4,
    5,
    "A look-ahead must be directly before the hole or at the end",
  ],
  [
    "(?:a(?=b))*",
    "pattern_unsupported",
    4,
    5,
    "A look-ahead must be directly before the hole or at the end",
  ],
  ["a\\p{L}", "pattern_unsupported", 1, 2, "`\\p` means only the letter p"],
  ["[a\\P{L}]", "pattern_unsupported", 2, 2, "`\\P` means only the letter P"],
  ["a\\y", "pattern_unsupported", 1, 2, "`\\y` means only the letter y"],
  ["\\u{1F600}", "pattern_unsupported", 0, 2, "`\\u` means only the letter u"],
  ["[a-\\z]", "pattern_unsupported", 3, 2, "`\\z` means only the letter z"],
  ["ab\\", "pattern_syntax", 2, 1, "Cannot parse the pattern: \\ at end of pattern"],
  ["\\k<a>\\", "pattern_syntax", 5, 1, "Cannot parse the pattern: \\ at end of pattern"],
  ["\\k<a>(", "pattern_syntax", 5, 1, "Cannot parse the pattern: nothing closes this `(`"],
  ["(?:(?:[a-z]{1,100}){1,100}){3}", "pattern_too_large", 0, 30, ""],
  ["a(b", "pattern_syntax", 1, 1, "Cannot parse the pattern: nothing closes this `(`"],
  ["a(b)(c(?:[)]", "pattern_syntax", 6, 1, "Cannot parse the pattern: nothing closes this `(`"],
  ["a[b(", "pattern_syntax", 1, 1, "Cannot parse the pattern: nothing closes this `[`"],
  ["a)b", "pattern_syntax", 1, 1, "Cannot parse the pattern: Unmatched ')'"],
  ["a**", "pattern_syntax", 3, 1, "Cannot parse the pattern: Nothing to repeat"],
  ["[b-a]", "pattern_syntax", 4, 1, "Cannot parse the pattern: Range out of order in character class"],
];

for (const [pattern, code, offset, length, message] of unsupported) {
  Deno.test(`parsePattern points at the error in ${pattern}`, () => {
    const { node, problems } = parsePattern(pattern);
    assert.equal(node, undefined);
    assert.deepEqual(
      problems.map((problem) => [problem.code, problem.offset, problem.length, message && problem.message]),
      [[code, offset, length, message]],
    );
  });
}

Deno.test("parsePattern counts columns in the author's own text, before, inside and after {tool}", () => {
  const cases: [pattern: string, offset: number, length: number][] = [
    ["$<{tool}>", 0, 1],
    ["<{tool}>$a", 8, 1],
    ["<{tool}>|a<{tool}>$a", 18, 1],
    ["<{tool}>$a|<{tool}>", 8, 1],
    ["<{tool}>{tool}", 8, 1],
    ["(?!{tool})", 0, 10],
    ["<{tool}(", 7, 1],
    ["{tool}$a", 6, 1],
  ];
  for (const [pattern, offset, length] of cases) {
    const [problem] = parsePattern(pattern).problems;
    assert.deepEqual([problem?.offset, problem?.length], [offset, length], pattern);
  }
});

Deno.test("parsePattern allows repeats up to the limit", () => {
  assert.deepEqual(parsePattern(`a{0,${REPEAT_MAXIMUM}}`).problems, []);
  assert.ok(new RegExp(`^${TOOL_NAME}$`).test("read_file"));
});

Deno.test("parsePattern reads \\k<name> as a reference, even to a group of another pattern", () => {
  for (const pattern of ["</\\k<tool>>", "(?<key>a)\\k<tool>\\k<key>", "a|\\k<tool>"]) {
    const { node, problems } = parsePattern(pattern);
    assert.deepEqual(problems, []);
    assert.ok(node && namesIn(node, "reference").includes("tool"), pattern);
    assert.ok(!namesIn(node, "group").includes("tool"), pattern);
  }
});

Deno.test("parsePattern reads at most 4,096 characters and 50 nested groups", () => {
  assert.deepEqual([LENGTH_MAXIMUM, NESTING_MAXIMUM], [4096, 50]);
  const nested = (depth: number) => "(".repeat(depth) + "a" + ")".repeat(depth);
  const cases: [pattern: string, offset: number | undefined][] = [
    ["a".repeat(4096), undefined],
    ["a".repeat(4097), 4096],
    [nested(50), undefined],
    [nested(51), 50],
    ["a".repeat(300_000), 4096],
    [nested(2000), 50],
    ["[(]".repeat(60) + "\\(".repeat(60), undefined],
  ];
  for (const [pattern, offset] of cases) {
    const [problem] = parsePattern(pattern).problems;
    assert.equal(problem?.offset, offset, pattern.slice(0, 60));
    if (offset !== undefined) assert.equal(problem?.code, "pattern_too_large");
  }
});

Deno.test("parsePattern reads at most 512 repeats and 20,000 steps", () => {
  assert.deepEqual([REPEAT_MAXIMUM, STEPS_MAXIMUM], [512, 20_000]);
  assert.deepEqual(parsePattern("a{512}").problems, []);
  assert.equal(parsePattern("a{513}").problems[0]?.code, "pattern_repeat");
  assert.deepEqual(parsePattern("(?:[a-z]{1,99}b){1,99}").problems, []);
  for (const pattern of ["(?:(?:(?:a{512}){512}){512}){512}", "(?:[a-z]{1,100}b){1,100}"]) {
    assert.equal(parsePattern(pattern).problems[0]?.code, "pattern_too_large", pattern);
  }
});

/** The ranges of a pattern that is one set of characters. */
function rangesOf(pattern: string): readonly (readonly [number, number])[] {
  const { node } = parsePattern(pattern);
  assert.ok(node?.type === "characters", pattern);
  return node.ranges;
}

Deno.test("rangesOf, classRanges and unitOf read a set of characters", () => {
  const cases: [pattern: string, ranges: [number, number][]][] = [
    ["a", [[97, 97]]],
    ["\\n", [[10, 10]]],
    ["\\x41", [[65, 65]]],
    ["\\u0041", [[65, 65]]],
    ["\\cJ", [[10, 10]]],
    ["\\.", [[46, 46]]],
    ["[\\b]", [[8, 8]]],
    ["\\d", [[48, 57]]],
    ["[a-cb-e]", [[97, 101]]],
    ["[^\\x01-\\uffff]", [[0, 0]]],
    ["[\\d_]", [[48, 57], [95, 95]]],
    ["\\W", [[0, 47], [58, 64], [91, 94], [96, 96], [123, 0xffff]]],
  ];
  for (const [pattern, ranges] of cases) assert.deepEqual(rangesOf(pattern), ranges, pattern);
});
