/** Reads captures from files and folders. @module */
import { basename, join } from "node:path";
import * as z from "zod";
import { reasonOf } from "../../engine/document/load.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { type Capture, captureSchema } from "./capture.ts";

interface ReadCaptures {
  readonly captures: readonly { readonly name: string; readonly capture: Capture }[];
  readonly problems: readonly string[];
}

/** Reads captures; in a folder, every file that ends in `.json`. */
export async function readCaptures(paths: readonly string[]): Promise<ReadCaptures> {
  const captures: { name: string; capture: Capture }[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    for (const file of await filesOf(path)) {
      try {
        const capture = captureSchema.parse(parseJson(await Deno.readTextFile(file)));
        captures.push({ name: basename(file), capture });
      } catch (error) {
        const cause = error instanceof z.ZodError ? "it is not a capture" : reasonOf(error);
        problems.push(`Cannot read ${file}: ${cause}`);
      }
    }
  }
  return { captures, problems };
}

async function filesOf(path: string): Promise<string[]> {
  try {
    const files: string[] = [];
    for await (const entry of Deno.readDir(path)) {
      if (entry.isFile && entry.name.endsWith(".json")) files.push(join(path, entry.name));
    }
    return files.sort();
  } catch {
    // This is a file, or it does not exist; reading it shows which.
    return [path];
  }
}
