/**
 * A model's `response_template`: its own parser as data, a key of `tokenizer_config.json` for Transformers from 5.13 and
 * vLLM. This reads what is in it about tool calls, and lists what a rule doesn't carry.
 *
 * @see https://github.com/huggingface/transformers/blob/main/src/transformers/utils/chat_parsing/response_templates.py
 * @module
 */
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";

/** A field of the template: a kind of region in an answer. */
export interface ResponseField {
  /** How a region opens; absent: it is what the other fields leave. */
  readonly open?: Delimiter;
  /** How it closes; absent: at the end of the answer. */
  readonly close?: Delimiter;
  readonly content: string;
  readonly contentArgs: Readonly<Record<string, unknown>>;
  readonly repeats: boolean;
  readonly transform: unknown;
  readonly transformEach: boolean;
}

/** Texts, or a regular expression of Python's `regex`. */
export type Delimiter = { readonly literals: readonly string[] } | { readonly pattern: string };

interface ResponseTemplate {
  readonly calls: ResponseField;
  readonly thinking?: ResponseField;
  /** What a rule doesn't carry, each as a sentence. */
  readonly notCarried: readonly string[];
}

const FIELD_KEYS = [
  "open",
  "open_pattern",
  "close",
  "close_pattern",
  "content",
  "content_args",
  "repeats",
  "join",
  "optional",
  "transform",
  "transform_each",
];

const TEMPLATE_KEYS = ["version", "defaults", "fields", "start_anchor", "start_anchor_pattern"];

/** The kinds of content that hold a call. */
const CALL_CONTENTS = ["json", "xml-inline", "kv-lines"];

/** Reads a template, or a file with one under `response_template`; the reason if it can't be one. */
export function readResponseTemplate(text: string): ResponseTemplate | string {
  const value = parseJson(text);
  const template = isRecord(value) && isRecord(value["response_template"])
    ? value["response_template"]
    : value;
  if (!isRecord(template) || !isRecord(template["fields"])) {
    return "The file contains no response template: expected JSON with `fields` or `response_template`";
  }
  const { version = 1, fields } = template;
  const unknown = Object.keys(template).find((key) => !TEMPLATE_KEYS.includes(key));
  if (version !== 1) return `The response template has version ${String(version)}; version 1 is known`;
  if (unknown !== undefined) return `The response template has an unknown key, \`${unknown}\``;
  const read: Record<string, ResponseField> = {};
  for (const [name, field] of Object.entries(fields)) {
    const one = readField(name, field);
    if (typeof one === "string") return one;
    read[name] = one;
  }
  const { tool_calls: calls, thinking } = read;
  if (calls === undefined) return "The response template has no field `tool_calls`, so it reads no calls";
  if (calls.open === undefined) {
    return "The field `tool_calls` has no `open`, so nothing marks the start of a call";
  }
  if (!CALL_CONTENTS.includes(calls.content)) {
    return `The content of \`tool_calls\` is \`${calls.content}\`, which contains no arguments`;
  }
  const notCarried = lossesOf(template, read);
  return { calls, ...thinking === undefined ? {} : { thinking }, notCarried };
}

function readField(name: string, field: unknown): ResponseField | string {
  if (!isRecord(field)) return `The field \`${name}\` is not an object`;
  const unknown = Object.keys(field).find((key) => !FIELD_KEYS.includes(key));
  if (unknown !== undefined) return `The field \`${name}\` has an unknown key, \`${unknown}\``;
  const open = readDelimiter(field["open"], field["open_pattern"]);
  const close = readDelimiter(field["close"], field["close_pattern"]);
  if (open === "wrong" || close === "wrong") return `The delimiters of the field \`${name}\` are not strings`;
  const { content = "text", content_args: given, repeats, transform, transform_each: each } = field;
  return {
    ...open === undefined ? {} : { open },
    ...close === undefined ? {} : { close },
    content: String(content),
    contentArgs: isRecord(given) ? given : {},
    repeats: repeats === true,
    transform,
    transformEach: each === true,
  };
}

function readDelimiter(literal: unknown, pattern: unknown): Delimiter | "wrong" | undefined {
  if (literal === undefined) {
    if (pattern === undefined) return undefined;
    return typeof pattern === "string" ? { pattern } : "wrong";
  }
  const literals = Array.isArray(literal) ? literal : [literal];
  const areTexts = literals.length > 0 && literals.every((text) => typeof text === "string" && text !== "");
  return areTexts && pattern === undefined ? { literals } : "wrong";
}

/** What a rule doesn't have a place for. */
function lossesOf(
  { defaults }: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, ResponseField>>,
): string[] {
  const losses = [
    "`start_anchor`: a rule sees the answer alone; if the prompt opens the reasoning, set `begins_in_reasoning` of the upstream",
  ];
  const others = Object.keys(fields).filter((name) => !["thinking", "content", "tool_calls"].includes(name));
  if (others.length > 0) {
    losses.push(`the fields ${others.join(", ")}: an answer contains only text, reasoning, and calls`);
  }
  const { content, tool_calls: calls } = fields;
  if (content?.close !== undefined) {
    losses.push(
      "the end of `content`: the server has to stop there (`defaults: { stop: … }` of the upstream)",
    );
  }
  const added = Object.keys(isRecord(defaults) ? defaults : {}).filter((key) => key !== "role");
  if (added.length > 0) losses.push(`the defaults ${added.join(", ")}`);
  if (calls?.content === "xml-inline") {
    losses.push(
      "the end of a value: the template ends it at the first closing tag, a rule at the one that is consistent with the rest of the call",
    );
  }
  if (calls?.contentArgs["merge_duplicates"] === true) {
    losses.push("`merge_duplicates`: repeated keys don't become a list");
  }
  if (calls?.contentArgs["allow_non_json"] === true) {
    losses.push("`allow_non_json`: text that isn't JSON makes no call");
  }
  return losses;
}
