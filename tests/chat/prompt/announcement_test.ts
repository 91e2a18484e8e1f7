import assert from "node:assert/strict";
import { speakSchema } from "../../../src/engine/rule/speak_schema.ts";
import { announce, termsInWords } from "../../../src/chat/prompt/announcement.ts";

const TOOL = {
  name: "look_up",
  description: "Looks up",
  parameters: {
    type: "object",
    properties: { city: { description: "Where", type: "string", enum: ["a"] }, days: {} },
    required: ["city"],
  },
};

const speak = (fields: Record<string, unknown>) =>
  speakSchema.parse({ call: "{name}", result: "{content}", announce: "Tools:\n{tools}\nEnd", ...fields });

Deno.test("announce writes a description that isn't text as JSON", () => {
  // @ts-expect-error: a client can send anything.
  const tools: Parameters<typeof announce>[0] = [{ name: "f", description: { toString: 1 } }];
  assert.equal(
    announce(tools, { speak: speak({ tool: "{name} ({description})" }), terms: {} }),
    'Tools:\nf ({"toString":1})\nEnd',
  );
});

Deno.test("announce writes parameters and fields one by one", () => {
  const own = speak({
    tool: "<{name}>{each_parameter}{fields}",
    parameter: "[{name}{fields}]",
    field: " {key}={value}",
  });
  assert.equal(
    announce([TOOL], { speak: own, terms: {} }),
    'Tools:\n<look_up>[city type=string description=Where enum=["a"]][days] required=["city"]\nEnd',
  );
});

Deno.test("termsInWords states what a request asks for", () => {
  assert.deepEqual(termsInWords({}), []);
  assert.deepEqual(termsInWords({ choice: "any" }), ["Your next answer must contain a tool call."]);
  assert.deepEqual(termsInWords({ choice: ["f"], isOneCall: true }), [
    "Your next answer must contain a call to the tool `f`. Make at most one tool call in an answer.",
  ]);
  assert.deepEqual(termsInWords({ choice: ["f", "g"] }), [
    "Your next answer must contain a call to one of these tools: f, g.",
  ]);
  assert.deepEqual(termsInWords({ only: ["f", "g"] }), ["Call only these tools: f, g."]);
  assert.deepEqual(termsInWords({ choice: "none", isOneCall: true }), [
    "Do not call a tool in your next answer. Answer in text.",
  ]);
});
