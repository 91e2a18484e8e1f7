import assert from "node:assert/strict";
import { secretInFlag, secretInUrl } from "../../../src/desk/audit/password.ts";

Deno.test("secretInFlag finds the password after a user's name and after the p of a database command", () => {
  const found = (text: string, word: string) => {
    const start = text.indexOf(word);
    const secret = secretInFlag(text, { start, end: start + word.length });
    return secret && text.slice(secret.start, secret.end);
  };
  assert.equal(found("curl -u me:secret x", "-u"), "secret");
  assert.equal(found("mysqldump -psecret db", "-psecret"), "secret");
  assert.equal(found("curl -u me x:y", "-u"), undefined);
  assert.equal(found("mkdir -parents", "-parents"), undefined);
});

Deno.test("secretInUrl finds the password of a URL and no port", () => {
  const found = (text: string) => {
    const secret = secretInUrl(text, text.indexOf("://"));
    return secret && text.slice(secret.start, secret.end);
  };
  assert.equal(found("https://me:secret@host/x"), "secret");
  assert.equal(found("https://host:80/a@b"), undefined);
  assert.equal(found("https://me@host"), undefined);
});
