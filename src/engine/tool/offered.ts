/** The tools that a request offers. Only they are called. @module */

import { akinNames } from "./akin_names.ts";

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
  /** Whether the client's schema is larger than what is read of a schema (`schema_budget.ts`), so that `schema` is absent. */
  readonly isUnreadable?: boolean;
}

/** The tools of one request, with the names that a model can use for them. */
export interface OfferedTools {
  /** The tool of this name or alias. */
  resolve(name: string): OfferedTool | undefined;
  /**
   * The only tool whose name or alias this is apart from case, hyphens, a prefix, the word `json` glued to it, or control tokens; absent if `resolve` knows
   * every name.
   */
  nearest?(name: string, keepsShapes?: boolean): OfferedTool | undefined;
  /** Whether shapes and names stay as the model wrote them, although the schema shows what is meant. */
  readonly keepsShapes?: boolean;
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
  const resolve = (name: string) => byName.get(name) ?? byName.get(byAlias.get(name) ?? "");
  const spellings = [
    ...byName.keys(),
    ...[...byAlias].filter(([, name]) => byName.has(name)).map(([alias]) => alias),
  ];
  return {
    names: tools.map((tool) => tool.name),
    spellings,
    resolve,
    nearest(name, keepsShapes) {
      if (holdsElement(name)) return undefined;
      const bare = bareName(name);
      const exact = resolve(bare) ?? resolve(numberedName(bare)) ?? resolve(repeatedName(bare)) ??
        resolve(bare.endsWith("json") ? bare.slice(0, -4) : "");
      if (exact) return exact;
      const folded = fold(bare);
      const near = spellings.filter((spelling) => fold(spelling) === folded).map(resolve);
      if (near.length > 0 || keepsShapes) return new Set(near).size === 1 ? near[0] : undefined;
      const akin = akinNames(bare, spellings).map(resolve);
      return new Set(akin).size === 1 ? akin[0] : undefined;
    },
  };
}

/** The same tools, without repairs of shapes and names by their schemas. */
export function withoutShapes(offered: OfferedTools): OfferedTools {
  return { ...offered, keepsShapes: true, nearest: (name) => offered.nearest?.(name, true) };
}

/** What servers and models put before a tool's name: the namespaces in which prompts declare tools. */
const NAMESPACES: readonly string[] = ["functions.", "function.", "default_api.", "tools."];

/** Whether a name has a tag and a closing tag after it: between them is an argument, which must not get lost. */
function holdsElement(name: string): boolean {
  const tag = name.indexOf("<");
  return name.includes('">') ||
    tag >= 0 && !"/|｜".includes(name.charAt(tag + 1)) && name.includes("</", tag);
}

/** A name in one case, with one sign for hyphens and underscores: Python's names and some servers have no hyphens. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll("-", "_");
}

/** A name without a tag before it. */
function withoutOpener(name: string): string {
  const text = name.trimStart();
  return text.startsWith("<") ? text.slice(text.indexOf(">") + 1) : text;
}

/** A name without tags, attributes and control tokens around it, whitespace and code marks around it, its namespace, and the number of the call. */
function bareName(name: string): string {
  const [tagged = ""] = withoutOpener(name).split('" parameter=');
  const text = tagged.split('" /', 1)[0]!.split("<", 1)[0]!.split("[", 1)[0]!.replaceAll("`", "").trim();
  const namespace = NAMESPACES.find((prefix) => text.startsWith(prefix)) ?? "";
  const rest = text.slice(namespace.length);
  const colon = rest.lastIndexOf(":");
  return colon > 0 && Number.isInteger(Number(rest.slice(colon + 1) || NaN)) ? rest.slice(0, colon) : rest;
}

/** The name in an id whose separators became underscores: `functions_read_2` → `read`. */
function numberedName(name: string): string {
  const end = name.lastIndexOf("_");
  const isNumbered = name.startsWith("functions_") && Number.isInteger(Number(name.slice(end + 1) || NaN));
  return isNumbered ? name.slice("functions_".length, end) : name;
}

/** A name that a server sent twice: `readread` → `read`. */
function repeatedName(name: string): string {
  const half = name.slice(name.length / 2);
  return half + half === name ? half : name;
}

/** Offers every name, without a schema: for recorded answers whose request is unknown. */
export const anyTool: OfferedTools = { names: [], resolve: (name) => ({ name }) };
