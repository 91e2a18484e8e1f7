/**
 * Answers that no derivation has seen, in dialects that rules are derived for: a rule reads each of them exactly, or leaves it
 * alone.
 *
 * @module
 */
import assert from "node:assert/strict";
import { deriveFromAnswers } from "../../../src/analysis/derive/from_answers.ts";
import { readCalls } from "../../../src/analysis/derive/proof.ts";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";
import { compileRules } from "../../../src/engine/rule/compile.ts";
import { offer } from "../../../src/engine/tool/offered.ts";
import { sampled } from "../../support/fuzz.ts";

type Values = Readonly<Record<string, string>>;
type Dialect = (tool: string, values: Values) => string;

const string = { type: "string" };
const TOOLS = [
  {
    name: "write_file",
    schema: { type: "object", properties: { path: string, content: string }, required: ["path", "content"] },
  },
  { name: "read_file", schema: { type: "object", properties: { path: string }, required: ["path"] } },
];

/** A dialect of lines: its opener, its items and its closer. */
function lines(
  open: (tool: string) => string,
  item: (key: string, value: string) => string,
  close: string,
): Dialect {
  return (tool, values) =>
    [open(tool), ...Object.entries(values).map(([key, value]) => item(key, value)), close].join("\n");
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  "a bang": lines((tool) => `!!do ${tool}`, (key, value) => `!${key} ${value}`, "!!od"),
  "a word between": lines((tool) => `@use ${tool}`, (key, value) => `@let ${key} be ${value}`, "@go"),
  "a sign between": lines((tool) => `+++call\nname: ${tool}`, (key, value) => `${key} ← ${value}`, "+++"),
  "a mirrored closer": lines((tool) => `==> ${tool}`, (key, value) => `  ${key} -> ${value}`, "<=="),
  "a closer with the opener's word": lines(
    (tool) => `run: ${tool}`,
    (key, value) => `  with ${key}: ${value}`,
    "end run",
  ),
  "two colons": lines((tool) => `:: ${tool} ::`, (key, value) => `${key}: ${value}`, ":: end ::"),
  "a fence for each value": lines(
    (tool) => `**${tool}**`,
    (key, value) => `${key}:\n\`\`\`\n${value}\n\`\`\``,
    "**end**",
  ),
  "headers of sections": lines(
    (tool) => `=== TOOL: ${tool} ===`,
    (key, value) => `--- ${key} ---\n${value}`,
    "=== END TOOL ===",
  ),
  "brackets on lines of their own": lines(
    (tool) => `[BEGIN ${tool}]`,
    (key, value) => `[${key}]\n${value}`,
    "[END tool]",
  ),
  "an element around each item": (tool, values) =>
    `<invoke>\n<tool>${tool}</tool>\n<arguments>\n${
      Object.entries(values).map(([key, value]) =>
        `<argument><name>${key}</name><value>${value}</value></argument>`
      ).join("\n")
    }\n</arguments>\n</invoke>`,
  "elements that are indented": lines(
    (tool) => `<fn:call name="${tool}">`,
    (key, value) => `  <fn:arg name="${key}">${value}</fn:arg>`,
    "</fn:call>",
  ),
  "a list of calls as the API writes it": (tool, values) =>
    `<calls>${
      JSON.stringify([{ id: "call_1", type: "function", function: { name: tool, arguments: values } }])
    }</calls>`,
  "braces that close with a word": lines(
    (tool) => `{{tool:${tool}}}`,
    (key, value) => `{{arg:${key}}}${value}{{/arg}}`,
    "{{/tool}}",
  ),
  "brackets": lines((tool) => `«use ${tool}»`, (key, value) => `«${key}»${value}«/${key}»`, "«/use»"),
  "a tag with attributes": lines(
    (tool) => `<do tool="${tool}">`,
    (key, value) => `<arg k="${key}">${value}</arg>`,
    "</do>",
  ),
  "tokens for keys and values": (tool, values) =>
    `<|tool_start|>${tool}${
      Object.entries(values).map(([key, value]) => `<|arg|>${key}<|val|>${value}`).join("")
    }<|tool_end|>`,
  "two braces around keys": (tool, values) =>
    `{{#call ${tool}}}${
      Object.entries(values).map(([key, value]) => `{{${key}}}${value}{{/${key}}}`).join("")
    }{{/call}}`,
  "a sign on both sides of a key": lines(
    (tool) => `$$${tool}$$`,
    (key, value) => `$${key}$ ${value}`,
    "$$end$$",
  ),
  "a key in parentheses": lines((tool) => `@tool(${tool})`, (key, value) => `@arg(${key}): ${value}`, "@run"),
  "a label on each line": lines(
    (tool) => `[AGENT] do: ${tool}`,
    (key, value) => `[AGENT] ${key}: ${value}`,
    "[AGENT] end",
  ),
  "words of two parts": lines(
    (tool) => `begin_tool ${tool}`,
    (key, value) => `with ${key}\n${value}`,
    "end_tool",
  ),
  "a comment of HTML": (tool, values) => `<!-- tool: ${tool} ${JSON.stringify(values)} -->`,
  "a sign before a name and one in its items": lines(
    (tool) => `§ ${tool}`,
    (key, value) => `§§ ${key}\n${value}`,
    "§ end",
  ),
  "a block of YAML in a tag": (tool, values) =>
    `<tool>\nname: ${tool}\nargs:\n${
      Object.entries(values).map(([key, value]) =>
        value.includes("\n")
          ? `  ${key}: |-\n${value.split("\n").map((line) => line === "" ? "" : `    ${line}`).join("\n")}`
          : `  ${key}: ${JSON.stringify(value)}`
      ).join("\n")
    }\n</tool>`,
  "strings after a sign": (tool, values) =>
    `CALL ${tool}(${
      Object.entries(values).map(([key, value]) => `${key} := ${JSON.stringify(value)}`).join(", ")
    }) END`,
  "words in capitals": lines(
    (tool) => `BEGIN TOOL ${tool}`,
    (key, value) => `BEGIN ARG ${key}\n${value}\nEND ARG`,
    "END TOOL",
  ),
  "brackets that close by name": lines(
    (tool) => `(tool: ${tool})`,
    (key, value) => `(${key})${value}(/${key})`,
    "(/tool)",
  ),
  "brackets of another script": lines(
    (tool) => `〔도구 ${tool}〕`,
    (key, value) => `〔${key}〕${value}〔/${key}〕`,
    "〔끝〕",
  ),
  "signs that no text has": lines((tool) => `▶️ ${tool}`, (key, value) => `🔑${key}🔓${value}🔒`, "⏹️"),
  "a block of YAML in a fence": (tool, values) =>
    `\`\`\`yaml\ntool: ${tool}\n${
      Object.entries(values).map(([key, value]) =>
        value.includes("\n")
          ? `${key}: |-\n${value.split("\n").map((line) => line === "" ? "" : `  ${line}`).join("\n")}`
          : `${key}: ${JSON.stringify(value)}`
      ).join("\n")
    }\n\`\`\``,
  "lines without a sign": lines((tool) => `[call:${tool}]`, (key, value) => `${key}=${value}`, "[end call]"),
  "sections of CDATA": lines(
    (tool) => `<exec tool="${tool}">`,
    (key, value) => `<${key}><![CDATA[${value}]]></${key}>`,
    "</exec>",
  ),
  "elements of two namespaces": (tool, values) =>
    `<tool:${tool}>\n${
      Object.entries(values).map(([key, value]) => `<p:${key}>${value}</p:${key}>`).join("\n")
    }\n</tool:${tool}>`,
  "a sign before each line": lines(
    (tool) => `>>> dispatch ${tool}`,
    (key, value) => `>>> set ${key} = ${value}`,
    ">>> end dispatch",
  ),
  // A backslash is itself in such a string.
  "strings in three quotes": lines(
    (tool) => `[[call]]\nname = "${tool}"\n[call.args]`,
    (key, value) => `${key} = '''${value}'''`,
    "[[/call]]",
  ),
  "JSON between arrows": (tool, values) => `→→ ${tool} ${JSON.stringify(values)} ←←`,
};

