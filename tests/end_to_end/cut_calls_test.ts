/**
 * A call that breaks off reaches no client as a call, on any wire, wherever the model's answer is cut: by the token limit,
 * or because the connection breaks.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Script } from "../support/scripted_upstream.ts";
import { cutsOf, startWireProxy } from "../support/wire_proxy.ts";
import { askRow, onRows, rowsInTurn, WIRE_TABLE } from "../support/wire_table.ts";
import { BEFORE, FILE_CONTENT, FILE_PATH, PRINTED, WRITE_FILE_SCHEMA } from "../support/written_file.ts";

const tool = { name: "write_file", schema: { ...WRITE_FILE_SCHEMA } };
const FILE = ["write_file", { path: FILE_PATH, content: FILE_CONTENT }];

for (const [dialect, printed] of Object.entries(PRINTED)) {
  Deno.test(`a call in ${dialect} that breaks off reaches no client as a call, on all wires`, async () => {
    let script: Script = {};
    await using proxy = await startWireProxy(() => script);
    for (const cut of cutsOf(printed, BEFORE.length + 1)) {
      script = cut.script;
      // A whole answer that breaks off has a test among the broken ends.
      await onRows(rowsInTurn(4).filter(({ isStreamed }) => isStreamed || !cut.isBroken), async (row) => {
        const { end, calls } = await askRow(proxy.origin, {
          row,
          question: { task: "Write the file", tool },
        });
        for (const call of calls) assert.deepEqual(call, FILE);
        if (cut.isBroken) assert.equal(end, row.wire === "chat" ? "error" : "broken");
        // Clients of Anthropic's API run a call whatever the stop reason is, so an error ends the answer in it.
        else assert.ok(end === "cut" || (row.name === "anthropic, streamed" && end === "error"), end);
      });
    }
  });
}

Deno.test("the beginning of a call's marks is never text at the token limit, on all wires", async () => {
  const begun = [
    "<tool_call>",
    "<tool_call>\n<function=write_file>",
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="write_file">\n<｜DSML｜parameter name="path"',
    "[TOOL_CALLS]",
    "<|start|>assistant to=functions.write_file<|channel|>commentary <|constrain|>json",
  ];
  let script: Script = {};
  await using proxy = await startWireProxy(() => script);
  for (const mark of begun) {
    script = { text: `I write it.\n${mark}`, finish: "length" };
    await onRows(WIRE_TABLE, async (row) => {
      const { text, calls } = await askRow(proxy.origin, { row, question: { task: "Write the file", tool } });
      assert.deepEqual([text.trim(), calls], ["I write it.", []]);
    });
  }
});
