import assert from "node:assert/strict";
import { SMALL_RULES, speakerOf } from "../../support/spoken.ts";

const string = { type: "string" };
const TOOLS = [{ name: "f", schema: { type: "object", properties: { a: string, n: { type: "integer" } } } }];
const call = (given: Record<string, unknown>, index = 0) => ({ tool: "f", arguments: given, index });

Deno.test("Speaker writes calls that its rules read", () => {
  const { text } = speakerOf("tags").writeCalls([call({ a: "x", n: 5 }), call({}, 1)], TOOLS);
  assert.equal(text, "<call f><arg a>x</arg><arg n>5</arg></call>\n<call f></call>");
});

Deno.test("Speaker writes a call otherwise that the dialect can't carry", () => {
  const hard = { a: "x</arg></call> y" };
  assert.deepEqual(speakerOf("tags").writeCalls([call({ a: "x" }), call(hard, 1)], TOOLS), {
    text: '<call f><arg a>x</arg></call>\n<object f>{"a": "x</arg></call> y"}</object>',
    isOtherwise: true,
  });
  const { text } = speakerOf("tags").writeCalls([call(hard), call({ a: "x" }, 1)], TOOLS);
  assert.equal(text, '<object f>{"a": "x</arg></call> y"}</object>\n<call f><arg a>x</arg></call>');
  assert.deepEqual(speakerOf("tags").writeCalls([call({ n: "5" })], TOOLS), {
    text: '<object f>{"n": "5"}</object>',
    isOtherwise: true,
  });
});

Deno.test("Speaker chooses the first form of an item that carries a call", () => {
  const [tags] = SMALL_RULES;
  const item = ["<arg {key}>{value}</arg>", "<arg {key}>\n{value}\n</arg>"];
  const rule = {
    ...tags!,
    tagged: { ...tags!.tagged, item: "<arg (?<key>\\w{1,64})>\\n?(?<value>…)\\n?</arg>" },
    speak: { ...tags!.speak!, item },
  };
  const speaker = speakerOf("tags", [rule]);
  assert.deepEqual(speaker.writeCalls([call({ a: "x" }), call({ a: "\nx" }, 1)], TOOLS), {
    text: "<call f><arg a>x</arg></call>\n<call f><arg a>\n\nx\n</arg></call>",
    isOtherwise: false,
  });
});

Deno.test("Speaker names what no dialect carries", () => {
  const [tags] = SMALL_RULES;
  const alone = speakerOf("tags", [tags!]);
  assert.deepEqual(alone.writeCalls([call({ a: "x", n: "5" })], TOOLS), {
    rule: "tags",
    tool: "f",
    parameter: "n",
    text: "<call f><arg a>x</arg><arg n>5</arg></call>",
  });
});

Deno.test("Speaker finds a tool that its dialect can't call", () => {
  const speaker = speakerOf("tags");
  assert.equal(speaker.uncallable({ name: "f" }, ["a"]), undefined);
  assert.equal(speaker.uncallable({ name: "f" }, ["a", "b c"])?.parameter, "b c");
  const { tool, parameter } = speaker.uncallable({ name: "a b" }, []) ?? {};
  assert.deepEqual([tool, parameter], ["a b", undefined]);
});

Deno.test("Speaker writes results", () => {
  const results = [{ tool: "f", content: "one", index: 0 }, { tool: "g", content: "two", index: 1 }];
  assert.equal(speakerOf("tags").writeResults(results), "<result f>one</result>\n<result g>two</result>");
});
