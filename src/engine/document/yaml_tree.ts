/** Parses YAML and locates its fields. Loaded only when a text has to be parsed (`import defer`): the parser is slow. @module */
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  Schema,
  visit,
  type YAMLError,
  YAMLParseError,
} from "yaml";
import type { Document as YamlDocument, Node, Pair, YAMLMap } from "yaml";
import type { Diagnostic, Location } from "../diagnostic/diagnostic.ts";
import type { Path } from "./field.ts";
import { scalarOffsets } from "./scalar.ts";
import { createSource, type Source } from "./source.ts";
import { describeErrors } from "./syntax.ts";

export interface Tree {
  /** The plain value; absent if the text is not YAML. A repeated key leaves a value and an error. */
  readonly plain?: { readonly value: unknown };
  readonly diagnostics: readonly Diagnostic[];
  /**
   * The location of a field's value.
   *
   * @param path the field; if it does not exist, the location is the nearest mapping around it
   * @param offset where in the field's text, in UTF-16 units
   * @param length the number of UTF-16 units; default 1 with an offset, otherwise the whole value
   */
  locate(path: Path, offset?: number, length?: number): Location;
  /** The location of a field's key; of a list's entry, its first key or the entry. */
  locateKey(path: Path): Location;
  /** Whether the file itself has the field; a default does not count. */
  has(path: Path): boolean;
}

/** What the parser would make for each text again, which takes a tenth of the time of a short one. */
const YAML_1_2 = new Schema({ schema: "core", resolveKnownTags: true });

/** The longest text that is parsed, in characters, and the most lines and entries in it: the parser calls itself for each level. */
const LENGTH_MAXIMUM = 1024 * 1024;
const ENTRIES_MAXIMUM = 20_000;

const ALIASES_MAXIMUM = 100;

/** The most nodes times aliases: each alias is resolved by a search, and a merge key copies what it names. */
const SEARCHED_MAXIMUM = 200_000;

/** Parses a text; never throws. */
export function parseTree({ text, file }: { readonly text: string; readonly file: string }): Tree {
  const source = createSource(file, text);
  // A directive can ask for another schema.
  const schema = text.includes("%YAML") ? {} : { schema: YAML_1_2 };
  const large = largeness(text);
  const yaml = parseDocument(large === undefined ? text : "", {
    ...schema,
    keepSourceTokens: true,
    // The parser compares each key with every other one.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "error",
  });
  const places: Omit<Tree, "diagnostics"> = {
    locate: (path, offset, length) => locateValue({ source, yaml, path, offset, length }),
    locateKey: (path) => locateKey({ source, yaml, path }),
    has: (path) => findNode({ source, yaml, path }).isWhole,
  };
  if (large !== undefined) return { diagnostics: [{ ...large, location: source.locate(0, 1) }], ...places };
  const { repeated, aliasCount, nodeCount } = survey(yaml);
  const errors = [...yaml.errors, ...repeated].sort((a, b) => a.pos[0] - b.pos[0]);
  const syntax = describeErrors([...errors, ...yaml.warnings], { source, yaml });
  if (yaml.errors.length > 0) return { diagnostics: syntax, ...places };
  try {
    if (aliasCount > ALIASES_MAXIMUM || aliasCount * nodeCount > SEARCHED_MAXIMUM) {
      throw new Error(
        `${aliasCount} aliases (\`*name\`) are more than a file with ${nodeCount} values may have`,
      );
    }
    return {
      plain: { value: yaml.toJS({ maxAliasCount: ALIASES_MAXIMUM }) },
      diagnostics: syntax,
      ...places,
    };
  } catch (error) {
    // Aliases that are too many, or that would unfold into a huge value.
    const message = error instanceof Error ? error.message : String(error);
    const location = source.locate(0, 1);
    return {
      diagnostics: [...syntax, { code: "yaml_syntax", severity: "error", message, location }],
      ...places,
    };
  }
}

/** Why a text isn't parsed; undefined if it is. */
function largeness(text: string): Omit<Diagnostic, "location"> | undefined {
  if (text.length <= LENGTH_MAXIMUM && countEntries(text) <= ENTRIES_MAXIMUM) return undefined;
  return {
    code: "yaml_syntax",
    severity: "error",
    message: "The file is too large to parse",
    expected: `at most ${LENGTH_MAXIMUM} characters, and ${ENTRIES_MAXIMUM} lines and entries`,
    help: "split it into several files",
  };
}

