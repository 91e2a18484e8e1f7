import assert from "node:assert/strict";
import { readChunk } from "../../../src/chat/message/read.ts";
import { MessageShape } from "../../../src/chat/message/shape.ts";
import { chunkMessage } from "../../support/chunks.ts";

function learn(
  raw: string,
  { text, kind = "text" }: { text: string; kind?: "text" | "reasoning" },
): MessageShape | undefined {
  const data = raw.slice(raw.indexOf("{"), raw.lastIndexOf("}") + 1);
  const chunk = readChunk(data);
  assert.ok(chunk);
  return MessageShape.learn({ raw, data, chunk, prose: { kind, text } });
}

const HELLO = chunkMessage({ content: "Hello" });

Deno.test("MessageShape reads the text of every message that is equal but for its text", () => {
  const shape = learn(HELLO, { text: "Hello" });
  assert.ok(shape);
  for (const text of ["x", "a b", '"\\', "\n\t", "漢😀", "\ud83d", "\u2028"]) {
    const message = chunkMessage({ content: text });
    assert.deepEqual(shape.read(`${HELLO}${message}`, HELLO.length), { kind: "text", text });
    assert.equal(shape.end, HELLO.length + message.length);
  }
});

Deno.test("MessageShape reads no other message, and none that is not whole or not JSON", () => {
  const shape = learn(HELLO, { text: "Hello" });
  const others = [
    chunkMessage({ content: "" }),
    chunkMessage({ content: "x" }, { finish: "stop" }),
    chunkMessage({ content: "x", role: "assistant" }),
    chunkMessage({ reasoning_content: "x" }),
    ": ping\n\n",
    HELLO.slice(0, -1),
    HELLO.slice(0, HELLO.indexOf("Hello") + 3),
    HELLO.replace("Hello", "a\nb"),
    HELLO.replace("Hello", "a\tb"),
    HELLO.replace("Hello", "\\x"),
  ];
  for (const other of others) assert.equal(shape?.read(other, 0), undefined, other);
});

Deno.test("MessageShape is learned only where the place of the text is certain", () => {
  assert.equal(learn(chunkMessage({ content: "test-model" }), { text: "test-model" }), undefined);
  const twice = HELLO.replace('"content":"Hello"', '"content":"Hello","content":"other"');
  assert.equal(learn(twice, { text: "Hello" }), undefined);
  const escaped = HELLO.replace("Hello", "a\\u003cb");
  assert.equal(learn(escaped, { text: "a<b" }), undefined);
  assert.equal(learn(HELLO.replaceAll("\n", "\r"), { text: "Hello" }), undefined);
});

Deno.test("MessageShape knows reasoning, parts of a content and line ends of two characters", () => {
  const thought = chunkMessage({ reasoning_content: "hm" });
  const reasoning = learn(thought, { text: "hm", kind: "reasoning" });
  assert.deepEqual(reasoning?.read(thought, 0), { kind: "reasoning", text: "hm" });
  const parts = chunkMessage({ content: [{ type: "text", text: "hm" }] });
  assert.deepEqual(learn(parts, { text: "hm" })?.read(parts, 0), { kind: "text", text: "hm" });
  const crlf = HELLO.replaceAll("\n", "\r\n");
  assert.equal(learn(crlf, { text: "Hello" })?.messageEnd, "\r\n\r\n");
  assert.equal(learn(HELLO, { text: "Hello" })?.messageEnd, "\n\n");
});
