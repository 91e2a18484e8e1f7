/**
 * Reads a hole that contains a YAML mapping of parameters. The tool's schema decides the type of a plain scalar; a
 * quoted or block scalar is text. Text that isn't such a mapping isn't a call.
 *
 *     path: a.ts                 →   {"path": "a.ts", "lines": [1, 2]}
 *     lines:
 *       - 1
 *       - 2
 *
 * @module
 */
import { objectJson } from "../../json/writer.ts";
import { allowedTypes, itemSchema, parameterSchema } from "../../tool/schema.ts";
import { readValue } from "../../tool/value.ts";
import { malformed, type Progress } from "../body_reader.ts";
import type { Calls } from "../calls.ts";
import { DEPTH_MAXIMUM, type ElementSchema } from "./element.ts";
import { unescapeText } from "./unescape.ts";

export function writeYaml(calls: Calls, text: string): Progress {
  const block = text.trim() === "" ? EMPTY : readYamlBlock(text);
  if (block?.kind !== "map") return malformed("not a YAML mapping");
  const writer = calls.beginNamed();
  writer.begin("object");
  const { tool } = writer;
  for (const [key, value] of block.entries) {
    writer.key(key);
    if (writer.isRefused) return { reason: "undeclared_parameter" };
    writer.scalar(toJson(value, { schema: parameterSchema(tool.schema, key), tool }));
  }
  writer.end();
  calls.finish();
  return "closed";
}

const EMPTY: YamlValue = { kind: "map", entries: new Map() };

function toJson(value: YamlValue, { schema, tool }: ElementSchema): string {
  switch (value.kind) {
    case "map":
      return objectJson(
        [...value.entries].map((
          [key, member],
        ) => [key, toJson(member, { schema: parameterSchema(schema, key, tool.schema), tool })]),
      );
    case "list": {
      const items = itemSchema(schema, tool.schema);
      return `[${value.items.map((item) => toJson(item, { schema: items, tool })).join()}]`;
    }
    case "scalar":
      return value.isPlain
        ? readValue(value.text, allowedTypes(schema, tool.schema)).json
        : JSON.stringify(value.text);
  }
}

export type YamlValue =
  /** `isPlain`: neither quoted nor a block, so the schema decides the type. */
  | { readonly kind: "scalar"; readonly text: string; readonly isPlain: boolean }
  | { readonly kind: "list"; readonly items: readonly YamlValue[] }
  | { readonly kind: "map"; readonly entries: ReadonlyMap<string, YamlValue> };

/** A line without its indentation. */
interface Line {
  readonly indent: number;
  readonly text: string;
  /** The line with its indentation, for block scalars. */
  readonly raw: string;
}

/**
 * Reads a block of YAML as models write arguments: mappings and lists by indentation, and plain, quoted and block
 * scalars. It doesn't read other YAML (anchors, tags, several documents, keys over several lines). It uses no regular
 * expressions and reads each line once.
 *
 *     path: src/a.ts
 *     content: |
 *       let x = 1;
 *     tags:
 *       - one
 *       - "two # not a comment"
 *
 * @returns undefined if it isn't YAML of this kind
 */
export function readYamlBlock(text: string): YamlValue | undefined {
  const reader = new BlockReader(text);
  try {
    const value = reader.readBlock(0, 0);
    return reader.isAtEnd ? value : undefined;
  } catch (error) {
    if (error instanceof NotYaml) return undefined;
    throw error;
  }
}

class NotYaml extends Error {}

/** Characters that give a plain scalar another meaning. */
const INDICATORS = "&*!%@`?";

class BlockReader {
  readonly #lines: readonly Line[];
  #at = 0;

  constructor(text: string) {
    this.#lines = text.replaceAll("\r\n", "\n").split("\n").map(lineOf);
  }

  get isAtEnd(): boolean {
    return this.#next() === undefined;
  }

  /** Reads a mapping or a list with at least this indentation. */
  readBlock(indentMinimum: number, depth: number): YamlValue {
    const first = this.#next();
    if (first === undefined || first.indent < indentMinimum || depth > DEPTH_MAXIMUM) throw new NotYaml();
    return isItem(first.text)
      ? this.#readList(first.indent, depth)
      : this.#readMap(first.indent, depth, undefined);
  }

