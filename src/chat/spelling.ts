/**
 * A request or an answer that was changed, written so that the unchanged parts keep their spelling to the last digit.
 *
 * @module
 */
import { isRecord } from "../object/record.ts";

/** JSON as JavaScript knows it since 2025: a number's own spelling can be read and written. */
interface SourceTextJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}

/**
 * The text of a changed value.
 *
 * @param body the text that was received
 * @param options the value that was read from it, and the changed one: parts that are the same objects keep their
 * spelling
 *
 * @example
 * ```ts
 * import { writeChanged } from "./spelling.ts";
 * const original = { seed: 1, stop: ["a"] };
 * const changed = { ...original, seed: 2 };
 * console.assert(writeChanged('{"seed":1,"stop":["a"]}', { original, changed }) === '{"seed":2,"stop":["a"]}');
 * ```
 */
export function writeChanged(
  body: string,
  { original, changed }: { readonly original: object; readonly changed: object },
): string {
  const { parse, rawJSON } = JSON as unknown as SourceTextJson;
  const kept = parse(body, (_key, value, { source }) => {
    if (typeof value !== "number" || source === undefined || String(value) === source) return value;
    return rawJSON(source);
  });
  return JSON.stringify(restore(changed, { original, kept }));
}

function restore(changed: unknown, { original, kept }: { original: unknown; kept: unknown }): unknown {
  if (changed === original) return kept;
  if (Array.isArray(changed) && Array.isArray(original) && Array.isArray(kept)) {
    return changed.map((entry, index) => {
      const same = original.indexOf(entry);
      const at = same < 0 ? index : same;
      return restore(entry, { original: original[at], kept: kept[at] });
    });
  }
  if (!isRecord(changed) || !isRecord(original) || !isRecord(kept)) return changed;
  return Object.fromEntries(
    Object.entries(changed).map(([key, value]) => [
      key,
      restore(value, { original: original[key], kept: kept[key] }),
    ]),
  );
}
