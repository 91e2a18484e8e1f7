import assert from "node:assert/strict";
import { readRequest } from "../../../src/chat/message/request.ts";
import { type RequestChanges, rewriteRequest } from "../../../src/chat/message/request_changes.ts";

function rewrite(body: string, changes: RequestChanges): string | undefined {
  return rewriteRequest({ body, request: readRequest(body) }, changes);
}

const NOTHING = { modelNames: {}, defaults: {} };

Deno.test("rewriteRequest never replaces what the client said, null included", () => {
  const body = '{"model":"m","temperature":null}';
  assert.equal(rewrite(body, { modelNames: {}, defaults: { temperature: 1 } }), undefined);
});

Deno.test("rewriteRequest keeps every other value to the last digit", () => {
  const body =
    '{"model":"m","seed":12345678901234567890,"top_p":1.0,"tiny":1e-400,"text":"é\\ud83d\\u0000","x":{"y":[]}}';
  const rewritten = rewrite(body, { modelNames: { m: "n" }, defaults: { max_tokens: 5 } });
  assert.equal(
    rewritten,
    '{"model":"n","seed":12345678901234567890,"top_p":1.0,"tiny":1e-400,"text":"é\\ud83d\\u0000","x":{"y":[]},"max_tokens":5}',
  );
});

Deno.test("rewriteRequest takes a model's name literally, not from an object's prototype", () => {
  assert.equal(rewrite('{"model":"toString"}', NOTHING), undefined);
});
