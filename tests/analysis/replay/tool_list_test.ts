import assert from "node:assert/strict";
import { offeredTool, parseTools } from "../../../src/analysis/replay/tool_list.ts";

Deno.test("parseTools reads every form in which people have tools", () => {
  const parameters = { type: "object" };
  const written = [
    [["a"], {}],
    [[{ type: "function", function: { name: "a", parameters } }], { parameters }],
    [[{ name: "a", parameters }], { parameters }],
    [{ system: "s", tools: [{ name: "a", input_schema: parameters }] }, { parameters }],
    [{ model: "m", tools: [{ function: { name: "a" } }] }, {}],
    [{ functions: [{ name: "a", parameters }] }, { parameters }],
  ] as const;
  for (const [value, more] of written) {
    assert.deepEqual(parseTools(JSON.stringify(value)), [{
      type: "function",
      function: { name: "a", ...more },
    }]);
  }
});

Deno.test("parseTools refuses what isn't a list of tools", () => {
  for (const json of ["", "{}", "3", "[1]", '[{"type":"function"}]', '{"tools":3}']) {
    assert.equal(parseTools(json), undefined, json);
  }
});

Deno.test("offeredTool has the name and the schema of a request's tool", () => {
  const parameters = { type: "object" };
  assert.deepEqual(offeredTool({ function: { name: "a", parameters } }), { name: "a", schema: parameters });
  assert.deepEqual(offeredTool({ function: { name: "a" } }), { name: "a" });
});
