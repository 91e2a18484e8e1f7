/**
 * Watches folders of YAML files and single files, even before they exist, and reports changes once they pause. It looks
 * at them every half second and opens none. The system's own watch isn't used: a pipe that is made in a folder stops it
 * and then the whole program, and it learns nothing of some network drives.
 *
 * @module
 */
import { snapshotNow, takeSnapshot, type WatchedPaths } from "./file_snapshot.ts";

interface WatchOptions {
  readonly lookMs?: number;
  /** How long changes must pause before `onChange` is called. */
  readonly quietMs?: number;
  /** The snapshot when the files were read; by default that of now. */
  readonly known?: string;
  /** Called after changes; calls never overlap. */
  readonly onChange: () => Promise<void>;
  /** Called if `onChange` fails. The watch continues. */
  readonly onFailure: (cause: unknown) => void;
}

export interface Watch {
  /** Watches other paths instead. What changes in them from now on is reported. */
  move(paths: WatchedPaths): void;
  /** Ends the watch; resolves when it looks at nothing more. */
  stop(): Promise<void>;
  /** Ends the watch; resolves when a running `onChange` is over. */
  close(): Promise<void>;
}

const LOOK_MS = 500;

/** An editor writes a file in several steps, which take less than this time. */
const QUIET_MS = 100;

/** Changes that never pause are reported after this time. */
const PATIENCE_MS = 500;

export function watchPaths(paths: WatchedPaths, options: WatchOptions): Watch {
  const { lookMs = LOOK_MS, quietMs = QUIET_MS } = options;
  let watched = paths;
  /** What was reported last. */
  let known = options.known ?? snapshotNow(paths);
  /** A change that isn't reported yet, because more may follow. */
  let pending: { readonly snapshot: string; readonly since: number } | undefined;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looking = Promise.resolve();
  let taking = Promise.resolve("");

  const look = async () => {
    const asked = watched;
    const snapshot = await (taking = takeSnapshot(asked));
    if (isClosed || asked !== watched || snapshot === known) {
      pending = undefined;
      return lookMs;
    }
    const now = performance.now();
    const since = pending?.since ?? now;
    if (snapshot !== pending?.snapshot && now - since < PATIENCE_MS) {
      pending = { snapshot, since };
      return quietMs;
    }
    pending = undefined;
    known = snapshot;
    await options.onChange().catch(options.onFailure);
    return lookMs;
  };
  const next = (ms: number) => {
    if (isClosed) return;
    timer = setTimeout(() => looking = look().then(next), ms);
  };
  next(lookMs);
  const stop = async () => {
    isClosed = true;
    clearTimeout(timer);
    await taking;
  };
  return {
    stop,
    move(other) {
      watched = other;
      known = snapshotNow(other);
    },
    async close() {
      await stop();
      await looking;
    },
  };
}
