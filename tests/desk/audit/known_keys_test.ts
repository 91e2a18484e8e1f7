import assert from "node:assert/strict";
import { isKnownKey } from "../../../src/desk/audit/known_keys.ts";

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
