import assert from "node:assert/strict";
import type { Derivation } from "../../../src/analysis/derive/derive.ts";
import { deriveFromResponseTemplate } from "../../../src/analysis/derive/from_template.ts";
import { readCalls } from "../../../src/analysis/derive/proof.ts";
import { toResponseTemplate } from "../../../src/analysis/derive/to_response_template.ts";
import { readYamlFolders } from "../../../src/engine/document/load.ts";
import { compileRules } from "../../../src/engine/rule/compile.ts";
import { BUILT_IN_RULES } from "../../../src/engine/rule/folder.ts";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";
import { offer } from "../../../src/engine/tool/offered.ts";
import { createTestContext } from "../../support/context.ts";

const context = createTestContext();
const { folders } = await readYamlFolders(
  [{ path: BUILT_IN_RULES, isRequired: true }],
  context,
);
const shipped = folders.flat();
const { rules } = readRules([shipped], noSettings);
const regions = rules.filter(({ body, enabled }) => body === "opaque" && enabled);

const FUNCTION = { type: "function", function: { name: "{name}", arguments: "{content}" } };
const XML = "<parameter=(?P<key>[^>\\n]+)>\\s*(?P<value>.*?)\\s*</parameter>";

function template(calls: Record<string, unknown>, more: Record<string, unknown> = {}): string {
  const fields = {
    thinking: { open: "<think>", close: "</think>" },
    tool_calls: calls,
    content: {},
    ...more,
  };
  return JSON.stringify({ response_template: { version: 1, start_anchor: "<|bot|>", fields } });
}

function derive(text: string, known = rules) {
  return deriveFromResponseTemplate(text, {
    name: "mine",
    origin: "tokenizer_config.json",
    shipped,
    known,
    schema: "rule.schema.json",
  });
}

/** Family, with a template of the form that Transformers 5.18 has for it → the rule that reads the same. */
const KNOWN: Readonly<Record<string, readonly [calls: Record<string, unknown>, rule: string]>> = {
  "JSON in a tag": [{
    open_pattern: "\\s*<tool_call>",
    close: "</tool_call>",
    repeats: true,
    content: "json",
    transform: { type: "function", function: "{content}" },
  }, "hermes"],
  "tags in tags": [{
    open_pattern: "\\s*<tool_call>\\s*<function=(?P<name>[^>\\n]+)>",
    close_pattern: "</function>\\s*</tool_call>",
    repeats: true,
    content: "xml-inline",
    content_args: { tag_pattern: XML },
    transform: FUNCTION,
  }, "qwen_xml"],
  "strings between marks": [{
    open_pattern: "<\\|tool_call>call:(?P<name>\\w+)",
    close: "<tool_call|>",
    repeats: true,
    content: "json",
    content_args: { unquoted_keys: true, string_delims: [['<|"|>', '<|"|>']] },
    transform: FUNCTION,
  }, "gemma_call"],
};

for (const [family, [calls, rule]] of Object.entries(KNOWN)) {
  Deno.test(`a response template of ${family}: the rule that reads its calls is named`, () => {
    assert.deepEqual(derive(template(calls)).derivation, { kind: "known", rule });
  });

  Deno.test(`a response template of ${family}: without that rule, a new one is proved`, () => {
    const { derivation } = derive(template(calls), []);
    assert.equal(derivation.kind, "rule");
    assert.ok(derivation.kind === "rule" && derivation.exampleCount >= 4);
  });
}

function programOf(derivation: Derivation) {
  assert.ok(derivation.kind === "rule", JSON.stringify(derivation));
  const read = readRules([shipped, [{ file: "mine.yaml", text: derivation.text }]], noSettings);
  return compileRules([...read.rules.filter(({ rule }) => rule === "mine"), ...regions]).program;
}

Deno.test("a rule from a response template reads a value that has its closing tag, which the template cuts", () => {
  const { derivation, notCarried } = derive(template(KNOWN["tags in tags"]![0]), []);
  const value = "<parameter=a>\n1\n</parameter>\nand `</parameter>` alone\n";
  const text =
    `<tool_call>\n<function=write>\n<parameter=content>\n${value}</parameter>\n</function>\n</tool_call>`;
  const schema = { type: "object", properties: { content: { type: "string" } } };
  const { calls } = readCalls(text, {
    program: programOf(derivation),
    offered: offer([{ name: "write", schema }]),
  });
  assert.deepEqual(calls, [{ tool: "write", arguments: { content: value.trimEnd() } }]);
  assert.ok(notCarried.some((loss) => loss.startsWith("the end of a value")));
});

