/** Writes changes so that unchanged parts keep the spelling of their numbers: 1.0, 12345678901234567890. @module */
import { isRecord } from "../../engine/object/record.ts";

/**
 * The methods of `JSON` in ECMAScript 2025 that read and write the spelling of a number. Node 20 doesn't have them; a
 * number that it can't spell as written is then written as JavaScript spells it.
 */
interface SourceTextJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { source?: string }) => unknown,
  ): unknown;
  rawJSON?(text: string): unknown;
  isRawJSON?(value: unknown): boolean;
}

/**
 * Writes a changed value.
 *
 * @param options the value that was read from it, and the changed value; parts that are the same objects keep
 * their spelling
 *
 * @example
 * ```ts
 * import { writeChanged } from "./number_spelling.ts";
 * const original = { seed: 1, stop: ["a"] };
 * const changed = { ...original, seed: 2 };
 * console.assert(writeChanged('{"seed":1,"stop":["a"]}', { original, changed }) === '{"seed":2,"stop":["a"]}');
 * ```
 */
export function writeChanged(
  body: string,
  { original, changed }: { readonly original: object; readonly changed: object },
): string {
  return JSON.stringify(restore(changed, { original, kept: parseExact(body) }));
}

/** Parses JSON; `JSON.stringify` writes the numbers in the result with the same spelling. */
export function parseExact(text: string): unknown {
  const { parse, rawJSON } = JSON as unknown as SourceTextJson;
  if (rawJSON === undefined) return JSON.parse(text);
  return parse(text, (_key, value, { source } = {}) => {
    if (typeof value !== "number" || source === undefined || String(value) === source) return value;
    return rawJSON(source);
  });
}

/** Whether a value is a number of `parseExact` that is an object, because its spelling differs from JavaScript's. */
export function isSpelledNumber(value: unknown): boolean {
  return (JSON as unknown as SourceTextJson).isRawJSON?.(value) ?? false;
}

/** A whole number that `JSON.stringify` writes as a decimal, 5.0; any other value stays. */
export function asDecimal(value: unknown): unknown {
  const { rawJSON } = JSON as unknown as SourceTextJson;
  return rawJSON !== undefined && Number.isSafeInteger(value) ? rawJSON(`${value}.0`) : value;
}

/** The changed value, with the kept spelling for each part that is the same object as in the original. */
function restore(changed: unknown, { original, kept }: { original: unknown; kept: unknown }): unknown {
  if (changed === original) return kept;
  if (Array.isArray(changed) && Array.isArray(original) && Array.isArray(kept)) {
    const places = new Map(original.map((entry, index) => [entry, index]));
    return changed.map((entry, index) => {
      const at = entry === original[index] ? index : places.get(entry) ?? index;
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
