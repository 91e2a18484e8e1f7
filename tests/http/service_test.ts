import assert from "node:assert/strict";
import { clientSchema } from "../../src/client/schema.ts";
import { collect, textAnswer } from "../../src/event/stage.ts";
import { createService } from "../../src/http/service.ts";
import { compileRules } from "../../src/rule/compile.ts";
import { type Rule, ruleSchema } from "../../src/rule/schema.ts";
import { testConfig, TOOLS } from "../support/proxy.ts";

const openai = clientSchema.parse({ client: "openai", writes: "tool_calls", recognize: { has_tools: true } });
const rule = ruleSchema.parse({
  rule: "demo",
  pattern: "<call {tool}>(?<body>…)</call>",
  body: "json",
  confidence: 1,
});

function serve(rules: readonly Rule[]) {
  const { program } = compileRules(rules);
  return createService({ config: testConfig(), keys: new Map(), rules, program, clients: [openai] });
}

Deno.test("createService gives who asks a matcher for its tools and a renderer", () => {
  const translator = serve([rule]).recognize({ tools: TOOLS }, new Headers());
  assert.equal(translator?.name, "openai");
  const events = collect(translator.createMatcher(), textAnswer(['a<call t>{"b":1}</call>']));
  const rendered = collect(translator.createRenderer(() => "call_1"), events);
  assert.deepEqual(rendered[0], { kind: "text", text: "a" });
  assert.equal(rendered[1]?.kind === "call_start" && `${rendered[1].tool} ${rendered[1].id}`, "t call_1");
});

Deno.test("createService knows nobody where no tool is offered or no rule is on", () => {
  assert.equal(serve([rule]).recognize({}, new Headers()), undefined);
  assert.equal(serve([]).recognize({ tools: TOOLS }, new Headers()), undefined);
});
