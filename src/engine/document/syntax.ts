/** Turns errors of the YAML parser into diagnostics at the position that needs a fix. @module */
import { isCollection, isNode, isScalar, visit } from "yaml";
import type { Document as YamlDocument, Scalar, YAMLError } from "yaml";
import type { Diagnostic, Location } from "../diagnostic/diagnostic.ts";
import { present } from "../object/present.ts";
import { explainIndentation, isIndentation } from "./indentation.ts";
import type { Source } from "./source.ts";

const HELP: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "indent with spaces",
  BAD_SCALAR_START: "put the text in single quotes",
  BAD_INDENT: "align the line with the lines around it",
  BLOCK_AS_IMPLICIT_KEY: "put the text in single quotes if it contains a colon and a space",
  MULTIPLE_DOCS: "keep one document per file: remove the line `---`",
  BAD_DQ_ESCAPE: "use single quotes, so that backslashes need no escape",
  TAG_RESOLVE_FAILED: "remove the tag, or put the text in quotes",
};

/** The most errors that are described: some need a search through the text. */
const SHOWN_MAXIMUM = 100;

interface SyntaxContext {
  readonly source: Source;
  /** The tree, which the parser builds despite errors. */
  readonly yaml: YamlDocument;
}

/** Errors that leave the structure of the rest as it is. */
const LOCAL: readonly string[] = ["DUPLICATE_KEY", "BAD_DQ_ESCAPE", "TAG_RESOLVE_FAILED"];

/** The errors and warnings of the YAML parser as diagnostics; what one error in the structure, or in a line, brings is one of them. */
export function describeErrors(errors: readonly YAMLError[], context: SyntaxContext): Diagnostic[] {
  const isLocal = ({ code, name }: YAMLError) => name === "YAMLWarning" || LOCAL.includes(code);
  const first = errors.findIndex((error) => !isLocal(error));
  const kept = errors.filter((error, index) => index === first || isLocal(error));
  const lines = new Set<number>();
  const described = kept.slice(0, SHOWN_MAXIMUM).map((error) => describeSyntax(error, context));
  return described.filter(({ location, severity }) => {
    const line = location?.line ?? 0;
    const isFirst = severity === "warning" || !lines.has(line);
    lines.add(line);
    return isFirst;
  });
}

function describeSyntax(error: YAMLError, context: SyntaxContext): Diagnostic {
  const severity = error.name === "YAMLWarning" ? "warning" : "error";
  const { message, location, help } = special(error, context) ?? general(error, context);
  return { code: "yaml_syntax", severity, message, location, ...present({ help }) };
}

interface Description {
  readonly message: string;
  readonly location: Location;
  readonly help?: string | undefined;
}

function general(error: YAMLError, { source }: SyntaxContext): Description {
  const [start, end] = error.pos;
  const message = error.message.replace(/\.$/, "");
  const location = source.locate(start, end - start);
  const line = QUOTABLE.includes(error.code) ? quotedLine(location.text) : undefined;
  const help = line === undefined ? HELP[error.code] : `write \`${line}\``;
  return { message, location, help };
}

/** Errors that quotes around the value of the line fix. */
const QUOTABLE: readonly string[] = [
  "BAD_DQ_ESCAPE",
  "BAD_SCALAR_START",
  "BLOCK_AS_IMPLICIT_KEY",
  "UNEXPECTED_TOKEN",
];

/** A line with its value in single quotes, in which every character is itself. */
function quotedLine(line: string): string | undefined {
  const [, key, value = ""] = /^\s*(?:- )?([A-Za-z_]+): +(\S.*?)\s*$/.exec(line) ?? [];
  if (key === undefined || /^[|>]/.test(value)) return undefined;
  const [first] = value;
  const isQuoted = value.length > 1 && (first === "'" || first === '"') && value.endsWith(first);
  const inner = isQuoted ? value.slice(1, -1) : value;
  const text = first === '"' && isQuoted ? inner.replaceAll('\\"', '"') : inner;
  return `${key}: '${text.replaceAll("'", "''")}'`;
}

/** Errors that the parser reports at another position than the one that needs a fix. */
function special(error: YAMLError, context: SyntaxContext): Description | undefined {
  if (error.code === "DUPLICATE_KEY") return repeatedKey(error, context);
  if (isIndentation(error)) return explainIndentation(error, context.source);
  return /closing|and end with/.test(error.message) ? unclosed(error, context) : undefined;
}

/** The parser points before the whitespace in front of the second key. */
function repeatedKey(error: YAMLError, { source }: SyntaxContext): Description {
  const rest = source.text.slice(error.pos[0]);
  const [, space = "", key = ""] = /^(\s*)([^\s:]*)/.exec(rest) ?? [];
  const location = source.locate(error.pos[0] + space.length, key.length);
  return { message: `Field \`${key}\` occurs twice`, location, help: "remove one of the two" };
}

/** The parser reports an unclosed quote or bracket at the end of the file. */
function unclosed(error: YAMLError, { source, yaml }: SyntaxContext): Description | undefined {
  const [noticed] = error.pos;
  let opened: number | undefined;
  visit(yaml, (_, node) => {
    const canBeOpen = isScalar(node) ? isQuoted(node) : isCollection(node) && node.flow === true;
    if (!canBeOpen || !isNode(node) || !node.range) return;
    if (node.range[0] < noticed && node.range[2] >= noticed) opened = node.range[0];
  });
  if (opened === undefined) return undefined;
  const message = `\`${source.text[opened]}\` is not closed`;
  return { message, location: source.locate(opened, 1), help: "close the quote or bracket that starts here" };
}

function isQuoted(node: Scalar): boolean {
  return node.type === "QUOTE_SINGLE" || node.type === "QUOTE_DOUBLE";
}
