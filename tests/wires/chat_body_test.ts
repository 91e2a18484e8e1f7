import assert from "node:assert/strict";
import { invalidRequest } from "../../src/wires/chat_body.ts";

Deno.test("invalidRequest is a refusal with status 400", () => {
  assert.equal(invalidRequest("why").refusal.status, 400);
});
