/**
 * Reads the files of the page from `src/desk/page/built`, each when someone first asks for it. `deno task page` writes each
 * also compressed, next to it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ReadSiteFile, SiteFile } from "../../desk/admin/site.ts";

const FOLDER = join(import.meta.dirname ?? ".", "..", "..", "desk", "page", "built");

/** Reads files of the page and keeps them; the caller checks the path. */
export function readPageFiles(folder: string = FOLDER): ReadSiteFile {
  const files = new Map<string, SiteFile>();
  return async (path) => {
    const known = files.get(path);
    if (known !== undefined) return known;
    const [bytes, br, gzip] = await Promise.all(
      ["", ".br", ".gz"].map((ending) => Deno.readFile(join(folder, path + ending)).catch(() => undefined)),
    );
    if (bytes === undefined || br === undefined || gzip === undefined) return undefined;
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
    const file = { bytes, compressed: { br, gzip }, hash };
    files.set(path, file);
    return file;
  };
}
