import assert from "node:assert/strict";
import { JsonAsEvents } from "../../../src/proxy/exchange/json_as_events.ts";

const LIMIT = {
  bytesMax: 200,
  tooLarge: { status: 502, type: "upstream_error", code: "answer_too_large", message: "too large" },
};

function read(...pieces: string[]): string {
  const events = new JsonAsEvents(LIMIT);
  const given = pieces.map((piece) => events.push(new TextEncoder().encode(piece)));
  return [...given, events.end()].map((bytes) => new TextDecoder().decode(bytes)).join("");
}

const ANSWER = '{"choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}]}';

Deno.test("JsonAsEvents gives events as they are", () => {
  for (
    const pieces of [["data: a\n\n", "{"], [": ping\n\n", "data: b\n\n"], ["da", "ta: {}\n\n"], [" \n"], []]
  ) {
    assert.equal(read(...pieces), pieces.join(""));
  }
});

Deno.test("JsonAsEvents gives an answer as one event and the end, however it is cut", () => {
  for (const pieces of [[ANSWER], [...ANSWER], [" ", "\n", ANSWER]]) {
    assert.match(
      read(...pieces),
      /^data: \{"choices":.*"delta":\{"content":"Hi"\}.*\}\n\ndata: \[DONE\]\n\n$/,
    );
  }
});
