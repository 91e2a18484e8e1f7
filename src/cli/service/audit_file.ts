/** Appends to the audit log's file and rotates it, readable by its owner only. Links are removed, never followed. @module */
import { dirname } from "node:path";
import type { AuditDisk } from "../../admin/audit/writer.ts";
import { linkOut } from "./linked_path.ts";
import { mayWrite } from "./may_write.ts";

interface AuditFileOptions {
  readonly path: string;
  readonly keep: number;
  /** The folder that no symbolic link may lead out of; by default that of the file. */
  readonly folder?: string;
  readonly removed?: (path: string) => void;
}

/** The file; it opens with the first line. */
export function auditFile(
  { path, keep, folder = dirname(path), removed = () => {} }: AuditFileOptions,
): AuditDisk {
  const removeLink = async (link: string) => {
    await Deno.remove(link);
    removed(link);
  };
  return {
    async size() {
      await mayWrite(path);
      await makeFolder(dirname(path));
      try {
        return (await Deno.stat(path)).size;
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return 0;
        throw error;
      }
    },
    async append(bytes) {
      // Checked with every write, because a link can appear while Dragoman runs.
      const reason = await linkOut(path, { folder });
      if (reason !== undefined) throw new Error(reason);
      const file = await Deno.open(path, { append: true, create: true, mode: 0o600 });
      try {
        for (let written = 0; written < bytes.length;) written += await file.write(bytes.subarray(written));
      } finally {
        file.close();
      }
    },
    async rotate() {
      // What was written through a link is where the link leads.
      if (await isLink(path)) return await removeLink(path);
      if (keep === 0) return await Deno.remove(path);
      for (let number = keep - 1; number >= 0; number--) {
        const file = number === 0 ? path : oldFile(path, number);
        if (await isLink(file)) await removeLink(file);
        else await move(file, oldFile(path, number + 1));
      }
    },
  };
}

/** Opens the file as every write does; throws what stops it. */
export async function tryAuditFile({ path, keep, folder = dirname(path) }: AuditFileOptions): Promise<void> {
  await mayWrite(path, ...Array.from({ length: keep }, (_, at) => oldFile(path, at + 1)));
  await makeFolder(dirname(path));
  const reason = await linkOut(path, { folder });
  if (reason !== undefined) throw new Error(reason);
  (await Deno.open(path, { append: true, create: true, mode: 0o600 })).close();
}

/** The path of an old file; 1 is the newest. */
function oldFile(path: string, number: number): string {
  return `${path}.${number}`;
}

/** Why something in the place of an old file isn't one, for each that isn't. */
export async function wrongOldFiles(
  { path, keep }: Pick<AuditFileOptions, "path" | "keep">,
): Promise<string[]> {
  const reasons: string[] = [];
  for (let number = 1; number <= keep; number++) {
    const file = oldFile(path, number);
    const info = await Deno.lstat(file).catch(() => undefined);
    if (info?.isSymlink) {
      reasons.push(`${file} is a link to ${await Deno.readLink(file).catch(() => "nowhere")}`);
    } else if (info !== undefined && !info.isFile) reasons.push(`${file} is not a file`);
  }
  return reasons;
}

async function isLink(path: string): Promise<boolean> {
  return (await Deno.lstat(path).catch(() => undefined))?.isSymlink === true;
}

/**
 * Creates a folder. It leaves an existing one alone, because for that Deno would ask for the permission to write to all of
 * it, and the task `start` denies its sources.
 */
export async function makeFolder(path: string): Promise<void> {
  const isFolder = await Deno.stat(path).then((info) => info.isDirectory, () => false);
  if (isFolder) return;
  await mayWrite(path);
  await Deno.mkdir(path, { recursive: true });
}

async function move(from: string, to: string): Promise<void> {
  try {
    await Deno.rename(from, to);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
