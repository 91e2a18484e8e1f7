import assert from "node:assert/strict";
import { codingFor } from "../../../src/desk/admin/coding.ts";

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
