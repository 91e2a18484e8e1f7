import assert from "node:assert/strict";
import { offeredTools } from "../../../src/wires/anthropic/tools.ts";

const SEARCH = { name: "search", input_schema: {} };
const DEPLOY = { name: "deploy", input_schema: {}, defer_loading: true };
const TOOLS = [SEARCH, DEPLOY];

const blocks = (...content: unknown[]) => ({ messages: [{ role: "user", content }] });
const found = { type: "tool_result", content: [{ type: "tool_reference", tool_name: "deploy" }] };
const change = (type: string, name: string) => ({ type, tool: { type: "tool_reference", name } });
const definition = { name: "late", input_schema: {} };
const late = { type: "tool_addition", tool: { type: "tool_definition", definition } };

Deno.test("offeredTools offers a deferred tool once it is found, and follows changes of the messages", () => {
  const cases = [
    [{ tools: TOOLS }, "search"],
    [{ tools: TOOLS, ...blocks(found) }, "search deploy"],
    [{ tools: TOOLS, ...blocks({ type: "tool_use", name: "deploy" }) }, "search deploy"],
    [{ tools: TOOLS, tool_choice: { type: "tool", name: "deploy" } }, "search deploy"],
    [{ tools: TOOLS, ...blocks(change("tool_addition", "deploy")) }, "search deploy"],
    [{ tools: TOOLS, ...blocks(found, change("tool_removal", "deploy")) }, "search"],
    [
      { tools: TOOLS, ...blocks(change("tool_removal", "search"), change("tool_addition", "search")) },
      "search",
    ],
    [{ tools: TOOLS, ...blocks(late, late) }, "search late"],
    [{ ...blocks(late) }, "late"],
    [{ tools: [DEPLOY, { type: "tool_search_tool_bm25_20251119", name: "s" }] }, "deploy s"],
    [{ tools: [{ type: "mcp_toolset" }, ...TOOLS] }, "mcp_toolset search"],
    [{ tools: "none", messages: 5 }, ""],
  ] as const;
  for (const [request, expected] of cases) {
    const names = offeredTools(request).map(({ name, type }) => name ?? type);
    assert.equal(names.join(" "), expected, JSON.stringify(request));
  }
});
