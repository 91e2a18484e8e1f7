import assert from "node:assert/strict";
import {
  bind,
  choice,
  complement,
  isBlank,
  isSpace,
  literal,
  minimumLength,
  namesIn,
  type Node,
  normalize,
  type Ranges,
  sequence,
  SPACE,
  spaces,
} from "../../../src/engine/pattern/node.ts";
import { parsePattern } from "../../../src/engine/pattern/parse.ts";

const A: Node = { type: "characters", ranges: [[0x61, 0x61]] };
const reference: Node = { type: "reference", name: "fence" };
const optional: Node = { type: "repeat", item: A, minimum: 0, maximum: 1, greedy: true };

Deno.test("sequence and choice return a single node unchanged", () => {
  assert.equal(sequence(A), A);
  assert.equal(choice(A), A);
  assert.deepEqual(sequence(A, A), { type: "sequence", items: [A, A] });
  assert.deepEqual(choice(A, A), { type: "choice", items: [A, A] });
});

Deno.test("literal is one node for each UTF-16 unit", () => {
  assert.deepEqual(literal("a"), A);
  const emoji = literal("😀");
  assert.equal(emoji.type === "sequence" && emoji.items.length, 2);
  assert.equal(minimumLength(literal("")), 0);
});

Deno.test("isSpace and SPACE agree with JavaScript's whitespace for every code unit", () => {
  for (let unit = 0; unit <= 0xffff; unit++) {
    const expected = /\s/.test(String.fromCharCode(unit));
    assert.equal(isSpace(unit), expected, unit.toString(16));
    assert.equal(SPACE.some(([from, to]) => unit >= from && unit <= to), expected);
  }
});

const sets: { name: string; ranges: Ranges; normal: Ranges; rest: Ranges }[] = [
  { name: "nothing", ranges: [], normal: [], rest: [[0, 0xffff]] },
  { name: "everything", ranges: [[0, 0xffff]], normal: [[0, 0xffff]], rest: [] },
  {
    name: "unsorted",
    ranges: [[5, 6], [1, 2]],
    normal: [[1, 2], [5, 6]],
    rest: [[0, 0], [3, 4], [7, 0xffff]],
  },
  { name: "overlapping", ranges: [[1, 5], [3, 9]], normal: [[1, 9]], rest: [[0, 0], [10, 0xffff]] },
  { name: "neighbours", ranges: [[1, 2], [3, 4]], normal: [[1, 4]], rest: [[0, 0], [5, 0xffff]] },
  { name: "one inside another", ranges: [[0, 9], [3, 4]], normal: [[0, 9]], rest: [[10, 0xffff]] },
];

for (const { name, ranges, normal, rest } of sets) {
  Deno.test(`normalize and complement of ${name}`, () => {
    assert.deepEqual(normalize(ranges), normal);
    assert.deepEqual(complement(ranges), rest);
  });
}

Deno.test("bind replaces references with texts at any depth", () => {
  const deep = sequence(
    choice(reference, A),
    { type: "group", name: "g", item: reference },
    { ...optional, item: reference },
  );
  const bound = bind(deep, { fence: "``" });
  assert.deepEqual(namesIn(bound, "reference"), []);
  assert.equal(minimumLength(bound), 3);
  assert.deepEqual(bind(reference, {}), reference);
  assert.deepEqual(bind(reference, { fence: "" }), literal(""));
  assert.equal(bind(A, {}), A);
});

Deno.test("namesIn lists groups or references in order, including nested ones", () => {
  const { node } = parsePattern("(?<a>x(?<b>y)?)|(?<c>z)\\k<a>");
  assert.ok(node);
  assert.deepEqual(namesIn(node, "group"), ["a", "b", "c"]);
  assert.deepEqual(namesIn(node, "reference"), ["a"]);
});

const lengths: [name: string, node: Node, length: number][] = [
  ["a character", A, 1],
  ["a reference, since groups are not empty", reference, 1],
  ["a sequence", sequence(A, A), 2],
  ["a sequence up to its mark", sequence(A, { type: "mark" }, A), 1],
  ["the shortest of a choice", choice(sequence(A, A), A), 1],
  ["a repeat", { ...optional, minimum: 3, maximum: 5 }, 3],
  ["a group", { type: "group", name: "g", item: sequence(A, A) }, 2],
  ["whitespace that may be none", spaces, 0],
  ["the start of a line", { type: "line_start" }, 0],
  ["the end", { type: "end" }, 0],
  ["a hole", { type: "hole", name: "body" }, 0],
];

for (const [name, node, length] of lengths) {
  Deno.test(`minimumLength of ${name} is ${length}`, () => assert.equal(minimumLength(node), length));
}

Deno.test("isBlank accepts nothing but whitespace", () => {
  assert.deepEqual(["", " \t\r\n", "\u00a0\u3000", " x", "\u200b"].map(isBlank), [
    true,
    true,
    true,
    false,
    false,
  ]);
});
