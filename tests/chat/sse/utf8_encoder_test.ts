import assert from "node:assert/strict";
import { encodeText } from "../../../src/chat/sse/utf8_encoder.ts";

const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

Deno.test("encodeText gives pieces that nothing writes to again", () => {
  const texts = Array.from({ length: 5000 }, (_, index) => `${index} 漢😀`.repeat(1 + index % 7));
  const pieces = texts.map(encodeText);
  assert.deepEqual(pieces.map(decode), texts);
});
