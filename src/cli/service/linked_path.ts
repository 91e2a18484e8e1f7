/**
 * Refuses to write through a symbolic link that leads out of a folder. Otherwise a project that the user did not write
 * could contain a link `audit.jsonl`, and Dragoman would append to any file of its user.
 *
 *     project/audit.jsonl -> /elsewhere/file     refused
 *     project/logs        -> /mnt/logs           refused: name /mnt/logs itself
 *     project/audit.jsonl -> today.jsonl         followed
 *
 * @module
 */
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Diagnostic, Location } from "../../engine/diagnostic/diagnostic.ts";
import { present } from "../../engine/object/present.ts";

/**
 * Why a path is not written: a link in it leads out of the folder, or nowhere; undefined without one. The folder is the
 * one named, if the path is in it, otherwise the folder of the file. Links above that folder are its owner's business.
 */
export async function linkOut(path: string, { folder }: { folder: string }): Promise<string | undefined> {
  const start = isInside(path, folder) ? resolve(folder) : dirname(path);
  const realStart = await Deno.realPath(start).catch(() => start);
  let at = start;
  for (const name of relative(start, path).split(sep)) {
    at = join(at, name);
    const info = await Deno.lstat(at).catch(() => undefined);
    if (info === undefined) return undefined;
    if (!info.isSymlink) continue;
    const target = await Deno.realPath(at).catch(() => undefined);
    if (target === undefined) return `${at} is a broken link`;
    if (!isInside(target, realStart)) return `${at} is a link to ${target}, which is outside of ${start}`;
  }
  return undefined;
}

export function linkProblem(
  reason: string,
  { what, location }: { what: string; location?: Location | undefined },
): Diagnostic {
  return {
    code: "link_leads_out",
    severity: "error",
    message: `The ${what} is not written through a link: ${reason}`,
    ...present({ location }),
    expected: "a path that has no symbolic link out of its folder",
    help: "use the target of the link, or remove the link",
  };
}

function isInside(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
