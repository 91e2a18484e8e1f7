/**
 * The tools that a request offers. Only they are called.
 *
 * @module
 */

/** A JSON Schema from a request; it may be invalid. */
export type JsonSchema = Readonly<Record<string, unknown>> | boolean;

/** One tool that the client can run. */
export interface OfferedTool {
  /** The name that the client knows. */
  readonly name: string;
  /** The schema of its arguments; absent if the client gives none, in which case values stay text. */
  readonly schema?: JsonSchema;
  /** The schema with the client's own names only; absent where `schema` has no others. */
  readonly documented?: JsonSchema;
}

/** The tools of one request, with the names that a model can use for them. */
export interface OfferedTools {
  /** The tool of this name or alias. */
  resolve(name: string): OfferedTool | undefined;
  /** The tools' own names, in the order of the request. */
  readonly names: readonly string[];
  /** Every name that `resolve` knows, including aliases; absent if it knows every name. */
  readonly spellings?: readonly string[];
  /** Whether text can call the tool of this own name; absent if it can call every tool. */
  readonly allows?: (tool: string) => boolean;
}

/**
 * The tools of a list, each under its own name and its aliases.
 *
 * @param tools the tools that the request offers
 * @param aliases other names → the tool's own name; an alias never hides a tool's own name
 *
 * @example
 * ```ts
 * import { offer } from "./offered.ts";
 * const offered = offer([{ name: "write_to_file" }], { write_file: "write_to_file" });
 * console.assert(offered.resolve("write_file")?.name === "write_to_file");
 * ```
 */
export function offer(
  tools: readonly OfferedTool[],
  aliases: Readonly<Record<string, string>> = {},
): OfferedTools {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const byAlias = new Map(
    Object.entries(aliases).filter(([alias]) => !byName.has(alias)),
  );
  return {
    names: tools.map((tool) => tool.name),
    spellings: [
      ...byName.keys(),
      ...[...byAlias].filter(([, name]) => byName.has(name)).map(([alias]) => alias),
    ],
    resolve: (name) => byName.get(name) ?? byName.get(byAlias.get(name) ?? ""),
  };
}

/** Offers every name, without a schema: for recorded answers whose request is unknown. */
export const anyTool: OfferedTools = { names: [], resolve: (name) => ({ name }) };
