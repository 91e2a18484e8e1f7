/** Prints diagnostics with carets for people, or as JSON. No control character of a file reaches the terminal. @module */
import { PROGRAM, withCommand } from "./command.ts";
import { present } from "../object/present.ts";
import type { Diagnostic, Location } from "./diagnostic.ts";
import { isObeyed } from "./visible.ts";
import { textWidth } from "./width.ts";

/** How the caret picture is drawn. */
export interface PrintOptions {
  /** Whether to use ANSI colors; off by default. */
  readonly colors?: boolean;
  /** How the user starts the program, for commands in messages; default `dragoman`. */
  readonly command?: string;
}

interface DiagnosticCount {
  readonly errors: number;
  readonly warnings: number;
}

/** A diagnostic in the JSON form: flat, snake_case, without the source line. */
export interface DiagnosticJson {
  readonly code: string;
  /** `error` or `warning`. */
  readonly severity: string;
  readonly message: string;
  readonly file?: string;
  /** The line, counted from 1. */
  readonly line?: number;
  /** The column, counted from 1 in UTF-16 units. */
  readonly column?: number;
  /** The number of marked UTF-16 units. */
  readonly length?: number;
  readonly expected?: string;
  readonly help?: string;
}

/** Lines longer than this are shown as a window around the caret. */
const LINE_WIDTH_MAX = 120;

type Paint = (text: string) => string;
interface Palette {
  readonly error: Paint;
  readonly warning: Paint;
  readonly frame: Paint;
  readonly strong: Paint;
}

const ansi = (code: string): Paint => (text) => `\x1b[${code}m${text}\x1b[0m`;
const none: Paint = (text) => text;
const COLORED: Palette = {
  error: ansi("1;31"),
  warning: ansi("1;33"),
  frame: ansi("36"),
  strong: ansi("1"),
};
const PLAIN: Palette = { error: none, warning: none, frame: none, strong: none };

export function countDiagnostics(diagnostics: readonly Diagnostic[]): DiagnosticCount {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
  return { errors, warnings: diagnostics.length - errors };
}

/** `2 errors, 1 warning`. */
export function printCount({ errors, warnings }: DiagnosticCount): string {
  return `${errors} ${errors === 1 ? "error" : "errors"}, ${warnings} ${
    warnings === 1 ? "warning" : "warnings"
  }`;
}

/**
 * One diagnostic as a caret picture, without a final newline.
 *
 * @example
 * ```ts
 * import { printDiagnostic } from "./print.ts";
 * const picture = printDiagnostic({
 *   code: "unknown_field",
 *   severity: "error",
 *   message: "Unknown field `confidense`",
 *   location: { file: "rules/mine.yaml", line: 3, column: 1, length: 10, text: "confidense: 0.9" },
 *   help: "did you mean `confidence`?",
 * });
 * console.assert(picture.includes("3 | confidense: 0.9\n  | ^^^^^^^^^^"));
 * ```
 */
export function printDiagnostic(diagnostic: Diagnostic, options: PrintOptions = {}): string {
  const paint = options.colors === true ? COLORED : PLAIN;
  const severity = paint[diagnostic.severity];
  const head = severity(`${diagnostic.severity}[${diagnostic.code}]`) +
    paint.strong(`: ${clean(withCommand(diagnostic.message, options.command ?? PROGRAM))}`);
  const { location, expected, help } = diagnostic;
  const spelled = help === undefined ? undefined : withCommand(help, options.command ?? PROGRAM);
  return [head, ...excerpt(location, { notes: { expected, help: spelled }, paint, mark: severity })].join(
    "\n",
  );
}

/** A place of a text as a caret picture under a heading, with notes by their labels, without a final newline. */
export function printExcerpt(heading: string, { location, notes, colors = false }: PrintOptions & {
  readonly location: Location;
  readonly notes: Readonly<Record<string, string | undefined>>;
}): string {
  const paint = colors ? COLORED : PLAIN;
  return [paint.strong(clean(heading)), ...excerpt(location, { notes, paint, mark: paint.warning })].join(
    "\n",
  );
}

