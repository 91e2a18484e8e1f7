/**
 * Watches folders of YAML files and single files, even before they exist, and reports a series of changes once it
 * pauses. It reads no file.
 *
 * @module
 */
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isYaml } from "../../engine/document/load.ts";

/** What to watch; all paths are absolute. */
export interface Places {
  /** Folders whose `.yaml` and `.yml` files are watched. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

interface WatchOptions {
  /** How long changes must pause before `onChange` is called. */
  readonly quietMs?: number;
  /** Called after changes; calls never overlap. */
  readonly onChange: () => Promise<void>;
  /** Called if `onChange` fails. The watch continues. */
  readonly onFailure: (cause: unknown) => void;
  /** Called if the system refuses to watch a folder. */
  readonly onRefusal: (reason: string) => void;
}

export interface Watch {
  /** Watches other places instead. */
  move(places: Places): void;
  /** Ends the watch; resolves when a running `onChange` is over. */
  close(): Promise<void>;
}

/** An editor writes a file in several steps, which take less than this time. */
const QUIET_MS = 100;

/** Changes that never pause are reported after this time. */
const PATIENCE_MS = 500;

export function watchPlaces(places: Places, options: WatchOptions): Watch {
  const { quietMs = QUIET_MS } = options;
  let watched = places;
  let watcher: Deno.FsWatcher | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let firstChange: number | undefined;
  let isBusy = false;
  let isClosed = false;
  let running = Promise.resolve();

  const begin = () => {
    const before = watcher;
    watcher = isClosed ? undefined : openWatcher(watched, options.onRefusal);
    if (watcher !== undefined) {
      const isWatched = watchedPaths(watched);
      listen(watcher, (path) => isWatched(path) && schedule()).catch(options.onFailure);
    }
    // Open the new watcher before closing the old one, so that no change is missed.
    before?.close();
  };
  const schedule = () => {
    if (isClosed) return;
    firstChange ??= performance.now();
    if (isBusy) return;
    clearTimeout(timer);
    const patience = PATIENCE_MS - (performance.now() - firstChange);
    const delayMs = Math.max(0, Math.min(quietMs, patience));
    timer = setTimeout(() => running = change(), delayMs);
  };
  const change = async () => {
    firstChange = undefined;
    isBusy = true;
    // A folder may be new or replaced; only a new watcher sees its files.
    begin();
    try {
      await options.onChange();
    } catch (cause) {
      options.onFailure(cause);
    } finally {
      isBusy = false;
    }
    if (firstChange !== undefined) schedule();
  };

  begin();
  return {
    move(next) {
      watched = next;
      begin();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      begin();
      await running;
    },
  };
}

async function listen(watcher: Deno.FsWatcher, onPath: (path: string) => void): Promise<void> {
  for await (const { kind, paths } of watcher) {
    // Reading a file causes an access event.
    if (kind !== "access") paths.forEach(onPath);
  }
}

function openWatcher(places: Places, onRefusal: (reason: string) => void): Deno.FsWatcher | undefined {
  const folders = [...places.folders, ...places.files.map((file) => dirname(file))];
  // The parent folder reports that a folder is created, removed or replaced.
  const all = new Set(folders.flatMap((folder) => [existing(folder), existing(dirname(folder))]));
  try {
    return Deno.watchFs([...all], { recursive: false });
  } catch (error) {
    onRefusal(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** The folder, or its nearest parent that exists. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}

/**
 * Whether a changed path belongs to places. Their real paths are resolved once: a change that gives a folder another real
 * path is reported by the folder that has its name, and then there is a new watcher.
 */
function watchedPaths(places: Places): (changed: string) => boolean {
  const folders = new Set(places.folders.map(real));
  const files = new Set(places.files.map(real));
  const parents = [...folders, ...places.files.map((file) => real(dirname(file)))];
  return (changed) => {
    const path = real(changed);
    return files.has(path) || (isYaml(path) && folders.has(dirname(path))) ||
      parents.some((folder) => folder === path || folder.startsWith(`${path}/`));
  };
}

/** The canonical name of a path, even if it does not exist: some systems report the folder's real name. */
function real(path: string): string {
  const folder = dirname(path);
  if (folder === path) return path;
  try {
    return join(realpathSync(folder), basename(path));
  } catch {
    return join(real(folder), basename(path));
  }
}
