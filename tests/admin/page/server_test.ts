import assert from "node:assert/strict";
import { messageOf, ServerError } from "../../../src/admin/page/server.ts";

Deno.test("messageOf shows the message of an error without its class", () => {
  assert.equal(messageOf(new ServerError("The server doesn't answer", 0)), "The server doesn't answer");
  assert.equal(messageOf("odd"), "odd");
});