/** The lines of a picture with its notes; without a place, only the notes. */
function excerpt(location: Location | undefined, { notes, paint, mark }: {
  readonly notes: Readonly<Record<string, string | undefined>>;
  readonly paint: Palette;
  readonly mark: Paint;
}): string[] {
  const gutter = " ".repeat(location === undefined ? 1 : String(location.line).length);
  const noted = Object.entries(notes).flatMap(([label, text]) => note(label, text, { gutter, paint }));
  if (location === undefined) return noted;
  const { text, carets } = picture(location);
  return [
    `${gutter}${paint.frame("-->")} ${clean(location.file)}:${location.line}:${location.column}`,
    `${paint.frame(`${location.line} |`)} ${text}`.trimEnd(),
    `${gutter} ${paint.frame("|")} ${carets.padding}${mark(carets.marks)}`,
    ...noted,
  ];
}

/** All diagnostics as caret pictures, a blank line after each, and the count as the last line; empty without any. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], options: PrintOptions = {}): string {
  if (diagnostics.length === 0) return "";
  const pictures = diagnostics.map((diagnostic) => printDiagnostic(diagnostic, options) + "\n\n");
  return pictures.join("") + printCount(countDiagnostics(diagnostics)) + "\n";
}

export function diagnosticToJson(diagnostic: Diagnostic): DiagnosticJson {
  const { code, severity, message, location, expected, help } = diagnostic;
  const place = location === undefined
    ? {}
    : { file: location.file, line: location.line, column: location.column, length: location.length };
  return {
    code,
    severity,
    message,
    ...place,
    ...present({ expected, help }),
  };
}

function note(
  label: string,
  text: string | undefined,
  { gutter, paint }: { gutter: string; paint: Palette },
): string[] {
  if (text === undefined) return [];
  const [first, ...rest] = text.split("\n").map(clean);
  const indent = " ".repeat(label.length + 2);
  return [
    `${gutter} ${paint.frame("=")} ${paint.strong(`${label}:`)} ${first}`,
    ...rest.map((line) => `${gutter} ${paint.frame("|")} ${indent}${line}`.trimEnd()),
  ];
}

/** The source line, cut to a window if it is long, and the carets under it. */
function picture(location: Location): { text: string; carets: { padding: string; marks: string } } {
  const start = Math.min(Math.max(location.column - 1, 0), location.text.length);
  const end = Math.min(start + Math.max(location.length, 1), location.text.length);
  const [from, to] = windowAround(location.text, { start, end });
  const before = location.text.slice(from, start);
  const marked = location.text.slice(start, Math.min(end, to));
  const text = (from > 0 ? "…" : "") + clean(location.text.slice(from, to)) +
    (to < location.text.length ? "…" : "");
  const padding = (from > 0 ? " " : "") + [...before].map(blank).join("");
  const width = [...marked].reduce((sum, character) => sum + textWidth(character), 0);
  return { text, carets: { padding, marks: "^".repeat(Math.max(width, 1)) } };
}

function windowAround(text: string, { start, end }: { start: number; end: number }): [number, number] {
  if (text.length <= LINE_WIDTH_MAX) return [0, text.length];
  const room = Math.max(LINE_WIDTH_MAX - (end - start), 40);
  let from = Math.max(0, Math.min(start - Math.floor(room / 2), text.length - LINE_WIDTH_MAX));
  let to = Math.min(text.length, from + LINE_WIDTH_MAX);
  if (isLowSurrogate(text, from)) from++;
  if (isLowSurrogate(text, to)) to--;
  return [from, to];
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function blank(character: string): string {
  return character === "\t" ? "\t" : " ".repeat(textWidth(character));
}

/** Replaces each character that a terminal obeys with one other character, so that the carets stay in place. */
function clean(text: string): string {
  return [...text].map((character) => character !== "\t" && isObeyed(character) ? "\ufffd" : character).join(
    "",
  );
}
