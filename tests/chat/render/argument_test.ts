import assert from "node:assert/strict";
import { clientSchema, type ToolForm } from "../../../src/chat/client/schema.ts";
import { mapArguments, type Value } from "../../../src/chat/render/argument.ts";

function formOf(parameters: unknown): ToolForm {
  const client = clientSchema.parse({ client: "mine", writes: "text", tools: { look: { parameters } } });
  return client.tools.look ?? { parameters: {} };
}

function map(given: Record<string, unknown>, parameters: unknown, documented: readonly string[] = []) {
  return mapArguments(given, { form: formOf(parameters), documented: new Set(documented) });
}

function valuesOf(given: Record<string, unknown>, parameters: unknown): Record<string, Value> {
  const mapped = map(given, parameters);
  assert.ok("values" in mapped, JSON.stringify(mapped));
  return Object.fromEntries(mapped.values);
}

const text = (value: string): Value => ({ kind: "text", text: value });

Deno.test("mapArguments never reads what an object inherits", () => {
  assert.deepEqual(valuesOf({}, { constructor: {}, path: { from: ["toString", "a.constructor"] } }), {});
});

Deno.test("mapArguments refuses a value of another kind", () => {
  const cases: [unknown, unknown][] = [
    [{ deep: 1 }, {}],
    [["a", "b"], {}],
    [["a", { b: 1 }], { join: "\n" }],
    ["no JSON", { type: "object" }],
    [[1], { type: "object" }],
    [[{ other: 1 }], { type: "list", each: { text: {} } }],
  ];
  for (const [given, parameter] of cases) {
    const mapped = map({ a: given }, { a: parameter });
    assert.deepEqual(mapped, {
      reason: "invalid_arguments",
      detail: "parameter a has a value of another type",
    });
  }
});

Deno.test("mapArguments keeps what is already in the client's notation", () => {
  const parameters = { a: { type: "list", as_written: ["<x"], each: { text: {} } } };
  assert.deepEqual(valuesOf({ a: "\n<x>1</x>" }, parameters), { a: { kind: "written", text: "\n<x>1</x>" } });
  assert.deepEqual(valuesOf({ a: ["<x>1</x>", "y"] }, parameters), {
    a: { kind: "list", entries: [{ written: "<x>1</x>" }, { values: new Map([["text", text("y")]]) }] },
  });
});

Deno.test("mapArguments refuses more entries than a list takes", () => {
  const mapped = map({ a: ["x", "y"] }, { a: { type: "list", max: 1, each: { text: {} } } });
  assert.equal("reason" in mapped && mapped.reason, "unwritable");
});

Deno.test("mapArguments says whether the client would have known the names, and what it left out", () => {
  const parameters = {
    path: { from: ["path", "args.path", "file"], required: true },
    list: { type: "list", from: ["list", "items"], each: { text: {} } },
    ask: { required: true, default: true },
  };
  const cases: [Record<string, unknown>, boolean, string[]][] = [
    [{ path: "a", ask: false }, true, []],
    [{ args: { path: "a" }, items: ["x"], ask: "no" }, true, []],
    [{ file: "a", ask: false }, false, []],
    [{ path: "a", extra: 1, __proto__x: 2 }, false, ["extra", "__proto__x"]],
  ];
  for (const [given, isOwnForm, leftOut] of cases) {
    const mapped = map(given, parameters);
    assert.ok("values" in mapped);
    assert.equal(mapped.isOwnForm, isOwnForm);
    assert.deepEqual(mapped.leftOut, leftOut);
  }
});

Deno.test("mapArguments keeps each entry of a list of lines on one line", () => {
  const todos = {
    join: "\n",
    lines: true,
    as_written: ["[ ]", "[x]"],
    write: "[{status}] {content}",
    each: { content: { required: true }, status: { from: ["status"], default: " ", values: { done: "x" } } },
  };
  const cases: [unknown, string][] = [
    [[{ content: "a\nb", status: "done" }, { content: "c\r\n\n  d" }], "[x] a b\n[ ] c d"],
    [["a\nb", "c"], "[ ] a b\n[ ] c"],
    ["[x] a\n  more of a\n[ ] b\n- c", "[x] a more of a\n[ ] b\n[ ] c"],
    ["[x] a\n[ ] b", "[x] a\n[ ] b"],
    ["a\nb", "[ ] a\n[ ] b"],
    ['[{"content": "a\\nb"}]', "[ ] a b"],
  ];
  for (const [given, expected] of cases) {
    assert.deepEqual(valuesOf({ a: given }, { a: todos }), { a: text(expected) });
  }
});
