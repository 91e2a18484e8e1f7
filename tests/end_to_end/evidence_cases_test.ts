/**
 * Texts of models in notations that no rule reads, damaged ones, and shapes that the schema doesn't allow: each gives its calls
 * and nothing else, streamed and whole.
 *
 * @module
 */
import assert from "node:assert/strict";
import { askRow, onRows, STREAMED_ROWS, WIRE_TABLE, type WireRow } from "../support/wire_table.ts";
import { startWireProxy } from "../support/wire_proxy.ts";
import cases from "./evidence_cases.json" with { type: "json" };
import { sampled } from "../support/fuzz.ts";

type Case = typeof cases[number];

/** Every case reaches chat completions, streamed and whole; every eighth one reaches each wire. */
const CHAT = WIRE_TABLE.filter(({ wire }) => wire === STREAMED_ROWS[0]!.wire);

async function wrongOf(origin: string, task: string, { one, rows }: Asked): Promise<string[]> {
  const [[name]] = one.calls as [[string, unknown]];
  const schema = { type: "object", ...(one.tools as Record<string, object>)[name] };
  const wrong: string[] = [];
  await onRows(rows, async (row) => {
    const answer = await askRow(origin, { row, question: { task, tool: { name, schema } } });
    const isRight = JSON.stringify(answer.calls) === JSON.stringify(one.calls) && answer.end === "whole";
    const isClean = !answer.text.includes("<") && !answer.text.includes("}");
    if (!isRight || !isClean) {
      wrong.push(`${one.name}, ${row.name}: ${JSON.stringify([answer.calls, answer.text])}`);
    }
  });
  return wrong;
}

interface Asked {
  readonly one: Case;
  readonly rows: readonly WireRow[];
}

Deno.test("calls in notations that no rule reads, and damaged ones, reach the client", async () => {
  const oneTool = cases.filter(({ tools }) => Object.keys(tools).length === 1);
  const wrong = [];
  await using proxy = await startWireProxy(({ body }) => {
    const index = /case (\d+) of/.exec(JSON.stringify(body))![1]!;
    return { text: oneTool[Number(index)]!.text };
  });
  for (const [index, one] of sampled([...oneTool.entries()], 3)) {
    const rows = index % 8 === 0 ? WIRE_TABLE : CHAT;
    wrong.push(...await wrongOf(proxy.origin, `case ${index} of the table`, { one, rows }));
  }
  assert.deepEqual(wrong, []);
});

/** A value has what closes its call, and goes on. */
const CLOSED_AGAIN =
  "<tool_call>\n<function=write_file>\n<parameter=path>\nb\n</parameter>\n<parameter=content>\na = 1\n" +
  "</parameter>\n</function>\n</tool_call>\nb = 2\n</parameter>\n</function>\n</tool_call>";

Deno.test("no call can be run whose closing marks come again after other text, on every wire", async () => {
  const string = { type: "string" };
  const schema = { type: "object", properties: { path: string, content: string } };
  const question = { task: "write", tool: { name: "write_file", schema } };
  for (const policy of [{}, { calls: "whole" }, { second_reader: "off" }, { dry_run_rules: ["hermes"] }]) {
    await using proxy = await startWireProxy({ text: CLOSED_AGAIN }, { config: { policy } });
    await onRows(WIRE_TABLE, async (row) => {
      const { calls, text, end } = await askRow(proxy.origin, { row, question });
      const isWhole = !row.isStreamed || "calls" in policy;
      assert.deepEqual([calls, end === "whole"], [[], isWhole], `${JSON.stringify(policy)}: ${end}`);
      if (isWhole) assert.equal(text, CLOSED_AGAIN);
    });
  }
});
