import assert from "node:assert/strict";
import { ArgumentsRepairer } from "../../../src/engine/json/arguments_repairer.ts";
import { ArgumentsFitter, elementsAsJson } from "../../../src/engine/tool/arguments_fitter.ts";
import type { JsonSchema } from "../../../src/engine/tool/offered.ts";
import { everyCut } from "../../support/cut_places.ts";

const TODO = {
  type: "object",
  properties: { title: { type: "string" }, done: { type: "boolean" }, tags: { type: "array" } },
};
const SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string" },
    days: { type: "integer" },
    todos: { type: "array", items: TODO },
    options: { type: "object" },
    any: {},
    both: { type: ["string", "array"] },
    name: { type: ["string", "null"] },
  },
};

function fitted(pieces: readonly string[], schema: JsonSchema = SCHEMA) {
  const repairer = new ArgumentsRepairer({
    fit: (out) => new ArgumentsFitter(out, () => schema),
    readText: (text) => elementsAsJson(text, schema),
  });
  const sent = pieces.map((piece) => repairer.push(piece));
  const { json, isWhole } = repairer.end({ isCut: false });
  return { json: sent.join("") + json, isWhole, repairs: [...repairer.repairs.keys()] };
}

const FITTED: readonly [text: string, value: unknown][] = [
  ['{"todos": "[{\\"title\\": \\"a\\", \\"done\\": false}]"}', { todos: [{ title: "a", done: false }] }],
  ['{"todos": [{"title": "a", "done": "true", "tags": "[1]"}]}', {
    todos: [{ title: "a", done: true, tags: [1] }],
  }],
  ['{"todos": ["{\\"title\\": \\"a\\"}"]}', { todos: [{ title: "a" }] }],
  ['{"path": "a", "days": "3", "options": "{\\"x\\": 1}"}', { path: "a", days: 3, options: { x: 1 } }],
  ['{"days": "3"}', { days: 3 }],
  ['{"path": 5, "name": true}', { path: "5", name: "true" }],
  ['{"arguments": {"path": "a.txt", "days": "2"}}', { path: "a.txt", days: 2 }],
  ['{"parameters": "{\\"path\\": \\"a.txt\\"}"}', { path: "a.txt" }],
  ['{"parameter name=\\"path\\"": "a", "parameter=days": "1"}', { path: "a", days: 1 }],
  ['{"<path>": "a", " days ": 2}', { path: "a", days: 2 }],
  ["<path>a <b> c</path>\n<days>3</days>", { path: "a <b> c", days: 3 }],
  ['<parameter name="path">a</parameter><parameter=days>3</parameter>', { path: "a", days: 3 }],
];

for (const [text, value] of FITTED) {
  Deno.test(`ArgumentsFitter fits ${text} at every cut`, () => {
    for (const pieces of everyCut(text)) {
      const { json, isWhole, repairs } = fitted(pieces);
      assert.deepEqual([JSON.parse(json), isWhole], [value, true]);
      assert.ok(repairs.includes("arguments_fitted"));
    }
  });
}

const KEPT: readonly string[] = [
  '{"path": "[1]", "any": "3", "both": "[1]", "name": null}',
  '{"path": "a", "other": "5", "arguments": {"path": "b"}}',
  '{"days": "three", "todos": "a, b", "options": "[1]"}',
  '{"days": 3.0, "path": 1e400}',
  '{"path": 5.0, "days": 12345678901234567890}',
  '{"arguments": 3}',
];

for (const text of KEPT) {
  Deno.test(`ArgumentsFitter keeps ${text} at every cut`, () => {
    for (const pieces of everyCut(text)) {
      assert.deepEqual(fitted(pieces), { json: text, isWhole: true, repairs: [] });
    }
  });
}

Deno.test("ArgumentsFitter keeps everything without a schema", () => {
  const text = '{"arguments": {"days": "3"}}';
  assert.equal(fitted([text], true).json, text);
  const declared = { properties: { arguments: { type: "object" } } };
  assert.equal(fitted([text], declared).json, text);
});

Deno.test("elementsAsJson reads only declared parameters, each once", () => {
  assert.equal(elementsAsJson("<path>a</path><path>b</path>", SCHEMA), undefined);
  assert.equal(elementsAsJson("<town>a</town>", SCHEMA), undefined);
  assert.equal(elementsAsJson("<path>a</path> and so on", SCHEMA), undefined);
  assert.equal(elementsAsJson("<days>three</days>", SCHEMA), undefined);
  assert.equal(elementsAsJson("<path>a</path>", undefined), undefined);
});
