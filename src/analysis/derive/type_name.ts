/**
 * The JSON Schema type of a value.
 *
 * @module
 */

/**
 * The name of a value's type.
 *
 * @example
 * ```ts
 * import { typeName } from "./type_name.ts";
 * console.assert(typeName([1]) === "array" && typeName(1.5) === "number");
 * ```
 */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
