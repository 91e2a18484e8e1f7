/**
 * The first line of a file that names its JSON Schema, for editors. The schema is the one that ships. An
 * editor can't read the files of a binary, and a package or a clone may move, so what must last gets a copy next to it.
 *
 * @module
 */
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BUILT_IN_RULES } from "../../engine/rule/folder.ts";
import type { Distribution } from "./distribution.ts";

type SchemaName = "rule.schema.json" | "dragoman.schema.json";

interface SchemaPlace {
  /** The absolute path of the file's folder. */
  readonly folder: string;
  readonly name: SchemaName;
  readonly form: Distribution;
}

/** How a file in a folder names its schema: a relative path inside a clone, a copy next to it, or a file URL. */
export function schemaName(place: SchemaPlace): string {
  const { folder, name } = place;
  if (needsCopy(place)) return name;
  const shipped = join(BUILT_IN_RULES, name);
  return isOutside(folder) ? pathToFileURL(shipped).href : relative(folder, shipped);
}

/** A configuration outlives a clone that moves; the rules next to it are written again and again, and get no copy. */
function needsCopy({ folder, name, form }: SchemaPlace): boolean {
  return form !== "source" || (name === "dragoman.schema.json" && isOutside(folder));
}

function isOutside(folder: string): boolean {
  return relative(resolve(BUILT_IN_RULES, ".."), folder).startsWith("..");
}

/** Copies the schema next to the file if `schemaName` names a copy. */
export async function copySchema(place: SchemaPlace): Promise<void> {
  if (!needsCopy(place)) return;
  const { folder, name } = place;
  await writeNew(join(folder, name), await Deno.readTextFile(join(BUILT_IN_RULES, name)));
}

/** Writes a file that does not exist, and its folder; whether it did. */
export async function writeNew(file: string, text: string): Promise<boolean> {
  await Deno.mkdir(dirname(file), { recursive: true });
  try {
    await Deno.writeTextFile(file, text, { createNew: true });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
}

/** The line with its newline. A copy of the schema is written if the file needs one. */
export async function schemaLine(place: SchemaPlace): Promise<string> {
  await copySchema(place);
  return `# yaml-language-server: $schema=${schemaName(place)}\n`;
}
