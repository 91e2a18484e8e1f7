/**
 * Reads YAML text by a schema: gives the value, or every error with its line and column, and locates any field down to a
 * character of its text. It reads no files and never throws.
 *
 * @module
 */
import { isAlias, isMap, isNode, isScalar, isSeq, parseDocument } from "yaml";
import type { Document as YamlDocument, Node, Pair } from "yaml";
import { z } from "zod";
import type { Code } from "../diagnostic/codes.ts";
import type { Diagnostic, Location } from "../diagnostic/diagnostic.ts";
import { inFileOrder } from "../diagnostic/order.ts";
import { present } from "../object/present.ts";
import type { Path, Schema } from "./field.ts";
import { describeIssues, type Problem } from "./issue.ts";
import { withoutFields } from "./partial.ts";
import { scalarOffsets } from "./scalar.ts";
import { createSource, type Source } from "./source.ts";
import { describeErrors } from "./syntax.ts";

/** What to read, and how. */
export interface DocumentOptions<T> {
  /** The file's text. */
  readonly text: string;
  /** The file's name, as diagnostics show it. */
  readonly file: string;
  /** The schema of the document. */
  readonly schema: z.ZodType<T>;
  /**
   * The code for errors that the schema's own checks find (`refine`); their `params: { expected, help }` are shown.
   * Unknown, missing and wrong fields have their own codes. Default: `wrong_value`.
   */
  readonly code?: Code;
}

/** The result of reading a document. */
export interface Document<T> {
  /** The value with its defaults; absent if a diagnostic is an error. */
  readonly value?: T;
  /**
   * If there are errors, the value without its wrong fields, provided that the rest is a complete value. Use it only for
   * further checks, so that all errors are shown together.
   */
  readonly partial?: T;
  /** Every error, in the order of the file. */
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

/**
 * Reads a YAML text by a schema.
 *
 * @example
 * ```ts
 * import { z } from "zod";
 * import { readDocument } from "./document.ts";
 * const schema = z.strictObject({ name: z.string() });
 * const { diagnostics } = readDocument({ text: "nmae: x", file: "a.yaml", schema });
 * console.assert(diagnostics[0]?.help === "did you mean `name`?");
 * ```
 */
export function readDocument<T>(options: DocumentOptions<T>): Document<T> {
  const source = createSource(options.file, options.text);
  const yaml = parseDocument(options.text, {
    keepSourceTokens: true,
    prettyErrors: false,
    logLevel: "error",
  });
  const places = {
    locate: (path: Path, offset?: number, length?: number) =>
      locateValue({ source, yaml, path, offset, length }),
    locateKey: (path: Path) => locateKey({ source, yaml, path }),
    has: (path: Path) => findNode({ source, yaml, path }).isWhole,
  };
  const syntax = describeErrors([...yaml.errors, ...yaml.warnings], { source, yaml });
  if (yaml.errors.some((error) => error.code !== "DUPLICATE_KEY")) return { diagnostics: syntax, ...places };
  const plain = toPlain(yaml, source);
  if ("diagnostic" in plain) return { diagnostics: [...syntax, plain.diagnostic], ...places };
  const parsed = options.schema.safeParse(plain.value);
  if (parsed.success) {
    const isClean = syntax.every((diagnostic) => diagnostic.severity === "warning");
    const read = isClean ? { value: parsed.data } : { partial: parsed.data };
    return { ...read, diagnostics: syntax, ...places };
  }
  const context = {
    value: plain.value,
    schema: jsonSchemaOf(options.schema),
    code: options.code ?? "wrong_value",
  };
  const problems = describeIssues(parsed.error.issues, context);
  const found = problems.map((problem) => problemDiagnostic(problem, places));
  const partial = readRest(options.schema, { value: plain.value, paths: problems.map(({ path }) => path) });
  return { ...partial, diagnostics: inFileOrder([...syntax, ...found]), ...places };
}

/** The value without its wrong fields; if that is not a complete value, without all of their top-level fields. */
function readRest<T>(
  schema: z.ZodType<T>,
  { value, paths }: { value: unknown; paths: readonly Path[] },
): { partial?: T } {
  for (const wrong of [paths, paths.map((path) => path.slice(0, 1))]) {
    const parsed = schema.safeParse(withoutFields(value, wrong));
    if (parsed.success) return { partial: parsed.data };
  }
  return {};
}

/** Used only after an error: writing a schema takes longer than checking a document by it. */
function jsonSchemaOf(schema: z.ZodType): Schema {
  const written: Schema = { ...z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) };
  return written;
}

function toPlain(yaml: YamlDocument, source: Source): { value: unknown } | { diagnostic: Diagnostic } {
  try {
    const value: unknown = yaml.toJS({ maxAliasCount: 100 });
    return { value };
  } catch (error) {
    // The parser leaves one error to toJS: aliases that would unfold into a huge value.
    const message = error instanceof Error ? error.message : String(error);
    const location = source.locate(0, 1);
    return {
      diagnostic: { code: "yaml_syntax", severity: "error", message, location },
    };
  }
}

function problemDiagnostic(
  problem: Problem,
  places: Pick<Document<unknown>, "locate" | "locateKey">,
): Diagnostic {
  const { code, path, at, message, expected, help } = problem;
  return {
    code,
    severity: "error",
    message,
    location: at === "key" ? places.locateKey(path) : places.locate(path),
    ...present({ expected, help }),
  };
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
