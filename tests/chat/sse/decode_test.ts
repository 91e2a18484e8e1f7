import assert from "node:assert/strict";
import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { SseDecoder, type SseMessage } from "../../../src/chat/sse/decode.ts";
import { anyText } from "../../support/any_text.ts";

const encoder = new TextEncoder();

function decodeWhole(bytes: Uint8Array, lengthMax?: number): SseMessage[] {
  return decodePieces([bytes], lengthMax);
}

function decodePieces(pieces: readonly Uint8Array[], lengthMax?: number): SseMessage[] {
  const decoder = new SseDecoder(lengthMax === undefined ? {} : { messageLengthMax: lengthMax });
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()];
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  const starts = [0, ...sorted];
  return starts.map((start, index) => bytes.slice(start, starts[index + 1] ?? bytes.length));
}

const stream = fc.array(
  fc.oneof(
    fc.constantFrom(
      "\n",
      "\r",
      "\r\n",
      "\n\n",
      "\r\n\r\n",
      "\r\r",
      ": ping",
      "data",
      "data:",
      "data: ",
      "event: x",
    ),
    fc.constantFrom("data: a\n\n", "data: é漢😀\r\n\r\n", "id: 1\n", "retry: 5\n", "\uFEFF", "x: y", " "),
    anyText(8),
  ),
  { maxLength: 30 },
).map((parts) => parts.join(""));

Deno.test("SseDecoder gives the same messages for every cut of the bytes", () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (text, places) => {
      const bytes = encoder.encode(text);
      assert.deepEqual(decodePieces(cut(bytes, places)), decodeWhole(bytes));
    }),
    { numRuns: 1000 },
  );
});

Deno.test("SseDecoder keeps every byte: the raw texts concatenate to the stream", () => {
  fc.assert(fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (text, places) => {
    const raw = decodePieces(cut(encoder.encode(text), places)).map((message) => message.raw).join("");
    assert.equal(raw, text.toWellFormed());
  }));
});

Deno.test("SseDecoder reads the data and types that eventsource-parser reads", () => {
  fc.assert(
    fc.property(stream, (text) => {
      const expected: unknown[] = [];
      const parser = createParser({
        onEvent: ({ data, event }) => {
          expected.push({ data, event: event || undefined });
        },
      });
      // A blank line ends the last message: the oracle drops one that has none, we pass it on.
      const whole = `${text.toWellFormed()}\n\n\n`;
      parser.feed(whole);
      const read = decodeWhole(encoder.encode(whole)).filter((message) => message.data !== undefined);
      assert.deepEqual(read.map(({ data, event }) => ({ data, event: event || undefined })), expected);
    }),
    { numRuns: 1000 },
  );
});

Deno.test("SseDecoder cuts nothing inside a character or a CRLF", () => {
  const bytes = encoder.encode("data: é漢😀\r\n\r\ndata: b\r\n\r\n");
  for (let place = 0; place <= bytes.length; place++) {
    const messages = decodePieces([bytes.slice(0, place), bytes.slice(place)]);
    assert.deepEqual(messages.map((message) => message.data), ["é漢😀", "b"], `cut at ${place}`);
  }
});

Deno.test("SseDecoder gives a message as soon as its blank line is there", () => {
  const decoder = new SseDecoder();
  assert.deepEqual(decoder.push(encoder.encode("data: a\n")), []);
  assert.deepEqual(decoder.push(encoder.encode("\n")), [{ raw: "data: a\n\n", data: "a" }]);
});

Deno.test("SseDecoder lets a comment between messages leave at once", () => {
  const decoder = new SseDecoder();
  assert.deepEqual(decoder.push(encoder.encode(": ping\n")), [{ raw: ": ping\n" }]);
  assert.deepEqual(decoder.push(encoder.encode("data: a\n: inside\n")), []);
  assert.deepEqual(decoder.push(encoder.encode("\n")), [{ raw: "data: a\n: inside\n\n", data: "a" }]);
});

Deno.test("SseDecoder gives a last message without a blank line at the end", () => {
  assert.deepEqual(decodeWhole(encoder.encode("data: [DONE]")), [{ raw: "data: [DONE]", data: "[DONE]" }]);
  assert.deepEqual(decodeWhole(encoder.encode("data: [DONE]\r")), [{
    raw: "data: [DONE]\r",
    data: "[DONE]",
  }]);
});

Deno.test("SseDecoder lets a message over the limit pass unread and reads the next", () => {
  const long = `data: ${"x".repeat(50)}\ndata: y\n\n`;
  const messages = decodePieces(cut(encoder.encode(`${long}data: b\n\n`), [10, 20, 30, 40, 50, 59, 65]), 20);
  assert.equal(messages.map((message) => message.raw).join(""), `${long}data: b\n\n`);
  assert.deepEqual(messages.at(-1), { raw: "data: b\n\n", data: "b" });
  for (const message of messages.slice(0, -1)) {
    assert.equal(message.overLimit, true);
    assert.equal(message.data, undefined);
  }
});
