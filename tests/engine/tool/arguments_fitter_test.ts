import assert from "node:assert/strict";
import { ArgumentsRepairer } from "../../../src/engine/json/arguments_repairer.ts";
import { ArgumentsFitter, loneValueAsJson } from "../../../src/engine/tool/arguments_fitter.ts";
import { elementsAsJson } from "../../../src/engine/tool/element_arguments.ts";
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
    range: { $ref: "#/$defs/range" },
    ranges: { type: "array", items: { $ref: "#/$defs/range" } },
  },
  $defs: {
    range: {
      type: "object",
      properties: { from: { type: "integer" }, label: { type: "string" }, inner: { $ref: "#/$defs/range" } },
    },
  },
};

function fitted(pieces: readonly string[], schema: JsonSchema = SCHEMA) {
  const repairer = new ArgumentsRepairer({
    fit: (out) => new ArgumentsFitter(out, () => schema, (name) => name === "write_file"),
    needsParameters: () => false,
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
  // References of a part point into the tool's schema.
  ['{"range": {"from": "3", "label": "4"}}', { range: { from: 3, label: "4" } }],
  ['{"ranges": [{"from": "3", "inner": {"from": "4"}}]}', { ranges: [{ from: 3, inner: { from: 4 } }] }],
  ['{"arguments": {"path": "a.txt", "days": "2"}}', { path: "a.txt", days: 2 }],
  ['{"parameters": "{\\"path\\": \\"a.txt\\"}"}', { path: "a.txt" }],
  ['{"parameter name=\\"path\\"": "a", "parameter=days": "1"}', { path: "a", days: 1 }],
  ['{"path</arg_key>": "a"}', { path: "a" }],
  ['{"<path>": "a", " days ": 2}', { path: "a", days: 2 }],
  ['{"tool_name": "write_file", "arguments": {"path": "a.txt"}}', { path: "a.txt" }],
  ['{"tool": "write_file", "parameters": "{\\"path\\": \\"a.txt\\"}"}', { path: "a.txt" }],
  ["<path>\na\n</path>", { path: "a" }],
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
  '{"range": {"from": "3 or 4", "label": "5", "other": "6"}}',
  '{"days": 3.0, "path": 1e400}',
  '{"path": 5.0, "days": 12345678901234567890}',
  '{"arguments": 3}',
  '{"tool": "write_file"}',
  '{"tool": "write_file", "arguments": 3}',
  '{"tool": "read_file", "arguments": {"path": "a"}}',
  '{"tool": 3, "arguments": "a"}',
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

const REQUIRING: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string" },
    content: { type: "string" },
    line: { type: "integer" },
    count: { type: "integer" },
  },
  required: ["path", "content", "line"],
};

/** Arguments in which a required parameter is in the string before it. */
const SWALLOWED: readonly [args: Record<string, unknown>, value: unknown][] = [
  [{ line: 1, path: 'a</path><parameter name="content">b' }, { line: 1, path: "a", content: "b" }],
  [{ path: 'a</path>\n<parameter name="content">b\nc</parameter>', line: 1 }, {
    path: "a",
    line: 1,
    content: "b\nc",
  }],
  [{ line: 1, path: "a\n</parameter>\n<parameter=content>\nb\n</parameter>\n</function>" }, {
    line: 1,
    path: "a",
    content: "b",
  }],
  [{ line: 1, path: "a</path><content>b</content>" }, { line: 1, path: "a", content: "b" }],
  [{
    path:
      "a</arg_value>\n<arg_key>content</arg_key>\n<arg_value>b</arg_value><arg_key>line</arg_key><arg_value>2",
  }, {
    path: "a",
    content: "b",
    line: 2,
  }],
  [{ path: 'a</x:parameter><x:parameter name="content" string="true">b</x:parameter></x:invoke>', line: 1 }, {
    path: "a",
    line: 1,
    content: "b",
  }],
  [{ content: 'if (a < b) "</div>"</content><line>3', path: "a" }, {
    content: 'if (a < b) "</div>"',
    path: "a",
    line: 3,
  }],
];

for (const [args, value] of SWALLOWED) {
  const text = JSON.stringify(args);
  Deno.test(`ArgumentsFitter takes a required parameter out of the string before it: ${text}`, () => {
    for (const pieces of everyCut(text)) {
      const { json, isWhole, repairs } = fitted(pieces, REQUIRING);
      assert.deepEqual([JSON.parse(json), isWhole, repairs], [value, true, ["arguments_fitted"]]);
    }
  });
}

/** Strings that are what they are: nothing is missing, or what is missing isn't in them. */
const WHOLE: readonly Record<string, unknown>[] = [
  { path: "a", content: 'x</path><parameter name="content">y</parameter>', line: 1 },
  { content: 'x</content><parameter name="path">y</parameter> is how', line: 1, path: "a" },
  { path: "a", line: 1, content: "x</content><count>3</count>" },
  { path: 'a</path><parameter name="town">b', line: 1 },
  { path: 'a<path>b</path><parameter name="content">c', line: 1 },
  { path: "a</path> <b>", line: 1 },
  { path: "a</", line: 1 },
  { path: "a\n", line: 1 },
];

for (const args of WHOLE) {
  const text = JSON.stringify(args);
  Deno.test(`ArgumentsFitter leaves a string whole: ${text}`, () => {
    for (const pieces of everyCut(text)) {
      assert.deepEqual(fitted(pieces, REQUIRING), { json: text, isWhole: true, repairs: [] });
    }
  });
}

/** A required parameter is in the string before it, but the text has several readings. */
const AMBIGUOUS: readonly Record<string, unknown>[] = [
  { path: 'a</path><parameter name="content">see <content>', line: 1 },
  { path: "a</path><content>b</content><path>c</path><content>d", line: 1 },
  { path: "a</path><line>three", content: "b" },
  { path: "a</path><content>b" },
];

for (const args of AMBIGUOUS) {
  const text = JSON.stringify(args);
  Deno.test(`ArgumentsFitter refuses a parameter in a string with several readings: ${text}`, () => {
    for (const pieces of everyCut(text)) {
      const repairer: ArgumentsRepairer = new ArgumentsRepairer({
        fit: (out) => new ArgumentsFitter(out, () => REQUIRING),
        needsParameters: () => true,
        readText: () => undefined,
      });
      for (const piece of pieces) repairer.push(piece);
      assert.equal(repairer.end({ isCut: false }).isWhole, false);
      assert.match(repairer.refusal ?? "", /^(?:content|line) is in the value before it$/);
    }
  });
}

Deno.test("loneValueAsJson takes a list for the one required parameter, unless its elements are something else", () => {
  const items = { type: "object", properties: { title: { type: "string" } } };
  const schema = { properties: { todos: { type: "array", items } }, required: ["todos"] };
  assert.equal(loneValueAsJson('[{"title":"a"}]', schema), '{"todos":[{"title":"a"}]}');
  for (const other of ['[{"todos":[{"title":"a"}]}]', '[{"title":"a"},"b"]', '{"title":"a"}']) {
    assert.equal(loneValueAsJson(other, schema), undefined, other);
  }
  const two = { ...schema, required: ["todos", "note"] };
  assert.equal(loneValueAsJson('[{"title":"a"}]', two), undefined);
});
