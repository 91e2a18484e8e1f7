import assert from "node:assert/strict";
import { offer } from "../../../../src/engine/tool/offered.ts";
import { allCuts } from "../../../support/cuts.ts";
import { callsOf, eventsOf, programOf, told } from "../../../support/matcher_events.ts";
import { parse } from "yaml";
import { readYamlBlock, type YamlValue } from "../../../../src/engine/scan/body/yaml.ts";

const rule = { rule: "yaml", pattern: "<call {tool}>\\n(?<body>…)\\n</call>", body: "yaml" };
const schema = {
  properties: {
    a: { type: "string" },
    n: { type: "integer" },
    list: { type: "array", items: { type: "integer" } },
    file: { type: "object", properties: { path: { type: "string" }, line: { type: "integer" } } },
    on: { type: ["boolean", "null"] },
    range: { $ref: "#/$defs/range" },
  },
  $defs: { range: { type: "object", properties: { from: { type: "string" } } } },
};
const reading = { program: programOf(rule), offered: offer([{ name: "f", schema }]) };

const bodies: [name: string, body: string, value: unknown][] = [
  ["nothing", " ", {}],
  ["plain scalars as the schema has them", "a: 5\nn: 5", { a: "5", n: 5 }],
  ["quoted scalars as text", "n: '5'", { n: "5" }],
  ["a list of numbers", "list:\n  - 1\n  - 2", { list: [1, 2] }],
  ["a list in brackets", "list: [1, 2]", { list: [1, 2] }],
  ["an object", "file:\n  path: p\n  line: 3", { file: { path: "p", line: 3 } }],
  ["an object by reference", "range:\n  from: 3", { range: { from: "3" } }],
  ["a boolean and null", "on: true", { on: true }],
  ["unknown parameters as text", "z: 5", { z: "5" }],
  ["a block", "a: |\n  x: 1\n  </call>", { a: "x: 1\n</call>\n" }],
];

for (const [name, body, value] of bodies) {
  Deno.test(`writeYaml reads ${name}`, () => {
    for (const pieces of allCuts(`<call f>\n${body}\n</call>`)) {
      const [call] = callsOf(eventsOf(pieces, reading));
      assert.deepEqual(JSON.parse(call?.json ?? "null"), value);
    }
  });
}

Deno.test("writeYaml leaves a text that isn't a mapping unchanged", () => {
  for (const body of ["words", "- x\n- y", "a: 'x"]) {
    const text = `<call f>\n${body}\n</call>`;
    const lines = told(eventsOf([text], reading));
    assert.deepEqual(lines, ["note malformed: not a YAML mapping", `text ${JSON.stringify(text)}`]);
  }
});

/** The value with every scalar as text. */
function plainOf(value: YamlValue | undefined): unknown {
  switch (value?.kind) {
    case "map":
      return Object.fromEntries([...value.entries].map(([key, member]) => [key, plainOf(member)]));
    case "list":
      return value.items.map(plainOf);
    default:
      return value?.text;
  }
}

/** The blocks, all of strings, that the real parser reads in the same way. */
const blocks: [name: string, text: string][] = [
  ["plain scalars", "a: x\nb: y z\n"],
  ["CRLF", "a: x\r\nb: y\r\n"],
  ["a comment and blank lines", "# first\na: x # why\n\n  \nb: y#z\n"],
  ["quoted scalars", "a: 'it''s'\nb: \"say \\\"hi\\\"\\n\\u00e9\" # c\n'c d': x\n"],
  ["a colon and a dash in a scalar", "a: http://x\nb: x - y\n"],
  ["a scalar over several lines", "a: one\n  two\n  three\nb: x\n"],
  ["a block of lines", "a: |\n  x\n    y\n\n  z\nb: x\n"],
  ["a block with a colon, a dash and a comment sign", "a: |\n  b: x\n  - y\n  # z\n"],
  ["a block that ends in blank lines", "a: |\n  x\n\n\nb: |-\n  x\n\nc: |+\n  x\n\nd: x\n"],
  ["an empty block", "a: |\nb: x\n"],
  ["a folded block", "a: >\n  x\n  y\n\n  z\nb: >-\n  x\n  y\n"],
  ["an indented block", "  a: x\n  b: y\n"],
  ["nested mappings", "a:\n  b:\n    c: x\n  d: y\ne: z\n"],
  ["lists", "a:\n  - x\n  - y\nb:\n- z\n"],
  ["a list of mappings", "a:\n  - b: x\n    c: y\n  - b: z\n"],
  ["a list of lists below their dash", "a:\n  -\n    - x\n    - y\n"],
  ["a list alone", "- x\n- y\n"],
];

for (const [name, text] of blocks) {
  Deno.test(`readYamlBlock reads ${name} as a YAML parser does`, () => {
    assert.deepEqual(plainOf(readYamlBlock(text)), parse(text));
  });
}

Deno.test("readYamlBlock distinguishes plain scalars from quoted ones and blocks", () => {
  const value = readYamlBlock("a: 5\nb: '5'\nc: |\n  5\nd:\n");
  assert.ok(value?.kind === "map");
  const kinds = [...value.entries.values()].map((each) => each.kind === "scalar" && each.isPlain);
  assert.deepEqual(kinds, [true, false, false, true]);
});

const others: [name: string, text: string][] = [
  ["text", "just words"],
  ["a line without a key", "a: x\nwords\n"],
  ["the same key twice", "a: x\na: y\n"],
  ["a deeper entry without a parent", "a: x\n  b: y\n"],
  ["an anchor", "a: &x 1\n"],
  ["a tag", "a: !!str 1\n"],
  ["a quote that is not closed", 'a: "x\n'],
  ["text after a quote", 'a: "x" y\n'],
  ["a head that no block has", "a: |x\n  y\n"],
  ["a list in a list on one line", "- - x\n"],
  ["more levels than anyone writes", Array.from({ length: 40 }, (_, at) => `${" ".repeat(at)}a:\n`).join("")],
];

for (const [name, text] of others) {
  Deno.test(`readYamlBlock refuses ${name}`, () => {
    assert.equal(readYamlBlock(text), undefined);
  });
}
