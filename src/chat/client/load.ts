/**
 * Loads clients from the disk: the built-in ones and those of further folders.
 *
 * @module
 */
import { readGuarded } from "../../engine/document/guard.ts";
import { type Folder, readYamlFolders } from "../../engine/document/load.ts";
import type { TextFile } from "../../engine/document/text_file.ts";
import { BUILT_IN_CLIENTS } from "./folder.ts";
import { type LoadedClients, readClients } from "./read.ts";

export interface LoadClientsOptions {
  /** Folders besides the built-in one; a later one's client replaces an earlier one's of the same name. */
  readonly folders: readonly Folder[];
  /** Client files that were read already; they replace clients of all folders. */
  readonly texts?: readonly TextFile[];
  /** The absolute path of the working directory, from which paths are shown. */
  readonly workingDirectory: string;
}

/** Reads the built-in clients and those of the folders. */
export async function loadClients(options: LoadClientsOptions): Promise<LoadedClients> {
  const all = [{ path: BUILT_IN_CLIENTS, isRequired: true, isPrepared: true }, ...options.folders];
  const read = await readYamlFolders(all, options);
  const texts = options.texts ?? [];
  const named = new Set(texts.map(({ file }) => file));
  const folders = read.folders.map((files) => files.filter(({ file }) => !named.has(file)));
  const { value: loaded, diagnostics: failed } = readGuarded([...folders, texts], readClients);
  return { ...loaded, diagnostics: [...read.diagnostics, ...failed, ...loaded.diagnostics] };
}
