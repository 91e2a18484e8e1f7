/**
 * Describes where two results of an answer differ: the first character of a text, the member of an argument.
 *
 *     text differs at character 3: expected "B", got "C"
 *     call 1 (read_file): `path` is "b" instead of "a"
 *
 * @module
 */
import { isJsonEqual } from "../json/equal.ts";
import { isRecord } from "../object/record.ts";

interface Result {
  /** The text that the client gets. */
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly arguments: unknown }[];
}

/** The length of the shown part of a text, from where it differs. */
const SHOWN = 40;

/** The differences, one per line; empty if there are none. */
export function differences(expected: Result, got: Result): string[] {
  const lines = expected.text === got.text ? [] : [textDifference(expected.text, got.text)];
  expected.calls.forEach((call, index) => {
    const other = got.calls[index];
    const what = `call ${index + 1} (${call.tool})`;
    if (other === undefined) lines.push(`${what} is missing`);
    else if (other.tool !== call.tool) lines.push(`${what}: the tool is ${other.tool}`);
    else {
      const found = valueDifferences("arguments", call.arguments, other.arguments);
      lines.push(...found.map((line) => `${what}: ${line}`));
    }
  });
  for (const [index, call] of got.calls.slice(expected.calls.length).entries()) {
    lines.push(`call ${expected.calls.length + index + 1} (${call.tool}) is one too many`);
  }
  return lines;
}

function textDifference(expected: string, got: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === got[at]) at++;
  return `text differs at character ${at + 1}: expected ${shownFrom(expected, at)}, got ${
    shownFrom(got, at)
  }`;
}

function shownFrom(text: string, at: number): string {
  if (at >= text.length) return "its end";
  const rest = text.slice(at, at + SHOWN);
  return JSON.stringify(rest) + (at + SHOWN < text.length ? "…" : "");
}

function valueDifferences(path: string, expected: unknown, got: unknown): string[] {
  if (isJsonEqual(expected, got)) return [];
  if (!isRecord(expected) || !isRecord(got)) {
    return [`\`${path}\` is ${JSON.stringify(got)} instead of ${JSON.stringify(expected)}`];
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(got)]);
  return [...keys].flatMap((key) => {
    const inner = path === "arguments" ? key : `${path}.${key}`;
    if (!Object.hasOwn(got, key)) return [`\`${inner}\` is missing`];
    if (!Object.hasOwn(expected, key)) return [`\`${inner}\` is one too many: ${JSON.stringify(got[key])}`];
    return valueDifferences(inner, expected[key], got[key]);
  });
}
