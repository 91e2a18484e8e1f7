/**
 * A copy of the project in a Git repository of its own, for tests that change files of the project.
 *
 * @module
 */
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname!, "..", "..");

/** What a command gave. */
export interface Ran {
  readonly code: number;
  /** Both streams. */
  readonly printed: string;
}

export interface ProjectCopy {
  readonly folder: string;
  /** Runs a command in it; `npx -y deno@VERSION` is the running Deno. */
  run(command: string): Promise<Ran>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Copies all files that Git tracks, as they are now, and commits them. */
export async function copyProject(): Promise<ProjectCopy> {
  const folder = await Deno.makeTempDir();
  const { stdout } = await new Deno.Command("git", { args: ["ls-files", "-z"], cwd: ROOT }).output();
  for (const path of new TextDecoder().decode(stdout).split("\0").filter((path) => path !== "")) {
    await Deno.mkdir(join(folder, dirname(path)), { recursive: true });
    await Deno.copyFile(join(ROOT, path), join(folder, path)).catch(ignoreRemoved);
  }
  const run = async (command: string): Promise<Ran> => {
    const real = command.replace(/npx -y deno@\S+/g, Deno.execPath());
    const shell = new Deno.Command("sh", {
      args: ["-c", `(${real}) 2>&1`],
      cwd: folder,
      env: { NO_COLOR: "1" },
      stdin: "null",
    });
    const { code, stdout } = await shell.output();
    return { code, printed: new TextDecoder().decode(stdout) };
  };
  await run("git init -q && git config user.name a && git config user.email a@b.c");
  await run("git add -A && git commit -qm copy");
  return { folder, run, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

/** A tracked file can be removed and not committed yet. */
function ignoreRemoved(cause: unknown): void {
  if (!(cause instanceof Deno.errors.NotFound)) throw cause;
}
