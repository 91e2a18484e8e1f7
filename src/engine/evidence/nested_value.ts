/** Nested elements as a list or an object, where the schema asks for one: `<item>a</item><item>b</item>`. @module */
import { parseJson } from "../object/parse.ts";
import type { JsonSchema } from "../tool/offered.ts";
import { allowedTypes, itemSchema, parameterSchema } from "../tool/schema.ts";
import { readValue } from "../tool/value.ts";
import { skipBlank } from "./characters.ts";
import { findMarks, type Mark } from "./mark.ts";

const DEPTH_MAXIMUM = 8;

/** The value; undefined if the text isn't elements, or one of them isn't what the schema asks for. */
export function readElements(
  text: string,
  schema: JsonSchema | undefined,
  root: JsonSchema | undefined,
  depth = 0,
): unknown {
  const types = allowedTypes(schema, root);
  if ((!types.has("object") && !types.has("array")) || depth > DEPTH_MAXIMUM) {
    return plainValue(text, schema, root);
  }
  const entries: (readonly [word: string, value: unknown])[] = [];
  for (const { word, inner } of elementsOf(text) ?? []) {
    const isItem = word === "item" || word === "items" || !types.has("object");
    const found = isItem ? itemSchema(schema, root) : parameterSchema(schema, word, root);
    const value = found === undefined ? inner : readElements(inner, found, root, depth + 1);
    if (value === undefined) return undefined;
    entries.push([word, value]);
  }
  if (entries.length === 0) return undefined;
  const words = new Set(entries.map(([word]) => word));
  const [first] = words;
  const isList = words.size === 1 && (!types.has("object") || first === "item" || first === "items");
  if (types.has("array") && isList) return entries.map(([, value]) => value);
  return types.has("object") && words.size === entries.length ? Object.fromEntries(entries) : undefined;
}

function plainValue(text: string, schema: JsonSchema | undefined, root: JsonSchema | undefined): unknown {
  const types = allowedTypes(schema, root);
  if (types.size === 0 && findMarks(text).length > 0) return undefined;
  const read = readValue(text.trim(), types);
  return read.isKeptAsText && types.size > 0 ? undefined : parseJson(read.json);
}

interface NestedElement {
  readonly word: string;
  readonly inner: string;
}

/** The elements that a text consists of; undefined if there is anything else between them. */
function elementsOf(text: string): NestedElement[] | undefined {
  const elements: NestedElement[] = [];
  let open: Mark | undefined;
  let depth = 0;
  let last = 0;
  for (const mark of findMarks(text)) {
    if (open === undefined) {
      if (mark.isCloser || mark.isBroken || mark.isEmpty || skipBlank(text, last) < mark.start) {
        return undefined;
      }
      open = mark;
      depth = 1;
    } else if (mark.word === open.word && !mark.isEmpty) {
      depth += mark.isCloser ? -1 : 1;
      if (depth > 0) continue;
      elements.push({ word: open.word, inner: text.slice(open.end, mark.start) });
      last = mark.end;
      open = undefined;
    }
  }
  return open === undefined && skipBlank(text, last) >= text.length ? elements : undefined;
}
