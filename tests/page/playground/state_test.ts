import assert from "node:assert/strict";
import { packState, unpackState } from "../../../src/page/playground/state.ts";

Deno.test("unpackState reads what packState writes, in the alphabet of addresses", async () => {
  const state = { text: 'a "b" é 🙂\n'.repeat(300), tools: "go", client: "roo", rule: "rule: a\n" };
  const packed = await packState(state);
  assert.match(packed, /^[A-Za-z0-9_-]+$/);
  assert.ok(packed.length < state.text.length / 4, `${packed.length}`);
  assert.deepEqual(await unpackState(packed), state);
});

Deno.test("unpackState gives nothing for a damaged link", async () => {
  for (const packed of ["", "!!", "AAAA", "S0lLBAA"]) {
    assert.equal(await unpackState(packed), undefined, packed);
  }
});
