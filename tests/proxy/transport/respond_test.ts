import assert from "node:assert/strict";
import { errorResponse } from "../../../src/proxy/transport/respond.ts";

Deno.test("errorResponse says the error with its status, in OpenAI's shape", async () => {
  const response = errorResponse({ status: 404, type: "invalid_request_error", code: "c", message: "m" });
  assert.equal(response.status, 404);
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.deepEqual(await response.json(), {
    error: { message: "m", type: "invalid_request_error", param: null, code: "c" },
  });
});
