/**
 * Captures from the disk. In: files and folders. Out: what could be read, and what could not.
 *
 * @module
 */
import { basename, join } from "node:path";
import { z } from "zod";
import type { Capture } from "../audit/capture.ts";

/** What was read. */
export interface ReadCaptures {
  /** The captures, by the names of their files. */
  readonly captures: readonly { readonly name: string; readonly capture: Capture }[];
  /** What could not be read, a sentence each. */
  readonly problems: readonly string[];
}

const captureSchema = z.object({
  v: z.literal(1),
  time: z.string(),
  request: z.string(),
  client: z.string(),
  model: z.string().nullable(),
  tools: z.array(z.looseObject({})),
  system: z.string().nullable(),
  text: z.string(),
  calls: z.array(z.object({ tool: z.string(), rule: z.string(), arguments: z.string() })),
  refused: z.array(z.string()),
});

/** Reads captures; of a folder, every file that ends in `.json`. */
export async function readCaptures(paths: readonly string[]): Promise<ReadCaptures> {
  const captures: { name: string; capture: Capture }[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    for (const file of await filesOf(path)) {
      try {
        const capture = captureSchema.parse(JSON.parse(await Deno.readTextFile(file)));
        captures.push({ name: basename(file), capture: capture as Capture });
      } catch (error) {
        const cause = error instanceof z.ZodError || error instanceof SyntaxError
          ? "it is no capture"
          : String(error);
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
    // A file, or nothing: reading it says which.
    return [path];
  }
}
