import assert from "node:assert/strict";
import { offer } from "../../../../src/engine/tool/offered.ts";
import { eventsOf, programOf, type Reading, told, toldInEveryCut } from "../../../support/matcher_events.ts";

const rule = { rule: "call", pattern: "<c>(?<body>…)</c>", body: "envelope" };
const inline = {
  ...rule,
  envelope: { name: ["tool", "name"], arguments: ["arguments", "input"], inline: ["tool"] },
};
const offered = offer([{ name: "f" }, { name: "g" }]);
const OK = "note transformed";

const toldOf = (text: string, reading: Partial<Reading> = {}) =>
  toldInEveryCut(text, { program: programOf(rule), offered, ...reading });

const calls: [name: string, body: string, lines: string[]][] = [
  ["name and arguments", '{"name": "f", "arguments": {"a": 1}}', ['f {"a":1}', OK]],
  ["arguments before the name", '{"arguments": {"a": [{}]}, "name": "f"}', ['f {"a":[{}]}', OK]],
  ["no arguments", '{"name": "f"}', ["f {}", OK]],
  ["null for arguments", '{"name": "f", "arguments": null}', ["f {}", OK]],
  ["the arguments' other name", '{"name": "f", "parameters": {"a": 1}}', ['f {"a":1}', OK]],
  ["an identifier", '{"id": "1", "type": "function", "name": "f", "arguments": {}}', ["f {}", OK]],
  ["arguments in a string", '{"name": "f", "arguments": "{\\"a\\": 1}"}', [
    'f {"a":1}',
    OK,
    "note arguments_decoded",
  ]],
  ["an empty string for arguments", '{"name": "f", "arguments": ""}', ["f {}", OK]],
  ["repaired arguments in a string", `{"name": "f", "arguments": "{'a': 1}"}`, [
    'f {"a":1}',
    OK,
    "note arguments_decoded",
    "note json_repaired: single quotes",
  ]],
  ["a list", '[{"name": "f"}, {"name": "g", "arguments": {"b": 2}}]', ["f {}", OK, 'g {"b":2}', OK]],
  ["a brace too many in a list", '[{"name": "f", "arguments": {"a": "x"}}}, {"name": "g"}} ]', [
    'f {"a":"x"}',
    OK,
    "g {}",
    OK,
    "note json_repaired: extra brace",
  ]],
  ["two in a row", '{"name": "f"}\n{"name": "g"}', ["f {}", OK, "g {}", OK]],
];

for (const [name, body, lines] of calls) {
  Deno.test(`EnvelopeBody reads ${name} at every cut`, () =>
    assert.deepEqual(toldOf(`<c>${body}</c>`), lines));
}

const OPENAI: readonly (readonly [name: string, body: string, lines: string[]])[] = [
  ["the name under the other key", '{"function": "f", "arguments": {"a": 1}}', [
    'f {"a":1}',
    OK,
  ]],
  ["an object with both", '{"id": "1", "function": {"name": "f", "arguments": {"a": 1}}}', ['f {"a":1}', OK]],
];

for (const [name, body, lines] of OPENAI) {
  Deno.test(`EnvelopeBody reads ${name} in a key that holds a call, at every cut`, () => {
    for (const envelope of [{ nested: ["function"] }, { ...inline.envelope, nested: ["function"] }]) {
      assert.deepEqual(toldOf(`<c>${body}</c>`, { program: programOf({ ...rule, envelope }) }), lines);
    }
  });
}

Deno.test("EnvelopeBody makes no call of arguments that come twice", () => {
  for (
    const body of [
      '{"name": "f", "arguments": {"a": 1}, "arguments": {"a": 2}}',
      '{"name": "f", "arguments": {"a": 1}, "parameters": {"a": 1}}',
      '{"arguments": "{}", "arguments": {"a": 1}, "name": "f"}',
    ]
  ) {
    assert.deepEqual(toldOf(`<c>${body}</c>`).filter((line) => line === OK), [], body);
  }
});

