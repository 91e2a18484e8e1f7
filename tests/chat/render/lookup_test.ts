import assert from "node:assert/strict";
import { findArgument, structureOf } from "../../../src/chat/render/lookup.ts";

Deno.test("findArgument takes the first name that has a value", () => {
  const given = {
    a: null,
    b: "1",
    c: { d: "2" },
    e: '{"f": "3"}',
    g: "[1]",
    h: "[x",
    i: [{ j: 4 }],
    k: [{ j: 4 }, 5],
  };
  const cases: [names: string[], name: string | undefined, value: unknown][] = [
    [["a", "b"], "b", "1"],
    [["c.d"], "c.d", "2"],
    [["e.f"], "e.f", "3"],
    [["b[]", "g[]"], "g[]", [1]],
    [["h[]"], undefined, undefined],
    [["c[]"], "c[]", { d: "2" }],
    [["k.j", "i.j"], "i.j", 4],
    [["."], ".", given],
    [["toString", "c.toString"], undefined, undefined],
  ];
  for (const [names, name, value] of cases) {
    const found = findArgument(given, names);
    assert.deepEqual([found?.name, found?.value], [name, value], names.join());
  }
});

Deno.test("structureOf is a list or an object, also out of JSON text", () => {
  const cases: [unknown, unknown][] = [
    [[1], [1]],
    ['{"a": 1}', { a: 1 }],
    [" [1] ", [1]],
    ["{a", undefined],
    ["5", undefined],
    [5, undefined],
    [null, undefined],
  ];
  for (const [value, expected] of cases) assert.deepEqual(structureOf(value), expected);
});
