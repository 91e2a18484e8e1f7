/**
 * The modules of the packed file, each in the place of its source: a test that imports `src/engine/scan/matcher.ts` gets the
 * code of the package.
 *
 * A script of the package names the source of each of its parts and keeps the names in them. So a copy of it can export
 * everything that its sources export; what the bundler left out, because nothing in the package uses it, comes from the source.
 *
 * @module
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = new URL("../../../", import.meta.url);

/** The first line of a part of a script, with its source. */
const PART = /^\/\/ (\S+\.(?:ts|js|mjs|cjs|json))$/gm;

/** The rooms whose modules are taken. The library's own are the entries. */
const ROOMS = /^src\/(?:engine|chat|wires)\//;

/** A part of a script: the code of one source. */
interface Part {
  readonly source: string;
  readonly code: string;
}

/**
 * Writes a copy of the scripts, and settings for `deno test` with which all sources that are in them are taken from there.
 *
 * @param dist the package's scripts
 * @param folder a folder for the copy
 * @returns the path of the settings
 */
export async function takePackedModules(dist: string, folder: string): Promise<string> {
  const config = JSON.parse(await Deno.readTextFile(new URL("tests/deno.json", ROOT)));
  config.lock = { path: new URL("tests/deno.lock", ROOT).pathname, frozen: true };
  for (const path of scriptsIn(dist)) {
    Deno.mkdirSync(join(folder, path, ".."), { recursive: true });
    const text = Deno.readTextFileSync(join(dist, path));
    const exported: string[] = [];
    for (const { source, code } of partsOf(text)) {
      const shim = await shimOf(source, { code, script: join(folder, path), exported });
      if (shim === undefined) continue;
      const file = join(folder, `${source.replaceAll("/", "_")}.js`);
      Deno.writeTextFileSync(file, shim);
      config.imports[new URL(source, ROOT).href] = pathToFileURL(file).href;
    }
    Deno.writeTextFileSync(join(folder, path), `${text}\nexport { ${exported.join(", ")} };\n`);
  }
  const file = join(folder, "packed_deno.json");
  Deno.writeTextFileSync(file, JSON.stringify(config));
  return file;
}

/** The paths below a folder, from there, of the files that end so. */
export function scriptsIn(folder: string, ending = ".js", parent = ""): string[] {
  return [...Deno.readDirSync(join(folder, parent))].flatMap(({ name, isDirectory }) => {
    const path = `${parent}${name}`;
    return isDirectory ? scriptsIn(folder, ending, `${path}/`) : path.endsWith(ending) ? [path] : [];
  });
}

function partsOf(text: string): Part[] {
  const heads = [...text.matchAll(PART)];
  return heads.map(({ index, 1: source = "" }, at) => ({
    source,
    code: text.slice(index, heads[at + 1]?.index ?? text.length),
  })).filter(({ source }) => ROOMS.test(source));
}

/** What takes a source's place; undefined if it exports no value. Adds what the script has to export for it. */
async function shimOf(
  source: string,
  { code, script, exported }: {
    readonly code: string;
    readonly script: string;
    readonly exported: string[];
  },
): Promise<string | undefined> {
  const url = new URL(source, ROOT).href;
  const names = Object.keys(await import(url));
  const [taken, missing]: [string[], string[]] = [[], []];
  for (const name of names) {
    const own = declaredAs(name, code);
    if (own === undefined) {
      missing.push(name);
      continue;
    }
    const alias = `${source.replace(/\W/g, "_")}_${name}`;
    exported.push(`${own} as ${alias}`);
    taken.push(`${alias} as ${name}`);
  }
  if (taken.length === 0) return undefined;
  const rest = missing.length === 0 ? "" : `export { ${missing.join(", ")} } from "${url}?source";\n`;
  return `export { ${taken.join(", ")} } from "${pathToFileURL(script).href}";\n${rest}`;
}

/** The name of a declaration in a part: the bundler appends a number if the script has it twice. */
function declaredAs(name: string, code: string): string | undefined {
  const declared = [...code.matchAll(/^(?:(?:async )?function\*? |var |let |const |class )([\w$]+)/gm)]
    .map(([, own = ""]) => own);
  return declared.find((own) => own === name) ??
    declared.find((own) => own.startsWith(name) && /^\d+$/.test(own.slice(name.length)));
}
