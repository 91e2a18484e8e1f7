import assert from "node:assert/strict";
import { errorBody } from "../../src/chat/error.ts";

Deno.test("errorBody writes OpenAI's shape and nothing but it", () => {
  const error = { message: "m", type: "t", code: "c", status: 502 };
  assert.deepEqual(JSON.parse(errorBody(error)), {
    error: { message: "m", type: "t", param: null, code: "c" },
  });
});
