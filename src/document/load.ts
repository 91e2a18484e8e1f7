/**
 * Reads text files and folders for the loaders of rules, clients and the configuration. An unreadable path is a
 * diagnostic; nothing throws.
 *
 * @module
 */
import { isAbsolute, join, relative } from "node:path";
import type { Diagnostic, Location } from "../diagnostic/diagnostic.ts";
import { present } from "../object/present.ts";
import { PREPARED_FILE, withPrepared } from "./prepared.ts";

/** A file's text with the name that diagnostics show. */
export interface TextFile {
  /** The path as shown: relative to the working directory if it is inside. */
  readonly file: string;
  /** The text, without byte order mark. */
  readonly text: string;
  /** The text's plain value, if it is known without parsing the text. */
  readonly known?: unknown;
}

/** A folder to read. */
export interface Folder {
  /** The absolute path. */
  readonly path: string;
  /** Whether a missing folder is an error. */
  readonly isRequired: boolean;
  /** Where the folder is named, for the diagnostic. */
  readonly location?: Location;
  /** Whether the folder ships with the program and has a prepared file; see `prepared.ts`. */
  readonly isPrepared?: boolean;
}

/** The files, and what could not be read. */
export interface ReadFiles {
  /** The files, in the order of their names. */
  readonly files: readonly TextFile[];
  /** A diagnostic for each path that could not be read. */
  readonly diagnostics: readonly Diagnostic[];
}

/** How paths are shown. */
export interface ReadOptions {
  /** The absolute path of the working directory. */
  readonly workingDirectory: string;
}

/** Reads one UTF-8 file. */
export async function readTextFile(path: string, options: ReadOptions): Promise<ReadFiles> {
  const file = shownPath(path, options);
  try {
    const bytes = await Deno.readFile(path);
    return {
      files: [{ file, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) }],
      diagnostics: [],
    };
  } catch (error) {
    return { files: [], diagnostics: [unreadable(`Cannot read file ${file}: ${reasonOf(error)}`)] };
  }
}

/** Reads the `.yaml` and `.yml` files of a folder, without subfolders. */
export async function readYamlFolder(folder: Folder, options: ReadOptions): Promise<ReadFiles> {
  const names: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder.path)) {
      if (!entry.isDirectory && /\.ya?ml$/.test(entry.name)) names.push(entry.name);
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound && !folder.isRequired) return { files: [], diagnostics: [] };
    const message = `Cannot read folder ${shownPath(folder.path, options)}: ${reasonOf(error)}`;
    return { files: [], diagnostics: [unreadable(message, folder.location)] };
  }
  const read = await Promise.all(names.sort().map((name) => readTextFile(join(folder.path, name), options)));
  const files = read.flatMap(({ files }) => files);
  const prepared = folder.isPrepared ? await readPrepared(folder) : undefined;
  return {
    files: prepared === undefined ? files : withPrepared(files, prepared),
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** The text of a folder's prepared file; undefined if it cannot be read, which only makes the start slower. */
function readPrepared({ path }: Folder): Promise<string | undefined> {
  return Deno.readTextFile(join(path, PREPARED_FILE)).catch(() => undefined);
}

/**
 * Reads folders, each into its own list. It reads a folder only once, by whatever path it is listed: in the project's own
 * folder, the default `rules` is the folder of the built-in rules.
 */
export async function readYamlFolders(
  folders: readonly Folder[],
  options: ReadOptions,
): Promise<{ folders: readonly (readonly TextFile[])[]; diagnostics: readonly Diagnostic[] }> {
  const seen = new Set<string>();
  const distinct = folders.filter(({ path }) => {
    const real = realPath(path);
    const isNew = !seen.has(real);
    seen.add(real);
    return isNew;
  });
  const read = await Promise.all(distinct.map((folder) => readYamlFolder(folder, options)));
  return {
    folders: read.map(({ files }) => files),
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

/** The path as shown: relative if it is inside the working directory, otherwise absolute. */
export function shownPath(path: string, { workingDirectory }: ReadOptions): string {
  const inside = relative(workingDirectory, path);
  return inside === "" || inside.startsWith("..") || isAbsolute(inside) ? path : inside.replaceAll("\\", "/");
}

function unreadable(message: string, location?: Location): Diagnostic {
  return {
    code: "file_unreadable",
    severity: "error",
    message,
    ...present({ location }),
    expected: "a readable path",
    help:
      "check the spelling; paths in dragoman.yaml are relative to its folder, others to the working directory",
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "it does not exist";
  if (error instanceof Deno.errors.PermissionDenied) return "the system denies access";
  if (error instanceof Deno.errors.NotCapable) {
    return "this process has no permission to read it";
  }
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder";
  if (error instanceof TypeError) return "it is not UTF-8 text";
  return error instanceof Error ? error.message : String(error);
}
