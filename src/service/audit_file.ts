/**
 * Appends to the audit log's file and rotates it: old files become FILE.1, FILE.2 … Only their owner can read them.
 *
 * @module
 */
import { dirname } from "node:path";
import type { AuditDisk } from "../audit/writer.ts";

/** The log's file. */
export interface AuditFileOptions {
  /** The absolute path. */
  readonly path: string;
  /** The number of old files to keep. */
  readonly keep: number;
}

/** The file; it opens with the first line. */
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

/** Checks the permission first: a prompt from Deno would block everything. */
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
