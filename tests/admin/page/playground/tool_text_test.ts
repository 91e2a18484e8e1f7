import assert from "node:assert/strict";
import { readToolText } from "../../../../src/admin/page/playground/trace.ts";
import { functionTool } from "../../../support/chat_tools.ts";

const TOOL = { type: "function", function: { name: "go", parameters: { type: "object" } } };
const NAMED = (name: string) => ({ type: "function", function: { name } });
const SHORT = functionTool("go", { to: "string" }, { required: ["to"] });

Deno.test("readToolText reads requests, lists, names and the short form of examples", () => {
  const system = { role: "system", content: "# Tools" };
  for (
    const [text, known] of [
      ["", {}],
      [JSON.stringify({ messages: [system], tools: [TOOL] }), { tools: [TOOL] }],
      [JSON.stringify({ messages: [system] }), { system: "# Tools" }],
      [
        JSON.stringify({
          messages: [{ role: "developer", content: [{ type: "text", text: "a" }] }],
          tools: [],
        }),
        {
          system: "a",
        },
      ],
      [JSON.stringify([TOOL]), { tools: [TOOL] }],
      ['["a", "b"]', { tools: [NAMED("a"), NAMED("b")] }],
      ["a, b c", { tools: [NAMED("a"), NAMED("b"), NAMED("c")] }],
      ["- a\n- b", { tools: [NAMED("a"), NAMED("b")] }],
      ["go: { to: string }", { tools: [SHORT] }],
    ] as const
  ) assert.deepEqual(readToolText(text), known, text);
});

Deno.test("readToolText states what it can't read", () => {
  for (
    const [text, problem] of [
      ["{}", "The JSON contains no tools"],
      ["3", "The JSON contains no tools"],
      ["go: [", "`[` is not closed"],
      ["go: 3", "The tools can't be read"],
      ["go: { to: strng }", "Type `strng` of go.to does not exist"],
    ] as const
  ) {
    const answer = readToolText(text);
    assert.equal("problem" in answer && answer.problem, problem, text);
  }
});
