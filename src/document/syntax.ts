/**
 * What the YAML parser finds wrong, said for people. In: its errors and the tree as far as it came. Out:
 * diagnostics at the place where a person has to mend something.
 *
 * @module
 */
import { isCollection, isNode, isScalar, visit } from "yaml";
import type { Document as YamlDocument, Scalar, YAMLError } from "yaml";
import type { Diagnostic, Location } from "../diagnostic/diagnostic.ts";
import { present } from "../object/present.ts";
import type { Source } from "./source.ts";

const HELP: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "indent with spaces",
  BAD_SCALAR_START: "put the text into single quotes",
  BAD_INDENT: "begin the line under the first letter of its neighbours",
  BLOCK_AS_IMPLICIT_KEY: "put the text into single quotes if it holds a colon and a space",
  MULTIPLE_DOCS: "keep one document a file: remove the line `---`",
  BAD_DQ_ESCAPE: "use single quotes, in which a backslash is a backslash",
  TAG_RESOLVE_FAILED: "remove the tag, or put the text into quotes",
};

/** What is known besides the error. */
export interface SyntaxContext {
  /** The file's text. */
  readonly source: Source;
  /** The tree that the parser made all the same. */
  readonly yaml: YamlDocument;
}

/** An error or a warning of the YAML parser as a diagnostic. */
export function describeSyntax(error: YAMLError, context: SyntaxContext): Diagnostic {
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

/** Mistakes that the parser notices at another place than the one where they are to be mended. */
function special(error: YAMLError, context: SyntaxContext): Description | undefined {
  if (error.code === "DUPLICATE_KEY") return repeatedKey(error, context);
  return /closing|and end with/.test(error.message) ? unclosed(error, context) : undefined;
}

/** The parser points before the white space in front of the second key. */
function repeatedKey(error: YAMLError, { source }: SyntaxContext): Description {
  const rest = source.text.slice(error.pos[0]);
  const [, space = "", key = ""] = /^(\s*)([^\s:]*)/.exec(rest) ?? [];
  const location = source.locate(error.pos[0] + space.length, key.length);
  return { message: `Field \`${key}\` comes twice`, location, help: "remove one of the two" };
}

/** What is not closed is noticed at the end of the file. */
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
  return { message, location: source.locate(opened, 1), help: "close the quote or bracket that begins here" };
}

function isQuoted(node: Scalar): boolean {
  return node.type === "QUOTE_SINGLE" || node.type === "QUOTE_DOUBLE";
}
