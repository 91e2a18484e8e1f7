/** Keeps loading from throwing: a text at which a reader fails is named, and the others are read without it. @module */
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { present } from "../object/present.ts";
import type { TextFile } from "./text_file.ts";

/** The result of reading texts, some of which can be unreadable. */
interface GuardResult<Value> {
  /** The result for the texts that the reader can read. */
  readonly value: Value;
  /** The texts that make it throw. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads texts in folders, whose order counts. `read` may throw on any text, but not on none at all. */
export function readGuarded<Value>(
  folders: readonly (readonly TextFile[])[],
  read: (folders: readonly (readonly TextFile[])[]) => Value,
): GuardResult<Value> {
  try {
    return { value: read(folders), diagnostics: [] };
  } catch (cause) {
    const broken = new Map<TextFile, unknown>();
    for (const text of folders.flat()) {
      try {
        read([[text]]);
      } catch (own) {
        broken.set(text, own);
      }
    }
    const rest = broken.size === 0 ? [] : folders.map((folder) => folder.filter((text) => !broken.has(text)));
    return {
      value: read(rest),
      diagnostics: broken.size === 0
        ? [loadFailed(cause)]
        : [...broken].map(([text, own]) => loadFailed(own, text)),
    };
  }
}

/** The diagnostic for a text that cannot be loaded for an unforeseen reason. */
export function loadFailed(cause: unknown, text?: TextFile): Diagnostic {
  const what = text === undefined ? "the configured files" : text.file;
  const line = text?.text.split("\n", 1)[0] ?? "";
  return {
    code: "load_failed",
    severity: "error",
    message: `Cannot read ${what}: ${reasonOf(cause)}`,
    ...present({ location: text && { file: text.file, line: 1, column: 1, length: 1, text: line } }),
    expected: "a file of ordinary size and depth",
    help: "shorten the text and reduce the nesting",
  };
}

function reasonOf(cause: unknown): string {
  if (cause instanceof RangeError && /call stack/i.test(cause.message)) return "it is nested too deeply";
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}
