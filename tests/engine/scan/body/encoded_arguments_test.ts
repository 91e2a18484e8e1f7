import assert from "node:assert/strict";
import { ArgumentsWriter } from "../../../../src/engine/scan/arguments_writer.ts";
import { writeEncoded } from "../../../../src/engine/scan/body/encoded_arguments.ts";
import type { Calls } from "../../../../src/engine/scan/calls.ts";
import { KeptArguments } from "../../../support/kept_arguments.ts";

/** Writes the inside of a JSON string; the arguments, the notes and the reason against them. */
function write(encoded: string) {
  const kept = new KeptArguments();
  const writer = new ArgumentsWriter(kept, { tool: { name: "f" }, meta: [] });
  const calls = { repair: (reason: string, detail = "") => kept.repair(reason, detail) } as Calls;
  const failure = writeEncoded(encoded, { writer, calls });
  writer.finish();
  return { json: kept.written, notes: kept.notes, reason: failure?.reason };
}

Deno.test("writeEncoded decodes arguments once", () => {
  assert.deepEqual(write('{\\"a\\": \\"b\\\\n\\"}'), {
    json: '{"a":"b\\n"}',
    notes: ["arguments_decoded: "],
    reason: undefined,
  });
});

Deno.test("writeEncoded takes an empty string for no arguments", () => {
  assert.deepEqual(write(""), { json: "{}", notes: [], reason: undefined });
});

Deno.test("writeEncoded repairs what is nearly JSON and names it", () => {
  const { json, notes } = write("{'a': 1,}");
  assert.equal(json, '{"a":1}');
  assert.equal(notes[0], "arguments_decoded: ");
  assert.match(notes[1] ?? "", /^json_repaired: /);
});

Deno.test("writeEncoded refuses a string without an object, and text after it", () => {
  for (const encoded of ["Oslo", "[1]", '{\\"a\\": 1', '{\\"a\\": 1} x']) {
    assert.equal(write(encoded).reason, "invalid_arguments", encoded);
  }
});
