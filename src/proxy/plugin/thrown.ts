/** Describes what a plugin threw in one line, with its file and line. @module */

const MESSAGE_LENGTH_MAX = 200;

/**
 * One line about what was thrown: `TypeError at careful.ts:12: value.foo is not a function`. A hook's syntax error has no
 * message, because it quotes the unreadable text, which can be the answer.
 */
export function describeThrown(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause;
  const place = placeOf(cause);
  const text = fieldOf(cause, "message");
  const isShown = !(cause instanceof SyntaxError) && text !== "";
  const message = isShown ? `: ${firstLine(text)}` : "";
  return `${fieldOf(cause, "name") || "Error"}${place === undefined ? "" : ` at ${place}`}${message}`;
}

/** The file and line of the innermost frame that is a file: `at onCall (file:///plugins/careful.ts?3:12:9)`. */
export function placeOf(error: Error): string | undefined {
  const found = /file:\/\/[^\s()]*\/([^/\s?]+\.[cm]?[jt]sx?)(?:\?[^:\s]*)?:(\d+):\d+/.exec(
    `${fieldOf(error, "stack")}\n${fieldOf(error, "message")}`,
  );
  return found === null ? undefined : `${found[1]}:${found[2]}`;
}

/** A field of what was thrown, which can be of any kind, or throw itself. */
function fieldOf(error: Error, field: "name" | "message" | "stack"): string {
  try {
    const text: unknown = error[field];
    return typeof text === "string" ? text : "";
  } catch {
    return "";
  }
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, MESSAGE_LENGTH_MAX);
}
