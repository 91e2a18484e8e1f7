import assert from "node:assert/strict";
import { simplifySchema } from "../../../src/chat/compatibility/schema.ts";
import type { JsonSchema } from "../../../src/engine/tool/offered.ts";
import { exampleArguments } from "../../../src/engine/tool/example.ts";
import {
  allowedTypes,
  isMember,
  parameterSchema,
  requiredParameters,
  takesText,
} from "../../../src/engine/tool/schema.ts";
import { isWithinBudget } from "../../../src/engine/tool/schema_budget.ts";
import { checkArguments } from "../../../src/engine/tool/validate.ts";
import { requestTools } from "../../../src/chat/message/request_tools.ts";
import { HOSTILE_SCHEMAS } from "../../support/hostile_schemas.ts";

/** Work without a budget takes minutes or never ends, so the bound can be wide enough for a busy machine. */
const WORK_MAXIMUM_MS = 5000;

const INLINED_MAXIMUM = 8 * 1024 * 1024;

for (const { name, schema, value } of HOSTILE_SCHEMAS) {
  Deno.test(`the cost is bounded: ${name}`, () => {
    const began = performance.now();
    const read = (declared: JsonSchema | undefined) => [...allowedTypes(declared, schema)];
    for (let call = 0; call < 20; call++) {
      read(schema);
      read(parameterSchema(schema, "a"));
      requiredParameters(schema);
      isMember("a", schema);
      takesText(schema, "a");
      exampleArguments(schema);
    }
    checkArguments(schema, value);
    const inlined = simplifySchema(schema, { refs: "inline", plain_words: true, drop: ["contains"] });
    assert.ok(JSON.stringify(inlined.schema).length < INLINED_MAXIMUM + JSON.stringify(schema).length);
    const took = performance.now() - began;
    assert.ok(took < WORK_MAXIMUM_MS, `it took ${took.toFixed(0)} ms`);
  });
}

Deno.test("a schema that costs too much to check allows everything, and that is known", () => {
  const { schema, value } = HOSTILE_SCHEMAS.find(({ name }) => name.startsWith("a tree"))!;
  assert.deepEqual(checkArguments(schema, value), { missing: [], wrong: [], isUnchecked: true });
  assert.equal(checkArguments({ type: "object" }, value).isUnchecked, undefined);
});

Deno.test("a schema that too large when expanded is sent as one that allows everything", () => {
  const { schema } = HOSTILE_SCHEMAS.find(({ name }) => name.startsWith("1,900"))!;
  const { schema: inlined, changed } = simplifySchema(schema, { refs: "inline" });
  assert.deepEqual(inlined, { type: "object" });
  assert.match(changed.join(), /too large when expanded/);
});

Deno.test("a schema with more values, or longer ones, than the budget is not read", () => {
  const listed = (length: number) => ({ properties: { a: { enum: Array(length).fill("a") } } });
  assert.ok(isWithinBudget(listed(49_000)));
  assert.ok(!isWithinBudget(listed(51_000)));
  assert.ok(!isWithinBudget({ description: "x".repeat(17 * 1024 * 1024) }));
  const tools = [listed(10), listed(51_000)].map((parameters, at) => ({
    type: "function",
    function: { name: `t${at}`, parameters },
  }));
  assert.deepEqual(
    requestTools({ tools }).map(({ schema, isUnreadable }) => [schema !== undefined, isUnreadable]),
    [[true, undefined], [false, true]],
  );
});

Deno.test("what two branches allow is the same with references as without", () => {
  const $defs = { a: { type: ["string", "integer"] }, b: { type: ["integer", "null"] } };
  const common = { allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }] };
  const schema = { $defs, properties: { x: { anyOf: [common, { allOf: [{ $ref: "#/$defs/a" }] }] } } };
  assert.deepEqual([...allowedTypes(parameterSchema(schema, "x"), schema)].sort(), ["integer", "string"]);
});
