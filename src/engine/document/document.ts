/** Reads YAML by a schema: the value, or every error with its place, and the place of any field. It never throws. @module */
import * as z from "zod";
import type { Code } from "../diagnostic/codes.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { inFileOrder } from "../diagnostic/order.ts";
import { present } from "../object/present.ts";
import type { Path, Schema } from "./field.ts";
import { describeIssues, type Problem } from "./issue.ts";
import { withoutFields } from "./partial.ts";
import type { Tree } from "./yaml_tree.ts";
import defer * as yaml from "./yaml_tree.ts";

interface DocumentOptions<T> {
  readonly text: string;
  /** The file's name, as diagnostics show it. */
  readonly file: string;
  readonly schema: z.ZodType<T>;
  /**
   * The code for errors that the schema's own checks find (`refine`); their `params: { expected, help }` are shown.
   * Unknown, missing and wrong fields have their own codes. Default: `wrong_value`.
   */
  readonly code?: Code;
  readonly rewrite?: (value: unknown) => Rewritten;
  /** Field that other programs have → what to write instead, as a help line. */
  readonly foreign?: Readonly<Record<string, string>>;
}

/** A plain value in today's words. */
export interface Rewritten {
  /** The value that the schema checks. */
  readonly value: unknown;
  /** A warning for each old word, at a key of the file. */
  readonly findings: readonly {
    readonly code: Code;
    readonly path: Path;
    readonly message: string;
    readonly help: string;
  }[];
  /** The path in the file of a field of the value. */
  oldPath(path: Path): Path;
}

export interface Document<T> extends Places {
  readonly file: string;
  /** The value with its defaults; absent if a diagnostic is an error. */
  readonly value?: T;
  /** If there are errors, the value without its wrong fields, if the rest is complete; only for checks that add errors. */
  readonly partial?: T;
  /** Every error, in the order of the file. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a YAML text by a schema.
 *
 * @example
 * ```ts
 * import * as z from "zod";
 * import { readDocument } from "./document.ts";
 * const schema = z.strictObject({ name: z.string() });
 * const { diagnostics } = readDocument({ text: "nmae: x", file: "a.yaml", schema });
 * console.assert(diagnostics[0]?.help === "did you mean `name`?");
 * ```
 */
export function readDocument<T>(options: DocumentOptions<T>): Document<T> {
  const { file, rewrite = unchanged } = options;
  let parsedTree: Tree | undefined;
  const tree = () => parsedTree ??= yaml.parseTree(options);
  let rewrittenTree: Rewritten | undefined;
  const pathOf = (path: Path) => (rewrittenTree ??= rewrite(tree().plain?.value)).oldPath(path);
  const places: Places = {
    locate: (path, ...part) => tree().locate(pathOf(path), ...part),
    locateKey: (path) => tree().locateKey(pathOf(path)),
    has: (path) => tree().has(pathOf(path)),
  };
  const result = readTree(tree(), { ...options, rewrite, places });
  // Few documents are asked for a location later; those are parsed again. The trees of many would be a large heap.
  if (result.diagnostics.length === 0) parsedTree = undefined;
  return { file, ...result, ...places };
}

type Places = Pick<Tree, "locate" | "locateKey" | "has">;

function unchanged(value: unknown): Rewritten {
  return { value, findings: [], oldPath: (path) => path };
}

function readTree<T>(
  { plain, diagnostics: syntax }: Tree,
  { schema, code = "wrong_value", rewrite, places, foreign }: DocumentOptions<T> & {
    readonly rewrite: (value: unknown) => Rewritten;
    readonly places: Places;
  },
): Omit<Document<T>, "file" | keyof Places> {
  if (plain === undefined) return { diagnostics: syntax };
  const { value, findings } = rewrite(plain.value);
  const warnings = [
    ...syntax,
    ...findings.map(({ path, ...finding }): Diagnostic => ({
      ...finding,
      severity: "warning",
      location: places.locateKey(path),
    })),
  ];
  const parsed = schema.safeParse(value);
  if (parsed.success) {
    const isClean = warnings.every((diagnostic) => diagnostic.severity === "warning");
    return {
      ...(isClean ? { value: parsed.data } : { partial: parsed.data }),
      diagnostics: inFileOrder(warnings),
    };
  }
  const context = { value, schema: jsonSchemaOf(schema), code, foreign };
  const problems = describeIssues(parsed.error.issues, context);
  const found = problems.map((problem) => problemDiagnostic(problem, places));
  const partial = readRest(schema, { value, paths: problems.map(({ path }) => path) });
  return { ...partial, diagnostics: inFileOrder([...warnings, ...found]) };
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

function problemDiagnostic(problem: Problem, places: Places): Diagnostic {
  const { code, path, at, message, expected, help } = problem;
  return {
    code,
    severity: "error",
    message,
    location: at === "key" ? places.locateKey(path) : places.locate(path),
    ...present({ expected, help }),
  };
}
