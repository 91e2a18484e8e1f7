import assert from "node:assert/strict";
import { type ArgumentsOptions, ArgumentsWriter } from "../../../src/engine/scan/arguments_writer.ts";
import { JsonReader } from "../../../src/engine/json/reader.ts";
import { KeptArguments } from "../../support/kept_arguments.ts";

/** The result of writing a JSON text as arguments. */
function write(json: string, options: Partial<ArgumentsOptions> & { refused?: string } = {}) {
  const sink = new KeptArguments(options.refused);
  const writer = new ArgumentsWriter(sink, { tool: { name: "f" }, meta: [], ...options });
  new JsonReader(writer).read(json, 0);
  const beforeTheEnd = sink.written;
  writer.finish();
  const { written, notes, meta, keys } = sink;
  return { written, beforeTheEnd, notes, meta, keys, writer };
}

Deno.test("ArgumentsWriter holds the last brace until the call is finished", () => {
  assert.equal(write('{"a":{"b":1}}').beforeTheEnd, '{"a":{"b":1}');
  const mapping = { from: {}, constants: { cwd: "." } };
  assert.equal(write("{}", { mapping }).beforeTheEnd, '{"cwd":"."');
});

Deno.test("ArgumentsWriter passes an object on unchanged", () => {
  const json = '{"a":{"b":[1,{"c":null}]},"d":"x","e":[]}';
  const { written, keys, writer } = write(json);
  assert.equal(written, json);
  assert.deepEqual(keys, [["a", true], ["d", false], ["e", false]]);
  assert.equal(writer.has("a"), true);
  assert.equal(writer.has("b"), false, "an inner key isn't a parameter");
  assert.equal(writer.isRefused, false);
});

Deno.test("ArgumentsWriter converts values whose type the schema doesn't allow, if their text shows what is meant", () => {
  const properties = {
    days: { type: "integer" },
    on: { type: "boolean" },
    ids: { type: "array", items: { type: "integer" } },
    city: { type: "string" },
    any: {},
  };
  const tool = { name: "f", schema: { type: "object", properties } };
  const cases: readonly (readonly [json: string, written: string, isNoted: boolean])[] = [
    ['{"days":"3","on":"True","ids":"[1, 2]"}', '{"days":3,"on":true,"ids":[1,2]}', true],
    ['{"city":75001}', '{"city":"75001"}', true],
    ['{"city":"3","any":"3","days":"three"}', '{"city":"3","any":"3","days":"three"}', false],
    ['{"days":{"days":"3"},"city":["3"]}', '{"days":{"days":"3"},"city":["3"]}', false],
  ];
  for (const [json, expected, isNoted] of cases) {
    const { written, notes } = write(json, { tool });
    assert.equal(written, expected);
    assert.equal(JSON.stringify(notes).includes("arguments_fitted"), isNoted, json);
  }
  const long = `{"days":"${"3".repeat(1024 * 1024 + 1)}"}`;
  assert.equal(write(long, { tool }).written, long);
});

Deno.test("ArgumentsWriter refuses a value that isn't an object", () => {
  for (const json of ["[1]", '"x"', "5 ", "null "]) assert.equal(write(json).writer.isRefused, true, json);
});

Deno.test("ArgumentsWriter stops at a refused key", () => {
  const { written, writer } = write('{"a": 1, "b": 2}', { refused: "b" });
  assert.equal(writer.isRefused, true);
  assert.equal(written.includes("2"), false);
});

Deno.test("ArgumentsWriter applies the mapping's names and missing constants", () => {
  const mapping = { from: { path: "file" }, constants: { cwd: ".", mode: "w" } };
  const { written } = write('{"file": "a", "mode": "r"}', { mapping });
  assert.equal(written, '{"path":"a","mode":"r","cwd":"."}');
});

Deno.test("ArgumentsWriter removes identifiers with any value", () => {
  const json = '{"id": "x", "a": 1, "after": ["x", {"y": "z"}], "n": 5}';
  const { written, meta, keys } = write(json, { meta: ["id", "after", "n"] });
  assert.equal(written, '{"a":1}');
  assert.deepEqual(meta, { id: "x", after: '["x",{"y":"z"}]', n: "5" });
  assert.deepEqual(keys, [["a", true]]);
});

Deno.test("ArgumentsWriter keeps a nested key with an identifier's name", () => {
  assert.equal(write('{"a": {"id": 1}}', { meta: ["id"] }).written, '{"a":{"id":1}}');
});

Deno.test("ArgumentsWriter notes unknown parameters", () => {
  const tool = { name: "f", schema: { properties: { a: {} } } };
  assert.deepEqual(write('{"a": 1, "b": 2}', { tool }).notes, ["unknown_parameter: b"]);
});

Deno.test("ArgumentsWriter counts a parameter once if it is repeated with the same value", () => {
  const { written, notes } = write('{"a": {"b": [1]}, "c": 2, "a": {"b":[1]}}');
  assert.equal(written, '{"a":{"b":[1]},"c":2}');
  assert.deepEqual(notes, ["repeated_parameter: a"]);
});

