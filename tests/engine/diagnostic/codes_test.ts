import assert from "node:assert/strict";
import { CODES } from "../../../src/engine/diagnostic/codes.ts";
import { REASONS } from "../../../src/engine/event/reasons.ts";

Deno.test("CODES have readable names and whole texts", () => {
  for (const [code, { summary, explanation, example }] of Object.entries(CODES)) {
    assert.match(code, /^[a-z]+(?:_[a-z]+)+$/);
    assert.match(summary, /^[A-Z].*[^.]$/, code);
    assert.match(explanation, /^[A-Z`].*\.$/, code);
    assert.notEqual(example.trim(), "", code);
  }
});

Deno.test("CODES and REASONS share no name, so that explain has one answer", () => {
  assert.deepEqual(Object.keys(CODES).filter((code) => Object.hasOwn(REASONS, code)), []);
});
