/** A snapshot of watched files: time, length and identity of each. No file is opened, so a pipe can't block it. @module */
import { readdirSync, statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isYaml } from "../../engine/document/load.ts";

/** What to watch; all paths are absolute. */
export interface WatchedPaths {
  /** Folders whose `.yaml` and `.yml` files are watched. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** The most files of a folder that a snapshot has. */
const FILES_MAX = 2000;

/** A text that differs once a file or a folder is made, changed, replaced or removed. */
export async function takeSnapshot({ folders, files }: WatchedPaths): Promise<string> {
  const lines: string[] = [];
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => undefined);
    for (const path of shown(folder, names)) {
      lines.push(lineOf(path, await stat(path).catch(() => undefined)));
    }
    lines.push(folderLine(folder, names));
  }
  for (const file of files) lines.push(lineOf(file, await stat(file).catch(() => undefined)));
  return lines.join("\n");
}

/** The same at once, so that nothing can change between what is read next and the snapshot. */
export function snapshotNow({ folders, files }: WatchedPaths): string {
  const lines: string[] = [];
  for (const folder of folders) {
    const names = attempt(() => readdirSync(folder));
    for (const path of shown(folder, names)) lines.push(lineOf(path, attempt(() => statSync(path))));
    lines.push(folderLine(folder, names));
  }
  for (const file of files) lines.push(lineOf(file, attempt(() => statSync(file))));
  return lines.join("\n");
}

function shown(folder: string, names: readonly string[] = []): string[] {
  return names.filter(isYaml).sort().slice(0, FILES_MAX).map((name) => join(folder, name));
}

function folderLine(folder: string, names: readonly string[] | undefined): string {
  return `${folder} ${names !== undefined}`;
}

function lineOf(path: string, info: ReturnType<typeof statSync>): string {
  return info === undefined ? path : [path, info.mtimeMs, info.ctimeMs, info.size, info.ino].join(" ");
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
