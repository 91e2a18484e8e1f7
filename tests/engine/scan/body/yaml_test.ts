import assert from "node:assert/strict";
import { offer } from "../../../../src/engine/tool/offered.ts";
import { allCuts } from "../../../support/cuts.ts";
import { callsOf, eventsOf, programOf, told } from "../../../support/matcher_events.ts";

const rule = { rule: "yaml", pattern: "<call {tool}>\\n(?<body>…)\\n</call>", body: "yaml" };
const schema = {
  properties: {
    a: { type: "string" },
    n: { type: "integer" },
    list: { type: "array", items: { type: "integer" } },
    file: { type: "object", properties: { path: { type: "string" }, line: { type: "integer" } } },
    on: { type: ["boolean", "null"] },
  },
};
const reading = { program: programOf(rule), offered: offer([{ name: "f", schema }]) };

const bodies: [name: string, body: string, value: unknown][] = [
  ["nothing", " ", {}],
  ["plain scalars as the schema has them", "a: 5\nn: 5", { a: "5", n: 5 }],
  ["quoted scalars as text", "n: '5'", { n: "5" }],
  ["a list of numbers", "list:\n  - 1\n  - 2", { list: [1, 2] }],
  ["a list in brackets", "list: [1, 2]", { list: [1, 2] }],
  ["an object", "file:\n  path: p\n  line: 3", { file: { path: "p", line: 3 } }],
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
