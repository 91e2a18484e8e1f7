import assert from "node:assert/strict";
import { clientSchema } from "../../src/client/schema.ts";
import { createServing } from "../../src/http/serving.ts";
import { compileRules } from "../../src/rule/compile.ts";
import { type Rule, ruleSchema } from "../../src/rule/schema.ts";
import { testConfig, TOOLS } from "../support/proxy.ts";

const openai = clientSchema.parse({ client: "openai", writes: "tool_calls", recognise: { has_tools: true } });
const rule = ruleSchema.parse({
  rule: "demo",
  pattern: "<call {tool}>(?<body>…)</call>",
  body: "json",
  confidence: 1,
});

function serve(rules: readonly Rule[]) {
  const { program } = compileRules(rules);
  return createServing({ config: testConfig(), keys: new Map(), rules, program, clients: [openai] });
}

Deno.test("createServing gives who asks a matcher for its tools and a renderer", () => {
  const asking = serve([rule]).recognise({ tools: TOOLS }, new Headers());
  assert.equal(asking?.name, "openai");
  const source = asking.createSource();
  const events = [...source.feed('a<call t>{"b":1}</call>'), ...source.end({ truncated: false })];
  const deltas = asking.createRenderer({ newId: () => "call_1", note: () => {} }).render(events);
  assert.deepEqual(deltas[0], { content: "a" });
  assert.equal(deltas[1]?.tool_calls?.[0]?.function?.name, "t");
});

Deno.test("createServing knows nobody where no tool is offered or no rule is on", () => {
  assert.equal(serve([rule]).recognise({}, new Headers()), undefined);
  assert.equal(serve([]).recognise({ tools: TOOLS }, new Headers()), undefined);
});
