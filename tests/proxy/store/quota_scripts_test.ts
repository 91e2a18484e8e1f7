import assert from "node:assert/strict";
import { ADMIT, refusalIn } from "../../../src/proxy/store/quota_scripts.ts";

Deno.test("refusalIn knows every limit that the script refuses by", () => {
  const names = [...ADMIT.matchAll(/refuse\('(\w+)'/g)].map(([, name]) => name!);
  assert.deepEqual(names.toSorted(), ["day_requests", "day_tokens", "requests", "streams", "tokens"]);
  for (const name of names) assert.deepEqual(refusalIn([name, "20"]), { limit: name, retryMs: 20 });
  assert.equal(refusalIn([]), undefined);
});
