/**
 * Captures on the disk, one file each. In: captures, at any time. Out: files that only their owner can read; a disk
 * that does not take them costs captures, never an answer, and is told once.
 *
 * @module
 */
import { join } from "node:path";
import type { Capture } from "../audit/capture.ts";

/** The most files that are being written at a time. */
const WRITING_MAX = 16;

/** Where captures go, and who hears of trouble. */
export interface CaptureFolderOptions {
  /** The absolute path of the folder. */
  readonly path: string;
  /** Hears once that captures are lost. */
  readonly report: (cause: string) => void;
}

/** A folder that takes captures. */
export interface CaptureFolder {
  /** Takes a capture; returns at once. */
  keep(capture: Capture): void;
  /** Resolves when all that were taken are written or lost. */
  flush(): Promise<void>;
}

/** Opens a folder; it is made with the first capture. */
export function captureFolder({ path, report }: CaptureFolderOptions): CaptureFolder {
  const writing = new Set<Promise<void>>();
  let isTold = false;
  const write = async (capture: Capture) => {
    try {
      const { state } = await Deno.permissions.query({ name: "write", path });
      if (state !== "granted") {
        throw new Error(`Deno may not write there; start it with --allow-write=${path}`);
      }
      await Deno.mkdir(path, { recursive: true });
      const name = `${capture.time.replaceAll(":", "-")}_${capture.request.slice(0, 8)}.json`;
      await Deno.writeTextFile(join(path, name), `${JSON.stringify(capture, null, 2)}\n`, { mode: 0o600 });
    } catch (error) {
      if (!isTold) report(error instanceof Error ? error.message : String(error));
      isTold = true;
    }
  };
  return {
    keep(capture) {
      if (writing.size >= WRITING_MAX) return;
      const task: Promise<void> = write(capture).finally(() => writing.delete(task));
      writing.add(task);
    },
    flush: async () => void await Promise.all(writing),
  };
}
