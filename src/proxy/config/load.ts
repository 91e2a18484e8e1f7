/** Loads the configuration from the disk: `dragoman.yaml` in the working directory, or the file that `--config` names. @module */
import { dirname, resolve } from "node:path";
import { readGuarded } from "../../engine/document/guard.ts";
import { type Folder, readTextFile } from "../../engine/document/load.ts";
import { SHIPPED_FOLDER } from "../../engine/document/shipped_folder.ts";
import { present } from "../../engine/object/present.ts";
import { type ConfigFlags, resolveConfig, type ResolvedConfig } from "./resolve.ts";

export const CONFIG_FILE = "dragoman.yaml";

export interface LoadConfigFlags extends ConfigFlags {
  readonly config?: string | undefined;
  readonly rules?: readonly string[];
  /** `--audit`: the audit log's file. */
  readonly audit?: string | undefined;
}

interface LoadConfigOptions {
  readonly flags: LoadConfigFlags;
  readonly readEnvironment: (name: string) => string | undefined;
  readonly workingDirectory: string;
}

export interface LoadedConfig extends ResolvedConfig {
  /** The absolute path of the file, even if it does not exist; for watching. */
  readonly path: string;
  /** Whether that file is there and has something in it. */
  readonly isGiven: boolean;
  /** The folders of rules besides the built-in one; rules of a later folder override earlier ones. */
  readonly ruleFolders: readonly Folder[];
  /** The folders of clients besides the built-in one. */
  readonly clientFolders: readonly Folder[];
  /** The absolute path of the audit log, if there is one. */
  readonly auditPath?: string | undefined;
}

/** The user's folder of rules, next to the configuration; clients are in its folder `clients`. */
const DEFAULT_FOLDER = "rules";

const OWN_FOLDER_IN_CLONE = "my_rules";

/** Loads the configuration. The default file may be missing. */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const { flags, readEnvironment, workingDirectory } = options;
  const path = resolve(workingDirectory, flags.config ?? CONFIG_FILE);
  const isWanted = flags.config !== undefined || exists(path);
  const read = isWanted
    ? await readTextFile(path, { ...options, isRegular: true })
    : { files: [], diagnostics: [] };
  // Only a file needs the schema, which takes long to load.
  const readConfigFile = read.files.length > 0 ? (await import("./file.ts")).readConfigFile : undefined;
  let isGiven = false;
  const { value: resolved, diagnostics: failed } = readGuarded([read.files], (texts) => {
    const file = texts[0]?.[0];
    const document = file && readConfigFile?.(file);
    isGiven = document !== undefined && document.value !== null;
    return resolveConfig({
      document,
      flags,
      readEnvironment,
      readFile: (name) => readKeyFile(resolve(dirname(path), name)),
    });
  });
  const { rules, clients, audit } = resolved.config;
  const given = (flags.rules ?? []).map((folder) => ({
    path: resolve(workingDirectory, folder),
    isRequired: true,
  }));
  const inFile = (key: "rules" | "clients", folders: readonly string[]): Folder[] =>
    folders.map((folder, index) => {
      // A default folder can be missing, but not one that the file names.
      const location = resolved.locate([key, "folders", index]);
      const isRequired = location !== undefined;
      const own = isRequired ? folder : ownFolder(folder, dirname(path));
      return { path: resolve(dirname(path), own), isRequired, ...present({ location }) };
    });
  return {
    ...resolved,
    path,
    isGiven,
    ruleFolders: [...inFile("rules", rules.folders), ...given],
    clientFolders: inFile("clients", clients.folders),
    auditPath: flags.audit !== undefined
      ? resolve(workingDirectory, flags.audit)
      : audit.file && resolve(dirname(path), audit.file),
    diagnostics: [...read.diagnostics, ...failed, ...resolved.diagnostics],
  };
}

/** The folder for the user's new rules, which a running proxy reads. */
export function ownRuleFolder({ ruleFolders, path }: Pick<LoadedConfig, "ruleFolders" | "path">): string {
  return ruleFolders[0]?.path ?? dirname(path);
}

/** A default folder. In a clone, `rules` is the folder of the rules that ship, so the user's own is another one. */
function ownFolder(folder: string, place: string): string {
  const isShipped = resolve(place, DEFAULT_FOLDER) === resolve(SHIPPED_FOLDER);
  return isShipped ? folder.replace(DEFAULT_FOLDER, OWN_FOLDER_IN_CLONE) : folder;
}

const KEY_FILE_BYTES_MAX = 64 * 1024;

/** The text of a file with a key; undefined if it cannot be read. */
function readKeyFile(path: string): string | undefined {
  try {
    const { isFile, size } = Deno.statSync(path);
    return isFile && size <= KEY_FILE_BYTES_MAX ? Deno.readTextFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}
