/** The lines that the editor shows: their colors, and the marks of errors. @module */
import type { DiagnosticJson } from "../../../engine/diagnostic/print.ts";
import { type ColoredPart, colorYaml } from "./yaml_colors.ts";

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
