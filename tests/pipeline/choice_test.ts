import assert from "node:assert/strict";
import { Choice } from "../../src/pipeline/choice.ts";
import { ToolCallRenderer } from "../../src/render/tool_calls.ts";
import { BracketSource } from "../support/bracket_source.ts";

function open(seen: string[] = []): Choice {
  return new Choice({
    source: new BracketSource(),
    renderer: new ToolCallRenderer(() => "call_1"),
    observe: (event) => seen.push(event.kind),
  });
}

Deno.test("Choice holds text back until it cannot be a call, and gives it at the end", () => {
  const choice = open();
  assert.deepEqual(choice.read({ text: "a[", reason: null }), {
    deltas: [{ content: "a" }],
    finishReason: null,
  });
  assert.equal(choice.isEnded, false);
  assert.deepEqual(choice.read({ reason: "stop" }), { deltas: [{ content: "[" }], finishReason: "stop" });
  assert.equal(choice.isEnded, true);
});

Deno.test("Choice tells its source that the upstream cut the answer off", () => {
  const seen: string[] = [];
  open(seen).read({ text: "a[", reason: "length" });
  assert.deepEqual(seen, ["note"]);
});

Deno.test("Choice ends only once", () => {
  const choice = open();
  choice.read({ text: "[[t {}]]", reason: "stop" });
  assert.deepEqual(choice.end({ truncated: true }), { deltas: [], finishReason: null });
});

Deno.test("Choice adds the role to the first call, and only where the upstream did not say it", () => {
  const silent = open();
  assert.equal(silent.read({ text: "[[t {}]]", reason: null }).role, "assistant");
  assert.equal(silent.read({ text: "[[t {}]]", reason: null }).role, undefined);
  const spoken = open();
  spoken.read({ role: "assistant", text: "", reason: null });
  assert.equal(spoken.read({ text: "[[t {}]]", reason: null }).role, undefined);
});
