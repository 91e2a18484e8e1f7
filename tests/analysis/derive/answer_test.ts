import assert from "node:assert/strict";
import { markAnswer } from "../../../src/analysis/derive/answer.ts";
import type { MarkedText, Span } from "../../../src/analysis/derive/sample.ts";

const TOOLS = [{
  name: "send",
  schema: { type: "object", properties: { to: { type: "string" }, body: { type: "string" } } },
}];

function parts(marked: MarkedText | undefined) {
  const at = ({ start, end }: Span) => marked!.text.slice(start, end);
  return marked?.calls.map(({ name, object, items }) => ({
    name: at(name),
    object: object && at(object),
    items: items.map(({ key, value }) => [at(key), at(value)]),
  }));
}

Deno.test("markAnswer finds keys and values between tags, whatever the values hold", () => {
  const text = "Yes.\n<do send>\n<arg to>to me</arg>\n<arg body>\n<b>body</b> & more\n</arg>\n</do>\nDone.";
  const marked = markAnswer(text, TOOLS);
  assert.deepEqual(parts(marked), [{
    name: "send",
    object: undefined,
    items: [["to", "to me"], ["body", "<b>body</b> & more"]],
  }]);
  assert.equal(marked?.text, "<do send>\n<arg to>to me</arg>\n<arg body>\n<b>body</b> & more\n</arg>\n</do>");
});

Deno.test("markAnswer finds JSON with the name inside and before it", () => {
  const inside = 'Yes. [[{"name": "send", "arguments": {"to": "me"}}]]';
  assert.equal(parts(markAnswer(inside, TOOLS))?.[0]?.name, "send");
  assert.deepEqual(parts(markAnswer('<|do|>send<|with|>{"to": "me"}', TOOLS))?.[0]?.object, '{"to": "me"}');
});

Deno.test("markAnswer sees no call in prose and in JSON without a declared key", () => {
  assert.equal(markAnswer("To send the body, use send: it has a `to`.", [{ name: "send" }]), undefined);
  assert.equal(markAnswer('send {"other": 1}', TOOLS), undefined);
});
