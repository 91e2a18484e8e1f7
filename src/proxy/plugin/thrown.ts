/** Describes what a plugin threw in one line, with its file and line. @module */

const MESSAGE_LENGTH_MAX = 200;

/**
 * One line about what was thrown: `TypeError at careful.ts:12: value.foo is not a function`. A hook's syntax error has no
 * message, because it quotes the unreadable text, which can be the answer.
 */
export function describeThrown(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause;
  const place = placeOf(cause);
  const isShown = !(cause instanceof SyntaxError) && cause.message !== "";
  const message = isShown ? `: ${firstLine(cause.message)}` : "";
  return `${cause.name}${place === undefined ? "" : ` at ${place}`}${message}`;
}

/** The file and line of the innermost frame that is a file: `at onCall (file:///plugins/careful.ts?3:12:9)`. */
export function placeOf({ stack = "", message }: Error): string | undefined {
  const found = /file:\/\/[^\s()]*\/([^/\s?]+\.[cm]?[jt]sx?)(?:\?[^:\s]*)?:(\d+):\d+/.exec(
    `${stack}\n${message}`,
  );
  return found === null ? undefined : `${found[1]}:${found[2]}`;
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, MESSAGE_LENGTH_MAX);
}