  #readList(indent: number, depth: number): YamlValue {
    const items: YamlValue[] = [];
    for (let line = this.#next(); line?.indent === indent && isItem(line.text); line = this.#next()) {
      const rest = line.text.slice(1).trimStart();
      this.#at++;
      if (isItem(rest)) throw new NotYaml();
      const inner = indent + line.text.length - rest.length;
      if (rest === "") items.push(this.readBlock(indent + 1, depth + 1));
      else if (keyOf(rest) === undefined) items.push(this.#readValue(rest, { indent }));
      else items.push(this.#readMap(inner, depth + 1, { indent: inner, text: rest, raw: line.raw }));
    }
    return { kind: "list", items };
  }

  /** @param begun the first entry, if it is on the line of a list item */
  #readMap(indent: number, depth: number, begun: Line | undefined): YamlValue {
    const entries = new Map<string, YamlValue>();
    for (let line = begun ?? this.#next(); line?.indent === indent; line = this.#next()) {
      const found = keyOf(line.text);
      if (found === undefined || entries.has(found.key)) throw new NotYaml();
      if (line !== begun) this.#at++;
      entries.set(found.key, this.#readEntry(found.rest, { indent, depth }));
    }
    return { kind: "map", entries };
  }

  /** Reads the value after a key, on its line or in the lines below it. */
  #readEntry(rest: string, { indent, depth }: { indent: number; depth: number }): YamlValue {
    if (rest !== "") return this.#readValue(rest, { indent });
    const next = this.#next();
    // A list can have the indentation of its key.
    if (next && (next.indent > indent || (next.indent === indent && isItem(next.text)))) {
      return this.readBlock(indent, depth + 1);
    }
    return { kind: "scalar", text: "", isPlain: true };
  }

  #readValue(rest: string, { indent }: { indent: number }): YamlValue {
    const first = rest[0]!;
    if (first === "|" || first === ">") return this.#readBlockScalar(rest, indent);
    if (first === '"' || first === "'") return { kind: "scalar", text: unquote(rest), isPlain: false };
    if (INDICATORS.includes(first)) throw new NotYaml();
    let text = withoutComment(rest);
    for (let line = this.#next(); line && line.indent > indent; line = this.#next()) {
      if (keyOf(line.text) !== undefined || isItem(line.text)) throw new NotYaml();
      text += ` ${withoutComment(line.text)}`;
      this.#at++;
    }
    return { kind: "scalar", text, isPlain: true };
  }

  /**
   * Reads a block scalar: `|` keeps line breaks and `>` folds them; `-` drops the last one and `+` keeps all of them.
   */
  #readBlockScalar(head: string, indent: number): YamlValue {
    const [style, chomping, ...more] = withoutComment(head);
    if (more.length > 0 || (chomping !== undefined && chomping !== "-" && chomping !== "+")) {
      throw new NotYaml();
    }
    const lines: string[] = [];
    let inner = -1;
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at]!;
      const isBlank = line.text === "";
      if (!isBlank && inner < 0) inner = line.indent;
      if (!isBlank && (line.indent <= indent || line.indent < inner)) break;
      lines.push(isBlank && inner < 0 ? "" : line.raw.slice(inner));
    }
    let kept = lines.length;
    while (kept > 0 && lines[kept - 1] === "") kept--;
    const blank = lines.length - kept;
    const text = style === "|" ? lines.slice(0, kept).join("\n") : fold(lines.slice(0, kept));
    const end = kept === 0 || chomping === "-" ? "" : "\n";
    return {
      kind: "scalar",
      text: text + end + (chomping === "+" ? "\n".repeat(blank) : ""),
      isPlain: false,
    };
  }

  /** The next line that is neither blank nor a comment. */
  #next(): Line | undefined {
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at]!;
      if (line.text !== "" && !line.text.startsWith("#")) return line;
    }
    return undefined;
  }
}

function lineOf(raw: string): Line {
  const text = raw.trimStart();
  return { indent: raw.length - text.length, text: text.trimEnd(), raw };
}

function isItem(text: string): boolean {
  return text === "-" || text.startsWith("- ");
}

/** The key of an entry and the rest of its line. */
function keyOf(text: string): { key: string; rest: string } | undefined {
  const quote = text[0];
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, 1);
    if (end < 0 || text[end + 1] !== ":") return undefined;
    return { key: text.slice(1, end), rest: text.slice(end + 2).trim() };
  }
  for (let at = 0; at < text.length; at++) {
    const unit = text[at]!;
    if (unit === ":" && at > 0 && (at + 1 === text.length || text[at + 1] === " ")) {
      return { key: text.slice(0, at), rest: text.slice(at + 1).trim() };
    }
    if (unit === " " || "{}[],#&*!|>%@`".includes(unit)) return undefined;
  }
  return undefined;
}

/** Removes a comment, which begins with a `#` after whitespace. */
function withoutComment(text: string): string {
  const at = text.indexOf(" #");
  return at < 0 ? text : text.slice(0, at).trimEnd();
}

/** The text of a quoted scalar on one line, which only a comment can follow. */
function unquote(text: string): string {
  const quote = text[0]!;
  let end = 1;
  for (; end < text.length; end++) {
    if (quote === '"' && text[end] === "\\") end++;
    else if (text[end] !== quote) continue;
    else if (quote === "'" && text[end + 1] === "'") end++;
    else break;
  }
  const rest = text.slice(end + 1).trim();
  if (text[end] !== quote || (rest !== "" && !rest.startsWith("#"))) throw new NotYaml();
  const inner = text.slice(1, end);
  return quote === "'" ? inner.replaceAll("''", "'") : unescapeText(inner, "backslash");
}

/** Joins lines; blank lines become line breaks. */
function fold(lines: readonly string[]): string {
  let text = "";
  let isNew = true;
  for (const line of lines) {
    if (line === "") text += "\n";
    else text += (isNew ? "" : " ") + line;
    isNew = line === "";
  }
  return text;
}
