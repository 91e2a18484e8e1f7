/**
 * `deno install -g`, as the README shows it: from the unpacked package, and from a clone.
 *
 * @module
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { IS_THOROUGH } from "../../support/fuzz.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const ROOT = join(import.meta.dirname!, "../../..");

const RIGHTS = [
  "--allow-net",
  "--allow-env",
  "--allow-read",
  "--allow-write=logs,captures,rules,dragoman.yaml,dragoman.schema.json",
];

const ANSWER =
  "<tool_call>\n<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>";

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(program: string, args: readonly string[], options: Deno.CommandOptions): Promise<Ran> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    ...options,
    args: [...args],
    stdin: "null",
  })
    .output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** What is installed → the arguments of `deno install -g`, for the folder with the package and its unpacked files. */
const INSTALLED: Readonly<Record<string, (unpacked: string) => string[]>> = {
  "the package": (unpacked) => [join(unpacked, "bin/dragoman.cjs")],
  "a clone": () => ["--config", join(ROOT, "deno.json"), "--frozen=false", join(ROOT, "main.ts")],
};

Deno.test({
  name: "deno install -g gives a command that runs in any folder",
  ignore: !IS_THOROUGH || Deno.build.os === "windows",
  async fn() {
    const root = await temporaryFolder();
    const built = await run(Deno.execPath(), ["task", "-q", "package", root], { cwd: ROOT });
    assert.equal(built.code, 0, built.stderr);
    const [, file = ""] = /^Wrote (.+)$/m.exec(built.stdout) ?? [];
    await Deno.mkdir(join(root, "package"));
    const tar = ["xzf", file, "-C", "package", "--strip-components", "1"];
    const unpacked = await run("tar", tar, { cwd: root });
    assert.equal(unpacked.code, 0, unpacked.stderr);
    const folder = join(root, "empty");
    await Deno.mkdir(folder);
    await Deno.writeTextFile(join(folder, "answer.txt"), ANSWER);
    // The installed command finds Deno on the PATH.
    const env = { PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`, NO_COLOR: "1" };
    for (const [title, from] of Object.entries(INSTALLED)) {
      const place = join(root, title.replaceAll(" ", "_"));
      const args = ["install", "-g", "--root", place, "--name", "dragoman", ...RIGHTS];
      const installed = await run(Deno.execPath(), [...args, ...from(join(root, "package"))], {
        cwd: root,
        env,
      });
      assert.equal(installed.code, 0, `${title}: ${installed.stderr}`);
      const command = join(place, "bin", "dragoman");
      const options = { cwd: folder, env: { ...env, HOME: place } };
      const version = await run(command, ["--version"], options);
      assert.match(version.stdout, /^dragoman \d+\.\d+\.\d+ /, `${title}: ${version.stderr}`);
      assert.equal((await run(command, ["nonsense"], options)).code, 2, title);
      const { stdout } = await run(command, ["transform", "answer.txt"], options);
      assert.equal(JSON.parse(stdout).tool_calls[0].function.arguments, '{"path":"a.txt"}', title);
      assert.equal((await run(command, ["rules", "new", "mine"], options)).code, 0, title);
      assert.ok((await Deno.stat(join(folder, "rules", "mine.yaml"))).isFile, title);
      await Deno.remove(join(folder, "rules"), { recursive: true });
    }
  },
});
