/** Reads text files and folders for loaders. An unreadable path is a diagnostic; nothing throws. @module */
import { isAbsolute, join, relative } from "node:path";
import type { Diagnostic, Location } from "../diagnostic/diagnostic.ts";
import { present } from "../object/present.ts";
import type { TextFile } from "./text_file.ts";

export interface Folder {
  readonly path: string;
  readonly isRequired: boolean;
  /** Where the folder is named, for the diagnostic. */
  readonly location?: Location;
  /** The names of folders in it whose files belong to it. Others aren't read. */
  readonly parts?: readonly string[];
}

interface ReadFiles {
  /** The files, in the order of their names. */
  readonly files: readonly TextFile[];
  readonly diagnostics: readonly Diagnostic[];
}

interface ReadOptions {
  readonly workingDirectory: string;
  /** Whether to refuse anything but a regular file. Reading a pipe without a writer never ends. */
  readonly isRegular?: boolean;
}

/** The largest file that is read. A rule has a few thousand characters. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

export async function readTextFile(path: string, options: ReadOptions): Promise<ReadFiles> {
  const file = shownPath(path, options);
  try {
    const bytes = options.isRegular ? readRegular(path) : await Deno.readFile(path);
    return {
      files: [{ file, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) }],
      diagnostics: [],
    };
  } catch (error) {
    return { files: [], diagnostics: [unreadable(`Cannot read file ${file}: ${reasonOf(error)}`)] };
  }
}

/** A hundred small files take 4 ms this way, and 20 ms with asynchronous calls. */
function readRegular(path: string): Uint8Array {
  const { isFile, isDirectory, size } = Deno.statSync(path);
  if (isDirectory) throw new Deno.errors.IsADirectory();
  if (!isFile) throw new Error("it is not a regular file");
  if (size > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`);
  return Deno.readFileSync(path);
}

/**
 * Reads the `.yaml` and `.yml` files of a folder and of its parts, without other subfolders. Folders, pipes, and links that lead out of the
 * folder or nowhere are skipped with a warning. Links within the folder are followed, because a Kubernetes ConfigMap
 * mounts its files that way.
 */
export async function readYamlFolder(folder: Folder, options: ReadOptions): Promise<ReadFiles> {
  const names: string[] = [];
  const skipped: Diagnostic[] = [];
  try {
    for (const part of ["", ...folder.parts ?? []]) {
      for (const entry of Deno.readDirSync(join(folder.path, part))) {
        if (!isYaml(entry.name)) continue;
        const path = join(folder.path, part, entry.name);
        const why = entry.isSymlink ? await whyNotFollowed(path, folder.path) : whatElse(entry);
        if (why === undefined) names.push(join(part, entry.name));
        else skipped.push(skippedFile(shownPath(path, options), why));
      }
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound && !folder.isRequired) return { files: [], diagnostics: [] };
    const message = `Cannot read folder ${shownPath(folder.path, options)}: ${reasonOf(error)}`;
    return { files: [], diagnostics: [unreadable(message, folder.location)] };
  }
  const regular = { ...options, isRegular: true };
  const read = await Promise.all(names.sort().map((name) => readTextFile(join(folder.path, name), regular)));
  return {
    files: read.flatMap(({ files }) => files),
    diagnostics: [...skipped, ...read.flatMap(({ diagnostics }) => diagnostics)],
  };
}

/** Whether a file of a folder is read, by its name. */
export function isYaml(name: string): boolean {
  return /\.ya?ml$/.test(name);
}

/** A generated file of a shipped folder; undefined if it can't be read, which only makes the start slower. */
export function readShipped(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

export function foldersOf({ path, parts = [] }: Folder): string[] {
  return [path, ...parts.map((part) => join(path, part))];
}

/** Why an entry is not a file; undefined for a file. */
function whatElse(
  { isFile, isDirectory }: Pick<Deno.DirEntry, "isFile" | "isDirectory">,
): string | undefined {
  if (isFile) return undefined;
  return isDirectory ? "it is a folder" : "it is not a regular file";
}

/** Why a link is not followed; undefined for a link to a file of its own folder. */
async function whyNotFollowed(link: string, folder: string): Promise<string | undefined> {
  try {
    const target = await Deno.realPath(link);
    const inside = relative(await Deno.realPath(folder), target);
    if (/^\.\.(?:[/\\]|$)/.test(inside) || isAbsolute(inside)) {
      return "it is a link that points outside its folder";
    }
    return whatElse(await Deno.stat(target));
  } catch {
    return "it is a broken link";
  }
}

function skippedFile(file: string, why: string): Diagnostic {
  return {
    code: "file_skipped",
    severity: "warning",
    message: `Skipped ${file}: ${why}`,
    expected: "a regular file",
    help: "copy the file into the folder, or rename the entry",
  };
}

/** Reads folders, each into its own list. It reads a folder only once, by whatever path it is listed. */
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

/** Why a path cannot be read, for people. */
export function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "it does not exist";
  if (error instanceof Deno.errors.PermissionDenied) return "the system denies access";
  if (error instanceof Deno.errors.NotCapable) {
    return "this process has no permission to read it";
  }
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder";
  if (error instanceof TypeError) return "it is not UTF-8 text";
  return error instanceof Error ? error.message : String(error);
}
