import assert from "node:assert/strict";
import type { ValueType } from "../../../src/engine/tool/schema.ts";
import { readValue } from "../../../src/engine/tool/value.ts";

/** The rows of the table in the design, one by one. */
const values: [types: string, text: string, json: string][] = [
  ["string", "5", '"5"'],
  ["string", "true", '"true"'],
  ["string", "null", '"null"'],
  ["string", '{"a":1}', '"{\\"a\\":1}"'],
  ["string", " x\n", '" x\\n"'],
  ["string", "", '""'],
  ["", "5", '"5"'],
  ["string null", "null", "null"],
  ["string null", " null\n", "null"],
  ["string null", "Null", '"Null"'],
  ["string null", "null.", '"null."'],
  ["string integer", "5", '"5"'],
  ["string array", "[1]", "[1]"],
  ["string array", "[ ] one", '"[ ] one"'],
  ["string array", "[1,]", '"[1,]"'],
  ["string object", "{}", '"{}"'],
  ["string array", "[1] is a list", '"[1] is a list"'],
  ["string object", '{"a":1}', '"{\\"a\\":1}"'],
  ["array", "<item>red</item>\n<item> blue </item>", '["red","blue"]'],
  ["array", "<a>1</a>", '["1"]'],
  ["integer", "5", "5"],
  ["integer", "5.0", "5"],
  ["integer", " 5 ", "5"],
  ["integer", "1e3", "1000"],
  ["integer", "-7", "-7"],
  ["integer", "+7", "7"],
  ["integer", "9007199254740993", "9007199254740993"],
  ["integer", "-123456789012345678901234567890", "-123456789012345678901234567890"],
  ["number", "5", "5"],
  ["number", "0.5", "0.5"],
  ["number", ".5", "0.5"],
  ["number", "1e3", "1000"],
  ["integer boolean", "1", "1"],
  ["integer null", "null", "null"],
  ["boolean", "true", "true"],
  ["boolean", "False", "false"],
  ["boolean", "TRUE", "true"],
  ["boolean", "1", "true"],
  ["boolean", " 0\n", "false"],
  ["object", '{"a": 1}', '{"a":1}'],
  ["array", " [1, 2]\n", "[1,2]"],
  ["object array", "[]", "[]"],
];

for (const [types, text, json] of values) {
  Deno.test(`readValue of ${JSON.stringify(text)} as ${types || "anything"} is ${json}`, () => {
    const value = readValue(text, new Set(types.split(" ").filter(Boolean) as ValueType[]));
    assert.deepEqual(value, { json, isKeptAsText: false, isRepaired: false });
  });
}

const repaired: [types: string, text: string, json: string][] = [
  ["array", "['a', None, True]", '["a",null,true]'],
  ["object", "{'a': 1,}", '{"a":1}'],
  ["object", "{a: 1}", '{"a":1}'],
  [
    "object",
    "{status: open, labels: [bug, ui], limit: 5}",
    '{"status":"open","labels":["bug","ui"],"limit":5}',
  ],
  ["array", '"[{\\"a\\": 1}]"', '[{"a":1}]'],
];

for (const [types, text, json] of repaired) {
  Deno.test(`readValue repairs ${text} and notes it`, () => {
    assert.deepEqual(readValue(text, new Set([types as ValueType])), {
      json,
      isKeptAsText: false,
      isRepaired: true,
    });
  });
}

const kept: [types: string, text: string][] = [
  ["integer", "abc"],
  ["integer", "5.5"],
  ["integer", ""],
  ["integer", "0x10"],
  ["integer", "1_000"],
  ["integer", "5 apples"],
  ["integer", "Infinity"],
  ["integer", "1e999"],
  ["integer", "1-2"],
  ["integer", "--1"],
  ["number", "NaN"],
  ["number", "."],
  ["boolean", "yes"],
  ["array", "<item>red</item> and <item>blue</item>"],
  ["array", "<item>red</item><other>blue</other>"],
  ["array", "<item>red"],
  ["array", "</item>red"],
  ["boolean", "2"],
  ["boolean", ""],
  ["object", "[1]"],
  ["array", '{"a": 1}'],
  ["array", "a, b"],
  ["array", "[1"],
  ["object", '{"a": 1} x'],
  ["object", '{"a": 1'],
  ["object", '{"a": b", c: d}'],
  ["object", "{see above}"],
  ["object", "{a: b, c"],
  ["array", "[see above]"],
  ["null", "nothing"],
];

for (const [types, text] of kept) {
  Deno.test(`readValue keeps ${JSON.stringify(text)} as text where ${types} was asked for`, () => {
    const value = readValue(text, new Set([types as ValueType]));
    assert.deepEqual(value, { json: JSON.stringify(text), isKeptAsText: true, isRepaired: false });
  });
}
