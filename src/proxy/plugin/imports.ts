/**
 * What a plugin's file must not contain when it is imported, because Deno's loader doesn't survive it.
 *
 * - An import of a package that Dragoman doesn't have. With a frozen lock, the loader then refuses every import until the
 *   process restarts.
 * - Thousands of nested brackets. The loader's parser recurses, overflows its stack, and ends the process.
 *
 * @module
 */

interface ForeignImport {
  readonly specifier: string;
  readonly line: number;
}

/** `import … from "x"`, `export … from "x"`, `import "x"` and `import("x")`. */
const IMPORTS = /(?:\bfrom|\bimport)\s*\(?\s*(["'])([^"'\n]+)\1/g;

/**
 * The first import of a module's source that names neither a file nor a module of the runtime.
 *
 * @example
 * ```ts
 * import { findForeignImport } from "./imports.ts";
 * console.assert(findForeignImport('import x from "npm:x";')?.specifier === "npm:x");
 * console.assert(findForeignImport('import x from "./x.ts";') === undefined);
 * ```
 */
export function findForeignImport(source: string): ForeignImport | undefined {
  // Comments keep their line breaks, so that lines can still be counted.
  const code = source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, " "));
  for (const { 2: specifier = "", index } of code.matchAll(IMPORTS)) {
    if (/^(?:\.{0,2}\/|node:|file:|data:)/.test(specifier)) continue;
    return { specifier, line: code.slice(0, index).split("\n").length };
  }
  return undefined;
}

/** How deep brackets may be nested; no program needs more. */
const DEPTH_MAX = 250;

/** The line, from 1, where brackets are nested too deep for Deno's parser; undefined if none are. */
export function findDeepNesting(source: string): number | undefined {
  let depth = 0;
  for (let index = 0; index < source.length; index++) {
    const character = source.charAt(index);
    if ("([{<".includes(character)) depth++;
    else if (")]}>".includes(character)) depth = Math.max(0, depth - 1);
    if (depth > DEPTH_MAX) return source.slice(0, index).split("\n").length;
  }
  return undefined;
}
