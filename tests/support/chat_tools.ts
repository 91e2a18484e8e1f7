/**
 * Tools and calls as chat completions have them.
 *
 * @module
 */

/**
 * A tool of a request.
 *
 * @param types parameter → its JSON type
 * @param more `required`: the parameters that a call must have
 */
export function functionTool(
  name: string,
  types: Readonly<Record<string, string>> = {},
  { required, ...more }: { readonly required?: readonly string[]; readonly description?: string } = {},
) {
  const properties = Object.fromEntries(Object.entries(types).map(([key, type]) => [key, { type }]));
  const parameters = { type: "object", properties, ...(required && { required }) };
  return { type: "function" as const, function: { name, ...more, parameters } };
}

/** A call of an answer or of an earlier turn. */
export function functionCall(id: string, name: string, json: string) {
  return { id, type: "function" as const, function: { name, arguments: json } };
}
