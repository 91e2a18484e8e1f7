import assert from "node:assert/strict";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { readYamlFolder } from "../../../src/engine/document/load.ts";
import { isRecord } from "../../../src/engine/object/record.ts";
import { compileRules } from "../../../src/engine/rule/compile.ts";
import { SHIPPED_RULES } from "../../../src/engine/rule/folder.ts";
import { newWords } from "../../../src/engine/rule/old_words.ts";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";
import { IS_THOROUGH, sampled } from "../../support/fuzz.ts";

/** New value → the old one. */
const OLD_VALUES: Readonly<
  Record<string, readonly [field: string, values: Readonly<Record<string, string>>]>
> = {
  begins: ["at", { answer: "start", after_call: "call" }],
  followed_by: ["where", { anything: "anywhere", calls: "ending", nothing: "last" }],
  in_code: ["inside", { never: "none", opening_fence: "fence", allowed: "any" }],
};

/** A rule as earlier versions wrote it. */
function inOldWords(rule: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(rule).flatMap(([field, value]): [string, unknown][] => {
      const renamed = OLD_VALUES[field];
      if (renamed) return [[renamed[0], renamed[1][String(value)] ?? value]];
      if (!isRecord(value)) return [[field, value]];
      if (["json", "call_list", "tagged", "opaque", "group"].includes(field)) return Object.entries(value);
      if (field === "envelope") {
        const { between, string_mark, ...keys } = value;
        return Object.entries({ envelope: keys, between, string_mark }).filter(([, one]) =>
          one !== undefined
        );
      }
      if (field !== "call") return [[field, value]];
      const { allowed_commands: commands, allowed_tools: tools, ...rest } = value;
      const whitelist = Object.fromEntries(
        Object.entries({ commands, tools }).filter(([, one]) => one !== undefined),
      );
      return [
        ...Object.entries(rest),
        ...Object.keys(whitelist).length === 0 ? [] : [["whitelist", whitelist]],
      ] as [
        string,
        unknown,
      ][];
    }),
  );
}

const workingDirectory = join(import.meta.dirname!, "..", "..", "..");
const { files } = await readYamlFolder(SHIPPED_RULES, { workingDirectory });

Deno.test("every shipped rule compiles to the same program in the old words, with nothing but warnings", () => {
  let moved = 0;
  for (const { file, text } of sampled(files, 4)) {
    const { forms: _, ...rule } = parse(text) as Record<string, unknown>;
    const old = inOldWords(rule);
    const one = readRules([[{ file, text: stringify(rule) }]], noSettings);
    const other = readRules([[{ file, text: stringify(old) }]], noSettings);
    assert.deepEqual(other.rules, one.rules, file);
    assert.deepEqual(compileRules(other.rules).program.rules, compileRules(one.rules).program.rules, file);
    const found = new Set(other.diagnostics.map(({ code, severity }) => `${severity} ${code}`));
    assert.deepEqual(one.diagnostics.map(({ code }) => code), [], file);
    assert.ok(found.size === 0 || [...found].join() === "warning old_word", file);
    moved += other.diagnostics.length;
  }
  assert.ok(moved > (IS_THOROUGH ? 50 : 10), String(moved));
});

Deno.test("the line that a warning has gives what the old word gave", () => {
  const rules: Record<string, unknown>[] = [
    { at: "start", where: "ending", inside: "fence" },
    { body: "tagged", item: ["it's (?<key>x)", "\n"], nested: true, escapes: "entities", unwrap: [] },
    { body: "tagged", containers: ["yes", "a"], extra_keys: ["null"] },
    { body: "text", tool: "$x", parameters: { "a b": "$body", on: "true" }, whitelist: { commands: ["ls"] } },
    { body: "call_list", between: "[;,]" },
    { body: "json", string_mark: '<|"|>' },
  ];
  for (const rule of rules) {
    const { value, findings } = newWords(rule);
    const lines = findings.map(({ help }) => help.replace(/^write `(.*)`$/s, "$1")).join("\n");
    const { body = undefined, ...fields } = value as Record<string, unknown>;
    assert.deepEqual(parse(lines), fields, lines);
    assert.deepEqual(body, rule["body"]);
  }
  const { findings } = newWords({ body: "envelope", envelope: { name: ["tool"] }, between: ";" });
  assert.deepEqual(findings.map(({ help }) => help), ["add `between: ';'` to `envelope`"]);
});

Deno.test("newWords leaves alone what is no old field, and what the file has in both words", () => {
  for (
    const value of [5, null, ["at"], { begins: "line" }, { at: "line", begins: "line" }, { whitelist: 5 }]
  ) {
    assert.equal(newWords(value).value, value);
  }
  const both = { tagged: { item: "a" }, item: "b" };
  assert.equal(newWords(both).value, both);
  const codes = readRules([[{
    file: "a.yaml",
    text: "rule: a\npattern: '<{tool}>(?<body>…)'\nbody: json\nat: line\nbegins: line\ninsde: any\n",
  }]], noSettings)
    .diagnostics.map(({ code }) => code);
  assert.deepEqual(codes, ["unknown_field", "unknown_field"]);
});

Deno.test("newWords leads from a field to its place in the file", () => {
  const { oldPath } = newWords({
    at: "x",
    item: ["a"],
    whitelist: { tools: ["f"] },
    parameters: { a: "$x" },
  });
  assert.deepEqual(oldPath(["begins"]), ["at"]);
  assert.deepEqual(oldPath(["tagged", "item", 0]), ["item", 0]);
  assert.deepEqual(oldPath(["call", "parameters", "a"]), ["parameters", "a"]);
  assert.deepEqual(oldPath(["call", "allowed_tools", 0]), ["whitelist", "tools", 0]);
  assert.deepEqual(oldPath(["tagged"]), ["item"]);
  assert.deepEqual(oldPath(["pattern"]), ["pattern"]);
});
