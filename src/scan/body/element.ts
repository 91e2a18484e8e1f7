/**
 * Nested elements → JSON, as the tool's schema asks: an element with children is an object, or a list where the schema
 * says so or where elements repeat; the text in the innermost is read as its schema asks.
 *
 *     <file><path>a.ts</path></file>         {"file": {"path": "a.ts"}}
 *     <tags><item>a</item><item>b</item>     {"tags": ["a", "b"]}          where `tags` is a list
 *
 * @module
 */
import type { JsonSchema, OfferedTool } from "../../tool/offered.ts";
import { allowedTypes, parameterSchema } from "../../tool/schema.ts";
import { readValue } from "../../tool/value.ts";

/** One element. */
export interface XmlElement {
  /** Its name. */
  readonly name: string;
  /** The elements in it, in their order. */
  readonly children: XmlElement[];
  /** The text in it, without that of its children. */
  text: string;
}

/** Elements nest no deeper than this. */
export const DEPTH_MAXIMUM = 32;

/** What the schema of an element is found with. */
export interface ElementSchema {
  /** The schema of the element itself. */
  readonly schema: JsonSchema | undefined;
  /** The tool that is called: references in the schema point into its own. */
  readonly tool: OfferedTool;
}

/** Elements by their name, in the order in which the names came. */
export function groupElements(elements: readonly XmlElement[]): Map<string, XmlElement[]> {
  return Map.groupBy(elements, ({ name }) => name);
}

/** Elements of one name as one value. */
export function elementsToJson(elements: readonly XmlElement[], { schema, tool }: ElementSchema): string {
  const isList = allowedTypes(schema, tool.schema).has("array");
  const [first] = elements;
  if (elements.length === 1 && first && !isList) return elementToJson(first, { schema, tool });
  const written = elements.length === 1 && first ? writtenList(first) : undefined;
  if (written !== undefined) return written;
  const items = typeof schema === "object" ? schema["items"] as JsonSchema | undefined : undefined;
  const entries = elements.length === 1 && first && holdsItems(first, items) ? first.children : elements;
  return `[${entries.map((element) => elementToJson(element, { schema: items, tool })).join()}]`;
}

/** A list that stands as JSON in its element. */
function writtenList({ children, text }: XmlElement): string | undefined {
  if (children.length > 0) return undefined;
  const { json, isKeptAsText } = readValue(text, new Set(["array"]));
  return isKeptAsText ? undefined : json;
}

/** Whether an element stands around the entries of a list and is not an entry itself. */
function holdsItems({ children, text }: XmlElement, items: JsonSchema | undefined): boolean {
  if (children.length === 0) return text.trim() === "";
  const names = new Set(children.map(({ name }) => name));
  const [name = ""] = names;
  return names.size === 1 && parameterSchema(items, name) === undefined;
}

function elementToJson(element: XmlElement, { schema, tool }: ElementSchema): string {
  if (element.children.length === 0) {
    return readValue(trimNewline(element.text), allowedTypes(schema, tool.schema)).json;
  }
  const members = [...groupElements(element.children)].map(([name, elements]) =>
    `${JSON.stringify(name)}:${elementsToJson(elements, { schema: parameterSchema(schema, name), tool })}`
  );
  return `{${members.join()}}`;
}

/** One newline on each side belongs to the dialect. */
function trimNewline(text: string): string {
  const start = text.startsWith("\n") ? 1 : 0;
  const end = text.length > start && text.endsWith("\n") ? text.length - 1 : text.length;
  return text.slice(start, end);
}
