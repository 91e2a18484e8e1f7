/** The name of a rule from the text of its file, whether or not the rest of the file can be read. @module */

const LENGTH_MAX = 100;

/** The name that a rule file gives its rule; empty if it gives none that a file can have. */
export function ruleName(text: string): string {
  const name = /^rule:[ \t]*(["']?)([a-z][a-z0-9_]*)\1[ \t]*(?:#.*)?\r?$/m.exec(text)?.[2] ?? "";
  return name.length > LENGTH_MAX ? "" : name;
}
