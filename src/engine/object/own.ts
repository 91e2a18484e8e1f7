/** Looks up keys that come from a client or a model: every object also has `constructor`, `toString` and others. @module */

/** The value that an object itself has under a key; undefined if it has none. */
export function own<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
