import assert from "node:assert/strict";
import fc from "fast-check";
import {
  ArgumentsRepairer,
  CollectedText,
  repairArguments,
} from "../../../src/engine/json/arguments_repairer.ts";
import { everyCut } from "../../support/cut_places.ts";

function run(pieces: readonly string[], isCut = false) {
  const repairer = new ArgumentsRepairer();
  const sent = pieces.map((piece) => repairer.push(piece));
  const { json, isWhole } = repairer.end({ isCut });
  return { json: sent.join("") + json, isWhole, repairs: [...repairer.repairs.keys()] };
}

/** The object of a JSON text, or undefined if it isn't one. */
function object(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

Deno.test("ArgumentsRepairer passes JSON on unchanged and owes only what isn't certain", () => {
  fc.assert(fc.property(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.constantFrom(undefined, 1, "\t"),
    fc.array(fc.nat({ max: 9 })),
    (value, space, lengths) => {
      const text = ` ${JSON.stringify(value, null, space)}\n`;
      const repairer = new ArgumentsRepairer();
      let at = 0;
      let sent = "";
      for (const length of [...lengths, text.length]) {
        sent += repairer.push(text.slice(at, at += length));
        assert.equal(sent + repairer.owed, text.slice(0, at));
      }
      assert.deepEqual([sent, repairer.isObject, repairer.repairs.size], [text, true, 0]);
    },
  ));
});

const REPAIRED: readonly [text: string, value: unknown, repairs?: readonly string[]][] = [
  ['{"a": 1,}', { a: 1 }],
  ['{"a": [1, 2, ], }', { a: [1, 2] }],
  ['{"a": True, "b": None, "c": [False]}', { a: true, b: null, c: [false] }],
  ["{'a': 'it\\'s \"b\"'}", { a: 'it\'s "b"' }],
  ['{a: 1, "b": "x\ny\tz"}', { a: 1, b: "x\ny\tz" }],
  ['{"a": "\\d\\x41"} ', { a: "\\dA" }],
  ['{"a": "C:\\dir\\new"}', { a: "C:\\dir\\new" }],
  ['{"a": 1 /* one */, // two\n "b": 2}', { a: 1, b: 2 }],
  ['{"a":1}}', { a: 1 }],
  ['{"a":1}{"a":1}', { a: 1 }],
  ['{"a": "b c", "d": 1} {"a": "b c", "d": 1}', { a: "b c", d: 1 }],
  ['{"a":1}\n{"a":1}', { a: 1 }],
  ['{"a":1}</tool_call>', { a: 1 }],
  ['{"a":1}\n<|im_end|>\n</a></b>}', { a: 1 }],
  ['\\n{"a":1}\\n', { a: 1 }],
  ['```json\n{"a":1}\n```', { a: 1 }, ["arguments_decoded"]],
  ['json\n{"a":1}', { a: 1 }, ["arguments_decoded"]],
  ['[{"a":1}]', { a: 1 }, ["arguments_decoded"]],
  ['{"a":1}]', { a: 1 }, ["json_repaired"]],
  ['<tool_call>\n{"a":1}\n</tool_call>', { a: 1 }, ["arguments_decoded", "json_repaired"]],
  ["[]", {}, ["arguments_missing"]],
  ['{{"a":1}', { a: 1 }],
  ['{{"a":{b:"c"}}}', { a: { b: "c" } }],
  ['{"a": 1,\\n "b": \\n[2]\\n\\n}', { a: 1, b: [2] }],
  ['{"a": {"b": 2}', { a: { b: 2 } }],
  ['{"a": 12 ', { a: 12 }],
  ['{"a":\u00a01}', { a: 1 }],
  ["", {}, ["arguments_missing"]],
  [" \n", {}, ["arguments_missing"]],
  ["null", {}, ["arguments_missing"]],
  [JSON.stringify('{"a":"\\"\\n漢"}'), { a: '"\n漢' }, ["arguments_decoded"]],
  [JSON.stringify("{'a':1}"), { a: 1 }, ["arguments_decoded", "json_repaired"]],
];

for (const [text, value, repairs = ["json_repaired"]] of REPAIRED) {
  Deno.test(`ArgumentsRepairer repairs ${JSON.stringify(text)} at every cut`, () => {
    for (const pieces of everyCut(text)) {
      const repaired = run(pieces);
      assert.deepEqual([object(repaired.json), repaired.isWhole], [value, true], JSON.stringify(pieces));
      assert.deepEqual(repaired.repairs, repairs);
    }
  });
}

const HOPELESS = [
  "not JSON",
  "[1]",
  "5",
  '{"a": "C:\\dir or C:\\new"}',
  '{"a": "C:\\new or C:\\dir"}',
  '{"a": ',
  '{"a": 12',
  '{"a": true',
  '{"a": "b',
  '{"a" "b"}',
  '{"a": 1 "b": 2}',
  '{"a": nothing}',
  '{"a": 1}{"b": 2}',
  "{'a': 1,, \"b\": 2}",
  '{"a": [1',
  '"{"a": 1}"',
  '"text"',
  '{"a',
];

for (const text of HOPELESS) {
  Deno.test(`ArgumentsRepairer never presents ${JSON.stringify(text)} as arguments at every cut`, () => {
    for (const pieces of everyCut(text)) {
      const { json, isWhole } = run(pieces);
      assert.deepEqual([isWhole, object(json)], [false, undefined], JSON.stringify(pieces));
      assert.notEqual(json.trim(), "");
    }
  });
}

Deno.test("ArgumentsRepairer never completes arguments that were cut off, and sends valid text unchanged", () => {
  for (const text of ['{"path": "a.ts", "n": [1, 2.5], "o": {"x": null}}', "{'a': True, 'b': 1}"]) {
    for (let at = 0; at < text.length; at++) {
      const { json, isWhole } = run([text.slice(0, at)], true);
      assert.deepEqual([isWhole, object(json)], [false, undefined], json);
      if (text.startsWith('{"')) assert.equal(json, text.slice(0, at));
    }
  }
});

Deno.test("repairArguments repairs complete arguments and names its repairs", () => {
  const { json, isWhole, repairs } = repairArguments('{"a": True,}');
  assert.deepEqual([json, isWhole], ['{"a": true}', true]);
  assert.match(repairs.get("json_repaired") ?? "", /trailing comma/);
});

function decoded(pieces: readonly string[]): string | undefined {
  const text = new CollectedText();
  for (const piece of pieces) {
    text.push(piece);
    void text.decoded;
  }
  return text.decoded;
}

Deno.test("ArgumentsRepairer sends a collected text over its limit once, and the rest as it arrives", () => {
  const limit = 8 * 1024 * 1024;
  const repairer = new ArgumentsRepairer();
  assert.equal(repairer.push(`"${"a".repeat(limit - 1)}`), "");
  assert.equal(repairer.push("b").length, limit + 1);
  assert.equal(repairer.push('c"'), 'c"');
  assert.deepEqual(repairer.end({ isCut: false }), { json: "", isWhole: false });
});

Deno.test("CollectedText decodes a text that is one JSON string, in any cut", () => {
  const cases: readonly [text: string, expected: string | undefined][] = [
    ['"a"', "a"],
    [' "a\\"b\\\\" \n', 'a"b\\'],
    ['"a', undefined],
    ['"a\\"', undefined],
    ['"a" "b"', undefined],
    ['"a"b', undefined],
    ['"\\x"', undefined],
    ['"a\n"', undefined],
    ["[1]", undefined],
    ["", undefined],
  ];
  for (const [text, expected] of cases) {
    assert.equal(decoded([text]), expected, text);
    assert.equal(decoded([...text]), expected, text);
  }
});
