/**
 * Writes the JSON of shipped YAML files, which `prepared.ts` reads.
 *
 * @module
 */
import type { TextFile } from "./text_file.ts";
import { hashOf } from "./prepared.ts";
import { parseTree } from "./yaml_tree.ts";

/**
 * Writes the JSON for some YAML files, one line for each. Leaves out files with errors or warnings, so that reading them
 * reports these.
 */
export function writePrepared(files: readonly TextFile[]): string {
  const lines = files.flatMap((file) => {
    const { plain, diagnostics } = parseTree(file);
    if (plain === undefined || diagnostics.length > 0) return [];
    return [`"${hashOf(file.text)}": ${JSON.stringify(plain.value)}`];
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}
