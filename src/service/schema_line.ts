/**
 * The first line of a file that names its JSON Schema, for editors. The schema is the one that ships; the files of
 * a binary can't be read by an editor, and those of a package may move, so both write a copy next to the file.
 *
 * @module
 */
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BUILT_IN_RULES } from "../rule/folder.ts";
import type { Form } from "./form.ts";

/** The schemas that a line can name. */
export type SchemaName = "rule.schema.json" | "dragoman.schema.json";

/** Where the file is, and what its schema is. */
export interface SchemaPlace {
  /** The absolute path of the file's folder. */
  readonly folder: string;
  /** The schema. */
  readonly name: SchemaName;
  /** The form of the program. */
  readonly form: Form;
}

/** How a file in a folder names its schema: a relative path inside the project, a file URL anywhere else. */
export async function schemaReference({ folder, name, form }: SchemaPlace): Promise<string> {
  const shipped = join(BUILT_IN_RULES, name);
  if (form === "source") {
    const isInProject = !relative(resolve(BUILT_IN_RULES, ".."), folder).startsWith("..");
    return isInProject ? relative(folder, shipped) : pathToFileURL(shipped).href;
  }
  await Deno.mkdir(folder, { recursive: true });
  try {
    await Deno.writeTextFile(join(folder, name), await Deno.readTextFile(shipped), { createNew: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  return name;
}

/** The line with its newline. */
export async function schemaLine(place: SchemaPlace): Promise<string> {
  return `# yaml-language-server: $schema=${await schemaReference(place)}\n`;
}