/** What a template has → an answer, and the call that the derived rule reads. */
const NEW: Readonly<Record<string, readonly [calls: Record<string, unknown>, answer: string]>> = {
  "tags of its own": [{
    open_pattern: "<~run:(?P<name>[\\w.-]+)~>",
    close: "<~done~>",
    repeats: true,
    content: "xml-inline",
    content_args: { tag_pattern: "<~arg (?P<key>\\w+)~>(?P<value>.*?)<~/arg~>" },
    transform: FUNCTION,
  }, "<~run:read~><~arg path~>a<~/arg~><~done~>"],
  "a list with keys of its own": [{
    open: "[ACTS]",
    close: "[/ACTS]",
    content: "json",
    transform: { type: "function", function: { name: "{action}", arguments: "{action_input}" } },
    transform_each: true,
  }, '[ACTS][{"action": "read", "action_input": {"path": "a"}}][/ACTS]'],
  "marks of its own": [{
    open_pattern: "<\\|do\\|>(?P<name>\\w+)",
    close: "<|od|>",
    repeats: true,
    content: "json",
    content_args: { unquoted_keys: true, string_delims: [["<|q|>", "<|q|>"]] },
    transform: FUNCTION,
  }, "<|do|>read{path:<|q|>a<|q|>}<|od|>"],
  "keys deeper in its JSON": [{
    open: "<<act>>",
    close: "<</act>>",
    repeats: true,
    content: "json",
    transform: { type: "function", function: { name: "{content.tool}", arguments: "{content.parameters}" } },
  }, '<<act>>{"tool": "read", "parameters": {"path": "a"}}<</act>>'],
};

for (const [what, [calls, answer]] of Object.entries(NEW)) {
  Deno.test(`a response template with ${what} gives a rule`, () => {
    const { derivation } = derive(template(calls));
    const schema = { type: "object", properties: { path: { type: "string" } } };
    const offered = offer([{ name: "read", schema }]);
    const read = readCalls(answer, { program: programOf(derivation), offered });
    assert.deepEqual([read.calls, read.text], [[{ tool: "read", arguments: { path: "a" } }], ""]);
  });
}

const TAGS = KNOWN["tags in tags"]![0];

/** What a template has that gives no rule → its text, and the reason. */
const REFUSED: Readonly<Record<string, readonly [text: string, why: RegExp]>> = {
  "is no JSON": ["{% for %}", /contains no response template/],
  "has another version": ['{"version": 2, "fields": {}}', /version 2/],
  "has an unknown key": ['{"fields": {}, "regex": "x"}', /unknown key, `regex`/],
  "has no calls": [JSON.stringify({ fields: { content: {} } }), /no field `tool_calls`/],
  "has a field with an unknown key": [template({ ...TAGS, opens: "x" }), /unknown key, `opens`/],
  "marks no call": [template({ close: "x", content: "json" }), /nothing marks the start of a call/],
  "has free text": [template({ open: "<a>", content: "text" }), /contains no arguments/],
  "has lines": [template({ ...TAGS, content: "kv-lines", content_args: {} }), /end at line breaks/],
  "parses values again": [
    template({ ...TAGS, content_args: { tag_pattern: XML, value_parser: { name: "json" } } }),
    /value_parser/,
  ],
  "has two marks around strings": [
    template({ ...TAGS, content: "json", content_args: { string_delims: [["<", ">"]] } }),
    /different delimiters/,
  ],
  "looks behind": [template({ ...TAGS, open_pattern: "(?<=x)<f=(?P<name>\\w+)>" }), /`open` can't be read/],
  "has no name": [template({ ...TAGS, transform: { arguments: "{content}" } }), /doesn't take the name/],
};

for (const [what, [text, why]] of Object.entries(REFUSED)) {
  Deno.test(`a response template that ${what} gives no rule, and the reason`, () => {
    const { derivation } = derive(text);
    assert.equal(derivation.kind, "refused");
    assert.match(derivation.kind === "refused" ? derivation.why : "", why);
  });
}

Deno.test("a rule from a response template states what it doesn't carry", () => {
  const { notCarried } = derive(template(TAGS, { plan: { open: "<plan>" }, content: { close: "<|end|>" } }));
  for (const part of ["start_anchor", "the fields plan", "the end of `content`", "the end of a value"]) {
    assert.ok(notCarried.some((loss) => loss.includes(part)), part);
  }
});

Deno.test("a shipped rule as a response template leads back to itself", () => {
  for (const name of ["hermes", "qwen_xml", "gemma_call", "kimi_k2", "toolcall_list"]) {
    const rule = rules.find((one) => one.rule === name)!;
    const written = toResponseTemplate(rule, regions);
    assert.ok("template" in written, name);
    const { derivation } = derive(JSON.stringify(written.template), [rule, ...regions]);
    assert.deepEqual(derivation, { kind: "known", rule: name });
  }
});

/** Rule → why it is no template. */
const NOT_EXPORTED: Readonly<Record<string, RegExp>> = {
  json_block: /closer refers/,
  bare_json: /no distinctive marker/,
  lfm2: /no content type equivalent to the body `call_list`/,
  apertus: /is a JSON key/,
  minimax_m3: /contain nested items/,
  shell_block: /closer refers/,
  inkling: /no single required marker/,
};

Deno.test("a rule that no response template can express states why", () => {
  for (const [name, why] of Object.entries(NOT_EXPORTED)) {
    const written = toResponseTemplate(rules.find(({ rule }) => rule === name)!, regions);
    assert.match("why" in written ? written.why : "", why, name);
  }
});
