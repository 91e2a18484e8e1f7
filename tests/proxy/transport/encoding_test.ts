import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { canDecode, codingsOf, decode } from "../../../src/proxy/transport/encoding.ts";
import { readWhole } from "../../../src/proxy/transport/body.ts";

const of = (value: string) => codingsOf(new Headers({ "content-encoding": value }));

Deno.test("codingsOf reads lists and cases and leaves identity out", () => {
  assert.deepEqual(codingsOf(new Headers()), []);
  assert.deepEqual(of("GZIP, identity"), ["gzip"]);
  assert.deepEqual(of("deflate,br"), ["deflate", "br"]);
  assert.ok(canDecode(of("gzip, zstd")) && !canDecode(of("gzip, compress")));
});

const TEXT = "a text that is coded, ü€ ".repeat(1000);

Deno.test("decode fails on bytes that are not what they claim, and where they break off", async () => {
  for (const bytes of ["not gzip", gzipSync(TEXT).subarray(0, 50)]) {
    await assert.rejects(
      new Response(decode(new Blob([Uint8Array.from(Buffer.from(bytes))]).stream(), ["gzip"])).text(),
    );
  }
});

Deno.test("a bomb of 400 MB stays under the limit of its reader and takes less than 100 MB", async () => {
  const layer = gzipSync(new Uint8Array(40_000_000), { level: 9 });
  const bomb = new Blob(Array.from({ length: 10 }, () => Uint8Array.from(layer)));
  const before = Deno.memoryUsage().rss;
  const bytes = await readWhole(decode(bomb.stream(), ["gzip"]), { bytesMax: 16 * 1024 * 1024 });
  assert.equal(bytes, undefined);
  assert.ok(Deno.memoryUsage().rss - before < 100 * 1024 * 1024);
});
