/**
 * Nothing runs by half, on any wire: an answer that ends inside a call gives the whole call or none, in fourteen dialects and for
 * the upstream's own call, whatever the end states. `tests/property/cut_values_test.ts` cuts every dialect at every character.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  CUT_CALLS,
  CUT_ENDS,
  CUT_TOOLS,
  cutBody,
  cutDialects,
  cutStream,
  deltasOf,
} from "../support/cut_answers.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import type { Script } from "../support/scripted_upstream.ts";
import { startWireProxy } from "../support/wire_proxy.ts";
import { askRow, onRows, rowsInTurn, WIRE_TABLE } from "../support/wire_table.ts";

/** A dialect of each kind of body and of marks. */
const DIALECTS = [
  "arg_key_xml",
  "bare_json",
  "deepseek_dsml",
  "deepseek_v31",
  "function_json",
  "gemma_call",
  "harmony",
  "hermes",
  "invoke_xml",
  "json_block",
  "kimi_k2",
  "mistral",
  "qwen_xml",
  "seed_xml",
];

/** A number, and a multi-line string. */
const CALLS = CUT_CALLS.slice(0, 2);

/** One cut of so many characters, and one end of so many. */
const STEP = IS_THOROUGH ? 36 : 96;
const END_STEP = IS_THOROUGH ? 1 : 3;

/** The places of the cuts: at even distances, in the number, and after the text's first line. */
function placesIn(printed: string): Set<number> {
  const places = [printed.indexOf("86400") + 4, printed.indexOf("import os") + "import os\n".length];
  for (let at = 5; at < printed.length; at += STEP) places.push(at);
  return new Set([...places.filter((at) => at > 4), printed.length]);
}

const write = await cutDialects();

for (const dialect of [...DIALECTS, "native"]) {
  Deno.test(`a call in ${dialect} that is cut runs whole or not at all, on all wires`, async () => {
    let script: Script = {};
    let turn = 0;
    let made = 0;
    await using proxy = await startWireProxy(() => script);
    for (const { tool, arguments: given } of CALLS) {
      const printed = dialect === "native"
        ? JSON.stringify(given)
        : write.get(dialect)!({ tool, arguments: given });
      if (printed === undefined) continue;
      const { schema } = CUT_TOOLS.find(({ name }) => name === tool)!;
      for (const at of placesIn(printed)) {
        const cut = printed.slice(0, at);
        const answer = dialect === "native" ? { tool, json: cut } : { text: cut };
        for (let index = turn++ % END_STEP; index < CUT_ENDS.length; index += END_STEP) {
          const end = CUT_ENDS[index]!;
          const isOnlyStreamed = end === "end" || end === "reset";
          script = {
            raw: { stream: cutStream(deltasOf(answer), end), body: cutBody(answer, end) },
            ...(end === "reset" && { fate: "break" }),
          };
          await onRows(
            rowsInTurn().filter(({ isStreamed }) => isStreamed || !isOnlyStreamed),
            async (row) => {
              const question = { task: "Go", tool: { name: tool, schema: { ...Object(schema) } } };
              const { end: seen, calls } = await askRow(proxy.origin, { row, question });
              if (end === "reset") assert.equal(seen, row.wire === "chat" ? "error" : "broken");
              // Clients of Anthropic's API run a call whatever the stop reason is, so an error ends the answer in it.
              const isEnded = seen === "cut" || (row.name === "anthropic, streamed" && seen === "error");
              if (end === "length") assert.ok(isEnded, `${seen} after ${JSON.stringify(cut)}`);
              made += calls.length;
              for (const call of calls) {
                assert.deepEqual(call, [tool, given], `${end} after ${JSON.stringify(cut)}`);
              }
            },
          );
        }
      }
    }
    assert.ok(made > 0, "a whole call is made");
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
  const question = { task: "Write the file", tool: { name: "write_file", schema: { type: "object" } } };
  for (const mark of begun) {
    script = { text: `I write it.\n${mark}`, finish: "length" };
    await onRows(WIRE_TABLE, async (row) => {
      const { text, calls } = await askRow(proxy.origin, { row, question });
      assert.deepEqual([text.trim(), calls], ["I write it.", []]);
    });
  }
});
