import assert from "node:assert/strict";
import { readAnswer } from "../../../src/engine/rule/outcome.ts";
import { anyTool } from "../../../src/engine/tool/offered.ts";
import { programOf } from "../../support/matcher_events.ts";

const program = programOf({ rule: "r", pattern: "<c {tool}>(?<body>…)</c>", body: "json" });

Deno.test("readAnswer gives text, calls and decisions", () => {
  const read = (...pieces: string[]) => readAnswer(program, { pieces, offered: anyTool });
  assert.deepEqual(read("A<c f>{", '"a": 1}</c>B'), {
    text: "AB",
    calls: [{ tool: "f", arguments: { a: 1 } }],
    decisions: [],
  });
  const broken = read('<c f>{"a": 1, x y}</c>');
  assert.match(String(broken.calls[0]?.arguments), /^broken off after/);
  assert.ok(broken.decisions.includes("call broken off: invalid_arguments"), broken.decisions.join());
});
