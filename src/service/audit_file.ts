/**
 * The audit log's file on the disk: it grows at its end, and old ones are kept as FILE.1, FILE.2 … In: bytes. Out:
 * files that only their owner can read.
 *
 * @module
 */
import { dirname } from "node:path";
import type { AuditDisk } from "../audit/writer.ts";

/** Where the log goes. */
export interface AuditFileOptions {
  /** The absolute path. */
  readonly path: string;
  /** How many old files are kept. */
  readonly keep: number;
}

/** The file; nothing is opened before the first line. */
export function auditFile({ path, keep }: AuditFileOptions): AuditDisk {
  return {
    async size() {
      await allowed(path);
      await Deno.mkdir(dirname(path), { recursive: true });
      try {
        return (await Deno.stat(path)).size;
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return 0;
        throw error;
      }
    },
    async append(bytes) {
      const file = await Deno.open(path, { append: true, create: true, mode: 0o600 });
      try {
        for (let written = 0; written < bytes.length;) written += await file.write(bytes.subarray(written));
      } finally {
        file.close();
      }
    },
    async rotate() {
      if (keep === 0) return await Deno.remove(path);
      for (let number = keep - 1; number >= 0; number--) {
        await move(number === 0 ? path : `${path}.${number}`, `${path}.${number + 1}`);
      }
    },
  };
}

/** A question of Deno to the person at the terminal would hold up everything. */
async function allowed(path: string): Promise<void> {
  const { state } = await Deno.permissions.query({ name: "write", path: dirname(path) });
  if (state !== "granted") {
    throw new Error(`Deno may not write in ${dirname(path)}; start it with --allow-write=${dirname(path)}`);
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await Deno.rename(from, to);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
