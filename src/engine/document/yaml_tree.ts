/**
 * Parses YAML text to its plain value and locates its fields. `document.ts` imports this module with `import defer`, so
 * the YAML parser, the slowest package to load, loads only when some text has to be parsed.
 *
 * @module
 */
import { isAlias, isMap, isNode, isScalar, isSeq, parseDocument, Schema } from "yaml";
import type { Document as YamlDocument, Node, Pair } from "yaml";
import type { Diagnostic, Location } from "../diagnostic/diagnostic.ts";
import type { Path } from "./field.ts";
import { scalarOffsets } from "./scalar.ts";
import { createSource, type Source } from "./source.ts";
import { describeErrors } from "./syntax.ts";

/** A parsed YAML text. */
export interface Tree {
  /** The plain value; absent if the text is not YAML. A repeated key leaves a value and an error. */
  readonly plain?: { readonly value: unknown };
  /** The errors and warnings of the syntax. */
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

/** Parses a text; never throws. */
export function parseTree({ text, file }: { readonly text: string; readonly file: string }): Tree {
  const source = createSource(file, text);
  // A directive can ask for another schema.
  const schema = text.includes("%YAML") ? {} : { schema: YAML_1_2 };
  const yaml = parseDocument(text, {
    ...schema,
    keepSourceTokens: true,
    prettyErrors: false,
    logLevel: "error",
  });
  const places: Omit<Tree, "diagnostics"> = {
    locate: (path, offset, length) => locateValue({ source, yaml, path, offset, length }),
    locateKey: (path) => locateKey({ source, yaml, path }),
    has: (path) => findNode({ source, yaml, path }).isWhole,
  };
  const syntax = describeErrors([...yaml.errors, ...yaml.warnings], { source, yaml });
  if (yaml.errors.some((error) => error.code !== "DUPLICATE_KEY")) return { diagnostics: syntax, ...places };
  try {
    return { plain: { value: yaml.toJS({ maxAliasCount: 100 }) }, diagnostics: syntax, ...places };
  } catch (error) {
    // The parser leaves one error to toJS: aliases that would unfold into a huge value.
    const message = error instanceof Error ? error.message : String(error);
    const location = source.locate(0, 1);
    return {
      diagnostics: [...syntax, { code: "yaml_syntax", severity: "error", message, location }],
      ...places,
    };
  }
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
  // The last pair of a key counts, so that the location of a repeated key matches its value.
  const pair: Pair | undefined = node.items.findLast(({ key }) =>
    isScalar(key) && String(key.value) === String(step)
  );
  if (pair === undefined) return undefined;
  return {
    key: isNode(pair.key) ? pair.key : null,
    value: isNode(pair.value) ? pair.value : null,
    isWhole: true,
  };
}
