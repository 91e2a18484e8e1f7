/**
 * The first line of a file that names its JSON Schema, for editors. The schema is the one that ships; the files of
 * a binary can't be read by an editor, and those of a package may move, so both write a copy next to the file.
 *
 * @module
 */
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BUILT_IN_RULES } from "../../engine/rule/folder.ts";
import type { Form } from "./form.ts";

type SchemaName = "rule.schema.json" | "dragoman.schema.json";

interface SchemaPlace {
  /** The absolute path of the file's folder. */
  readonly folder: string;
  readonly name: SchemaName;
  readonly form: Form;
}

/** How a file in a folder names its schema: a relative path inside the project, a file URL anywhere else. */
export function schemaName({ folder, name, form }: SchemaPlace): string {
  if (form !== "source") return name;
  const shipped = join(BUILT_IN_RULES, name);
  const isInProject = !relative(resolve(BUILT_IN_RULES, ".."), folder).startsWith("..");
  return isInProject ? relative(folder, shipped) : pathToFileURL(shipped).href;
}

/** Copies the schema next to the file if `schemaName` names a copy. */
export async function copySchema({ folder, name, form }: SchemaPlace): Promise<void> {
  if (form === "source") return;
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
