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

Deno.test("writeCall writes one element a parameter, in the order of the file", () => {
  const tool = { parameters: { b: {}, a: { newline_around: true }, c: {} } };
  assert.equal(written(tool, { a: text("1"), b: text("2") }), "<look>\n<b>2</b>\n<a>\n1\n</a>\n</look>");
});

Deno.test("writeCall fills a template and leaves out lines whose value is absent", () => {
  const tool = { parameters: { a: {}, b: {} }, write: 'call(\n  a={a}\n  b="{b}"\n  {c}\n)\n' };
  assert.equal(written(tool, { a: text("$& {b}") }), "call(\n  a=$& {b}\n)");
});

Deno.test("writeCall leaves out what stands in double brackets when its value is absent", () => {
  const tool = { parameters: { a: {}, b: {} }, write: '<look[[ b="{b}"]]>{a}</look>' };
  assert.equal(written(tool, { a: text("1"), b: text("2") }), '<look b="2">1</look>');
  assert.equal(written(tool, { a: text("1") }), "<look>1</look>");
});

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

Deno.test("writeCall names the values whose outer whitespace the client cuts off", () => {
  const call = write({ parameters: { a: {}, b: { trimmed: false }, c: {} } }, {
    a: text(" 1"),
    b: text(" 2"),
    c: text("3"),
  });
  assert.deepEqual("trimmed" in call && call.trimmed, ["a"]);
});
