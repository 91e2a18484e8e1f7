/** Calls that no rule reads, read by evidence: on every wire, streamed and whole, and off by its setting. */
import assert from "node:assert/strict";
import { askRow, onRows, WIRE_TABLE, type WireQuestion } from "../support/wire_table.ts";
import { postRaw, startWireProxy } from "../support/wire_proxy.ts";

const string = { type: "string" };
const QUESTION: WireQuestion = {
  task: "Read it.",
  tool: { name: "read_file", schema: { type: "object", properties: { path: string }, required: ["path"] } },
};
const CALL = "<action>\n<tool>read_file</tool>\n<path>a.txt</path>\n</action>";

Deno.test("a call that no rule reads reaches the client of each wire as a call", async () => {
  await using proxy = await startWireProxy({ text: `I look.\n${CALL}` });
  await onRows(WIRE_TABLE, async (row) => {
    const answer = await askRow(proxy.origin, { row, question: QUESTION });
    assert.equal(answer.end, "whole");
    assert.equal(answer.text.trim(), "I look.");
    assert.deepEqual(answer.calls, [["read_file", { path: "a.txt" }]]);
  });
});

Deno.test("the same text stays text in a sentence, at the token limit, and with the second reader off", async () => {
  const cases = [
    { text: `Print ${CALL} to read it.`, policy: {} },
    { text: `${CALL}rename>`, policy: {} },
    { text: CALL.slice(0, -8), finish: "length", policy: {} },
    { text: CALL, policy: { second_reader: "off" } },
  ];
  for (const { text, finish = "stop", policy } of cases) {
    await using proxy = await startWireProxy({ text, finish }, { config: { policy } });
    await onRows(WIRE_TABLE, async (row) => {
      const answer = await askRow(proxy.origin, { row, question: QUESTION });
      assert.deepEqual([answer.text, answer.calls], [text, []]);
    });
  }
});

Deno.test("an answer of which JSON is demanded is data, also if it has the shape of a call", async () => {
  const data = '{"name": "read_file", "arguments": {"path": "a.txt"}}';
  await using proxy = await startWireProxy({ text: data });
  const asked = async (format: unknown, stream: boolean) => {
    const { name, schema } = QUESTION.tool!;
    const tools = [{ type: "function", function: { name, parameters: schema } }];
    const body = {
      model: "m",
      messages: [{ role: "user", content: "Go." }],
      tools,
      response_format: format,
      stream,
    };
    const { text } = await postRaw(`${proxy.origin}/v1/chat/completions`, body);
    return text.includes("tool_calls");
  };
  for (const stream of [true, false]) {
    assert.equal(await asked({ type: "json_object" }, stream), false);
    assert.equal(await asked({ type: "json_schema", json_schema: { name: "a", schema: {} } }, stream), false);
    assert.equal(await asked({ type: "text" }, stream), true);
  }
});
