import assert from "node:assert/strict";
import { errorIn, errorOf } from "../../../src/chat/message/error.ts";

Deno.test("errorOf reads the errors of servers that use other shapes", () => {
  assert.equal(errorOf('{"error":"no such model"}')?.message, "no such model");
  assert.equal(errorOf('{"object":"error","message":"flat"}')?.message, "flat");
  assert.equal(errorOf('{"message":"named"}', "error")?.message, "named");
  assert.equal(errorOf("plain", "error")?.message, "plain");
  assert.equal(errorOf('{"error":null}'), undefined);
  assert.equal(errorOf('{"object":"chat.completion.chunk","choices":[],"error":null}'), undefined);
  assert.equal(errorOf("<html>error</html>"), undefined);
});

Deno.test("errorIn says what a person can read: the server's words, or that it sent none", () => {
  const busy = { status: 429, statusText: "Too Many Requests" };
  const wordless = "The model server answered 429 Too Many Requests without an error text";
  const table: readonly (readonly [text: string, message: string])[] = [
    ['{"error":{"message":"slow down"}}', "slow down"],
    ["out of memory", "out of memory"],
    ['{"detail":"Not Found"}', '{"detail":"Not Found"}'],
    ["", wordless],
    ["{}", wordless],
    ['{"error":{"message":""}}', wordless],
    ["<html><h1>Bad Gateway</h1></html>\n", wordless],
  ];
  for (const [text, message] of table) assert.equal(errorIn(text, busy).message, message, text);
  assert.match(errorIn("", { status: 529, statusText: "" }).message, /answered 529 without an error text$/);
});
