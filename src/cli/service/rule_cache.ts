/**
 * The file in the user's cache that keeps the checked rules of the last start (`engine/rule/stored.ts`).
 *
 * What is in it is used without a check, so only the user may write it: the folder is the user's alone, as the program
 * makes it, or the file isn't read. A file that is damaged, can't be read or can't be written only makes the next start
 * slower.
 *
 * @module
 */
import { isAbsolute, join } from "node:path";
import project from "../../../deno.json" with { type: "json" };
import { readTextFile } from "../../engine/document/load.ts";
import { hashOf } from "../../engine/document/hash.ts";
import type { RuleCache } from "../../engine/rule/stored.ts";
import { DISTRIBUTION } from "./distribution.ts";
import type { CliContext } from "./context.ts";

/** How long writing waits: the first requests come first. */
const DELAY_MS = 1000;

/** The permissions of anyone but the owner. */
const OTHERS = 0o077;

/** The cache; undefined if the environment names no folder for it. */
export function openRuleCache(
  context: Pick<CliContext, "readEnvironment">,
  { delayMs = DELAY_MS }: { readonly delayMs?: number } = {},
): RuleCache | undefined {
  const folder = cacheFolder(context);
  if (folder === undefined) return undefined;
  const path = join(folder, "rules.json");
  return {
    by: () => `${project.version} ${codeStamp()}`,
    async read() {
      if (!isAllowed("read", folder) || !isOwn(folder)) return undefined;
      const { files } = await readTextFile(path, { workingDirectory: folder, isRegular: true });
      const [hash = "", ...lines] = (files[0]?.text ?? "").split("\n");
      const text = lines.join("\n");
      return hashOf(text) === hash ? text : undefined;
    },
    keep(write) {
      if (!isAllowed("write", folder)) return;
      Deno.unrefTimer(setTimeout(() => replace(folder, { path, text: write() }), delayMs));
    },
  };
}

/** The program's folder among those in which programs of the user cache; undefined if the environment names none. */
export function cacheFolder({ readEnvironment }: Pick<CliContext, "readEnvironment">): string | undefined {
  const [named = "", home = "", local] = ["XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"].map(readEnvironment);
  if (isAbsolute(named)) return join(named, "dragoman");
  if (local !== undefined) return join(local, "dragoman", "cache");
  return isAbsolute(home) ? join(home, ".cache", "dragoman") : undefined;
}

/** Deno would ask a person at a terminal for a permission that it doesn't have. */
function isAllowed(name: "read" | "write", path: string): boolean {
  return Deno.permissions.querySync({ name, path }).state === "granted";
}

/** Whether a folder is one that no other user can open; Windows keeps such a folder in the user's profile. */
function isOwn(folder: string): boolean {
  try {
    const { isDirectory, mode } = Deno.lstatSync(folder);
    return isDirectory && ((mode ?? 0) & OTHERS) === 0;
  } catch {
    return false;
  }
}

/** Writes a file in one step, so that no other process reads half of it. */
function replace(folder: string, { path, text }: { readonly path: string; readonly text: string }): void {
  const part = `${path}.${crypto.randomUUID()}`;
  try {
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwn(folder)) return;
    Deno.writeTextFileSync(part, `${hashOf(text)}\n${text}`, { createNew: true, mode: 0o600 });
    Deno.renameSync(part, path);
  } catch {
    // A full disk, or a folder that can't be written: the rules are read again at the next start.
  }
}

/** What differs if the code that reads rules does: nothing in a release; in a clone, its files and the parsers' versions. */
function codeStamp(): string {
  if (DISTRIBUTION !== "source") return "";
  const root = join(import.meta.dirname!, "..", "..", "..");
  return hashOf([join(root, "deno.lock"), join(root, "src", "engine")].flatMap(stampsOf).sort().join("\n"));
}

/** The size and time of a file, or of each file in a folder. */
function stampsOf(path: string): string[] {
  const { isDirectory, size, mtime } = Deno.statSync(path);
  if (isDirectory) return [...Deno.readDirSync(path)].flatMap(({ name }) => stampsOf(join(path, name)));
  return [`${path} ${size} ${mtime?.getTime()}`];
}
