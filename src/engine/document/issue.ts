/** Turns a schema's findings into problems for people: a code, a path and sentences. @module */
import type { z } from "zod";
import type { Code } from "../diagnostic/codes.ts";
import { didYouMean } from "../diagnostic/suggest.ts";
import { present } from "../object/present.ts";
import { fieldAt, type Path, type Schema } from "./field.ts";

export interface Problem {
  readonly code: Code;
  /** The wrong field; for a missing field, the mapping without it. */
  readonly path: Path;
  readonly at: "key" | "value";
  readonly message: string;
  readonly expected?: string;
  readonly help?: string;
  /** The name of the missing field, if a field is missing. */
  readonly missing?: string;
}

interface IssueContext {
  readonly value: unknown;
  readonly schema: Schema;
  /** The code for the schema's own checks (`refine`). */
  readonly code: Code;
  /** Field that other programs have → what to write instead. */
  readonly foreign?: Readonly<Record<string, string>> | undefined;
}

type Issue = z.core.$ZodIssue;

/** The most errors of a document that are described: each is compared with the fields that it can mean. */
const SHOWN_MAXIMUM = 100;

/** The first issues, and the first keys of those that name many. */
function firstOf(issues: readonly Issue[]): readonly Issue[] {
  let left = SHOWN_MAXIMUM;
  return issues.flatMap((issue) => {
    const keys = issue.code === "unrecognized_keys" ? issue.keys.slice(0, left) : [issue.code];
    left -= keys.length;
    if (keys.length === 0 || left < 0) return [];
    return [issue.code === "unrecognized_keys" ? { ...issue, keys } : issue];
  });
}

/** Turns zod's issues into problems. A field that is missing because it is misspelled or in another place is one problem. */
export function describeIssues(found: readonly Issue[], context: IssueContext): Problem[] {
  const issues = firstOf(found);
  const problems = issues.flatMap((issue) => describeIssue(issue, context));
  const mentioned = new Set(problems.map((problem) => `${parentOf(problem)}/${problem.help}`));
  const moved = issues.flatMap((issue) => movedFields(issue, context));
  return problems.filter(({ missing, path }) =>
    missing === undefined ||
    !mentioned.has(`${JSON.stringify(path)}/did you mean \`${missing}\`?`) &&
      !moved.some((field) => field.key === missing && field.home.every((step, index) => path[index] === step))
  );
}

interface MovedField {
  readonly key: string;
  readonly home: Path;
}

function movedFields(issue: Issue, context: IssueContext): MovedField[] {
  if (issue.code !== "unrecognized_keys") return [];
  return issue.keys.flatMap((key) => {
    const home = homeBelow(issue.path.map(toStep), { key, context });
    return home === undefined ? [] : [{ key, home }];
  });
}

/** The neighbor of an unknown field whose mapping, or whose entries, know a field of that name. */
function homeBelow(parent: Path, { key, context }: { key: string; context: IssueContext }): Path | undefined {
  const { schema, value } = context;
  return fieldAt(schema, parent).keys.map((neighbor) => [...parent, neighbor]).find((home) =>
    valueAt(value, home) !== undefined &&
    [home, [...home, 0]].some((path) => fieldAt(schema, path).keys.includes(key))
  );
}

/** The mapping around the unknown field's own that knows a field of that name. */
function homeAbove(parent: Path, { key, context }: { key: string; context: IssueContext }): Path | undefined {
  const around = parent.map((_, depth) => parent.slice(0, depth));
  return around.findLast((path) => fieldAt(context.schema, path).keys.includes(key));
}

function toStep(key: PropertyKey): string | number {
  return typeof key === "number" ? key : String(key);
}

function parentOf(problem: Problem): string {
  return JSON.stringify(problem.path.slice(0, -1));
}

function describeIssue(issue: Issue, context: IssueContext): Problem[] {
  const path = issue.path.map(toStep);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownField([...path, key], context));
    case "invalid_union":
      return describeUnion({ ...issue, path }, context);
    case "custom":
      return [{ code: context.code, path, at: "value", message: issue.message, ...customNotes(issue) }];
    case "invalid_key":
      return [{ ...wrongKey(path), expected: issue.issues[0]?.message ?? "another key" }];
    default:
      return [wrongField(path, { issue, context })];
  }
}

