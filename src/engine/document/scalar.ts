/** Maps each character of a YAML scalar's value to its offset in the file, through quotes, escapes, folds and indents. @module */
import { CST } from "yaml";

/** The offset in the file for each UTF-16 unit of the value, and one more for the value's end. */
type ScalarOffsets = readonly number[];

/** Characters of the value so far, each with its offset in the file. */
class Walk {
  readonly offsets: number[] = [];
  value = "";

  put(text: string, offset: number): void {
    this.value += text;
    for (let index = 0; index < text.length; index++) this.offsets.push(offset);
  }
}

/** Maps a scalar's value to the file by its token (`keepSourceTokens`); undefined if the token doesn't lead to the value. */
export function scalarOffsets(token: CST.Token, value: string): ScalarOffsets | undefined {
  const walk = new Walk();
  let end: number;
  if (token.type === "block-scalar") end = walkBlock(walk, { token, value });
  else if (isFlowScalar(token)) end = walkFlow(walk, token);
  else return undefined;
  return walk.value === value ? [...walk.offsets, end] : undefined;
}

function isFlowScalar(token: CST.Token): token is CST.FlowScalar {
  return token.type === "scalar" || token.type === "single-quoted-scalar" ||
    token.type === "double-quoted-scalar";
}

/** Plain and quoted scalars: line breaks fold, `''` is one quote, `\` escapes. Returns the end's offset. */
function walkFlow(walk: Walk, token: CST.FlowScalar): number {
  const { source, offset } = token;
  const quoted = token.type !== "scalar";
  const end = quoted ? source.length - 1 : source.length;
  let index = quoted ? 1 : 0;
  while (index < end) {
    const fold = foldAt(source.slice(0, end), index);
    if (fold !== undefined) {
      walk.put(fold.breaks === 1 ? " " : "\n".repeat(fold.breaks - 1), offset + index);
      index = fold.end;
    } else if (token.type === "single-quoted-scalar" && source.startsWith("''", index)) {
      walk.put("'", offset + index);
      index += 2;
    } else if (token.type === "double-quoted-scalar" && source[index] === "\\") {
      index += walkEscape(walk, { token, index });
    } else {
      walk.put(source[index] ?? "", offset + index);
      index++;
    }
  }
  return offset + end;
}

/** Whitespace that contains a line break: its end and the number of breaks; otherwise undefined. */
function foldAt(source: string, index: number): { end: number; breaks: number } | undefined {
  let end = index;
  let breaks = 0;
  for (; end < source.length; end++) {
    const unit = source[end];
    if (unit === "\n") breaks++;
    else if (unit !== " " && unit !== "\t" && unit !== "\r") break;
  }
  return breaks === 0 ? undefined : { end, breaks };
}

const CODE_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** One escape of a double-quoted scalar; returns the length of its source. */
function walkEscape(walk: Walk, { token, index }: { token: CST.FlowScalar; index: number }): number {
  const { source, offset } = token;
  const letter = source[index + 1] ?? "";
  const isBreak = letter === "\n" || source.startsWith("\r\n", index + 1);
  if (!isBreak) {
    const end = index + 2 + (CODE_LENGTHS[letter] ?? 0);
    const escape = CST.resolveAsScalar({ ...token, source: `"${source.slice(index, end)}"` });
    walk.put(escape.value, offset + index);
    return end - index;
  }
  const fold = foldAt(source, index + 1);
  if (fold === undefined) return 2;
  walk.put("\n".repeat(fold.breaks - 1), offset + index);
  return fold.end - index;
}

/** Block scalars: drops the indentation; `>` folds. Returns the end's offset. */
function walkBlock(walk: Walk, { token, value }: { token: CST.BlockScalar; value: string }): number {
  const start = token.offset +
    token.props.reduce((sum, prop) => sum + ("source" in prop ? prop.source.length : 0), 0);
  const lines = token.source.split("\n");
  const indent = blockIndent(token, lines);
  let offset = start;
  for (const line of lines) {
    const content = line.replace(/\r$/, "").slice(indent);
    for (let index = 0; index < content.length && walk.value.length < value.length; index++) {
      if (value[walk.value.length] !== content[index]) break;
      walk.put(content[index] ?? "", offset + indent + index);
    }
    const lineBreak = value[walk.value.length];
    const folds = lineBreak === " " && content !== "";
    if (lineBreak === "\n" || folds) {
      walk.put(lineBreak, offset + Math.min(line.length, indent + content.length));
    }
    offset += line.length + 1;
  }
  return Math.min(offset, start + token.source.length);
}

/** The indentation of each line: from the header, or from the first line with text. */
function blockIndent(token: CST.BlockScalar, lines: readonly string[]): number {
  const header = token.props.find((prop) => prop.type === "block-scalar-header");
  const explicit = header !== undefined && "source" in header ? /[1-9]/.exec(header.source)?.[0] : undefined;
  if (explicit !== undefined) return Math.max(token.indent, 0) + Number(explicit);
  const first = lines.find((line) => !/^ *\r?$/.test(line)) ?? "";
  return first.length - first.replace(/^ +/, "").length;
}
