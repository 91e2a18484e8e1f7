import assert from "node:assert/strict";
import { noSettings, readRules, type RuleSettings } from "../../../src/engine/rule/read.ts";
import { runExamples } from "../../../src/engine/rule/examples.ts";

const call = "pattern: '<call>{tool} (?<body>…)</call>'\nbody: json\n";

function text(name: string, fields = "") {
  return { file: `rules/${name}.yaml`, text: `rule: ${name}\n${call}${fields}` };
}

function codes(folders: { file: string; text: string }[][], settings: Partial<RuleSettings> = {}) {
  const { diagnostics } = readRules(folders, { ...noSettings, ...settings });
  return diagnostics.map(({ code, severity, location }) => [code, severity, location?.line]);
}

Deno.test("readRules fills in defaults and keeps the order of the files", () => {
  const { rules, diagnostics } = readRules([[text("one"), text("two", "enabled: false\n")]], noSettings);
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(rules.map(({ rule, enabled, confidence }) => [rule, enabled, confidence]), [
    ["one", true, 0.9],
    ["two", false, 0.9],
  ]);
});

Deno.test("readRules replaces a rule by one of the same name in a later folder", () => {
  const { rules, diagnostics, locate } = readRules(
    [[text("one"), text("two")], [{ ...text("one", "confidence: 1\n"), file: "mine/one.yaml" }]],
    noSettings,
  );
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(rules.map(({ rule, confidence }) => [rule, confidence]), [["one", 1], ["two", 0.9]]);
  assert.equal(locate("one", ["rule"])?.file, "mine/one.yaml");
  assert.equal(locate("none", ["rule"]), undefined);
});

Deno.test("readRules refuses two rules of one name in a folder and a name that is not the file's", () => {
  assert.deepEqual(codes([[text("one"), { ...text("one"), file: "rules/two.yaml" }]]), [[
    "duplicate_rule",
    "error",
    1,
  ]]);
  assert.deepEqual(codes([[{ ...text("one"), file: "rules/two.yml" }]]), [["rule_name", "error", 1]]);
});

Deno.test("readRules applies the configuration", () => {
  const { rules } = readRules([[text("one"), text("two", "enabled: false\n")]], {
    ...noSettings,
    enable: ["two"],
    disable: ["one"],
    confidence: { two: 0.5 },
  });
  assert.deepEqual(rules.map(({ rule, enabled, confidence }) => [rule, enabled, confidence]), [
    ["one", false, 0.9],
    ["two", true, 0.5],
  ]);
});

Deno.test("readRules reports names of the configuration that no rule has", () => {
  const { diagnostics } = readRules([[text("shell_block")]], {
    ...noSettings,
    enable: ["shel_block"],
    disable: ["nothing"],
    confidence: { constructor: 1 },
  });
  assert.deepEqual(diagnostics.map(({ code, message, help }) => [code, message, help]), [
    ["unknown_rule", 'Cannot enable rule "shel_block": it does not exist', "did you mean `shell_block`?"],
    ["unknown_rule", 'Cannot disable rule "nothing": it does not exist', "known here: shell_block"],
    [
      "unknown_rule",
      'Cannot set the confidence of rule "constructor": it does not exist',
      "known here: shell_block",
    ],
  ]);
});

Deno.test("readRules warns of a rule that is on and below the threshold", () => {
  const folders = [[
    text("one", "confidence: 0.5\n"),
    text("two", "confidence: 0.5\nenabled: false\n"),
    text("three"),
  ]];
  assert.deepEqual(codes(folders, { minimumConfidence: 0.9 }), [[
    "confidence_under_threshold",
    "warning",
    4,
  ]]);
});

Deno.test("readRules points a problem of the compiler at its character", () => {
  const file = {
    file: "rules/one.yaml",
    text: "rule: one\npattern: 'it''s$ (?<a>.+)$'\nbody: text\ncall: { tool: x }\n",
  };
  const [diagnostic] = readRules([[file]], noSettings).diagnostics;
  assert.equal(diagnostic?.code, "pattern_unsupported");
  const { line, column, text: source } = diagnostic?.location ?? { line: 0, column: 1, text: "" };
  assert.deepEqual([line, source[column - 1]], [2, "$"]);
});

Deno.test("readRules goes on with the rules that are right", () => {
  const { rules, diagnostics } = readRules(
    [[text("one"), { file: "rules/two.yaml", text: "rule: [" }]],
    noSettings,
  );
  assert.deepEqual(rules.map(({ rule }) => rule), ["one"]);
  assert.deepEqual(diagnostics.map(({ code }) => code), ["yaml_syntax"]);
});

Deno.test("readRules reports a wrong field and a wrong pattern of the same rule at once", () => {
  const file = {
    file: "rules/one.yaml",
    text: "rule: one\npattern: '<a>$(?<a>.+)$'\nbody: text\ncall: { tool: x }\nfolowed_by: nothing\n",
  };
  assert.deepEqual(codes([[file]]), [["unknown_field", "error", 5], ["pattern_unsupported", "error", 2]]);
});

Deno.test("readRules knows the name of a rule that has errors", () => {
  assert.deepEqual(codes([[text("one", "whre: last\n")]], { enable: ["one"] }), [[
    "unknown_field",
    "error",
    4,
  ]]);
});

Deno.test("readRules reads the quotations that the settings have, and warns of those that are disabled like rules", () => {
  const files = ["fence", "table", "odd"].map((name) => ({
    file: `${name}.yaml`,
    text: `rule: ${name}\npattern: '«${name}(?<body>…)»'\nbody: opaque\nopaque: { region: quote }\n`,
  }));
  const enabled = (settings: object) => {
    const { program, diagnostics } = readRules([files], { ...noSettings, ...settings });
    return [
      program.rules.map(({ name }) => name),
      diagnostics.map(({ code, severity }) => `${severity} ${code}`),
    ];
  };
  assert.deepEqual(enabled({}), [["fence", "odd", "table"], []]);
  assert.deepEqual(enabled({ quotations: ["table"] }), [["odd", "table"], []]);
  assert.deepEqual(enabled({ quotations: [] }), [["odd"], []]);
  assert.deepEqual(enabled({ disable: ["table"] }), [["fence", "odd"], ["warning old_word"]]);
});

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
