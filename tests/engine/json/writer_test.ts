import assert from "node:assert/strict";
import { escapeJson, JsonWriter } from "../../../src/engine/json/writer.ts";

function written(write: (writer: JsonWriter) => void): string {
  let json = "";
  write(new JsonWriter((piece) => json += piece));
  return json;
}

Deno.test("JsonWriter writes objects, lists, strings and scalars without whitespace", () => {
  const json = written((writer) => {
    writer.begin("object");
    writer.key("a b");
    writer.begin("array");
    writer.scalar("1");
    writer.stringBegin();
    writer.stringPiece("x\\n");
    writer.stringPiece("y");
    writer.stringEnd();
    writer.begin("object");
    writer.end();
    writer.begin("array");
    writer.end();
    writer.end();
    writer.key('"');
    writer.scalar("null");
    writer.end();
  });
  assert.equal(json, '{"a b":[1,"x\\ny",{},[]],"\\"":null}');
});

Deno.test("escapeJson writes the inside of a JSON string", () => {
  for (const text of ["", 'a"b', "\\", "\n\t\u0000", "😀", "\ud83d", "\u2028"]) {
    assert.equal(JSON.parse(`"${escapeJson(text)}"`), text);
    assert.ok(escapeJson(text).isWellFormed());
  }
});
