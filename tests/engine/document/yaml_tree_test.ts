import assert from "node:assert/strict";
import { parseTree } from "../../../src/engine/document/yaml_tree.ts";

function parse(text: string) {
  return parseTree({ file: "a.yaml", text });
}

Deno.test("parseTree gives the plain value and no diagnostics", () => {
  const { plain, diagnostics } = parse("name: x\nlist: [1, two]\n");
  assert.deepEqual([plain, diagnostics], [{ value: { name: "x", list: [1, "two"] } }, []]);
});

Deno.test("parseTree gives no value for a text that is not YAML, and the value of one with a repeated key", () => {
  const cases: [string, unknown][] = [["name: [", undefined], ["name: 1\nname: 2\n", { value: { name: 2 } }]];
  for (const [text, value] of cases) {
    const { plain, diagnostics } = parse(text);
    assert.deepEqual([plain, diagnostics.map(({ code }) => code)], [value, ["yaml_syntax"]], text);
  }
});

Deno.test("parseTree refuses aliases that unfold into a huge value", () => {
  const layers = Array.from({ length: 8 }, (_, index) => {
    const entry = index === 0 ? "x" : `*a${index - 1}`;
    return `a${index}: &a${index} [${Array(9).fill(entry).join(", ")}]\n`;
  });
  const { plain, diagnostics } = parse(layers.join(""));
  assert.deepEqual([plain, diagnostics.map(({ code, location }) => [code, location?.line])], [
    undefined,
    [["yaml_syntax", 1]],
  ]);
});

/** Unbounded, the largest of them takes minutes. */
const WORK_MAXIMUM_MS = 10_000;

const repeat = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join("");

const LARGE: Readonly<Record<string, [text: string, isParsed: boolean]>> = {
  "many keys": [repeat(19_000, (at) => `key${at}: 1\n`), true],
  "too many keys": [repeat(25_000, (at) => `key${at}: 1\n`), false],
  "too many keys in one line": [`{${repeat(25_000, (at) => `key${at}: 1, `)}}`, false],
  "a text that is too long": [`a: ${"x".repeat(1_100_000)}`, false],
  "one key again and again": [repeat(10_000, () => "key: 1\n"), true],
  "many anchors": [repeat(10_000, (at) => `key${at}: &a${at} x\n`), true],
  "many aliases": [`a: &a x\n${repeat(10_000, (at) => `key${at}: *a\n`)}`, false],
  "merge keys of a long mapping": [
    `%YAML 1.1\n---\nbase: &b {${repeat(9000, (at) => `k${at}: 1, `)}}\n${
      repeat(90, (at) => `m${at}: { <<: *b }\n`)
    }`,
    false,
  ],
  "a bracket in each line": [repeat(5000, (at) => `key${at}: ]\n`), false],
  "lists in lists": ["[".repeat(200_000), false],
  "mappings in mappings": ["{a: ".repeat(50_000), false],
  "entries in entries of one line": ["- ".repeat(100_000), false],
  "keys in keys of one line": ["a: ".repeat(100_000), false],
  "a quote in each line": [repeat(2000, (at) => `key${at}: "a\n`), false],
};

for (const [name, [text, isParsed]] of Object.entries(LARGE)) {
  Deno.test(`parseTree takes bounded time for ${name}`, () => {
    const began = performance.now();
    const { plain, diagnostics, locateKey } = parse(text);
    for (let at = 0; at < 5000; at++) locateKey([`key${at}`]);
    assert.equal(plain !== undefined, isParsed);
    assert.ok(diagnostics.length <= 101);
    const took = performance.now() - began;
    assert.ok(took < WORK_MAXIMUM_MS, `it took ${took.toFixed(0)} ms`);
  });
}

Deno.test("parseTree locates a value, a key and a character of a text", () => {
  const { locate, locateKey, has } = parse('a:\n  - b: "x\\ny"\n');
  const place = ({ line, column, length }: ReturnType<typeof locate>) => [line, column, length];
  assert.deepEqual(place(locate(["a", 0, "b"])), [2, 8, 6]);
  assert.deepEqual(place(locate(["a", 0, "b"], 2)), [2, 12, 1]);
  assert.deepEqual(place(locateKey(["a", 0, "b"])), [2, 5, 1]);
  assert.deepEqual([has(["a", 0, "b"]), has(["a", 1])], [true, false]);
});
