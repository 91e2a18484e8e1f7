import assert from "node:assert/strict";
import { isSpelledNumber, parseExact, writeChanged } from "../../../src/chat/message/number_spelling.ts";

const CASES: readonly (readonly [string, string, (request: { messages: unknown[] }) => object, string])[] = [
  [
    "a number that is read and written otherwise",
    '{"a":1.0,"messages":[]}',
    (it) => ({ ...it, b: 1 }),
    '{"a":1.0,"messages":[],"b":1}',
  ],
  [
    "a message in front",
    '{"messages":[{"n":1e3}]}',
    (it) => ({ ...it, messages: [{ m: 1 }, ...it.messages] }),
    '{"messages":[{"m":1},{"n":1e3}]}',
  ],
  [
    "a message that is gone",
    '{"messages":[{"n":1.0},{"n":2.0}]}',
    (it) => ({ messages: it.messages.slice(1) }),
    '{"messages":[{"n":2.0}]}',
  ],
  [
    "a field of a message",
    '{"messages":[{"n":1.0,"m":2.0}]}',
    (it) => ({ messages: [{ ...it.messages[0] as object, m: 3 }] }),
    '{"messages":[{"n":1.0,"m":3}]}',
  ],
  [
    "one number in two spellings",
    '{"messages":[1.0,1,1e0]}',
    (it) => ({ messages: [...it.messages, 2] }),
    '{"messages":[1.0,1,1e0,2]}',
  ],
];

for (const [name, body, change, expected] of CASES) {
  Deno.test(`writeChanged keeps the spelling of what did not change: ${name}`, () => {
    const original = JSON.parse(body);
    assert.equal(writeChanged(body, { original, changed: { ...change(original) } }), expected);
  });
}

Deno.test("a runtime that keeps no source text of JSON reads and writes the values, as JavaScript spells them", () => {
  const { parse, rawJSON, isRawJSON } = JSON as unknown as Record<string, (...args: unknown[]) => unknown>;
  const calls: unknown[][] = [];
  Object.assign(JSON, {
    rawJSON: undefined,
    isRawJSON: undefined,
    parse: (text: unknown, reviver?: (key: unknown, value: unknown) => unknown) => {
      calls.push([text]);
      return parse!(text, reviver && ((key: unknown, value: unknown) => reviver(key, value)));
    },
  });
  try {
    const original = { n: 1, messages: [] };
    const changed = { ...original, seed: 2 };
    assert.equal(
      writeChanged('{"n":1.0,"messages":[]}', { original, changed }),
      '{"n":1,"messages":[],"seed":2}',
    );
    assert.equal(isSpelledNumber(parseExact("1.0")), false);
    assert.ok(calls.length > 0);
  } finally {
    Object.assign(JSON, { parse, rawJSON, isRawJSON });
  }
});