/** The lines and entries that a text can have: each line has one, and each further mark in it another. */
function countEntries(text: string): number {
  let entries = 0;
  let marks = 0;
  for (let at = 0; at < text.length; at++) {
    const mark = text[at]!;
    if (mark === "\n") marks = 0;
    const isEntry = "\n,[{".includes(mark) || ("-?:".includes(mark) && text[at + 1] === " " && marks++ > 0);
    if (isEntry) entries++;
  }
  return entries;
}

interface Survey {
  readonly repeated: readonly YAMLError[];
  readonly aliasCount: number;
  readonly nodeCount: number;
}

function survey(yaml: YamlDocument): Survey {
  const repeated: YAMLError[] = [];
  let aliasCount = 0;
  let nodeCount = 0;
  visit(yaml, (_, node) => {
    nodeCount++;
    if (isAlias(node)) aliasCount++;
    if (!isMap(node)) return;
    const seen = new Set<unknown>();
    for (const { key } of node.items) {
      if (!isScalar(key)) continue;
      const [start] = key.range ?? [0];
      if (seen.has(key.value)) {
        repeated.push(new YAMLParseError([start, start + 1], "DUPLICATE_KEY", "Map keys must be unique"));
      }
      seen.add(key.value);
    }
  });
  return { repeated, aliasCount, nodeCount };
}

interface FieldPath {
  readonly source: Source;
  readonly yaml: YamlDocument;
  readonly path: Path;
}

function locateValue(
  { offset, length, ...place }: FieldPath & { offset: number | undefined; length: number | undefined },
): Location {
  const { source } = place;
  const { value, isWhole } = findNode(place);
  if (!isWhole) return locateKey(place);
  if (value === null) return locateKey(place);
  const [start, end] = value.range ?? [0, 0];
  if (
    offset !== undefined && isScalar(value) && typeof value.value === "string" && value.srcToken !== undefined
  ) {
    const offsets = scalarOffsets(value.srcToken, value.value);
    const from = offsets?.[Math.min(offset, value.value.length)];
    const to = offsets?.[Math.min(offset + (length ?? 1), value.value.length)];
    if (from !== undefined && to !== undefined) return source.locate(from, to - from);
  }
  return source.locate(start, end - start);
}

function locateKey(place: FieldPath): Location {
  const { source, yaml } = place;
  const { key, value } = findNode(place);
  const node = key ?? firstKey(value ?? yaml.contents);
  const [start, end] = node?.range ?? [0, 0];
  return source.locate(start, end - start);
}

function firstKey(node: Node | null): Node | null {
  const first = isMap(node) ? node.items[0]?.key : node;
  return isNode(first) ? first : node;
}

interface Found {
  /** The key's node, if the last step is a key of a mapping. */
  readonly key: Node | null;
  readonly value: Node | null;
  /** Whether the whole path exists; otherwise this is its deepest existing part. */
  readonly isWhole: boolean;
}

function findNode({ yaml, path }: FieldPath): Found {
  let found: Found = { key: null, value: yaml.contents, isWhole: true };
  for (const step of path) {
    const next = childOf(yaml, { parent: found.value, step });
    if (next === undefined) return { ...found, isWhole: false };
    found = next;
  }
  return found;
}

function childOf(
  yaml: YamlDocument,
  { parent, step }: { parent: Node | null; step: string | number },
): Found | undefined {
  const node = isAlias(parent) ? parent.resolve(yaml) : parent;
  if (isSeq(node) && typeof step === "number") {
    const item = node.items[step];
    return item === undefined ? undefined : { key: null, value: isNode(item) ? item : null, isWhole: true };
  }
  if (!isMap(node)) return undefined;
  const pair = pairsOf(node).get(String(step));
  if (pair === undefined) return undefined;
  return {
    key: isNode(pair.key) ? pair.key : null,
    value: isNode(pair.value) ? pair.value : null,
    isWhole: true,
  };
}

const pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

/** The last pair of each key, so that the location of a repeated key matches its value. */
function pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
  const known = pairs.get(map);
  if (known !== undefined) return known;
  const found = new Map<string, Pair>();
  for (const pair of map.items) if (isScalar(pair.key)) found.set(String(pair.key.value), pair);
  pairs.set(map, found);
  return found;
}