const inlines: [name: string, body: string, lines: string[]][] = [
  ["next to the tool", '{"tool": "f", "a": 1, "b": {"c": [true]}, "d": "x"}', [
    'f {"a":1,"b":{"c":[true]},"d":"x"}',
    OK,
  ]],
  ["before the tool", '{"a": 1, "tool": "f"}', ['f {"a":1}', OK]],
  ["an identifier, which is one of them", '{"tool": "f", "id": "1"}', ['f {"id":"1"}', OK]],
  ["under a key", '{"tool": "f", "arguments": {"a": 1}}', ['f {"a":1}', OK]],
  ["a text under a key of arguments", '{"tool": "f", "input": "some text"}', ['f {"input":"some text"}', OK]],
  ["a number under a key of arguments", '{"tool": "f", "input": 5}', ['f {"input":5}', OK]],
  ["a list under a key of arguments", '{"tool": "f", "input": [1]}', ['f {"input":[1]}', OK]],
  ["a second name", '{"tool": "f", "name": "x"}', ['f {"name":"x"}', OK]],
  ["a name that is not inline", '{"name": "f", "arguments": {}}', ["f {}", OK]],
];

for (const [name, body, lines] of inlines) {
  Deno.test(`EnvelopeBody reads inline arguments: ${name}`, () => {
    assert.deepEqual(toldOf(`<c>${body}</c>`, { program: programOf(inline) }), lines);
  });
}

const refused: [name: string, body: string, note: string, rule?: Record<string, unknown>][] = [
  ["no name", '{"arguments": {}}', "malformed: no name"],
  ["an empty object", "{}", "malformed: no name"],
  ["a name that isn't a string", '{"name": 5}', "invalid_arguments: not an object"],
  ["a name that is an object", '{"name": {}}', "malformed: the name is not a string"],
  ["arguments that are a number", '{"name": "f", "arguments": 5}', "invalid_arguments: not an object"],
  ["arguments that are a list", '{"name": "f", "arguments": [1]}', "invalid_arguments: not an object"],
  [
    "arguments that are a list, before the name",
    '{"arguments": [1], "name": "f"}',
    "invalid_arguments: not an object",
  ],
  [
    "arguments in a string that isn't JSON",
    '{"name": "f", "arguments": "x"}',
    "invalid_arguments: not an object",
  ],
  [
    "arguments in a string that is a list",
    '{"name": "f", "arguments": "[]"}',
    "invalid_arguments: not an object",
  ],
  [
    "arguments in a string that is a string",
    '{"name": "f", "arguments": "\\"x\\""}',
    "invalid_arguments: not an object",
  ],
  [
    "arguments in a string with text after them",
    '{"name": "f", "arguments": "{} x"}',
    "invalid_arguments: not an object",
  ],
  [
    "other keys and no arguments",
    '{"name": "f", "version": "1"}',
    "malformed: no arguments, but unexpected keys",
  ],
  [
    "a definition",
    '{"name": "f", "description": "x", "parameters": {}}',
    "malformed: other keys before the arguments",
  ],
  ["a tool that is not offered", '{"name": "ghost"}', "unknown_tool"],
  ["a brace in the place of a list's bracket", '[{"name": "f"}}', "invalid_arguments: not JSON"],
  ["a text", '"f"', "malformed: no object"],
  ["a number", "5", "malformed: no object"],
  ["an empty list", "[]", "malformed: an empty list"],
  ["a list of something else", "[5]", "malformed: no object"],
  ["a list of a text", '["f"]', "malformed: no object"],
  ["a list with a text", '[{"name": "f"}, "g"]', "malformed: no object"],
  ["a list with a text before a call", '["f", {"name": "f"}]', "malformed: no object"],
  ["a list of lists", "[[]]", "malformed: a list of calls contains something else"],
  ["a list with one bad call", '[{"name": "f"}, {}]', "malformed: no name"],
  ["no JSON", "no", "invalid_arguments: not JSON"],
];

for (const [name, body, note] of refused) {
  Deno.test(`EnvelopeBody leaves ${name} as text`, () => {
    const text = `<c>${body}</c>`;
    assert.deepEqual(toldOf(text, { program: programOf({ ...rule, commit: "close" }) }), [
      `note ${note}`,
      `text ${JSON.stringify(text)}`,
    ]);
  });
}

Deno.test("EnvelopeBody sends arguments as soon as the name is known", () => {
  const cut = eventsOf(['<c>{"name": "f", "arguments": {"a": "xy'], { program: programOf(rule), offered });
  assert.equal(told(cut)[0], 'f {"a":"xy … abort truncated');
});

Deno.test("EnvelopeBody sends nothing of a list before it is whole", () => {
  const text = '<c>[{"name": "f", "arguments": {"a": 1}}, {"name": "g"';
  assert.deepEqual(toldOf(text), [
    "note truncated",
    `text ${JSON.stringify(text)}`,
  ]);
});
