import assert from "node:assert/strict";
import type { Event } from "../../src/event/event.ts";
import { FunctionCallRenderer } from "../../src/render/function_call.ts";

function whole(call: number): Event[] {
  return [
    { kind: "call_start", call, tool: "f", rule: "any", confidence: 1 },
    { kind: "arguments", call, json: "{}" },
    { kind: "call_end", call },
  ];
}

Deno.test("FunctionCallRenderer gives the name, then the arguments, and the legacy reason", () => {
  const renderer = new FunctionCallRenderer();
  assert.deepEqual(renderer.render([{ kind: "text", text: "A" }, ...whole(0)]), [
    { content: "A" },
    { function_call: { name: "f", arguments: "" } },
    { function_call: { arguments: "{}" } },
  ]);
  assert.equal(renderer.finish("stop").finishReason, "function_call");
});

Deno.test("FunctionCallRenderer takes one call and leaves other reasons as they are", () => {
  const renderer = new FunctionCallRenderer();
  renderer.render(whole(0));
  assert.deepEqual([renderer.render(whole(1)), renderer.finished], [[], true]);
  assert.equal(new FunctionCallRenderer().finish("length").finishReason, "length");
});
