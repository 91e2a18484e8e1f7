import assert from "node:assert/strict";
import { join } from "node:path";
import { conformance } from "../../src/cli/conformance.ts";
import type { VerbInput } from "../../src/cli/verb.ts";
import { createTestContext } from "../support/context.ts";
import { runVerb } from "../support/run_verb.ts";

const RECORDED = join(import.meta.dirname!, "../../../shared/conformance");
const hasRecorded = await Deno.stat(RECORDED).then(() => true, () => false);
if (!hasRecorded) console.log(`conformance: ${RECORDED} is absent, its tests are skipped`);

const CASES = [
  {
    id: "one",
    dialect: "hermes-json",
    tier: "A",
    tools: null,
    text: 'A\n<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>',
    content_exact: true,
    expect: { content: "A", calls: [{ name: "f", arguments: { a: 1.0 } }] },
  },
  {
    id: "two",
    dialect: "hermes-json",
    tier: "B",
    tools: [],
    text: "Hi",
    expect: { calls: [{ name: "f", arguments: {} }] },
  },
].map((one) => `${JSON.stringify(one)}\n`).join("");

function run(values: VerbInput["values"] = {}, positionals: readonly string[] = ["cases"]) {
  return runVerb(conformance, { values, positionals, files: { "cases/a.jsonl": CASES, "empty/none": "" } });
}

Deno.test("conformance prints a table per dialect and tier, then what did not pass", async () => {
  const { code, stdout } = await run();
  assert.equal(code, 1);
  assert.equal(
    stdout,
    [
      "dialect      tier  passed  rules",
      "hermes-json  A     1/1     hermes",
      "hermes-json  B     0/1     hermes",
      "",
      "Failed:",
      "  two",
      "      no call instead of 1 call (f)",
      "",
      "1 of 2 cases passed",
      "",
    ].join("\n"),
  );
});

Deno.test("conformance --json prints one line for each case, the same for every cut", async () => {
  const { stdout } = await run({ json: true });
  const lines = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines[0], {
    id: "one",
    dialect: "hermes-json",
    pass: true,
    why: "",
    got: { content: "A\n", calls: [{ name: "f", arguments: { a: 1 } }], finish_reason: "tool_calls" },
  });
  assert.deepEqual(lines.map(({ pass }) => pass), [true, false]);
  for (const cut of ["chars", "pieces:1", "pieces:2"]) {
    assert.equal((await run({ json: true, cut })).stdout, stdout);
  }
  assert.equal((await run({ json: true, rules: "all" })).stdout, stdout);
});

for (
  const [title, values, positionals, code, stderr] of [
    ["no path", {}, [], 2, "No path given"],
    ["an unknown path", {}, ["none"], 1, "Cannot read file none: it does not exist"],
    ["a folder without cases", {}, ["empty"], 1, "No cases in folder empty"],
    ["an unknown cut", { cut: "words" }, ["cases"], 2, "Unknown cut `words`"],
    ["an unknown set of rules", { rules: "some" }, ["cases"], 2, "Unknown set of rules `some`"],
    ["an unknown client", { client: "rooo" }, ["cases"], 2, "did you mean `roo`?"],
  ] as const
) {
  Deno.test(`conformance with ${title} says so and ends with ${code}`, async () => {
    const result = await run(values, positionals);
    assert.deepEqual([result.code, result.stdout], [code, ""]);
    assert.ok(result.stderr.includes(stderr), result.stderr);
  });
}

for (
  const [dialect, passed, whole] of [
    // One engine sends the part of a call that was cut off; a whole answer of Dragoman has none.
    ["qwen3-coder-xml", { A: "35/35", B: "8/8" }, { B: "7/8" }],
    ["hermes-json", { A: "32/32", B: "2/3" }, {}],
  ] as const
) {
  Deno.test(`conformance reads the recorded outputs of ${dialect}`, { ignore: !hasRecorded }, async () => {
    for (const cut of ["whole", "chars", "pieces:1", "pieces:2", "pieces:3"]) {
      const context = createTestContext();
      await conformance.run({ values: { cut }, positionals: [`${RECORDED}/${dialect}.jsonl`] }, context);
      const expected = cut === "whole" ? { ...passed, ...whole } : passed;
      for (const [tier, count] of Object.entries(expected)) {
        assert.match(context.printed.stdout, new RegExp(`^${dialect} +${tier} +${count} `, "m"), cut);
      }
    }
  });
}
