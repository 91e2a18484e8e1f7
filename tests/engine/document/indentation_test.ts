import assert from "node:assert/strict";
import { readDocument } from "../../../src/engine/document/document.ts";
import { ruleSchema } from "../../../src/engine/rule/schema.ts";

const head = "rule: r\npattern: '<c {tool}>(?<body>…)</c>'\nbody: json\n";
const cases: [name: string, text: string, line: number, message: RegExp, help: RegExp][] = [
  [
    "too little",
    `${head}examples:\n  - name: x\n  offered: [f]\n    input: a\n    calls: []\n`,
    6,
    /^`offered` begins at column 3/,
    /column 5, under `name`/,
  ],
  [
    "too much",
    "rule: r\n  pattern: x\n  body: json\n",
    2,
    /^`pattern` begins at column 3/,
    /column 1, under `rule`/,
  ],
  [
    "to the left of its mapping",
    `${head}examples:\n  - name: x\n    offered: [f]\n    input: a\ncalls: []\n`,
    8,
    /^Unknown field `calls`/,
    /belongs below `examples`: indent it more/,
  ],
  [
    "to the right of its mapping",
    `${head}call:\n  tool: f\n  confidence: 0.9\n`,
    6,
    /^Unknown field `confidence`/,
    /belongs to the file itself: indent it less/,
  ],
];

for (const [name, text, line, message, help] of cases) {
  Deno.test(`explainIndentation of a line that begins ${name}: one mistake, at that line`, () => {
    const { diagnostics } = readDocument({ text, file: "r.yaml", schema: ruleSchema });
    assert.equal(diagnostics.length, 1, JSON.stringify(diagnostics));
    assert.equal(diagnostics[0]?.location?.line, line);
    assert.match(diagnostics[0]?.message ?? "", message);
    assert.match(diagnostics[0]?.help ?? "", help);
  });
}
