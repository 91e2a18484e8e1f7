import assert from "node:assert/strict";
import { ToolNames } from "../../../src/chat/near_miss/tool_names.ts";
import { offer } from "../../../src/engine/tool/offered.ts";

const schema = { type: "object", properties: { path: { type: "string" } } };

Deno.test("ToolNames knows aliases, and leaves out tools without parameters and tools that text cannot call", () => {
  const tools = [{ name: "write_to_file", schema }, { name: "bare" }, { name: "other", schema }];
  const offered = {
    ...offer(tools, { write_file: "write_to_file" }),
    allows: (tool: string) => tool !== "other",
  };
  const places = [...new ToolNames(offered).placesIn("write_file bare other")];
  assert.deepEqual(places.map(({ tool }) => tool.name), ["write_to_file"]);
});