Deno.test("ArgumentsWriter takes the last of two short lines in a row", () => {
  const cases: readonly (readonly [json: string, written: string])[] = [
    ['{"a": 1, "a": 2}', '{"a":2}'],
    ['{"b": 0, "a": "x", "a": {"c": [1]}, "d": 3}', '{"b":0,"a":{"c":[1]},"d":3}'],
    ['{"a": {"c": 1, "d": [2]}, "a": "y"}', '{"a":"y"}'],
  ];
  for (const [json, expected] of cases) {
    const { written, notes, keys } = write(json);
    assert.equal(written, expected);
    assert.deepEqual(notes, ["replaced_parameter: a"]);
    assert.equal(new Set(keys.map(([name]) => name)).size, keys.length, "a parameter is announced once");
  }
});

Deno.test("ArgumentsWriter makes a list of values in a row where the schema allows one", () => {
  const tool = { name: "f", schema: { properties: { a: { type: ["string", "array"] } } } };
  const cases: readonly (readonly [json: string, written: string])[] = [
    ['{"a": "x", "a": "y"}', '{"a":["x","y"]}'],
    ['{"a": "x", "a": "y", "a": "z", "b": 1}', '{"a":["x","y","z"],"b":1}'],
    ['{"a": "x", "a": "x"}', '{"a":"x"}'],
    ['{"a": ["x"], "a": ["y"]}', '{"a":["y"]}'],
  ];
  for (const [json, expected] of cases) assert.equal(write(json, { tool }).written, expected);
});

Deno.test("ArgumentsWriter lets a value go that is no short line", () => {
  const sink = new KeptArguments();
  const writer = new ArgumentsWriter(sink, { tool: { name: "f" }, meta: [] });
  const reader = new JsonReader(writer);
  reader.read('{"a": "short', 0);
  assert.equal(sink.written, '{"a":');
  reader.read("x".repeat(300), 0);
  assert.equal(sink.written.length, '{"a":"short'.length + 300);
  reader.read('", "b": "x\\n', 0);
  assert.ok(sink.written.endsWith(',"b":"x\\n'));
});

Deno.test("ArgumentsWriter refuses a parameter that comes twice with two values, or with long ones", () => {
  const long = JSON.stringify("x".repeat(65 * 1024));
  const medium = JSON.stringify("x".repeat(300));
  for (
    const json of [
      '{"a": 1, "b": 2, "a": 3}',
      `{"a": ${long}, "a": ${long}}`,
      `{"a": ${medium}, "a": 1}`,
      `{"a": 1, "a": ${medium}}`,
      '{"a": "x\\ny", "a": 1}',
      '{"a": 1, "a": ["x\\ny"]}',
    ]
  ) {
    const { notes, writer } = write(json);
    assert.deepEqual(notes, ["refused: `a` came twice"]);
    assert.equal(writer.isRefused, true);
  }
});

Deno.test("ArgumentsWriter writes a whole value that is JSON text", () => {
  const sink = new KeptArguments();
  const writer = new ArgumentsWriter(sink, { tool: { name: "f" }, meta: [] });
  writer.begin("object");
  for (const json of ["5", '"x"', "null", '{"a":[{"b":""}]}', "[]"]) {
    writer.key(`k${json.length}`);
    writer.scalar(json);
  }
  writer.end();
  writer.finish();
  assert.equal(sink.written, '{"k1":5,"k3":"x","k4":null,"k16":{"a":[{"b":""}]},"k2":[]}');
});

/** Writes arguments in a JSON string; the arguments, the notes, and whether they are refused. */
function decode(encoded: string) {
  const { written, notes, writer } = write(`"${encoded}"`);
  return { written, notes, isRefused: writer.isRefused };
}

Deno.test("ArgumentsWriter decodes arguments in a string", () => {
  assert.deepEqual(decode('{\\"a\\": \\"b\\\\n\\"}'), {
    written: '{"a":"b\\n"}',
    notes: ["arguments_decoded: "],
    isRefused: false,
  });
});

Deno.test("ArgumentsWriter takes an empty string for no arguments", () => {
  assert.deepEqual(decode(""), { written: "{}", notes: [], isRefused: false });
});

Deno.test("ArgumentsWriter repairs what is nearly JSON in a string and names it", () => {
  const { written, notes } = decode("{'a': 1,}");
  assert.equal(written, '{"a":1}');
  assert.equal(notes[0], "arguments_decoded: ");
  assert.match(notes[1] ?? "", /^json_repaired: /);
});

Deno.test("ArgumentsWriter refuses a string without an object, and text after it", () => {
  for (const encoded of ["Oslo", "[1]", '{\\"a\\": 1', '{\\"a\\": 1} x']) {
    assert.equal(decode(encoded).isRefused, true, encoded);
  }
});
