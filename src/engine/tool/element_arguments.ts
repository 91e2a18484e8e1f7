/**
 * Arguments that are elements instead of JSON, as JSON.
 *
 *     <days>3</days>                                        {"days":3}
 *     <tool_call><parameter name="path">a</parameter> …     {"path":"a", …
 *
 * @module
 */
import { objectJson } from "../json/writer.ts";
import type { JsonSchema } from "./offered.ts";
import { allowedTypes, itemTypes, parameterSchema } from "./schema.ts";
import { withoutLines } from "./swallowed.ts";
import { readValue } from "./value.ts";

/**
 * Arguments that are elements instead of JSON: `<command>ls</command>`. Every element is a parameter that the tool
 * declares, each once. They can be in elements of the call: `<tool_call><function=run>…</function></tool_call>`.
 *
 * @param text the whole arguments
 * @param schema the tool's schema
 * @param name the tool's name
 *
 * @example
 * ```ts
 * import { elementsAsJson } from "./element_arguments.ts";
 * const schema = { properties: { days: { type: "integer" } } };
 * console.assert(elementsAsJson("<days>3</days>", schema) === '{"days":3}');
 * ```
 */
export function elementsAsJson(
  text: string,
  schema: JsonSchema | undefined,
  name?: string,
): string | undefined {
  if (schema === undefined || !text.startsWith("<")) return undefined;
  const members = new Map<string, string>();
  for (let rest = withoutWrapper(text.trim(), schema, name); rest !== "";) {
    const element = readElement(rest, schema);
    if (!element || members.has(element.key)) return undefined;
    const json = parameterJson(withoutLines(element.value), element.key, schema);
    if (json === undefined) return undefined;
    members.set(element.key, json);
    rest = rest.slice(element.length).trimStart();
  }
  return members.size === 0 ? undefined : objectJson(members);
}

/** The text in elements around the parameters, which have no other name than the tool's. */
function withoutWrapper(text: string, schema: JsonSchema, name: string | undefined): string {
  const end = text.indexOf(">");
  const [tag, value = name] = text.slice(1, end).split("=");
  const closer = `</${tag}>`;
  const isWrapper = text.startsWith("<") && !readOpener(text, schema) && value === name &&
    text.endsWith(closer);
  return isWrapper ? withoutWrapper(text.slice(end + 1, -closer.length).trim(), schema, name) : text;
}

/** A parameter's text as the JSON that the schema asks for; undefined if it isn't that. */
export function parameterJson(text: string, key: string, schema: JsonSchema | undefined): string | undefined {
  const declared = parameterSchema(schema, key);
  const { json, isKeptAsText } = readValue(text, allowedTypes(declared, schema), itemTypes(declared, schema));
  return isKeptAsText ? undefined : json;
}

interface ElementValue {
  readonly key: string;
  readonly value: string;
  readonly length: number;
}

/** The element at the beginning of a text; its closer is the one that another element or the end follows. */
function readElement(text: string, schema: JsonSchema): ElementValue | undefined {
  if (!readOpener(text, schema)) return undefined;
  const end = text.indexOf(">");
  const tag = text.slice(1, end);
  const key = withoutMarkup(tag);
  const name = tag.split("=", 1)[0]!.split(" ", 1)[0]!;
  const closer = `</${name}>`;
  for (let at = text.indexOf(closer, end); at >= 0; at = text.indexOf(closer, at + 1)) {
    const length = at + closer.length;
    const after = text.slice(length).trimStart();
    if (after === "" || readOpener(after, schema)) return { key, value: text.slice(end + 1, at), length };
  }
  return undefined;
}

function readOpener(text: string, schema: JsonSchema): boolean {
  const end = text.indexOf(">");
  return text.startsWith("<") && end > 0 && end <= 128 &&
    parameterSchema(schema, withoutMarkup(text.slice(1, end))) !== undefined;
}

/** What markup puts before a key. */
const MARKUP: readonly string[] = ["<", "parameter", "param", "arg_key", "arg", "name", "=", '"', "'", " "];
/** The characters that markup puts after a key. */
const AFTER_KEY = "\"'>/= \t\r\n:";

/** A key without the markup of a tag around it: `parameter name="path"` → `path`. */
export function withoutMarkup(key: string): string {
  const closer = key.indexOf("</");
  let end = closer > 0 ? closer : key.length;
  while (end > 0 && AFTER_KEY.includes(key[end - 1]!)) end--;
  let bare = key.slice(0, end).trimStart();
  // The name of the tag belongs to the markup only if a sign follows it.
  const sign = Math.max(bare.lastIndexOf("="), bare.lastIndexOf('"'), bare.lastIndexOf("<"));
  if (sign < 0) return bare;
  for (let before = ""; before !== bare;) {
    before = bare;
    const part = MARKUP.find((text) => bare.startsWith(text));
    if (part !== undefined && bare.length > part.length) bare = bare.slice(part.length);
    if (!bare.includes("=") && !bare.includes('"') && !bare.includes("<")) break;
  }
  return bare;
}
