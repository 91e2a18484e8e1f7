/**
 * Writes a rule as a `response_template`, for servers that read a model's answers by one (Transformers from 5.13, vLLM). It is
 * proved by calls that are written as the template reads them: the rule has to read them, too.
 *
 *     pattern  <tool_call>\s*(?=[\[{])(?<body>…)</tool_call>
 *     fields   {"tool_calls": {"open_pattern": "\\s*<tool_call>\\s*(?=[\\[{])", "close_pattern": "</tool_call>", …
 *
 * @module
 */
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { minimumLength } from "../../engine/pattern/node.ts";
import { parsePattern } from "../../engine/pattern/parse.ts";
import type { Rule } from "../../engine/rule/schema.ts";
import { PROVING } from "./probe_calls.ts";
import { ruleThatReads } from "./proof.ts";
import { sampleWriter } from "./response_sample.ts";
import { readResponseTemplate } from "./response_template.ts";

/** A template, and what it doesn't carry of the rule. */
interface WrittenTemplate {
  readonly template: Readonly<Record<string, unknown>>;
  readonly notCarried: readonly string[];
}

interface NoTemplate {
  readonly why: string;
}

/** The name of a tool in Python's notation; a rule's own is longer. */
const NAME = "(?P<name>[\\w./-]+)";

const LOST = [
  "`start_anchor_pattern`: a rule doesn't know the prompt. Put the beginning of the assistant's turn there, or a prefilled `<think>` isn't seen",
  "offered tools, quotations, confidence, and repairs: the template treats everything between its delimiters as a call",
];

export function toResponseTemplate(rule: Rule, regions: readonly Rule[]): WrittenTemplate | NoTemplate {
  const calls = callsField(rule);
  if ("why" in calls) return calls;
  const { field, notCarried } = calls;
  const template = {
    version: 1,
    defaults: { role: "assistant" },
    start_anchor_pattern: "\\Z",
    fields: { thinking: { open: "<think>", close: "</think>" }, tool_calls: field, content: {} },
  };
  return isProved(template, rule, regions) ? { template, notCarried: [...LOST, ...notCarried] } : {
    why: "A template with the same delimiters would read different calls",
  };
}

interface CallsField {
  readonly field: Readonly<Record<string, unknown>>;
  readonly notCarried: readonly string[];
}

function callsField(rule: Rule): CallsField | NoTemplate {
  const [before, after, ...more] = rule.pattern.split("(?<body>…)");
  if (before === undefined || after === undefined || more.length > 0) return { why: "The rule has no hole" };
  const { node: opener } = parsePattern(before);
  if (opener === undefined || minimumLength(opener) === 0) {
    return { why: "Calls have no distinctive marker, so the template would read data as a call" };
  }
  if (after.includes("\\k<")) {
    return { why: "The rule's closer refers to its opener, which a template's `close` can't do" };
  }
  const { tool, parameters } = rule.call;
  if (Array.isArray(tool) || parameters !== undefined) {
    return { why: "The rule chooses the tool or renames parameters (`call`), which a template can't do" };
  }
  const content = contentOf(rule);
  if ("why" in content) return content;
  const close = closePattern(after);
  if (close === undefined) return { why: "The end of a call has no single required marker" };
  const isNamed = /\{tool\}|\(\?<tool>/.test(before);
  const name = tool ?? (isNamed ? "{name}" : content.name);
  if (name === undefined) {
    return { why: "The tool's name is neither before the arguments nor in their JSON" };
  }
  const { notCarried = [], args, isList = false } = content;
  return {
    field: {
      open_pattern: `\\s*${toPython(before)}`,
      ...close === "" ? {} : { close_pattern: close },
      repeats: !isList,
      content: content.kind,
      ...content.args === undefined ? {} : { content_args: args },
      transform: { type: "function", function: { name, arguments: content.arguments } },
      ...isList ? { transform_each: true } : {},
    },
    notCarried: [
      ...notCarried,
      close === ""
        ? "a second call: nothing closes the first one"
        : "the end of a call: the template ends it at the first closing marker, even inside a value",
    ],
  };
}

/** The pattern of a closer; "" for none, undefined if it is optional in a way that a template can't have. */
function closePattern(after: string): string | undefined {
  if (after === "") return "";
  const required = /^\(\?:.*\)\?$/s.test(after) && isBalanced(after.slice(3, -2))
    ? after.slice(0, -1)
    : after;
  const { node } = parsePattern(required.replace(/\\k<\w+>/g, "x"));
  return node !== undefined && minimumLength(node) > 0 ? toPython(required) : undefined;
}

/** Whether no bracket of a group is closed that isn't opened in it. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [mark] of text.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()]/gs)) {
    if (mark === "(") depth++;
    if (mark === ")" && --depth < 0) return false;
  }
  return depth === 0;
}

/** Named groups, line starts and the end differ in Python. */
function toPython(pattern: string): string {
  return pattern.replaceAll("{tool}", NAME).replaceAll("(?<tool>", "(?P<name>").replaceAll("(?<", "(?P<")
    .replace(/\\k<(\w+)>/g, "(?P=$1)").replace(/^\^/, "(?m:^)").replace(/\$(?=\)|$)/g, "\\Z");
}

