import assert from "node:assert/strict";
import { readRequest } from "../../../src/chat/message/request.ts";

Deno.test("readRequest reads objects only", () => {
  assert.deepEqual(readRequest('{"model":"m","odd":[1]}'), { model: "m", odd: [1] });
  for (const body of ["", "[]", "null", "1", "{", '"text"']) assert.equal(readRequest(body), undefined, body);
});
