/**
 * Builds the page at `/_dragoman/`: bundles `src/admin/page` into `src/admin/page/built`, which is checked in, so that a clone, the npm
 * package and the binary serve the same bytes without building anything.
 *
 *     deno task page
 *
 * What a view imports on demand becomes a file of its own, with its hash in its name. The entries keep their names, and the
 * first page names the hash of those that it loads. A browser keeps files whose address has a hash; it checks the others.
 * Each file is also written compressed, `main.js.br` and `main.js.gz`, so that the server doesn't spend time on it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { pathsIn, renameChunks } from "./chunk_names.ts";
import { copyForBundle } from "./copy.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..", "..");

const SOURCES = join(ROOT, "src", "admin", "page");

export const BUILT = join(SOURCES, "built");

/** The scripts that a page or a worker starts with, and the styles, from the folder of the sources. */
const ENTRIES: readonly string[] = [
  "main.ts",
  "playground/worker.ts",
  "style.css",
  "playground/playground.css",
];

const READ: readonly string[] = ["src", "deno.json", "tests/deno.json", "tests/deno.lock"];

if (import.meta.main) {
  await buildPage(BUILT);
  for (const { path, bytes, compressed } of await sizesIn(BUILT)) {
    console.log(`${String(bytes).padStart(8)} ${String(compressed).padStart(8)} compressed  ${path}`);
  }
}

/** Builds the page into a folder, which is emptied first. */
export async function buildPage(output: string): Promise<void> {
  await Deno.remove(output, { recursive: true }).catch(() => undefined);
  await Deno.mkdir(output, { recursive: true });
  await bundlePage(output, ENTRIES);
  const page = await Deno.readTextFile(join(SOURCES, "index.html"));
  await Deno.writeTextFile(join(output, "index.html"), await withHashes(page, output));
  for (const path of await filesIn(output)) await compress(join(output, path));
}

async function compress(file: string): Promise<void> {
  const bytes = await Deno.readFile(file);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await Deno.writeFile(`${file}.br`, brotliCompressSync(bytes, { params }));
  await Deno.writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}

interface BuiltFile {
  /** Its path in the folder, with slashes. */
  readonly path: string;
  readonly bytes: number;
  /** Its size for a browser that takes only gzip. */
  readonly compressed: number;
}

export async function sizesIn(folder: string): Promise<BuiltFile[]> {
  const size = async (path: string) => (await Deno.stat(join(folder, path))).size;
  return await Promise.all(
    (await filesIn(folder)).map(async (path) => ({
      path,
      bytes: await size(path),
      compressed: await size(`${path}.gz`),
    })),
  );
}

/** The paths of a built page, sorted, without the compressed copies. */
async function filesIn(folder: string): Promise<string[]> {
  const paths = await Array.fromAsync(pathsIn(folder));
  return paths.filter((path) => !/\.(?:br|gz)$/.test(path)).sort();
}

/** Bundles entries of a changed copy of the sources into a folder. */
export async function bundlePage(output: string, scripts: readonly string[]): Promise<void> {
  const copy = await Deno.makeTempDir({ prefix: "dragoman-page-" });
  try {
    for (const name of READ) await copyForBundle(join(ROOT, name), join(copy, name));
    const flags = ["--quiet", "--platform", "browser", "--minify", "--code-splitting", "--outdir", output];
    const entries = scripts.map((entry) => join("src", "admin", "page", entry));
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["bundle", "--config", join("tests", "deno.json"), ...flags, ...entries],
      cwd: copy,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    if (!success) throw new Error(`deno bundle failed:\n${new TextDecoder().decode(stderr)}`);
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
  await renameChunks(output);
}

/** Names the hash of each file that the page names: `app/main.js` → `app/main.js?v=0123456789abcdef`. */
async function withHashes(page: string, folder: string): Promise<string> {
  let changed = page;
  for (const [, path = ""] of page.matchAll(/"app\/([^"]+)"/g)) {
    const content = await Deno.readFile(join(folder, path));
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
    changed = changed.replaceAll(`"app/${path}"`, `"app/${path}?v=${hash}"`);
  }
  return changed;
}
