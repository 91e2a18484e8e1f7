/**
 * Builds the npm package `dragoman-engine`: the engine as a library, without anything that runs only in Deno.
 *
 *     deno task library [FOLDER]      # writes FOLDER/dragoman-engine-VERSION.tgz; the default folder is dist
 *
 * Every entry is a file, and what several of them need is in chunks, so one program has one copy of the engine. The code
 * keeps its names. Declarations have no types of other packages.
 *
 * @module
 */
import { dirname, join, relative, resolve } from "node:path";
import project from "../../../deno.json" with { type: "json" };
import { copyForBundle } from "./copy.ts";
import { run } from "./package.ts";
import { packagedPage } from "./packaged_page.ts";
import { pathsIn, renameChunks } from "./chunk_names.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..", "..");

/** Subpath of the package → its source, below `src/library`. */
export const ENTRIES: Readonly<Record<string, string>> = {
  ".": "mod.ts",
  "./rules": "shipped.ts",
  "./fetch": "connection/fetch.ts",
  "./ai-sdk": "connection/ai_sdk.ts",
  "./prompted": "prompted.ts",
  "./compile": "compile.ts",
};

const SOURCES = ["src", "rules", "deno.json", "deno.lock"];

/**
 * What every entry, and every file that one loads on demand, loads in the copy for the bundler: it puts what the same ones load into
 * one chunk, and each further file costs a program time before its first answer.
 */
const ENGINE = `src/library/${ENTRIES["."]}`;

/** The folder of the files that entries load on demand. */
const CONNECTIONS = "src/library/connection";

const LIBRARY = "dragoman-engine";

if (import.meta.main) {
  const [folder = "dist"] = Deno.args;
  const started = Deno.env.get("INIT_CWD") ?? Deno.cwd();
  console.log(`Wrote ${await buildLibrary(resolve(started, folder))}`);
}

