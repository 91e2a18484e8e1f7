/**
 * Checks everything that a release needs, and ends in a dry run of `npm publish`. Nothing is published.
 *
 *     deno task release [--skip-tests]
 *
 *     versions ─▶ generated files and Git ─▶ tests ─▶ docs ─▶ packages ─▶ Homebrew's formula ─▶ npm publish --dry-run
 *
 * `dist/release` gets both packages and the formula, whose archive is the package `dragoman`.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import project from "../../../deno.json" with { type: "json" };
import { buildLibrary } from "./library.ts";
import { buildPackage } from "./package.ts";
import { findVersionProblems, type Problem } from "./release_versions.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..", "..");

const OUTPUT = join(ROOT, "dist", "release");

/** The files that name a version, besides the Markdown pages. */
const NAMING = [".ci/run", "rules/compiled.json"];

/** A step gives what is wrong, or nothing. */
type Step = readonly [name: string, run: () => Promise<readonly Problem[]>];

if (import.meta.main) Deno.exit(await release(Deno.args.includes("--skip-tests")));

async function release(isWithoutTests: boolean): Promise<number> {
  const steps: Step[] = [
    ["versions", versionsAgree],
    ["generated files", generatedAreCommitted],
    ...(isWithoutTests ? [] : [["tests", testsPass] as const]),
    ["docs", () => task("site", "src/docs", "follow the message")],
    ["packages", packagesAreWhole],
  ];
  if (isWithoutTests) console.log("SKIPPED tests: don't publish without them");
  for (const [name, run] of steps) {
    const problems = await run();
    console.log(`${problems.length === 0 ? "ok     " : "FAILED "} ${name}`);
    for (const { where, what, fix } of problems) console.error(`${where}: ${what}\n  fix: ${fix}`);
    if (problems.length > 0) return 1;
  }
  console.log(`\nTo publish, tag this commit v${project.version} and run:`);
  for (const file of packageFiles()) console.log(`  npm publish dist/release/${file}`);
  console.log("Then copy dist/release/dragoman.rb into the tap's folder Formula");
  return 0;
}

/** The version is in the CHANGELOG, and every file names it and this Deno. */
async function versionsAgree(): Promise<readonly Problem[]> {
  const tracked = (await run("git", ["ls-files"])).printed.split("\n");
  const paths = tracked.filter((path) => NAMING.includes(path) || /^(?!tests\/).*\.md$/.test(path));
  const files = await Promise.all(
    paths.map(async (path) => [path, await Deno.readTextFile(join(ROOT, path))] as const),
  );
  return findVersionProblems(new Map(files), { program: project.version, deno: Deno.version.deno });
}

/** What is generated is written again; then Git has nothing to commit. */
async function generatedAreCommitted(): Promise<readonly Problem[]> {
  for (const name of ["generate", "page"]) {
    const problems = await task(name, `task ${name}`, "follow the message");
    if (problems.length > 0) return problems;
  }
  const changed = (await run("git", ["status", "--porcelain"])).printed.trimEnd();
  if (changed === "") return [];
  return changed.split("\n").map((line) => ({
    where: line.slice(3),
    what: "The file differs from the last commit, or was generated from other sources",
    fix: "commit it: only a commit can be published",
  }));
}

async function testsPass(): Promise<readonly Problem[]> {
  const { code } = await run("deno", ["task", "test", "--thorough"], { isShown: true });
  return code === 0 ? [] : [{ where: "tests", what: "A test failed", fix: "see the failure above" }];
}

/** Both packages are built and named like the release; npm would take them. */
async function packagesAreWhole(): Promise<readonly Problem[]> {
  await Deno.remove(OUTPUT, { recursive: true }).catch(() => undefined);
  const built = [await buildPackage(OUTPUT), await buildLibrary(OUTPUT)].map((path) => basename(path));
  await Deno.writeTextFile(join(OUTPUT, "dragoman.rb"), await formula(packageFiles()[0]!));
  const problems: Problem[] = packageFiles().filter((file) => !built.includes(file)).map((file) => ({
    where: `dist/release/${file}`,
    what: "No package with this name and version was built",
    fix: "compare `name` and `version` in deno.json with src/cli/build",
  }));
  for (const file of problems.length > 0 ? [] : packageFiles()) {
    const { code, printed } = await run("npm", [
      "publish",
      "--dry-run",
      `./${join("dist", "release", file)}`,
    ]);
    if (code === 0) console.log(printed.split("\n").filter((line) => /^\+ |size:/.test(line)).join("\n"));
    else {problems.push({
        where: file,
        what: `npm doesn't accept it:\n${printed}`,
        fix: "follow npm's message",
      });}
  }
  return problems;
}

function packageFiles(): string[] {
  return ["dragoman", "dragoman-engine"].map((name) => `${name}-${project.version}.tgz`);
}

/** Homebrew's formula. Its archive is the file that npm publishes, at the registry that npm publishes to. */
async function formula(file: string): Promise<string> {
  const registry = (await run("npm", ["config", "get", "registry"])).printed.trim().replace(/\/$/, "");
  const checksum = createHash("sha256").update(await Deno.readFile(join(OUTPUT, file))).digest("hex");
  return `class Dragoman < Formula
  desc "Converts tool calls that a language model prints as text into real ones"
  homepage "https://www.npmjs.com/package/dragoman"
  url "${registry}/dragoman/-/${file}"
  sha256 "${checksum}"
  license "${project.license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/dragoman --version")
  end
end
`;
}

async function task(name: string, where: string, fix: string): Promise<readonly Problem[]> {
  const { code, printed } = await run("deno", ["task", "--quiet", name]);
  return code === 0 ? [] : [{ where, what: `\`deno task ${name}\` failed:\n${printed}`, fix }];
}

interface Ran {
  readonly code: number;
  readonly printed: string;
}

async function run(program: string, args: string[], { isShown = false } = {}): Promise<Ran> {
  const file = program === "deno" ? Deno.execPath() : program;
  const stream = isShown ? "inherit" : "piped";
  const command = new Deno.Command(file, { args, cwd: ROOT, stdin: "null", stdout: stream, stderr: stream });
  if (isShown) return { code: (await command.spawn().status).code, printed: "" };
  const { code, stdout, stderr } = await command.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  // A program's warnings aren't its answer.
  const isAnswer = code === 0 && program !== "npm" || args[0] === "config";
  return { code, printed: isAnswer ? text(stdout) : text(stdout) + text(stderr) };
}
