import assert from "node:assert/strict";
import { contentText, readChunk } from "../../../src/chat/message/read.ts";

Deno.test("readChunk reads chunks and nothing else", () => {
  assert.equal(readChunk('{"choices":[]}')?.choices.length, 0);
  for (const data of ["[DONE]", "", "{", '{"error":{}}', '{"choices":{}}', '{"choices":[null]}', "null"]) {
    assert.equal(readChunk(data), undefined, data);
  }
});

Deno.test("contentText reads strings and text parts", () => {
  assert.equal(contentText("a"), "a");
  assert.equal(contentText([{ type: "text", text: "a" }, { type: "image_url" }, { text: "b" }]), "ab");
  assert.equal(contentText([{ type: "thinking", thinking: "x", text: "y" }]), undefined);
  assert.equal(contentText(null), undefined);
  assert.equal(contentText(undefined), undefined);
});