const CONTENTS: readonly string[] = [
  "def f(x):\n    if x:\n\n        return x  # done\n\nprint(f(1))",
  "if (a < b && c > d) {\n  say(`${x} & \\d`);\n}\n@decorator\nas is: to = %\n- item\n# head",
  "path: other.ts\npath = other.ts\ncontent as y\nkey ← v",
];

const ORDINARY =
  "I would use write_file to set path to src/a.ts:\n\nname: write_file\npath: src/a.ts\ncontent: hello\n\n" +
  "or read_file with path = b.md, as in\n\n- path: b.md\n\nThat's all (read_file path).";

function torn(text: string): string {
  return text.slice(0, Math.floor(text.length * 0.6));
}

/** The least share of the answers that are read exactly. */
const EXACT_MINIMUM = 0.92;

Deno.test("derived rules read answers that they haven't seen exactly, or leave them alone", () => {
  let exact = 0;
  const dialects = sampled(Object.entries(DIALECTS), 2);
  for (const [name, write] of dialects) {
    const recorded = write("write_file", { path: "src/a.ts", content: "let x = 1;\nlet y = 2;" });
    const [derivation] = deriveFromAnswers([{ text: `I will write it.\n\n${recorded}\n`, tools: TOOLS }], {
      name: "mine",
      origin: "a test",
      shipped: [],
      known: [],
      schema: "rule.schema.json",
    });
    assert.equal(derivation?.kind, "rule", `${name}: ${JSON.stringify(derivation)}`);
    if (derivation?.kind !== "rule") continue;
    const { rules } = readRules([[{ file: "mine.yaml", text: derivation.text }]], noSettings);
    const { program } = compileRules(rules);
    const one = write("read_file", { path: "one.md" });
    const two = `${one}\n${write("read_file", { path: "two words.md" })}`;
    const answers: readonly (readonly [string, readonly Values[]])[] = [
      ...CONTENTS.map((content): [string, Values[]] => {
        const values = { path: "src/b.ts", content };
        return [write("write_file", values), [values]];
      }),
      // A call in a value, before a line that looks like an item.
      [
        write("write_file", { path: "src/b.ts", content: `see:\n${one}\nb = 2` }),
        [{ path: "src/b.ts", content: `see:\n${one}\nb = 2` }],
      ],
      [two, [{ path: "one.md" }, { path: "two words.md" }]],
      [`First I look, as a test.\n\n${one}\n\nThen path: x and content = y are set.`, [{ path: "one.md" }]],
      [ORDINARY, []],
      // Cut in the middle of a value, by a server that states no limit.
      [torn(write("write_file", { path: "src/b.ts", content: CONTENTS[0]! })), []],
    ];
    for (const [text, wanted] of answers) {
      const { calls } = readCalls(text, { program, offered: offer(TOOLS) });
      const read = calls.map(({ arguments: given }) => JSON.stringify(given));
      const right = wanted.map((values) => JSON.stringify(values));
      assert.ok(read.every((values) => right.includes(values)), `${name}: ${read.join()} of ${text}`);
      if (read.join() === right.join()) exact++;
    }
  }
  const all = dialects.length * 8;
  assert.ok(exact >= EXACT_MINIMUM * all, `${exact} of ${all} answers are read exactly`);
});
