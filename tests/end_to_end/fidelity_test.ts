/**
 * Text and arguments arrive to the character on every wire, streamed and whole, wherever the bytes are cut.
 *
 * @module
 */
import assert from "node:assert/strict";
import { builtInService } from "../support/built_in.ts";
import { bodyOf, fragment, head, inPieces, streamOf } from "../support/native_answers.ts";
import { testConfig } from "../support/proxy.ts";
import { type RawRequest, STREAM_HEAD, textEvent } from "../support/raw_upstream.ts";
import {
  LAST_CHUNK,
  startStage,
  STREAM_END,
  wantsStream,
  wholeBody,
  wholeHead,
} from "../support/wire_stage.ts";
import { onRows, WIRE_TABLE } from "../support/wire_table.ts";

const CONTROLS = Array.from({ length: 31 }, (_, at) => String.fromCharCode(at + 1)).join("");
const TEXTS: Readonly<Record<string, string>> = {
  "line ends": "one\r\ntwo\rthree\n\n\nfour\u2028five\u2029six\u0085seven\r\n",
  "control characters": `a${CONTROLS}\x7f\x80\x9fb`,
  "characters of two to four bytes": "é漢😀👩‍👩‍👧‍👦e\u0301\ufeff\ufffd\uffff\u{10ffff}",
  "JSON and events in text":
    'data: {"a":"\\u00e9\\n"}\n\nevent: message_stop\ndata: [DONE]\n\n: x\n\n{"done":true}\n',
  "whitespace": "  \t words \u00a0\u3000 \n ",
};

/** Sends an answer in pieces of three bytes, which end inside characters. */
function send(
  request: RawRequest,
  { stream, body }: { readonly stream: string; readonly body: string },
): void {
  const asBytes = (text: string) =>
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  if (!wantsStream(request)) return request.write(wholeHead(asBytes(body).length) + asBytes(body));
  const pieces = asBytes(stream).match(/[^]{1,3}/g) ?? [];
  request.write(STREAM_HEAD + pieces.map((piece) => `${piece.length}\r\n${piece}\r\n`).join("") + LAST_CHUNK);
}

/** A tool that takes anything. */
const tool = { name: "write_file", schema: { type: "object" } };
const service = (url: string) => builtInService(testConfig(url));

for (const [name, text] of Object.entries(TEXTS)) {
  Deno.test(`text arrives to the character on every wire: ${name}`, async () => {
    // Some servers cut an emoji into two halves.
    const stream = inPieces(text, true).map((piece) => textEvent(piece)).join("") + STREAM_END;
    await using stage = await startStage((request) => send(request, { stream, body: wholeBody(text) }), {
      service,
    });
    for (const offered of [tool, null]) {
      await onRows(WIRE_TABLE, async (row) => {
        const { end, text: read, calls } = await stage.ask(row, { tool: offered });
        assert.deepEqual({ end, text: read, calls }, { end: "whole", text, calls: [] });
      });
    }
  });

  Deno.test(`arguments arrive to the character on every wire: ${name}`, async () => {
    const args = { path: "a", content: text, [text]: [text, 1.5, null, { deep: [text] }] };
    const json = JSON.stringify(args);
    const printed = `Now.\n<tool_call>\n{"name": "write_file", "arguments": ${json}}\n</tool_call>`;
    const answers = [
      {
        stream: inPieces(printed, true).map((piece) => textEvent(piece)).join("") + STREAM_END,
        body: wholeBody(printed),
      },
      {
        stream: streamOf([head(), ...inPieces(json, true).map((piece) => fragment(piece))]),
        body: bodyOf({
          content: null,
          tool_calls: [{ id: "a", type: "function", function: { name: "write_file", arguments: json } }],
        }),
      },
    ];
    for (const answer of answers) {
      await using stage = await startStage((request) => send(request, answer), { service });
      await onRows(WIRE_TABLE, async (row) => {
        const { end, calls } = await stage.ask(row, { tool });
        assert.deepEqual({ end, calls }, { end: "whole", calls: [["write_file", args]] });
      });
    }
  });
}
