/**
 * `policy.fenced_calls`: which calls in fences its settings make, on every wire.
 *
 * @module
 */
import assert from "node:assert/strict";
import { startWireProxy } from "../support/wire_proxy.ts";
import { askRow, onRows, TOOL, WIRE_TABLE, type WireTool } from "../support/wire_table.ts";

const block = (mark: string, json: unknown) => `\`\`\`${mark}\n${JSON.stringify(json)}\n\`\`\``;

/** The tool of a client, which passes a call on, and has a parameter named like the arguments of a call. */
const PASSED_ON: WireTool = {
  name: "use_mcp_tool",
  schema: {
    type: "object",
    properties: {
      server_name: { type: "string" },
      tool_name: { type: "string" },
      arguments: { type: "object" },
    },
    required: ["server_name", "tool_name", "arguments"],
  },
};
const CALL = { name: TOOL.name, arguments: { a: 1 } };
const ARGUMENTS_FIRST = { arguments: { a: 1 }, server_name: "s", tool_name: "f" };
const FLAT = { server_name: "s", tool_name: "f", arguments: { a: 1 } };

/** Answers in fences: the tool, the settings of `policy.fenced_calls` that make the call, and its arguments. */
const FENCED: readonly (readonly [string, WireTool, readonly string[], unknown])[] = [
  [`Now.\n${block("json", CALL)}`, TOOL, ["ending", "anywhere"], CALL.arguments],
  [`${block("json", CALL)}\nThat was it.`, TOOL, ["anywhere"], CALL.arguments],
  [`${block("tool_call", CALL)}\nThat was it.`, TOOL, ["ending", "anywhere"], CALL.arguments],
  [block("json", { tool: PASSED_ON.name, ...FLAT }), PASSED_ON, ["ending", "anywhere"], FLAT],
  [block("", { tool: PASSED_ON.name, ...ARGUMENTS_FIRST }), PASSED_ON, ["ending", "anywhere"], FLAT],
];

for (const setting of ["ending", "anywhere", "never"]) {
  Deno.test(`fenced_calls: ${setting} makes the calls in fences that it names, on every wire`, async () => {
    const at = (body: string) => Number(/fenced-(\d)/.exec(body)?.[1] ?? 0);
    const config = { policy: { fenced_calls: setting } };
    await using pair = await startWireProxy(({ body }) => ({ text: FENCED[at(body)]![0] }), { config });
    for (const [number, [text, tool, settings, args]] of FENCED.entries()) {
      const isMade = settings.includes(setting);
      await onRows(WIRE_TABLE, async (row) => {
        const question = { task: `fenced-${number}`, tool };
        const { end, text: read, calls } = await askRow(pair.origin, { row, question });
        assert.deepEqual({ end, calls }, { end: "whole", calls: isMade ? [[tool.name, args]] : [] }, text);
        if (!isMade) assert.equal(read, text);
      });
    }
  });
}
