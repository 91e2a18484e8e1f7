import assert from "node:assert/strict";
import {
  isKnownKey,
  isSecretName,
  nameWithout,
  scrubArguments,
  scrubText,
  secretInFlag,
  secretInUrl,
  secretsIn,
  withoutKnown,
} from "../../../src/admin/audit/scrub.ts";

Deno.test("scrubText takes values out whose name says that they are secret, in every dialect", () => {
  const table: [string, string][] = [
    ['{"password": "hunter 2", "path": "a"}', '{"password": "[redacted]", "path": "a"}'],
    ['{"api_key":"a\\"b"}', '{"api_key":"[redacted]"}'],
    ["<parameter=password>\nhunter2\n</parameter>", "<parameter=password>\n[redacted]</parameter>"],
    ["<api-key>two words</api-key>", "<api-key>[redacted]</api-key>"],
    ["curl -H 'Authorization: Bearer abc.def'", "curl -H 'Authorization: [redacted]'"],
    ['{"credentials": {"user": "bob", "pw": "a } b"}, "b": 1}', '{"credentials": "[redacted]", "b": 1}'],
    ["{'tokens': ['a b', ['c d']], 'b': 1}", "{'tokens': \"[redacted]\", 'b': 1}"],
    ['{\\"secret\\": {\\"pw\\": \\"a b\\"}}', '{\\"secret\\": "[redacted]"}'],
    ['{"secret": {"pw": "a b', '{"secret": "[redacted]"'],
    ["prompt: 40000 tokens > 32768 maximum", "prompt: 40000 tokens > 32768 maximum"],
    ["tokens: [a] b", "tokens: [redacted] b"],
    ["mysql --password hunter2 -u me", "mysql --password [redacted] -u me"],
    ["DB_PASSWORD=hunter2;x=1", "DB_PASSWORD=[redacted];x=1"],
    ["curl -u me:hunter2 https://x", "curl -u me:[redacted] https://x"],
    ["curl --user 'me:hunter2' x", "curl --user 'me:[redacted]' x"],
    ["git clone https://me:hunter2@host/a.git", "git clone https://me:[redacted]@host/a.git"],
    ["postgres://me:p@ss@db:5432/x", "postgres://me:[redacted]@db:5432/x"],
    ["http://host:8080/a@b", "http://host:8080/a@b"],
    ["export DB_PASS=hunter2", "export DB_PASS=[redacted]"],
    ["bypass=1 compass: north", "bypass=1 compass: north"],
    ["mysql -u root -phunter2 db", "mysql -u root -p[redacted] db"],
    ["docker run -p8080:80 x", "docker run -p8080:80 x"],
    ["ls -u file", "ls -u file"],
    ["token hvs.CAESIJabcdefgh", "token [redacted]"],
    ["the password is long", "the password is long"],
    ["use sk-abcdefghijklmnop now", "use [redacted] now"],
    ["-----BEGIN KEY-----\nabc\n-----END KEY-----", "[redacted]-----END KEY-----"],
    ["plain text <b>stays</b> 1 = 2", "plain text <b>stays</b> 1 = 2"],
  ];
  for (const [text, expected] of table) assert.equal(scrubText(text, []), expected);
});

Deno.test("scrubArguments redacts by name at any depth and keys anywhere", () => {
  const json = JSON.stringify({
    login: { user: "me", secret: { a: [1] } },
    note: "is hunter2",
    list: ["ghp_0123456789ab"],
  });
  assert.equal(
    scrubArguments(json, ["hunter2"]),
    '{"login":{"user":"me","secret":"[redacted]"},"note":"is [redacted]","list":["[redacted]"]}',
  );
  assert.equal(scrubArguments('{"password": "x', []), '{"password": "[redacted]');
});

Deno.test("secretsIn lists the values that names give away, as text shows them", () => {
  assert.deepEqual(secretsIn('{"password":"a\\"b","n":{"token":12345}}'), ['a"b', 'a\\"b', "12345"]);
  assert.deepEqual(secretsIn("{broken"), []);
});

Deno.test("withoutKnown takes the longest secret first and leaves shorter words alone", () => {
  assert.equal(withoutKnown("Bearer abcdef abc", ["abcdef", "Bearer abcdef", "abc"]), "[redacted] abc");
});

Deno.test("nameWithout cuts a long name after its secrets are removed, not through one", () => {
  const name = nameWithout(`${"x".repeat(195)}topsecret1`, ["topsecret1"]);
  assert.equal(name, `${"x".repeat(195)}[reda`);
});

Deno.test("isSecretName reads through spelling", () => {
  for (const name of ["API_KEY", "apiKey", "x-api-key", "accessToken", "PGPASSWORD"]) {
    assert.ok(isSecretName(name), name);
  }
  for (const name of ["path", "content", "key", "name"]) assert.ok(!isSecretName(name), name);
});

/** Made-up keys in the forms of services. */
const KEYS = [
  "sk-ant-api03-0000aaaa",
  "glcbt-64_0000aaaa0000aaaa",
  "pplx-0000aaaa0000",
  "ntn_00000000000aaaa",
  "pscale_tkn_0000aaaa",
  "dor_v1_0000aaaa",
  "LTAI0000aaaa0000",
  "ops_eyJ0000aaaa",
  "shpca_0000aaaa0000",
  "xoxr-0000aaaa0000",
  "sgp_0000aaaa0000",
  "GR1348941aaaa0000",
  "nvapi-0000aaaa",
];

for (const key of KEYS) {
  Deno.test(`isKnownKey recognizes ${key}`, () => assert.ok(isKnownKey(key)));
}

Deno.test("isKnownKey leaves ordinary words and short ones alone", () => {
  const words = [
    "API-compatible",
    "key-value-store",
    "test_write_file",
    "live_reloading",
    "sk-short",
    "pattern.matching",
  ];
  assert.deepEqual(words.filter(isKnownKey), []);
});

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
