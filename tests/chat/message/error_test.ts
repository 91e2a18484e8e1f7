import assert from "node:assert/strict";
import { errorBody, errorOf } from "../../../src/chat/message/error.ts";

Deno.test("errorBody writes OpenAI's shape and nothing but it", () => {
  const error = { message: "m", type: "t", code: "c", status: 502 };
  assert.deepEqual(JSON.parse(errorBody(error)), {
    error: { message: "m", type: "t", param: null, code: "c" },
  });
});

Deno.test("errorOf reads the errors of servers that use other shapes", () => {
  assert.equal(errorOf('{"error":"no such model"}')?.message, "no such model");
  assert.equal(errorOf('{"object":"error","message":"flat"}')?.message, "flat");
  assert.equal(errorOf('{"message":"named"}', "error")?.message, "named");
  assert.equal(errorOf("plain", "error")?.message, "plain");
  assert.equal(errorOf('{"error":null}'), undefined);
  assert.equal(errorOf('{"object":"chat.completion.chunk","choices":[],"error":null}'), undefined);
  assert.equal(errorOf("<html>error</html>"), undefined);
});
