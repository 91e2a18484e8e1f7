import assert from "node:assert/strict";
import { clientSchema } from "../../../src/chat/client/schema.ts";
import type { Value } from "../../../src/chat/render/argument.ts";
import { writeCall } from "../../../src/chat/render/write.ts";

const text = (value: string): Value => ({ kind: "text", text: value });

function write(tool: unknown, values: Record<string, Value>) {
  const client = clientSchema.parse({ client: "mine", writes: "text", tools: { look: tool } });
  const form = client.tools.look;
  assert.ok(form);
  return writeCall({ tool: "look", form, values: new Map(Object.entries(values)), client, model: "" });
}

function written(tool: unknown, values: Record<string, Value>): string {
  const call = write(tool, values);
  assert.ok("text" in call, JSON.stringify(call));
  return call.text;
}

Deno.test("writeCall refuses a value with what ends it in the template", () => {
  const tool = { parameters: { a: {}, b: {} }, write: "a='{a}' b={b}!" };
  assert.deepEqual(write(tool, { a: text("it's"), b: text("x") }), { text: "a='it's' b=x!", trimmed: [] });
  assert.deepEqual(write(tool, { a: text("it' b=1"), b: text("x") }), {
    reason: "unwritable",
    detail: "parameter a: the value contains its own closing tag",
  });
});

Deno.test("writeCall guards a list against the end of the element around it", () => {
  const tool = { parameters: { list: { type: "list", write: "<x>{t}</x>", each: { t: {} } } } };
  const list = (value: string): Record<string, Value> => ({
    list: { kind: "list", entries: [{ values: new Map([["t", text(value)]]) }] },
  });
  assert.equal(written(tool, list("1")), "<look>\n<list>\n<x>1</x>\n</list>\n</look>");
  for (const value of ["</x>", "</list>"]) {
    assert.deepEqual(write(tool, list(value)), {
      reason: "unwritable",
      detail: "parameter t: the value contains its own closing tag",
    });
  }
  const notation: Record<string, Value> = { list: { kind: "written", text: "<x></list></x>" } };
  assert.equal("reason" in write(tool, notation), true);
});
