/**
 * A model of the XML reader that Roo uses for nested arguments: lenient about names of closing tags, all texts
 * trimmed, repeated elements become lists, and some elements are kept raw. It turns XML text into plain values.
 *
 * @module
 */

/** An element: its text, or an object of its children. */
export type XmlValue = string | { [name: string]: XmlValue | XmlValue[] };

export interface XmlOptions {
  /** Elements whose inside is kept raw. */
  readonly verbatim: readonly string[];
  /** Whether &lt; and its like are decoded, where the inside is not kept. */
  readonly decodes: boolean;
}

interface Node {
  readonly name: string;
  readonly attributes: Record<string, string>;
  text: string;
  isVerbatim: boolean;
  readonly children: Node[];
}

/**
 * Reads a fragment of XML.
 *
 * @throws Error where the end of a verbatim element is not found
 */
export function readXml(source: string, options: XmlOptions): XmlValue {
  // Line ends are made one before anything else.
  const text = source.replace(/\r\n?/g, "\n");
  const root = newNode("", {});
  const open = [root];
  let at = 0;
  while (at < text.length) {
    const parent = open.at(-1) ?? root;
    if (text[at] !== "<") {
      parent.text += text[at];
      at++;
      continue;
    }
    if (text[at + 1] === "/") {
      at = endOf(text, ">", at) + 1;
      // Whatever name it has, it ends the element that is open.
      if (open.length > 1) open.pop();
      continue;
    }
    const tag = readTag(text, at);
    if (tag === undefined) throw new Error("Unclosed tag");
    at = tag.end;
    const node = newNode(tag.name, tag.attributes);
    parent.children.push(node);
    if (options.verbatim.includes(tag.name)) {
      const inside = readVerbatim(text, { name: tag.name, from: at });
      node.text = inside.text;
      node.isVerbatim = true;
      at = inside.end;
    } else open.push(node);
  }
  return valueOf(root, options);
}

function newNode(name: string, attributes: Record<string, string>): Node {
  return { name, attributes, text: "", isVerbatim: false, children: [] };
}

function readTag(
  text: string,
  from: number,
): { name: string; attributes: Record<string, string>; end: number } | undefined {
  let quote = "";
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === ">") {
      const inside = text.slice(from + 1, at);
      const name = inside.split(/\s/, 1)[0] ?? "";
      const attributes = Object.fromEntries(
        [...inside.matchAll(/\s([\w-]+)\s*=\s*(["'])([\s\S]*?)\2/g)].map((
          match,
        ) => [match[1], match[3] ?? ""]),
      );
      return { name, attributes, end: at + 1 };
    }
  }
  return undefined;
}

/** The inside of an element up to its own end: tags in it are followed, and their own kind counted. */
function readVerbatim(
  text: string,
  { name, from }: { name: string; from: number },
): { text: string; end: number } {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] !== "<") continue;
    if (text[at + 1] === "/") {
      const end = endOf(text, ">", at);
      if (text.slice(at + 2, end).trim() === name && --depth === 0) {
        return { text: text.slice(from, at), end: end + 1 };
      }
      at = end;
    } else if (text[at + 1] === "?") at = endOf(text, "?>", at + 1);
    else if (text.startsWith("!--", at + 1)) at = endOf(text, "-->", at + 3);
    else if (text.startsWith("![", at + 1)) at = endOf(text, "]]>", at);
    else {
      const tag = readTag(text, at);
      if (tag === undefined) continue;
      if (tag.name === name && text[tag.end - 2] !== "/") depth++;
      at = tag.end - 1;
    }
  }
  throw new Error(`Unexpected end of ${name}`);
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  if (at === -1) throw new Error(`Expected ${mark}`);
  return at + mark.length - 1;
}

function valueOf(node: Node, options: XmlOptions): XmlValue {
  const text = node.isVerbatim ? node.text : decode(node.text.trim(), options);
  const value: { [name: string]: XmlValue | XmlValue[] } = {};
  for (const child of node.children) {
    const inner = valueOf(child, options);
    const previous = value[child.name];
    value[child.name] = previous === undefined
      ? inner
      : Array.isArray(previous)
      ? [...previous, inner]
      : [previous, inner];
  }
  for (const [name, attribute] of Object.entries(node.attributes)) {
    value[`@_${name}`] = decode(attribute.trim(), options);
  }
  if (Object.keys(value).length === 0) return text;
  return text === "" ? value : { ...value, "#text": text };
}

function decode(text: string, { decodes }: XmlOptions): string {
  if (!decodes) return text;
  return text.replaceAll("&apos;", "'").replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll(
    "&quot;",
    '"',
  )
    .replaceAll("&amp;", "&");
}
