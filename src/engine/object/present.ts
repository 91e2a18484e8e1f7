/** Leaves absent fields out of an object. @module */

/** An object of which every field may be missing, but none is undefined. */
type Present<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/**
 * The fields that have a value. An optional field must be missing rather than undefined, so that it does not show in
 * a copy, a comparison or JSON.
 */
export function present<T extends object>(fields: T): Present<T> {
  const found: Present<T> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) found[key] = value as Exclude<T[typeof key], undefined>;
  }
  return found;
}
