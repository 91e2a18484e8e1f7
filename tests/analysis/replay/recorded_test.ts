import assert from "node:assert/strict";
import { readStream, receiveStream, receiveWhole } from "../../../src/analysis/replay/recorded.ts";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { bracketService, testConfig, TOOLS } from "../../support/proxy.ts";

const translator = bracketService(testConfig()).recognize({ tools: TOOLS }, new Headers());

Deno.test("receiveWhole and receiveStream give the client the same", () => {
  const text = 'A\n[[t {"a":"x"}]]\nB';
  const whole = receiveWhole(text, { translator });
  assert.deepEqual(whole.calls, [{ id: "call_1", name: "t", arguments: '{"a":"x"}' }]);
  assert.equal(whole.finishReason, "tool_calls");
  for (const pieces of [[text], text.split("")]) {
    assert.deepEqual(readStream(receiveStream(pieces, { translator })), whole);
  }
});

Deno.test("receiveWhole of a text without calls gives the text", () => {
  for (const recipient of [{ translator }, { translator: undefined }]) {
    const expected = { content: "Hello", reasoning: "", calls: [], finishReason: "stop" };
    assert.deepEqual(receiveWhole("Hello", recipient), expected);
    assert.deepEqual(readStream(receiveStream(["Hel", "lo"], recipient)), expected);
    assert.equal(receiveWhole("", recipient).content, null);
  }
});

Deno.test("receiveStream gives the text of a stream that ends with [DONE]", () => {
  const stream = receiveStream(["a"], { translator });
  assert.ok(stream.startsWith("data: {") && stream.endsWith("data: [DONE]\n\n"), stream);
});

Deno.test("receiveWhole and receiveStream send the finish reason that they are given", () => {
  for (const finishReason of ["length", "content_filter"]) {
    const recipient = { translator, finishReason };
    assert.equal(receiveWhole("A", recipient).finishReason, finishReason);
    assert.equal(readStream(receiveStream(["A"], recipient)).finishReason, finishReason);
  }
});

Deno.test("receiveWhole tells of decisions", () => {
  const events: ContentEvent[] = [];
  receiveWhole("[[t {}]]", { translator, observe: (event) => events.push(event) });
  assert.ok(events.some(({ kind }) => kind === "call_start"));
});
