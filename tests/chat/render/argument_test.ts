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

Deno.test("mapArguments finds a value under the first name that is there", () => {
  const parameters = { path: { from: ["file.path", "path", "file"] } };
  const cases: [Record<string, unknown>, string][] = [
    [{ path: "a", file: "b" }, "a"],
    [{ file: "b" }, "b"],
    [{ file: { path: "c" }, path: "a" }, "c"],
    [{ path: null, file: "b" }, "b"],
  ];
  for (const [given, expected] of cases) {
    assert.deepEqual(valuesOf(given, parameters), { path: text(expected) });
  }
});

Deno.test("mapArguments looks for the own name first where the list leaves it out", () => {
  assert.deepEqual(valuesOf({ file: "b", path: "a" }, { path: { from: ["file"] } }), { path: text("a") });
});

Deno.test("mapArguments never reads what an object inherits", () => {
  assert.deepEqual(valuesOf({}, { constructor: {}, path: { from: ["toString", "a.constructor"] } }), {});
});

Deno.test("mapArguments writes plain values as text and keeps every text", () => {
  const cases: [unknown, string][] = [
    ["  5 ", "  5 "],
    [5, "5"],
    [1.5, "1.5"],
    [true, "true"],
    ["", ""],
    ["{path}", "{path}"],
  ];
  for (const [given, expected] of cases) {
    assert.deepEqual(valuesOf({ a: given }, { a: {} }), { a: text(expected) });
  }
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

Deno.test("mapArguments joins plain values where the parameter says so", () => {
  assert.deepEqual(valuesOf({ a: ["x", 1, true] }, { a: { join: ", " } }), { a: text("x, 1, true") });
});

Deno.test("mapArguments fills in defaults and reports what is missing", () => {
  assert.deepEqual(valuesOf({}, { a: { default: false }, b: {} }), { a: text("false") });
  assert.deepEqual(map({ a: null }, { a: { required: true } }), {
    reason: "missing_required",
    detail: "parameter a",
  });
  const list = { a: { type: "list", required: true, each: { text: { required: true }, more: {} } } };
  assert.deepEqual(map({ a: [] }, list), { reason: "missing_required", detail: "parameter a" });
  assert.deepEqual(map({ a: [{ more: 1 }] }, list), { reason: "missing_required", detail: "parameter text" });
});

Deno.test("mapArguments counts lines as the pieces between newlines", () => {
  const parameters = { text: {}, count: { lines_of: "text" } };
  for (const [given, count] of [["", "1"], ["a", "1"], ["a\n", "2"], ["a\r\nb\n\n", "4"]] as const) {
    assert.deepEqual(valuesOf({ text: given, count: 77 }, parameters), {
      text: text(given),
      count: text(count),
    });
  }
  assert.deepEqual(valuesOf({ count: 77 }, parameters), {});
});

Deno.test("mapArguments leaves out a parameter that the prompt does not document", () => {
  const parameters = { a: { only_if_documented: true } };
  const count = (documented: string[]) => {
    const mapped = map({ a: "x" }, parameters, documented);
    return "values" in mapped ? mapped.values.size : -1;
  };
  assert.equal(count([]), 0);
  assert.equal(count(["a"]), 1);
});

Deno.test("mapArguments reads lists of texts, of objects, of one, and JSON texts of them", () => {
  const parameters = {
    files: {
      type: "list",
      from: ["args.file", "files", "."],
      each: { path: { from: ["path", "file"] }, line: {} },
    },
  };
  const entry = (path: string) => ({ values: new Map([["path", text(path)]]) });
  const cases: [Record<string, unknown>, string[]][] = [
    [{ files: ["a", "b"] }, ["a", "b"]],
    [{ files: [{ path: "a" }, "b"] }, ["a", "b"]],
    [{ files: "a" }, ["a"]],
    [{ files: '["a", {"file": "b"}]' }, ["a", "b"]],
    [{ files: '{"file": "b"}' }, ["b"]],
    [{ files: "[not JSON" }, ["[not JSON"]],
    [{ args: { file: { path: "a" } } }, ["a"]],
    [{ file: "a" }, ["a"]],
  ];
  for (const [given, paths] of cases) {
    assert.deepEqual(valuesOf(given, parameters), { files: { kind: "list", entries: paths.map(entry) } });
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
