/** The lines that the editor shows: their colors, and the marks of errors. @module */
import type { DiagnosticJson } from "../../../engine/diagnostic/print.ts";

interface EditorPart extends ColoredPart {
  /** What is wrong here; absent where nothing is. */
  readonly mark?: Mark;
}

interface Mark {
  readonly severity: "error" | "warning";
  readonly message: string;
}

export interface EditorLine {
  readonly parts: readonly EditorPart[];
  /** What is wrong in the line, the errors first. */
  readonly marks: readonly Mark[];
}

/** A mark with its columns, from 0. */
interface PlacedMark extends Mark {
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

export function editorLines(text: string, diagnostics: readonly DiagnosticJson[]): EditorLine[] {
  const placed = diagnostics.flatMap(placeMark);
  return colorYaml(text).map((parts, index) => {
    const marks = placed.filter(({ line }) => line === index + 1)
      .sort((one, other) => Number(one.severity === "warning") - Number(other.severity === "warning"));
    return { parts: marks.reduceRight(addMark, parts), marks };
  });
}

function placeMark({ line, column = 1, length = 1, severity, message, expected, help }: DiagnosticJson) {
  if (line === undefined) return [];
  const notes = [
    message,
    ...(expected === undefined ? [] : [`Expected ${expected}`]),
    ...(help ? [help] : []),
  ];
  const mark: PlacedMark = {
    line,
    from: column - 1,
    to: column - 1 + length,
    severity: severity === "warning" ? "warning" : "error",
    // Raw backticks are for a terminal.
    message: notes.join("\n").replaceAll("`", ""),
  };
  return [mark];
}

/** Divides the parts of a line at the edges of a mark. */
function addMark(parts: readonly EditorPart[], { from, to, severity, message }: PlacedMark): EditorPart[] {
  let start = 0;
  return parts.flatMap((part) => {
    const [left, right] = [from - start, to - start].map((edge) =>
      Math.min(Math.max(edge, 0), part.text.length)
    ) as [number, number];
    start += part.text.length;
    if (left === right) return [part];
    const pieces: EditorPart[] = [
      { ...part, text: part.text.slice(0, left) },
      { ...part, text: part.text.slice(left, right), mark: { severity, message } },
      { ...part, text: part.text.slice(right) },
    ];
    return pieces.filter((piece) => piece.text !== "");
  });
}

type Color = "plain" | "key" | "string" | "comment" | "value";

interface ColoredPart {
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
