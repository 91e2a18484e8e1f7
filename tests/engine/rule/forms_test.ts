import assert from "node:assert/strict";
import { runExamples } from "../../../src/engine/rule/examples.ts";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";

const TEXT = `rule: odd
description: Odd calls
dialects: [odd]
pattern: '<odd {tool}>(?<body>…)</odd>'
body: tagged
tagged:
  item: '<(?<key>\\w{1,9})>(?<value>…)</>'
keys: declared
in_code: allowed
confidence: 0.95
forms:
  - name: odd_empty
    pattern: '<odd {tool}/>(?<body>…)'
    body: none
    examples:
      - name: a call
        offered: [f]
        input: <odd f/>
        calls: [{ tool: f }]
  - name: odd_list
    pattern: '<odds {tool}>(?<body>…)</odds>'
    confidence: 0.5
  - name: odd_thought
    description: What an odd model thinks
    pattern: '<hm>(?<body>…)</hm>'
    body: opaque
    opaque: { region: reasoning }
`;

function read(text: string, settings = noSettings) {
  return readRules([[{ file: "odd.yaml", text }]], settings);
}

Deno.test("a form has the fields of its file, as far as its body can have them and it states no others", () => {
  const { rules: [odd, empty, list, thought], diagnostics } = read(TEXT);
  assert.deepEqual(diagnostics, []);
  assert.deepEqual([empty?.rule, list?.rule, thought?.rule], ["odd_empty", "odd_list", "odd_thought"]);
  assert.deepEqual([list?.tagged, list?.keys, list?.in_code], [odd?.tagged, "declared", "allowed"]);
  assert.deepEqual([empty?.confidence, list?.confidence], [0.95, 0.5]);
  assert.deepEqual([empty?.tagged.item, empty?.description, empty?.dialects], [undefined, "Odd calls", [
    "odd",
  ]]);
  assert.deepEqual([thought?.keys, thought?.confidence, thought?.opaque.region], ["any", 0.9, "reasoning"]);
  assert.deepEqual([odd?.examples.length, empty?.examples.length, list?.examples.length], [0, 1, 0]);
});

Deno.test("a form is a rule for settings, for examples and for later folders", () => {
  const { rules, program } = read(TEXT, {
    ...noSettings,
    disable: ["odd_empty"],
    confidence: { odd_list: 0.7 },
  });
  assert.deepEqual(rules.map(({ enabled }) => enabled), [true, false, true, true]);
  assert.deepEqual(program.rules.map(({ name }) => name), ["odd", "odd_list", "odd_thought"]);
  const { count, diagnostics } = runExamples(read(TEXT));
  assert.deepEqual([count, diagnostics], [1, []]);
  const own = {
    file: "odd_empty.yaml",
    text: "rule: odd_empty\npattern: '<{tool}>(?<body>…)'\nbody: json\n",
  };
  const replaced = readRules([[{ file: "odd.yaml", text: TEXT }], [own]], noSettings);
  assert.equal(replaced.fileOf("odd_empty"), "odd_empty.yaml");
  assert.equal(replaced.fileOf("odd_list"), "odd.yaml");
});

Deno.test("a problem of a form is shown where the form is, or where the field is that it takes over", () => {
  const place = (text: string) => {
    const [{ code, location } = { code: "none", location: undefined }] = read(text).diagnostics;
    return [code, location?.line];
  };
  assert.deepEqual(place(TEXT.replace("<odd {tool}/>", "<odd {tol}/>")), ["pattern_placeholder", 13]);
  assert.deepEqual(place(TEXT.replace("(?<key>\\w{1,9})", "")), ["pattern_group_missing", 7]);
  assert.deepEqual(place(TEXT.replace("<hm>", "<hm {tool}>").replace("opaque: {", "group: {")), [
    "unknown_field",
    27,
  ]);
  assert.deepEqual(place(TEXT.replace("confidence: 0.5", "enabld: false")), ["unknown_field", 22]);
  assert.deepEqual(place(TEXT.replace("name: odd_list", "name: odd_empty")), ["duplicate_rule", 20]);
  const other = {
    file: "odd_list.yaml",
    text: "rule: odd_list\npattern: '<{tool}>(?<body>…)'\nbody: json\n",
  };
  const both = readRules([[{ file: "odd.yaml", text: TEXT }, other]], noSettings);
  assert.deepEqual(both.diagnostics.map(({ code }) => code), ["duplicate_rule"]);
});
