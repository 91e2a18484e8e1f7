import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import {
  CONTENTS_BYTES_MAX,
  EMPTY,
  packState,
  unpackState,
} from "../../../../src/admin/page/playground/state.ts";

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

Deno.test("packState refuses what a link can't hold, and unpackState a small link that would fill the memory", async () => {
  const text = "a".repeat(CONTENTS_BYTES_MAX);
  await assert.rejects(packState({ ...EMPTY, text }), /The contents are too long for a link/);
  const bomb = deflateRawSync(JSON.stringify({ text })).toString("base64url");
  assert.ok(bomb.length < CONTENTS_BYTES_MAX / 500, `${bomb.length}`);
  assert.equal(await unpackState(bomb), undefined);
  const most = { ...EMPTY, text: text.slice(0, -JSON.stringify(EMPTY).length) };
  assert.deepEqual(await unpackState(await packState(most)), most);
});
