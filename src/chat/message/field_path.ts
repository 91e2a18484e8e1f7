/** Sets and removes fields of requests by their path, such as `reasoning.max_tokens`. @module */
import { isRecord } from "../../engine/object/record.ts";

/** A field that a request gets if it has none there. */
export interface PathField {
  /** Names from the outside in, with dots between: `reasoning.max_tokens`. */
  readonly path: string;
  /** Any value of JSON. */
  readonly value: unknown;
  /** The paths of fields that leave with that, because a server takes only one of them. */
  readonly insteadOf?: readonly string[] | undefined;
}

/** A request, or a part of it, as JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * The request with the field; the same object if it has one there.
 *
 * @example
 * ```ts
 * import { withField } from "./field_path.ts";
 * const field = { path: "reasoning.max_tokens", value: 100, insteadOf: ["effort", "reasoning.effort"] };
 * const request = withField({ effort: "low", reasoning: { effort: "low", exclude: true } }, field);
 * console.assert(JSON.stringify(request) === '{"reasoning":{"exclude":true,"max_tokens":100}}');
 * ```
 */
export function withField<T extends Fields>(request: T, { path, value, insteadOf = [] }: PathField): T {
  if (fieldAt(request, path) !== undefined) return request;
  return set(insteadOf.reduce(without, request as Fields), path.split("."), value) as T;
}

/** The value at a path; undefined if nothing is there. */
export function fieldAt(fields: Fields, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => isRecord(value) ? value[name] : undefined, fields);
}

function set(fields: Fields, [name = "", ...rest]: readonly string[], value: unknown): Fields {
  const inner = fields[name];
  return { ...fields, [name]: rest.length === 0 ? value : set(isRecord(inner) ? inner : {}, rest, value) };
}

function without(fields: Fields, path: string): Fields {
  const [name = "", ...rest] = path.split(".");
  if (!Object.hasOwn(fields, name)) return fields;
  const { [name]: inner, ...others } = fields;
  if (rest.length === 0) return others;
  return isRecord(inner) ? { ...fields, [name]: without(inner, rest.join(".")) } : fields;
}
