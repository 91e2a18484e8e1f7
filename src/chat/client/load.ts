/** Loads clients from the disk: the built-in ones and those of further folders. @module */
import { join } from "node:path";
import { readGuarded } from "../../engine/document/guard.ts";
import { type Folder, readShipped, readYamlFolders } from "../../engine/document/load.ts";
import type { TextFile } from "../../engine/document/text_file.ts";
import { BUILT_IN_CLIENTS } from "./folder.ts";
import type { LoadedClients } from "./read.ts";
import { isReadyFor, readReadyClients, READY_CLIENTS_FILE } from "./ready.ts";

interface LoadClientsOptions {
  /** Folders besides the built-in one; a later one's client replaces an earlier one's of the same name. */
  readonly folders: readonly Folder[];
  /** Client files that were read already; they replace clients of all folders. */
  readonly texts?: readonly TextFile[];
  readonly workingDirectory: string;
}

export async function loadClients(options: LoadClientsOptions): Promise<LoadedClients> {
  const all = [{ path: BUILT_IN_CLIENTS, isRequired: true }, ...options.folders];
  const read = await readYamlFolders(all, options);
  const texts = options.texts ?? [];
  const named = new Set(texts.map(({ file }) => file));
  const folders = read.folders.map((files) => files.filter(({ file }) => !named.has(file)));
  const ready = readyClients([...folders, texts]);
  if (ready !== undefined) return { clients: ready, diagnostics: read.diagnostics };
  // Only other clients need the schema, which takes long to load.
  const { readClients } = await import("./read.ts");
  const { value: loaded, diagnostics: failed } = readGuarded([...folders, texts], readClients);
  return { ...loaded, diagnostics: [...read.diagnostics, ...failed, ...loaded.diagnostics] };
}

function readyClients([builtIn = [], ...others]: readonly (readonly TextFile[])[]) {
  return others.some(({ length }) => length > 0) ? undefined : readReadyClients(builtIn, readyText());
}

/** Whether the files of the built-in clients are those that were shipped. */
export function areShippedClients(builtIn: readonly TextFile[]): boolean {
  return isReadyFor(builtIn, readyText());
}

function readyText(): string {
  return readShipped(join(BUILT_IN_CLIENTS, READY_CLIENTS_FILE)) ?? "";
}
