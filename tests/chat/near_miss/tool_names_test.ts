import assert from "node:assert/strict";
import { ToolNames } from "../../../src/chat/near_miss/tool_names.ts";
import { offer } from "../../../src/engine/tool/offered.ts";

const schema = { type: "object", properties: { path: { type: "string" } } };

function found(text: string, names: readonly string[]): string[] {
  const tools = new ToolNames(offer(names.map((name) => ({ name, schema }))));
  return [...tools.placesIn(text)].map(({ tool, start, end }) => `${tool.name} ${text.slice(start, end)}`);
}

Deno.test("ToolNames finds names that are words of their own", () => {
  const text = "read_file, unread_file, read_files; functions.read_file:0 call:read_file{";
  assert.equal(found(text, ["read_file"]).length, 3);
});

Deno.test("ToolNames finds the longest name where several begin with the same word", () => {
  assert.deepEqual(found("<mcp-fetch-page>", ["mcp-fetch", "mcp-fetch-page"]), [
    "mcp-fetch-page mcp-fetch-page",
  ]);
});

Deno.test("ToolNames knows aliases, and leaves out tools without parameters and tools that text cannot call", () => {
  const tools = [{ name: "write_to_file", schema }, { name: "bare" }, { name: "other", schema }];
  const offered = {
    ...offer(tools, { write_file: "write_to_file" }),
    allows: (tool: string) => tool !== "other",
  };
  const places = [...new ToolNames(offered).placesIn("write_file bare other")];
  assert.deepEqual(places.map(({ tool }) => tool.name), ["write_to_file"]);
});
