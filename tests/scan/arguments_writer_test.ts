import assert from "node:assert/strict";
import { type ArgumentsOptions, ArgumentsWriter } from "../../src/scan/arguments_writer.ts";
import { JsonReader } from "../../src/json/reader.ts";

/** Writes a JSON text as arguments; what came of it. */
function write(json: string, options: Partial<ArgumentsOptions> = {}) {
  let written = "";
  const notes: string[] = [];
  const meta: Record<string, string> = {};
  const keys: [string, boolean][] = [];
  const writer = new ArgumentsWriter({
    tool: { name: "f" },
    meta: [],
    write: (piece) => written += piece,
    onKey: (key, isFirst) => keys.push([key, isFirst]) > 0,
    onMeta: (key, value) => meta[key] = value,
    note: (reason, detail) => notes.push(`${reason}: ${detail}`),
    ...options,
  });
  new JsonReader(writer).read(json, 0);
  return { written, notes, meta, keys, writer };
}

Deno.test("ArgumentsWriter passes an object on as it is", () => {
  const json = '{"a":{"b":[1,{"c":null}]},"d":"x","e":[]}';
  const { written, keys, writer } = write(json);
  assert.equal(written, json);
  assert.deepEqual(keys, [["a", true], ["d", false], ["e", false]]);
  assert.equal(writer.has("a"), true);
  assert.equal(writer.has("b"), false, "an inner key is no parameter");
  assert.equal(writer.isRefused, false);
});

Deno.test("ArgumentsWriter refuses what is no object", () => {
  for (const json of ["[1]", '"x"', "5 ", "null "]) assert.equal(write(json).writer.isRefused, true, json);
});

Deno.test("ArgumentsWriter stops at a key that is refused", () => {
  const { written, writer } = write('{"a": 1, "b": 2}', { onKey: (key) => key !== "b" });
  assert.equal(writer.isRefused, true);
  assert.equal(written.includes("2"), false);
});

Deno.test("ArgumentsWriter renames as the mapping says and adds constants that did not come", () => {
  const mapping = { from: { path: "file" }, constants: { cwd: ".", mode: "w" } };
  const { written } = write('{"file": "a", "mode": "r"}', { mapping });
  assert.equal(written, '{"path":"a","mode":"r","cwd":"."}');
});

Deno.test("ArgumentsWriter takes identifiers out, whatever their value is", () => {
  const json = '{"id": "x", "a": 1, "after": ["x", {"y": "z"}], "n": 5}';
  const { written, meta, keys } = write(json, { meta: ["id", "after", "n"] });
  assert.equal(written, '{"a":1}');
  assert.deepEqual(meta, { id: "x", after: '["x",{"y":"z"}]', n: "5" });
  assert.deepEqual(keys, [["a", true]]);
});

Deno.test("ArgumentsWriter leaves a key alone that is an identifier's name deeper inside", () => {
  assert.equal(write('{"a": {"id": 1}}', { meta: ["id"] }).written, '{"a":{"id":1}}');
});

Deno.test("ArgumentsWriter notes what is unknown and what comes twice", () => {
  const tool = { name: "f", schema: { properties: { a: {} } } };
  const { notes } = write('{"a": 1, "b": 2, "a": 3}', { tool });
  assert.deepEqual(notes, ["unknown_parameter: b", "repeated_parameter: a"]);
});

Deno.test("ArgumentsWriter writes a whole value that is JSON text", () => {
  let written = "";
  const writer = new ArgumentsWriter({
    tool: { name: "f" },
    meta: [],
    write: (piece) => written += piece,
    onKey: () => true,
    onMeta: () => {},
    note: () => {},
  });
  writer.begin("object");
  for (const json of ["5", '"x"', "null", '{"a":[{"b":""}]}', "[]"]) {
    writer.key("k");
    writer.value(json);
  }
  writer.end();
  assert.equal(written, '{"k":5,"k":"x","k":null,"k":{"a":[{"b":""}]},"k":[]}');
});
