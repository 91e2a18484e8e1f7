import assert from "node:assert/strict";
import { jsonAsEvents } from "../../../src/proxy/exchange/json_as_events.ts";
import { openSource } from "../../../src/proxy/transport/source.ts";

const LIMIT = {
  bytesMax: 200,
  tooLarge: { status: 502, type: "upstream_error", code: "answer_too_large", message: "too large" },
};

async function read(...pieces: string[]): Promise<string> {
  const body = ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece)));
  const source = jsonAsEvents(openSource(body), LIMIT);
  let text = "";
  for (let bytes = await source.read(); bytes !== undefined; bytes = await source.read()) {
    text += new TextDecoder().decode(bytes);
  }
  return text;
}

const ANSWER = '{"choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}]}';

Deno.test("jsonAsEvents gives events as they are", async () => {
  for (
    const pieces of [["data: a\n\n", "{"], [": ping\n\n", "data: b\n\n"], ["da", "ta: {}\n\n"], [" \n"], []]
  ) {
    assert.equal(await read(...pieces), pieces.join(""));
  }
});

Deno.test("jsonAsEvents gives an answer as one event and the end, however it is cut", async () => {
  for (const pieces of [[ANSWER], [...ANSWER], [" ", "\n", ANSWER]]) {
    assert.match(
      await read(...pieces),
      /^data: \{"choices":.*"delta":\{"content":"Hi"\}.*\}\n\ndata: \[DONE\]\n\n$/,
    );
  }
});

Deno.test("jsonAsEvents gives JSON that is not an answer as one event", async () => {
  assert.equal(await read('{"error":\n{}}\n'), 'data: {"error":\ndata: {}}\n\n');
});

Deno.test("jsonAsEvents gives an error for JSON that is too long", async () => {
  assert.match(await read("{", " ".repeat(300)), /^data: \{"error":.*"code":"answer_too_large"/);
});
