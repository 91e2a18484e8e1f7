import assert from "node:assert/strict";
import { elementsToJson, groupElements, type XmlElement } from "../../../../src/engine/scan/body/element.ts";
import type { JsonSchema } from "../../../../src/engine/tool/offered.ts";

function leaf(name: string, text: string): XmlElement {
  return { name, text, children: [] };
}

function around(name: string, ...children: XmlElement[]): XmlElement {
  return { name, text: "\n", children };
}

function read(element: XmlElement, schema: JsonSchema | undefined): unknown {
  return JSON.parse(
    elementsToJson([element], { schema, tool: { name: "f", ...schema === undefined ? {} : { schema } } }),
  );
}

const item = { type: "object", properties: { path: { type: "string" } } };

const cases: [name: string, element: XmlElement, schema: JsonSchema | undefined, value: unknown][] = [
  ["text", leaf("a", "\n5\n"), { type: "string" }, "5"],
  ["a number", leaf("a", "5"), { type: "integer" }, 5],
  ["an object", around("a", leaf("x", "1"), leaf("y", "2")), {
    type: "object",
    properties: { x: { type: "integer" } },
  }, { x: 1, y: "2" }],
  ["repeated elements", around("a", leaf("x", "1"), leaf("x", "2")), undefined, { x: ["1", "2"] }],
  ["a list around its entries", around("a", leaf("item", "1"), leaf("item", "2")), {
    type: "array",
    items: { type: "integer" },
  }, [1, 2]],
  ["a list of one object", around("a", leaf("path", "p")), { type: "array", items: item }, [{ path: "p" }]],
  ["a list as JSON", leaf("a", "[1, 2]"), { type: "array" }, [1, 2]],
  ["a list whose elements are a reference", around("a", leaf("path", "5")), {
    type: "array",
    items: { $ref: "#/$defs/item" },
    $defs: { item },
  }, [{ path: "5" }]],
  [
    "a reference in a reference",
    around("a", around("x", leaf("y", "5"))),
    {
      properties: { x: { $ref: "#/$defs/x" } },
      $defs: { x: { properties: { y: { $ref: "#/$defs/y" } } }, y: { type: "integer" } },
    },
    { x: { y: 5 } },
  ],
  ["an empty list", leaf("a", ""), { type: "array" }, []],
];

for (const [name, element, schema, value] of cases) {
  Deno.test(`elementsToJson reads ${name}`, () => assert.deepEqual(read(element, schema), value));
}

Deno.test("groupElements keeps the order of names", () => {
  const groups = groupElements([leaf("b", "1"), leaf("a", "2"), leaf("b", "3")]);
  assert.deepEqual([...groups].map(([name, { length }]) => [name, length]), [["b", 2], ["a", 1]]);
});
