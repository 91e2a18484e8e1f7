import assert from "node:assert/strict";
import { runExamples } from "../../../src/engine/rule/examples.ts";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";

const head = "rule: mine\npattern: '<<call {tool}>>(?<body>…)<</call>>'\nbody: json\n";
const input = `input: 'A <<call read_file>>{"path": "a", "line": 5}<</call>> B'`;

function run(cases: string) {
  const loaded = readRules([[{ file: "mine.yaml", text: head + cases }]], noSettings);
  assert.deepEqual(loaded.diagnostics, []);
  return runExamples(loaded);
}

Deno.test("runExamples points at an example that gives a different result and shows the difference", () => {
  const { diagnostics } = run(
    `examples:\n  - { name: one, offered: [read_file], ${input}, text: A, calls: [] }\n`,
  );
  assert.deepEqual(
    diagnostics.map(({ code, message, location }) => [code, message, location?.line]),
    [
      [
        "example_failed",
        'Example "one" of rule "mine" gives a different result, read as a whole with its rule alone',
        5,
      ],
    ],
  );
  assert.deepEqual(diagnostics[0]?.help?.split("\n").slice(1), [
    'text differs at character 2: expected its end, got "  B"',
    "call 1 (read_file) is unexpected",
  ]);
});

Deno.test("runExamples points at a case that does not stay untouched", () => {
  const { diagnostics } = run(`untouched:\n  - { name: one, offered: [read_file], ${input} }\n`);
  assert.deepEqual(diagnostics.map(({ code, location }) => [code, location?.line]), [[
    "untouched_changed",
    5,
  ]]);
});

Deno.test("runExamples leaves a tool alone that is not offered, and shows decisions if the example expects a call", () => {
  assert.deepEqual(run(`untouched:\n  - { name: one, offered: [], ${input} }\n`).diagnostics, []);
  const calls = "calls: [{ tool: read_file }]";
  const { diagnostics } = run(`examples:\n  - { name: one, offered: [], ${input}, text: A B, ${calls} }\n`);
  assert.ok(diagnostics[0]?.help?.endsWith("its decisions: unknown_tool (rule mine)"));
});

Deno.test("runExamples reports types that do not exist", () => {
  const { diagnostics } = run(
    "untouched:\n  - name: one\n    offered: { read_file: { path: strng } }\n    input: x\n",
  );
  assert.deepEqual(diagnostics.map(({ code, location, help }) => [code, location?.line, help]), [
    ["wrong_value", 6, "did you mean `string`?"],
  ]);
});

Deno.test("runExamples runs only the rules that are asked for", () => {
  const untouched = "untouched: [{ name: x, offered: [], input: x }]\n";
  const texts = ["one", "two"].map((name) => ({
    file: `${name}.yaml`,
    text: `rule: ${name}\npattern: '<<${name} {tool}>>(?<body>…)<</${name}>>'\nbody: json\n${untouched}`,
  }));
  const loaded = readRules([texts], noSettings);
  assert.equal(runExamples(loaded).count, 2);
  assert.equal(runExamples(loaded, { only: ({ rule }) => rule === "two" }).count, 1);
});
