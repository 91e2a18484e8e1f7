import assert from "node:assert/strict";
import { DEPTH_MAXIMUM } from "../../../../src/engine/json/reader.ts";
import { ArgumentsWriter } from "../../../../src/engine/scan/arguments_writer.ts";
import { ValueWriter } from "../../../../src/engine/scan/body/value_writer.ts";
import { allCuts } from "../../../support/cuts.ts";
import { KeptArguments } from "../../../support/kept_arguments.ts";

/** The JSON of a value in pieces, before it is whole and at the end. */
function write(schema: unknown, pieces: readonly string[]) {
  const sink = new KeptArguments();
  const writer = new ArgumentsWriter(sink, {
    tool: { name: "f", schema: { properties: { a: schema } } },
    meta: [],
  });
  writer.begin("object");
  writer.key("a");
  const value = new ValueWriter(writer, "a");
  for (const piece of pieces) value.write(piece);
  const before = sink.written;
  const result = value.finish();
  writer.end();
  writer.finish();
  for (const piece of sink.pieces) assert.ok(piece.isWellFormed());
  return { ...result, before, json: sink.written };
}

const DEEP = "[".repeat(DEPTH_MAXIMUM + 1) + "]".repeat(DEPTH_MAXIMUM + 1);
const string = { type: "string" };
const nullable = { type: ["string", "null"] };

const values: [schema: unknown, text: string, value: unknown, isKeptAsText: boolean][] = [
  [string, "", "", false],
  [string, 'a"\n\\', 'a"\n\\', false],
  [string, "null", "null", false],
  [string, "😀\ud83d", "😀\ud83d", false],
  [string, "\ud83dx", "\ud83dx", false],
  [nullable, "null", null, false],
  [nullable, " null\n", null, false],
  [nullable, "nullify", "nullify", false],
  [nullable, "nul", "nul", false],
  [nullable, "", "", false],
  [{ type: "integer" }, "5", 5, false],
  [{ type: "integer" }, "five", "five", true],
  [{ type: "array" }, '["a", 1]', ["a", 1], false],
  [{ type: "object" }, '{"a": {"b": []}}', { a: { b: [] } }, false],
  [{ type: "boolean" }, "True", true, false],
  [{}, "5", "5", false],
  [{ type: ["string", "array"] }, ' ["a", 1]\n', ["a", 1], false],
  [{ anyOf: [{ type: "array" }, { type: "string" }] }, "[ ] one\n[x] two", "[ ] one\n[x] two", false],
  [{ type: ["string", "array"] }, "one", "one", false],
  [{ type: ["string", "array", "null"] }, "null", null, false],
  // A list that is nested too deep to be read stays text.
  [{ type: ["string", "array"] }, DEEP, DEEP, false],
];

for (const [schema, text, value, isKeptAsText] of values) {
  Deno.test(`ValueWriter writes ${JSON.stringify(text).slice(0, 40)} as ${JSON.stringify(schema)} at every cut`, () => {
    for (const pieces of allCuts(text)) {
      const result = write(schema, pieces);
      assert.deepEqual(JSON.parse(result.json), { a: value });
      assert.equal(result.isKeptAsText, isKeptAsText);
    }
  });
}

Deno.test("ValueWriter sends text as soon as it can't be anything else", () => {
  const long = "a".repeat(128);
  const cases: [schema: unknown, text: string, before: string][] = [
    [string, long, `{"a":"${long}`],
    [nullable, "null", '{"a":'],
    [nullable, `null${long}`, `{"a":"null${long}`],
    [{ type: "integer" }, "123456", '{"a":'],
  ];
  for (const [schema, text, before] of cases) assert.equal(write(schema, [text]).before, before, text);
});

Deno.test("ValueWriter keeps at most 1 MiB and sends the rest as text", () => {
  const long = "1".repeat(1024 * 1024);
  assert.equal(write({ type: "array" }, [long]).before, '{"a":');
  const result = write({ type: "array" }, [long, "1"]);
  assert.equal(result.before, `{"a":"${long}1`);
  assert.equal(result.isKeptAsText, true);
});

Deno.test("ValueWriter writes the items that are inside a value, and without any the value", () => {
  for (const [inside, value] of [['{"b":1}', { b: 1 }], [undefined, { c: 2 }]] as const) {
    const sink = new KeptArguments();
    const tool = { name: "f", schema: { properties: { a: { type: "object" } } } };
    const writer = new ArgumentsWriter(sink, { tool, meta: [] });
    writer.begin("object");
    writer.key("a");
    const nested = new ValueWriter(writer, "a", { nested: () => inside });
    nested.write('{"c": 2}');
    nested.finish();
    writer.end();
    writer.finish();
    assert.deepEqual(JSON.parse(sink.written), { a: value });
  }
});
