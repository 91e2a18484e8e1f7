/**
 * Builds the npm package: one JavaScript file with all modules, the command that runs it, and the rules.
 *
 *     deno task package [FOLDER]      # writes FOLDER/dragoman-VERSION.tgz; the default folder is dist
 *
 * `deno bundle` needs two changes of the text: those of `copy.ts`, and a `require`, which CommonJS packages inside the
 * bundle call and a module doesn't have.
 *
 * @module
 */
import { dirname, join, resolve } from "node:path";
import { copyForBundle } from "./copy.ts";
import { packagedPage } from "./packaged_page.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..", "..");

const SOURCES = ["main.ts", "src", "plugins", "deno.json", "deno.lock"];

const REQUIRE =
  'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);\n';

/** Builds the package into a folder and returns the path of its file. */
export async function buildPackage(output: string): Promise<string> {
  const work = await Deno.makeTempDir({ prefix: "dragoman-package-" });
  try {
    const folder = join(work, "package");
    for (const [to, from] of Object.entries(COPIED)) await copyForBundle(join(ROOT, from), join(folder, to));
    for (const page of PAGES) {
      const markdown = await Deno.readTextFile(join(ROOT, page));
      await Deno.writeTextFile(join(folder, page), packagedPage(markdown, isPackaged));
    }
    await writeBundle(join(folder, BUNDLE_FILE), join(work, "sources"));
    const project: Project = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
    const manifest = packageJson(project, Deno.version.deno);
    await Deno.writeTextFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    await Deno.mkdir(output, { recursive: true });
    const npm = Deno.build.os === "windows" ? "npm.cmd" : "npm";
    await run(npm, ["pack", "--silent", "--ignore-scripts", "--pack-destination", output], folder);
    return join(output, `${manifest.name}-${manifest.version}.tgz`);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** Bundles the program; the folder is for the sources as the bundler needs them. */
export async function writeBundle(file: string, sources: string): Promise<void> {
  for (const name of SOURCES) await copyForBundle(join(ROOT, name), join(sources, name));
  const flags = ["--quiet", "--platform", "deno", "--minify", "--keep-names"];
  await Deno.mkdir(dirname(file), { recursive: true });
  await run(Deno.execPath(), ["bundle", ...flags, "--output", file, "main.ts"], sources);
  await Deno.writeTextFile(file, REQUIRE + await Deno.readTextFile(file));
}

export async function run(program: string, args: string[], cwd: string): Promise<void> {
  const command = new Deno.Command(program, { args, cwd, stdin: "null", stdout: "null", stderr: "piped" });
  const { success, stderr } = await command.output();
  if (!success) throw new Error(`${program} ${args[0]} failed:\n${new TextDecoder().decode(stderr)}`);
}

/** What `deno.json` states about the program. */
interface Project {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

export const COMMAND_FILE = "bin/dragoman.cjs";

/** The bundle. It looks for the rules in `../../../rules`, and for the page in `../../admin/page`. */
export const BUNDLE_FILE = "dist/cli/bundle/dragoman.js";

/** File or folder of the package → the one of the repository that it is a copy of. */
export const COPIED: Readonly<Record<string, string>> = {
  [COMMAND_FILE]: "src/cli/build/dragoman.cjs",
  "rules": "rules",
  "dist/admin/page/built": "src/admin/page/built",
  "LICENSE": "LICENSE",
};

/** Pages of the repository that the package has, too. */
const PAGES = ["README.md", "CHANGELOG.md"];

function isPackaged(path: string): boolean {
  return [...PAGES, ...Object.keys(COPIED)].some((one) => path === one || path.startsWith(`${one}/`));
}

/** The `package.json` of the package; the repository has none, so that Deno doesn't take it for a Node project. */
export function packageJson({ name, version, license }: Project, deno: string) {
  return {
    name,
    version,
    description:
      "Proxy between a coding agent and a language model: converts tool calls that the model prints as text into real ones",
    keywords: ["llm", "proxy", "tool-calls", "function-calling", "agent", "openai", "ollama", "vllm"],
    license,
    type: "module",
    bin: { [name]: COMMAND_FILE },
    files: [...Object.keys(COPIED), ...PAGES, BUNDLE_FILE],
    dependencies: { deno },
    engines: { node: ">=18.3" },
  };
}

if (import.meta.main) {
  const [folder = "dist"] = Deno.args;
  const started = Deno.env.get("INIT_CWD") ?? Deno.cwd();
  console.log(`Wrote ${await buildPackage(resolve(started, folder))}`);
}
