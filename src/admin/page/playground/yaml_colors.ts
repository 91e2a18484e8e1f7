/** Colors YAML as rule files use it, line by line. A block of text is one color: it holds an answer, not YAML. @module */

type Color = "plain" | "key" | "string" | "comment" | "value";

export interface ColoredPart {
  readonly text: string;
  readonly color: Color;
}

/** What a line can begin with at a place; the first that fits counts. */
const PARTS: readonly (readonly [RegExp, Color])[] = [
  [/\s+/y, "plain"],
  [/#.*/y, "comment"],
  [/-(?=\s|$)/y, "value"],
  [/[\w.-]+(?=:(?:\s|$))/y, "key"],
  [/[|>][-+\d]*(?=\s*$)/y, "value"],
  [/'(?:[^']|'')*'?|"(?:[^"\\]|\\.)*"?/y, "string"],
  [/(?:true|false|null|-?\d+(?:\.\d+)?)(?=[\s,}\]]|$)/y, "value"],
  [/[\w.$/-]+|./yu, "plain"],
];

/** The lines of a text, each in its colored parts; together they are the line. */
export function colorYaml(text: string): ColoredPart[][] {
  /** The column of the key whose block of text goes on; -1 outside of one. */
  let block = -1;
  return text.split("\n").map((line) => {
    const indentation = line.search(/\S/);
    if (block >= 0 && (indentation < 0 || indentation > block)) return [{ text: line, color: "string" }];
    const parts = partsOf(line);
    block = columnOfBlock(parts);
    return parts;
  });
}

function partsOf(line: string): ColoredPart[] {
  const parts: ColoredPart[] = [];
  for (let at = 0; at < line.length;) {
    const [text, color] = partAt(line, at);
    const last = parts.at(-1);
    if (last?.color === color && color === "plain") {
      parts[parts.length - 1] = { text: last.text + text, color };
    } else parts.push({ text, color });
    at += text.length;
  }
  return parts;
}

function partAt(line: string, at: number): [string, Color] {
  for (const [pattern, color] of PARTS) {
    pattern.lastIndex = at;
    const text = pattern.exec(line)?.[0];
    if (text !== undefined) return [text, color];
  }
  return [line.slice(at), "plain"];
}

/** The column of the last key or dash of a line that begins a block of text; -1 if it begins none. */
function columnOfBlock(parts: readonly ColoredPart[]): number {
  let column = -1;
  let end = 0;
  for (const { text, color } of parts) {
    if (color === "key" || text === "-") column = end;
    else if (color === "value" && /^[|>]/.test(text)) return Math.max(column, 0);
    end += text.length;
  }
  return -1;
}
