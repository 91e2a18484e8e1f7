import assert from "node:assert/strict";
import { collect, textAnswer } from "../../../src/engine/event/stage.ts";
import { createService } from "../../../src/proxy/exchange/service.ts";
import type { Rule } from "../../../src/engine/rule/schema.ts";
import { DEMO_RULE, demoParts } from "../../support/demo_parts.ts";
import { TOOLS } from "../../support/proxy.ts";

function serve(rules: readonly Rule[]) {
  return createService({ ...demoParts({ rules }), keys: new Map() });
}

Deno.test("createService gives who asks a matcher for its tools and a renderer", () => {
  const translator = serve([DEMO_RULE]).recognize({ tools: TOOLS }, new Headers());
  assert.equal(translator?.name, "openai");
  const events = collect(translator.createMatcher(), textAnswer(['a<call t>{"b":1}</call>']));
  const rendered = collect(translator.createRenderer(() => "call_1"), events);
  assert.deepEqual(rendered[0], { kind: "text", text: "a" });
  assert.equal(rendered[1]?.kind === "call_start" && `${rendered[1].tool} ${rendered[1].id}`, "t call_1");
});

Deno.test("createService recognizes no client if no tool is offered or no rule is on", () => {
  assert.equal(serve([DEMO_RULE]).recognize({}, new Headers()), undefined);
  assert.equal(serve([]).recognize({ tools: TOOLS }, new Headers()), undefined);
});