/** How a region's content becomes arguments. */
interface Content {
  readonly kind: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** The placeholder of the name, if it is in the content. */
  readonly name?: string;
  readonly arguments: string;
  readonly isList?: boolean;
  readonly notCarried?: readonly string[];
}

function contentOf(rule: Rule): Content | NoTemplate {
  switch (rule.body) {
    case "json": {
      const { string_mark: mark } = rule.json;
      const marked = mark === undefined ? undefined : { unquoted_keys: true, string_delims: [[mark, mark]] };
      return { kind: "json", arguments: "{content}", ...marked === undefined ? {} : { args: marked } };
    }
    case "envelope":
      return envelopeContent(rule);
    case "tagged":
      return taggedContent(rule);
    default:
      return { why: `A template has no content type equivalent to the body \`${rule.body}\`` };
  }
}

function taggedContent({ tagged }: Rule): Content | NoTemplate {
  const { item, nested, escapes, unwrap, containers } = tagged;
  const [first, ...others] = typeof item === "string" ? [item] : item ?? [];
  if (first === undefined || nested) return { why: "A call's values contain nested items" };
  const [before = "", after] = first.split("(?<value>…)");
  if (after === undefined) return { why: "The rule's items have no value" };
  return {
    kind: "xml-inline",
    args: { tag_pattern: `${toPython(before)}(?P<value>.*?)${toPython(after)}` },
    arguments: "{content}",
    notCarried: [
      "the end of a value: the template ends it at the first closing tag, even inside the value",
      ...others.length === 0 ? [] : ["notations for an item other than the rule's first one"],
      ...escapes === "none" ? [] : [`the values' escapes (\`${escapes}\`)`],
      ...unwrap.length + containers.length === 0
        ? []
        : ["keys around all parameters (`unwrap`, `containers`)"],
    ],
  };
}

/** The keys as the rule writes them itself, or as its first example that has them. */
function envelopeContent(rule: Rule): Content | NoTemplate {
  const { envelope, speak, examples } = rule;
  if (envelope.keyed) return { why: "The tool's name is a JSON key, which a template can't capture" };
  const spoken = speak && speak.calls.replace("{calls}", speak.call).replace("{name}", "f")
    .replace("{arguments}", "{}").replaceAll(/\{(?:index|number)\}/g, "0");
  for (const text of [...spoken === undefined ? [] : [spoken], ...examples.map(({ input }) => input)]) {
    const json = parseJson(
      text.slice(text.search(/[[{]/), Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1),
    );
    const isList = Array.isArray(json);
    const found = keysOf(isList ? json[0] : json, rule);
    if (found === undefined) continue;
    const at = (path: string) => isList ? `{${path}}` : `{content.${path}}`;
    return {
      kind: "json",
      name: at(found.name),
      arguments: at(found.arguments),
      isList,
      notCarried: [
        `keys other than \`${found.name}\` and \`${found.arguments}\`, and calls ${
          isList ? "outside of a list" : "in a list"
        }`,
      ],
    };
  }
  return { why: "None of the rule's examples shows the keys of the name and the arguments" };
}

function keysOf(
  value: unknown,
  { envelope }: Rule,
): { readonly name: string; readonly arguments: string } | undefined {
  const outer = envelope.nested.find((key) => isRecord(value) && isRecord(value[key]));
  const inner = outer === undefined ? value : Object(value)[outer];
  if (!isRecord(inner)) return undefined;
  const name = envelope.name.find((key) => typeof inner[key] === "string");
  const given = envelope.arguments.find((key) => isRecord(inner[key]));
  if (name === undefined || given === undefined) return undefined;
  const path = (key: string) => outer === undefined ? key : `${outer}.${key}`;
  return { name: path(name), arguments: path(given) };
}

/** Whether the rule reads every call that is written as the template reads it. */
function isProved(template: unknown, rule: Rule, regions: readonly Rule[]): boolean {
  const read = readResponseTemplate(JSON.stringify(template));
  const writer = typeof read === "string" ? read : sampleWriter(read.calls);
  if (typeof writer === "string") return false;
  const isMarked = rule.body === "json" && rule.json.string_mark !== undefined;
  const samples = PROVING.flatMap(({ calls }) => writer.write(calls, { gap: "\n", isMarked }) ?? []);
  return samples.length > 0 && ruleThatReads(samples, [{ ...rule, enabled: true }, ...regions]) === rule.rule;
}
