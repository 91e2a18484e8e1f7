import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { BUILT, sizesIn } from "../../../src/cli/build/page.ts";
import { codingFor, type SiteFile, siteResponse, wantsPage } from "../../../src/admin/routes/site.ts";
import { readPageFiles } from "../../../src/cli/service/observers.ts";

const asked: string[] = [];
const FILE: SiteFile = {
  bytes: new Uint8Array([1]),
  compressed: { br: new Uint8Array([2, 3]), gzip: new Uint8Array([4]) },
  hash: "abc",
};
const read = (path: string) => {
  asked.push(path);
  return Promise.resolve(path.startsWith("missing") ? undefined : FILE);
};
const ask = (path: string, headers: Record<string, string> = {}) =>
  siteResponse(new Request(`http://127.0.0.1/_dragoman/app/${path}`, { headers }), path.split("?")[0]!, read);

Deno.test("siteResponse gives each file its type, its hash and strict headers", async () => {
  const response = await ask("main.js");
  assert.equal(response?.headers.get("content-type"), "text/javascript; charset=utf-8");
  assert.equal(response?.headers.get("etag"), '"abc"');
  assert.equal(response?.headers.get("x-content-type-options"), "nosniff");
  assert.match(
    response?.headers.get("content-security-policy") ?? "",
    /^default-src 'none'; script-src 'self';/,
  );
  assert.deepEqual(await response?.bytes(), FILE.bytes);
});

Deno.test("siteResponse lets a browser keep what is named by its hash, and asks it to check everything else", async () => {
  const cached = async (path: string) => (await ask(path))?.headers.get("cache-control");
  assert.match(await cached("main.js?v=abc") ?? "", /immutable/);
  for (const { path } of await sizesIn(BUILT)) {
    const isHashed = /-[0-9a-f]{8}\.js$/.test(path);
    assert.match(await cached(path) ?? "", isHashed ? /immutable/ : /^no-cache$/, path);
  }
  assert.equal(await cached("playground/worker.js"), "no-cache");
  const unchanged = await ask("main.js", { "if-none-match": '"abc"' });
  assert.equal(unchanged?.status, 304);
});

Deno.test("siteResponse compresses for those who take it", async () => {
  for (const path of ["main.js", "index.html", "playground/worker.js", "style.css"]) {
    const best = await ask(path, { "accept-encoding": "gzip, deflate, br, zstd" });
    assert.equal(best?.headers.get("content-encoding"), "br", path);
    assert.deepEqual(await best?.bytes(), FILE.compressed.br);
    const older = await ask(path, { "accept-encoding": "gzip" });
    assert.equal(older?.headers.get("content-encoding"), "gzip", path);
    assert.deepEqual(await older?.bytes(), FILE.compressed.gzip);
    const none = await ask(path, { "accept-encoding": "gzip;q=0" });
    assert.equal(none?.headers.get("content-encoding"), null, path);
    assert.deepEqual(await none?.bytes(), FILE.bytes);
  }
});

Deno.test("siteResponse reads no path that could leave the folder, and no unknown type", async () => {
  asked.length = 0;
  for (
    const path of [
      "../main.js",
      "a/../../x.js",
      "%2e%2e/x.js",
      "/etc/x.js",
      "a\\b.js",
      "x.map",
      "",
      "a//b.js",
    ]
  ) {
    const request = new Request("http://127.0.0.1/_dragoman/app/x");
    assert.equal(await siteResponse(request, path, read), undefined, path);
  }
  assert.deepEqual(asked, []);
  assert.equal(await ask("missing.js"), undefined);
});

Deno.test("wantsPage tells a browser from a program", () => {
  assert.equal(wantsPage(new Headers({ accept: "text/html,application/xhtml+xml,*/*;q=0.8" })), true);
  assert.equal(wantsPage(new Headers({ accept: "*/*" })), false);
  assert.equal(wantsPage(new Headers()), false);
});

Deno.test("readPageFiles reads the page that is checked in, once", async () => {
  const files = readPageFiles();
  const page = await files("index.html");
  assert.match(
    new TextDecoder().decode(page?.bytes),
    /<script type="module" src="app\/main\.js\?v=[0-9a-f]{16}">/,
  );
  for (const { path } of await sizesIn(BUILT)) {
    const { bytes, compressed } = (await files(path))!;
    assert.ok(bytes.length > 0, path);
    assert.deepEqual(new Uint8Array(gunzipSync(compressed.gzip)), bytes, path);
    assert.deepEqual(new Uint8Array(brotliDecompressSync(compressed.br)), bytes, path);
  }
  assert.equal(await files("index.html"), page);
  assert.equal(await files("missing.js"), undefined);
});

const CASES: readonly [header: string | null, coding: "br" | "gzip" | undefined][] = [
  [null, undefined],
  ["", undefined],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["br", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["GZIP, BR", "br"],
  ["br;q=0.5, gzip;q=0.8", "gzip"],
  ["br; q = 0.5 , gzip ; q=0.4", "br"],
  ["gzip;q=0", undefined],
  ["br;q=0.000, gzip", "gzip"],
  ["*", "br"],
  ["*;q=0", undefined],
  ["br;q=0, *", "gzip"],
  ["gzip, *;q=0", "gzip"],
  ["identity", undefined],
  ["identity;q=0", "gzip"],
  ["identity;q=0, deflate", "gzip"],
  ["identity;q=0, *;q=0", undefined],
  ["identity;q=0, *", "br"],
  ["identity;q=0, gzip;q=0.1", "gzip"],
  ["identity, gzip;q=0.5", undefined],
  ["deflate, zstd", undefined],
  ["gzip;q=much", undefined],
  ["gzipped", undefined],
];

Deno.test("codingFor chooses what the client prefers, and brotli of equals", () => {
  for (const [header, coding] of CASES) assert.equal(codingFor(header), coding, String(header));
});