function unknownField(path: Path, context: IssueContext): Problem {
  const key = String(path.at(-1));
  const parent = path.slice(0, -1);
  const below = homeBelow(parent, { key, context });
  const above = below === undefined ? homeAbove(parent, { key, context }) : undefined;
  const help = below !== undefined
    ? `\`${key}\` belongs below ${nameOf(below)}: indent it more`
    : above !== undefined
    ? `\`${key}\` belongs ${
      above.length === 0 ? "to the file itself" : `to ${nameOf(above)}`
    }: indent it less`
    : foreignHelp(key, context) ?? deeperHelp(parent, { key, context }) ??
      didYouMean(key, fieldAt(context.schema, parent).keys);
  return {
    code: "unknown_field",
    path,
    at: "key",
    message: `Unknown field \`${key}\``,
    ...present({ help }),
  };
}

function foreignHelp(key: string, { foreign = {} }: IssueContext): string | undefined {
  return Object.hasOwn(foreign, key) ? foreign[key] : undefined;
}

/** The neighbors that know a field of that name but are not in the document. */
function deeperHelp(
  parent: Path,
  { key, context: { schema } }: { key: string; context: IssueContext },
): string | undefined {
  const homes = fieldAt(schema, parent).keys.filter((home) =>
    fieldAt(schema, [...parent, home]).keys.includes(key)
  );
  if (homes.length === 0) return undefined;
  const places = homes.map((home) => `\`${home}: { ${key}: … }\``);
  return `\`${key}\` belongs below another field: write ${places.join(" or ")}`;
}

function wrongKey(path: Path): Problem {
  return { code: "wrong_value", path, at: "key", message: `Key \`${path.at(-1)}\` is not allowed here` };
}

/** The one alternative of a union that the value is meant for, if it is clear; otherwise all alternatives. */
function describeUnion(
  issue: z.core.$ZodIssueInvalidUnion & { path: Path },
  context: IssueContext,
): Problem[] {
  const meant = issue.errors.filter((issues) => issues.every((inner) => inner.path.length > 0));
  const only = meant.length === 1 ? meant[0] : undefined;
  if (only === undefined) return [wrongField(issue.path, { issue, context })];
  return only.flatMap((inner) => describeIssue({ ...inner, path: [...issue.path, ...inner.path] }, context));
}

function wrongField(path: Path, { issue, context }: { issue: Issue; context: IssueContext }): Problem {
  const value = valueAt(context.value, path);
  const field = fieldAt(context.schema, path);
  const about = field.description === undefined ? undefined : `${nameOf(path)}: ${field.description}`;
  if (value === undefined) {
    const missing = String(path.at(-1));
    const problem = { code: "missing_field", path: path.slice(0, -1), at: "key", missing } as const;
    const message = `Missing field \`${missing}\``;
    return { ...problem, message, expected: field.expected, ...present({ help: about }) };
  }
  const isType = issue.code === "invalid_type" || issue.code === "invalid_union";
  const nearest = typeof value === "string" ? didYouMean(value, field.values) : undefined;
  const help = nearest?.startsWith("did you mean") ? nearest : about;
  return {
    code: isType ? "wrong_type" : "wrong_value",
    path,
    at: "value",
    message: `${nameOf(path)} is ${isType ? kindOf(value) : shown(value)}`,
    expected: !isType
      ? expectedOf(issue, field.expected)
      : path.length === 0
      ? "lines with a field and its value, such as `name: value`"
      : field.expected,
    ...present({ help }),
  };
}

function expectedOf(issue: Issue, phrase: string): string {
  if (issue.code === "invalid_format") return issue.message;
  if (issue.code === "too_small" && issue.origin !== "number") {
    return `${phrase} with at least ${issue.minimum} ${issue.minimum === 1 ? "entry" : "entries"}`;
  }
  return phrase;
}

/** `params: { expected, help }` of a schema's own check. */
function customNotes(issue: Issue): { expected?: string; help?: string } {
  const params = "params" in issue ? issue.params : undefined;
  return present({ expected: textOf(params?.expected), help: textOf(params?.help) });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** `dialects`, or entry 2 of `dialects`. */
function nameOf(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return "The whole file";
  return typeof last === "number" ? `Entry ${last + 1} of ${nameOf(path.slice(0, -1))}` : `\`${last}\``;
}

function kindOf(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "string":
      return "a text";
    case "number":
      return "a number";
    case "boolean":
      return "true or false";
    default:
      return "a mapping";
  }
}

function shown(value: unknown): string {
  if (typeof value !== "string") return Array.isArray(value) ? `a list of ${value.length}` : String(value);
  return value.length > 40 ? `\`${value.slice(0, 40)}…\`` : `\`${value}\``;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    return Reflect.get(at, key);
  }, value);
}
