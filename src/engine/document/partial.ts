/** Removes the wrong fields of a document, so that the rest can be checked and all errors are shown together. @module */
import type { Path } from "./field.ts";

/** A deep copy without the fields at the paths. Entries of lists stay, because removing one would shift the next ones. */
export function withoutFields(value: unknown, paths: readonly Path[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const path of paths) {
    const last = path.at(-1);
    const parent = path.slice(0, -1).reduce<unknown>(
      (at, key) => isObject(at) ? Reflect.get(at, key) : undefined,
      copy,
    );
    if (isObject(parent) && typeof last === "string") Reflect.deleteProperty(parent, last);
  }
  return copy;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
