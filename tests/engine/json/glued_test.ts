import assert from "node:assert/strict";
import { continuation, readGlued } from "../../../src/engine/json/glued.ts";

const continued: [beginning: string, json: string, rest: string | undefined][] = [
  ['{"a":"x', '{"a":"xy"}', 'y"}'],
  ["", '{"a":1}', '{"a":1}'],
  // It begins another way.
  ['{"a":"x', '{"b":"x"}', undefined],
  ['{"a":"xyz', '{"a":"x"}', undefined],
  // What was repaired to be the same isn't what was sent.
  ["{'a':'x", '{"a":"xy"}', undefined],
];

for (const [beginning, json, rest] of continued) {
  Deno.test(`continuation of ${JSON.stringify(beginning)} to ${json}`, () => {
    assert.equal(continuation(beginning, json), rest);
  });
}

const glued: [text: string, objects: string[]][] = [
  ['{"command":"pwd"{"command": "pwd"}', ['{"command":"pwd"}']],
  ['Use grep.{"pattern":"class"}', ['{"pattern":"class"}']],
  ['{\\"query\\": \\"foo\\"}', ['{"query":"foo"}']],
  ['{"path":"a"}{"path":"b"}', ['{"path":"a"}', '{"path":"b"}']],
  ['{"path":"a"} and {"path":"b"}', []],
  ['{\\"query\\": "foo\\"}', []],
];

for (const [text, objects] of glued) {
  Deno.test(`readGlued of ${text}`, () => {
    assert.deepEqual(readGlued(text, (object) => object), objects);
  });
}
