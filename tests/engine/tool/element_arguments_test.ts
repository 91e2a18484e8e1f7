import assert from "node:assert/strict";
import { elementsAsJson } from "../../../src/engine/tool/element_arguments.ts";

const SCHEMA = { type: "object", properties: { path: { type: "string" }, days: { type: "integer" } } };

Deno.test("elementsAsJson reads only declared parameters, each once", () => {
  assert.equal(elementsAsJson("<path>a</path><path>b</path>", SCHEMA), undefined);
  assert.equal(elementsAsJson("<town>a</town>", SCHEMA), undefined);
  assert.equal(elementsAsJson("<path>a</path> and so on", SCHEMA), undefined);
  assert.equal(elementsAsJson("<days>three</days>", SCHEMA), undefined);
  assert.equal(elementsAsJson("<path>a</path>", undefined), undefined);
});

Deno.test("elementsAsJson reads parameters in the elements of a call of the same tool", () => {
  const items = "<parameter=path>\na b\n</parameter>\n<parameter=days>\n4\n</parameter>";
  const call = `<tool_call>\n<function=look>\n${items}\n</function>\n</tool_call>`;
  assert.equal(elementsAsJson(call, SCHEMA, "look"), '{"path":"a b","days":4}');
  assert.equal(
    elementsAsJson(`<function=look>${items}</function>`, SCHEMA, "look"),
    '{"path":"a b","days":4}',
  );
  assert.equal(elementsAsJson(call, SCHEMA, "write"), undefined);
  assert.equal(elementsAsJson(`<tool_call>${items}`, SCHEMA, "look"), undefined);
  assert.equal(elementsAsJson("<tool_call></tool_call>", SCHEMA, "look"), undefined);
});
