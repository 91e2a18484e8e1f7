/**
 * Converts nested elements to JSON according to the tool's schema. An element with children is an object, or a list if
 * the schema requires one or elements repeat. The schema also decides how the text of the innermost elements is read.
 *
 *     <file><path>a.ts</path></file>         {"file": {"path": "a.ts"}}
 *     <tags><item>a</item><item>b</item>     {"tags": ["a", "b"]}          if `tags` is a list
 *
 * @module
 */
import { objectJson } from "../../json/writer.ts";
import { groupBy } from "../../object/group.ts";
import type { JsonSchema, OfferedTool } from "../../tool/offered.ts";
import { allowedTypes, itemSchema, parameterSchema } from "../../tool/schema.ts";
import { readValue } from "../../tool/value.ts";

export interface XmlElement {
  readonly name: string;
  readonly children: XmlElement[];
  /** The element's own text, without that of its children. */
  text: string;
}

export const DEPTH_MAXIMUM = 32;

export interface ElementSchema {
  readonly schema: JsonSchema | undefined;
  /** The tool that is called; references in the schema point into the tool's schema. */
  readonly tool: OfferedTool;
}

/** Groups elements by name, in the order in which the names appear. */
export function groupElements(elements: readonly XmlElement[]): Map<string, XmlElement[]> {
  return groupBy(elements, ({ name }) => name);
}

/** Writes all elements of one name as one value. */
export function elementsToJson(elements: readonly XmlElement[], { schema, tool }: ElementSchema): string {
  const isList = allowedTypes(schema, tool.schema).has("array");
  const [first] = elements;
  if (elements.length === 1 && first && !isList) return elementToJson(first, { schema, tool });
  const written = elements.length === 1 && first ? writtenList(first) : undefined;
  if (written !== undefined) return written;
  const items = itemSchema(schema, tool.schema);
  const entries = elements.length === 1 && first && holdsItems(first, { schema: items, tool })
    ? first.children
    : elements;
  return `[${entries.map((element) => elementToJson(element, { schema: items, tool })).join()}]`;
}

function writtenList({ children, text }: XmlElement): string | undefined {
  if (children.length > 0) return undefined;
  const { json, isKeptAsText } = readValue(text, new Set(["array"]));
  return isKeptAsText ? undefined : json;
}

/** Whether an element encloses the entries of a list rather than being an entry itself. */
function holdsItems({ children, text }: XmlElement, { schema, tool }: ElementSchema): boolean {
  if (children.length === 0) return text.trim() === "";
  const names = new Set(children.map(({ name }) => name));
  const [name = ""] = names;
  return names.size === 1 && parameterSchema(schema, name, tool.schema) === undefined;
}

function elementToJson(element: XmlElement, { schema, tool }: ElementSchema): string {
  if (element.children.length === 0) {
    return readValue(trimNewline(element.text), allowedTypes(schema, tool.schema)).json;
  }
  return objectJson(
    [...groupElements(element.children)].map((
      [name, elements],
    ) => [name, elementsToJson(elements, { schema: parameterSchema(schema, name, tool.schema), tool })]),
  );
}

/** Removes one newline on each side, which belongs to the dialect. */
function trimNewline(text: string): string {
  const start = text.startsWith("\n") ? 1 : 0;
  const end = text.length > start && text.endsWith("\n") ? text.length - 1 : text.length;
  return text.slice(start, end);
}
