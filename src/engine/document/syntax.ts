/**
 * Turns errors of the YAML parser into diagnostics at the position that needs a fix.
 *
 * @module
 */
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
  BAD_DQ_ESCAPE: "use single quotes, in which a backslash is a backslash",
  TAG_RESOLVE_FAILED: "remove the tag, or put the text in quotes",
};

/** The most errors that are described: some need a search through the text. */
const SHOWN_MAXIMUM = 100;

/** What is known besides the error. */
interface SyntaxContext {
  /** The file's text. */
  readonly source: Source;
  /** The tree, which the parser builds despite errors. */
  readonly yaml: YamlDocument;
}

/** The errors and warnings of the YAML parser as diagnostics; what one wrong indentation brings is one of them. */
export function describeErrors(errors: readonly YAMLError[], context: SyntaxContext): Diagnostic[] {
  const first = errors.findIndex(isIndentation);
  const kept = errors.filter((error, index) => index <= first || !isIndentation(error));
  return kept.slice(0, SHOWN_MAXIMUM).map((error) => describeSyntax(error, context));
}

/** An error or a warning of the YAML parser as a diagnostic. */
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
  return { message, location: source.locate(start, end - start), help: HELP[error.code] };
}

/** Errors that the parser reports at another position than the one that needs a fix. */
function special(error: YAMLError, context: SyntaxContext): Description | undefined {
  if (error.code === "DUPLICATE_KEY") return repeatedKey(error, context);
  if (isIndentation(error)) return explainIndentation(error, context.source);
  return /closing|and end with/.test(error.message) ? unclosed(error, context) : undefined;
}

/** The parser points before the white space in front of the second key. */
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
