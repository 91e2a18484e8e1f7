/**
 * Watches folders of YAML files and single files, those that do not exist yet among them. In: paths. Out: a call
 * some moments after the last of a row of changes. It reads no file and decides nothing.
 *
 * @module
 */
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What to watch; all paths are absolute. */
export interface Places {
  /** Folders whose `.yaml` and `.yml` files count. */
  readonly folders: readonly string[];
  /** Files that count. */
  readonly files: readonly string[];
}

/** How to watch. */
export interface WatchOptions {
  /** How long it has to be quiet before `onChange` is called. */
  readonly quietMs?: number;
  /** Called after changes, never twice at a time. */
  readonly onChange: () => Promise<void>;
  /** Called where the system refuses to watch a folder. */
  readonly onRefusal: (reason: string) => void;
}

/** A running watch. */
export interface Watch {
  /** Watches other places from now on. */
  move(places: Places): void;
  /** Ends the watch. */
  close(): void;
}

/** An editor writes a file in several steps; they are over after this time. */
const QUIET_MS = 100;

/** Changes that never pause are read after this time all the same. */
const PATIENCE_MS = 500;

/** Begins to watch. */
export function watchPlaces(places: Places, options: WatchOptions): Watch {
  const { quietMs = QUIET_MS } = options;
  let watched = places;
  let watcher: Deno.FsWatcher | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let firstChange: number | undefined;
  let isBusy = false;
  let isClosed = false;

  const begin = () => {
    const before = watcher;
    watcher = isClosed ? undefined : openWatcher(watched, options.onRefusal);
    if (watcher !== undefined) void listen(watcher, (path) => isOf(watched, path) && schedule());
    // The new one listens before the old one stops, so that no change falls between them.
    before?.close();
  };
  const schedule = () => {
    if (isClosed) return;
    firstChange ??= performance.now();
    if (isBusy) return;
    clearTimeout(timer);
    const patience = PATIENCE_MS - (performance.now() - firstChange);
    timer = setTimeout(() => void change(), Math.max(0, Math.min(quietMs, patience)));
  };
  const change = async () => {
    firstChange = undefined;
    isBusy = true;
    // A folder may have been made or replaced: its files can be seen only by a new watcher.
    begin();
    await options.onChange();
    isBusy = false;
    if (firstChange !== undefined) schedule();
  };

  begin();
  return {
    move(next) {
      watched = next;
      begin();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      begin();
    },
  };
}

async function listen(watcher: Deno.FsWatcher, onPath: (path: string) => void): Promise<void> {
  for await (const { kind, paths } of watcher) {
    // Our own reading is an access.
    if (kind !== "access") paths.forEach(onPath);
  }
}

function openWatcher(places: Places, onRefusal: (reason: string) => void): Deno.FsWatcher | undefined {
  const folders = [...places.folders, ...places.files.map((file) => dirname(file))];
  // The folder above tells when a folder is made, removed or replaced.
  const all = new Set(folders.flatMap((folder) => [existing(folder), existing(dirname(folder))]));
  try {
    return Deno.watchFs([...all], { recursive: false });
  } catch (error) {
    onRefusal(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** The folder, or the nearest one above it that exists. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}

function isOf({ folders, files }: Places, changed: string): boolean {
  const path = real(changed);
  const wanted = [...folders, ...files.map((file) => dirname(file))].map(real);
  return files.some((file) => real(file) === path) ||
    (/\.ya?ml$/.test(path) && folders.some((folder) => real(folder) === dirname(path))) ||
    wanted.some((folder) => folder === path || folder.startsWith(`${path}/`));
}

/** One name for a path, whether it exists or not: some systems report the folder's real name. */
function real(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}
