/** Writes captures, one file each for their owner alone. If the disk fails, they are lost, and answers continue. @module */
import { join } from "node:path";
import type { Capture } from "../../analysis/replay/capture.ts";
import { visibleJson } from "../../engine/diagnostic/visible.ts";
import { makeFolder } from "./audit_file.ts";
import { linkOut } from "./linked_path.ts";
import { mayWrite } from "./may_write.ts";

const WRITING_MAX = 16;

/** The most captures that a run of the server writes, and how many characters they have together. */
const CAPTURES_MAX = 10_000;
const CHARACTERS_MAX = 512 * 1024 * 1024;

interface CaptureFolderOptions {
  readonly path: string;
  /** The folder that no symbolic link may lead out of. */
  readonly folder: string;
  readonly report: (cause: string) => void;
  /** The most captures to write; by default `CAPTURES_MAX`. */
  readonly capturesMax?: number;
}

interface CaptureFolder {
  /** Takes a capture and gives its file once it is written; undefined: it is lost. */
  keep(capture: Capture): Promise<string | undefined>;
  /** Resolves when every capture is written or lost. */
  flush(): Promise<void>;
}

/** Opens a folder; the first capture creates it. */
export function captureFolder(options: CaptureFolderOptions): CaptureFolder {
  const { path, folder, report, capturesMax = CAPTURES_MAX } = options;
  const writing = new Set<Promise<unknown>>();
  let isReported = false;
  let count = 0;
  let length = 0;
  const reportOnce = (cause: string) => {
    if (!isReported) report(cause);
    isReported = true;
  };
  const write = async (capture: Capture) => {
    try {
      await mayWrite(path);
      await makeFolder(path);
      const file = join(path, fileName(capture));
      const reason = await linkOut(file, { folder });
      if (reason !== undefined) throw new Error(reason);
      const text = `${visibleJson(capture, 2)}\n`;
      count++;
      length += text.length;
      await Deno.writeTextFile(file, text, { mode: 0o600 });
      return file;
    } catch (error) {
      reportOnce(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
  return {
    keep(capture) {
      if (count + writing.size >= capturesMax || length >= CHARACTERS_MAX) {
        reportOnce(`${count} answers are recorded, which is the limit for one run. Restart to record more`);
        return Promise.resolve(undefined);
      }
      if (writing.size >= WRITING_MAX) return Promise.resolve(undefined);
      const task = write(capture).finally(() => writing.delete(task));
      writing.add(task);
      return task;
    },
    flush: async () => void await Promise.all(writing),
  };
}

/** Makes the folder and writes into it as a capture does; throws what stops it. */
export async function tryCaptureFolder(
  { path, folder }: Pick<CaptureFolderOptions, "path" | "folder">,
): Promise<void> {
  await mayWrite(path);
  await makeFolder(path);
  const file = join(path, `.try-${crypto.randomUUID()}`);
  const reason = await linkOut(file, { folder });
  if (reason !== undefined) throw new Error(reason);
  await Deno.writeTextFile(file, "", { createNew: true, mode: 0o600 });
  await Deno.remove(file);
}

function fileName({ time, request }: Capture): string {
  return `${time.replaceAll(":", "-")}_${request.slice(0, 8)}.json`;
}
