/**
 * What a bundler makes of the library: the bytes that a page loads, minified and compressed.
 *
 * @module
 */
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const ROOT = new URL("../../", import.meta.url).pathname;

/** What is measured → what a program imports, and the goal in bytes. */
export const BUNDLES = {
  "engine": { imports: ["mod.ts"], goal: 40_000 },
  "engine and shipped rules": { imports: ["mod.ts", "shipped.ts"], goal: 47_000 },
  "fetch, with the engine and the rules": { imports: ["connection/fetch.ts"], goal: 60_000 },
  "AI SDK middleware, with the engine and the rules": { imports: ["connection/ai_sdk.ts"], goal: 60_000 },
} as const;

export interface Bundle {
  readonly name: string;
  /** Minified bytes that are loaded at once; what is imported on demand doesn't count. */
  readonly bytes: number;
  /** The same, compressed with gzip -9. */
  readonly compressed: number;
  readonly goal: number;
}

export async function measureBundles(): Promise<Bundle[]> {
  const folder = await Deno.makeTempDir({ prefix: "dragoman-sizes-" });
  try {
    return await Promise.all(
      Object.entries(BUNDLES).map(async ([name, { imports, goal }], index) => {
        const entry = join(folder, `entry_${index}.ts`);
        const output = join(folder, `bundle_${index}`);
        const lines = imports.map((path) => `export * from "file://${join(ROOT, "src/library", path)}";\n`);
        await Deno.writeTextFile(entry, lines.join(""));
        const flags = [
          "--quiet",
          "--no-config",
          "--platform",
          "browser",
          "--minify",
          "--code-splitting",
          "--outdir",
          output,
        ];
        const command = new Deno.Command(Deno.execPath(), {
          args: ["bundle", ...flags, entry],
          stdout: "null",
        });
        const { success, stderr } = await command.output();
        if (!success) throw new Error(new TextDecoder().decode(stderr));
        const texts = await loadedAtOnce(output, `entry_${index}.js`);
        const sizes = texts.map((text) => gzipSync(text, { level: 9 }).length);
        const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
        return { name, bytes: sum(texts.map(({ length }) => length)), compressed: sum(sizes), goal };
      }),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A script and those that it imports, without those that it imports on demand. */
async function loadedAtOnce(folder: string, entry: string): Promise<string[]> {
  const seen = new Map<string, string>();
  const waiting = [entry];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue;
    const text = await Deno.readTextFile(join(folder, name));
    seen.set(name, text);
    for (const [, target = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) waiting.push(target);
  }
  return [...seen.values()];
}