/** Builds the package into a folder and returns the path of its file. */
export async function buildLibrary(output: string): Promise<string> {
  const work = await Deno.makeTempDir({ prefix: "dragoman-library-" });
  try {
    const folder = join(work, "package");
    await writeLibrary(folder, join(work, "sources"));
    await Deno.mkdir(output, { recursive: true });
    const npm = Deno.build.os === "windows" ? "npm.cmd" : "npm";
    await run(npm, ["pack", "--silent", "--ignore-scripts", "--pack-destination", output], folder);
    return join(output, `${LIBRARY}-${project.version}.tgz`);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** Writes the package's files into a folder; `sources` is one for a changed copy of the sources. */
async function writeLibrary(folder: string, sources: string): Promise<void> {
  const output = join(folder, "dist");
  await copySources(sources);
  await bundleLibrary(output, sources);
  await writeDeclarations(output, sources);
  await Deno.writeTextFile(join(folder, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  await Deno.copyFile(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  const page = await Deno.readTextFile(join(ROOT, "src", "docs", "reference", "library.md"));
  await Deno.writeTextFile(join(folder, "README.md"), packagedPage(page, () => false));
}

/** Copies what `bundleLibrary` reads, changed as the bundler needs it. */
export async function copySources(sources: string): Promise<void> {
  for (const name of SOURCES) await copyForBundle(join(ROOT, name), join(sources, name));
  await Deno.writeTextFile(join(sources, "deno.json"), JSON.stringify(forDeclarations()));
  await writeRulesAsText(sources);
  const connections = Array.from(
    Deno.readDirSync(join(sources, CONNECTIONS)),
    ({ name }) => `${CONNECTIONS}/${name}`,
  );
  for (const path of new Set([...entryPaths().slice(1), ...connections])) {
    const engine = `import "./${relative(dirname(path), ENGINE).replaceAll("\\", "/")}";\n`;
    await Deno.writeTextFile(join(sources, path), engine + await Deno.readTextFile(join(sources, path)));
  }
}

/** Puts the compiled rules into a string: a program reads JSON in less time than the same object in code. */
async function writeRulesAsText(sources: string): Promise<void> {
  const rules = escapeRare(
    JSON.stringify(JSON.parse(await Deno.readTextFile(join(sources, "rules/compiled.json")))),
  );
  const code = `export default /* @__PURE__ */ JSON.parse(${JSON.stringify(rules)});\n`;
  await Deno.writeTextFile(join(sources, "rules/compiled.js"), code);
  const path = join(sources, "src/library", ENTRIES["./rules"]!);
  const text = await Deno.readTextFile(path);
  const changed = text.replace('rules/compiled.json" with { type: "json" }', 'rules/compiled.js"');
  if (changed === text) throw new Error(`${path} doesn't import the compiled rules`);
  await Deno.writeTextFile(path, changed);
}

/** Writes the package's scripts, of sources that `copySources` wrote. */
export async function bundleLibrary(output: string, sources: string): Promise<void> {
  await Deno.mkdir(output, { recursive: true });
  const flags = ["--quiet", "--platform", "browser", "--code-splitting", "--outdir", output];
  await run(Deno.execPath(), ["bundle", ...flags, ...entryPaths()], sources);
  for await (const name of pathsIn(output)) {
    const path = join(output, name);
    await Deno.writeTextFile(path, escapeRare(await Deno.readTextFile(path)));
  }
  await renameChunks(output);
}

/**
 * Writes characters that aren't ASCII as escapes: one of them doubles a text's memory and the time to read it. The bundler has
 * escaped those in a script's own texts, so its others are in comments.
 */
function escapeRare(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function entryPaths(): string[] {
  return Object.values(ENTRIES).map((path) => `src/library/${path}`);
}

/** The settings without a check of the declarations of others, some of which contradict each other. */
function forDeclarations(): unknown {
  return { ...project, compilerOptions: { ...project.compilerOptions, skipLibCheck: true } };
}

/** Writes the declarations of the entries and of what they name, which is only in `src/library`. */
async function writeDeclarations(output: string, sources: string): Promise<void> {
  const written = join(sources, "declarations");
  await run(
    Deno.execPath(),
    ["transpile", "--quiet", "--declaration", "--outdir", written, ...entryPaths()],
    sources,
  );
  const waiting = Object.values(ENTRIES).map(declarationOf);
  const seen = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    if (path.startsWith("..")) {
      throw new Error(`The declarations name src/library/${path}, which is not part of the package`);
    }
    const text = await Deno.readTextFile(join(written, "src", "library", path));
    // The first line names a folder of this machine, and an import without names has no types.
    const own = text.replace(/^(?:\/\/\/ <amd-module .*|import "[^"]*";)\n/gm, "").replace(
      /(from "\.[^"]+)\.ts"/g,
      '$1.js"',
    );
    for (const [, target = ""] of own.matchAll(/from "(\.[^"]+)\.js"/g)) {
      waiting.push(join(dirname(path), `${target}.d.ts`).replaceAll("\\", "/"));
    }
    await Deno.mkdir(dirname(join(output, path)), { recursive: true });
    await Deno.writeTextFile(join(output, path), own);
  }
}

function declarationOf(source: string): string {
  return source.replace(/\.ts$/, ".d.ts");
}

function manifest(): unknown {
  const files = Object.entries(ENTRIES).map(([subpath, source]) => [subpath, {
    types: `./dist/${declarationOf(source)}`,
    default: `./dist/${source.replace(/\.ts$/, ".js")}`,
  }]);
  return {
    name: LIBRARY,
    version: project.version,
    description: "Reads the tool calls that language models print as text, while they stream",
    keywords: [
      "llm",
      "tool-calls",
      "function-calling",
      "ai-sdk",
      "openai",
      "langchain",
      "parser",
      "streaming",
    ],
    license: project.license,
    type: "module",
    sideEffects: false,
    exports: { ...Object.fromEntries(files), "./package.json": "./package.json" },
    files: ["dist"],
    engines: { node: ">=20.19" },
  };
}
