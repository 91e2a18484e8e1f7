/**
 * Names the chunks of a bundle after what is in them, so that every machine builds the same files. The bundler's own names
 * depend on the folder where Deno keeps its packages:
 *
 *     chunk-2JA6YJMZ.js here, chunk-WTHZU4DB.js there  ─▶  chunk-9f86d081.js
 *
 * @module
 */
import { createHash } from "node:crypto";
import { join } from "node:path";

const CHUNK = /^(.+)-[A-Z0-9]{8}\.js$/;

const HASH_LENGTH = 8;

/** The scripts of a folder under new names, which their importers have. Throws if scripts import each other in a circle. */
export function nameChunks(files: ReadonlyMap<string, string>): Map<string, string> {
  const chunks = [...files.keys()].filter((name) => CHUNK.test(name));
  const names = new Map<string, string>();
  const named = new Map<string, string>();
  const open = new Set<string>();
  const nameOf = (old: string): string => {
    const known = names.get(old);
    if (known !== undefined) return known;
    if (open.has(old)) throw new Error(`The chunks ${[...open].join(", ")} import each other`);
    open.add(old);
    const text = withNewNames(old);
    open.delete(old);
    const [, base] = CHUNK.exec(old) ?? [];
    const hash = createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH);
    const name = base === undefined ? old : `${base}-${hash}.js`;
    names.set(old, name);
    named.set(name, text);
    return name;
  };
  const withNewNames = (name: string): string => {
    let text = files.get(name) ?? "";
    for (const chunk of chunks) {
      if (chunk !== name && text.includes(chunk)) text = text.replaceAll(chunk, nameOf(chunk));
    }
    return text;
  };
  for (const name of files.keys()) nameOf(name);
  return named;
}

/** Gives the chunks in a folder names that are the same on every machine. */
export async function renameChunks(folder: string): Promise<void> {
  const scripts = new Map<string, string>();
  for await (const path of pathsIn(folder)) {
    if (path.endsWith(".js")) scripts.set(path, await Deno.readTextFile(join(folder, path)));
  }
  for (const path of scripts.keys()) await Deno.remove(join(folder, path));
  for (const [path, text] of nameChunks(scripts)) await Deno.writeTextFile(join(folder, path), text);
}

export async function* pathsIn(folder: string, parent = ""): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(join(folder, parent))) {
    const path = `${parent}${name}`;
    if (isDirectory) yield* pathsIn(folder, `${path}/`);
    else yield path;
  }
}
