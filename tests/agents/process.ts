/**
 * One run of an agent as a process group of its own: when it is over, or its time is, the whole group is ended, so
 * nothing that it forked outlives the test.
 *
 * @module
 */
import { join } from "node:path";
import type { Launch, Room } from "./agent.ts";

/** What is left of a run. */
export interface Ran {
  /** `undefined`: it had to be stopped. */
  readonly code: number | undefined;
  /** What it printed, both streams. */
  readonly printed: string;
  /** Hosts besides loopback that it tried to reach, and could not. */
  readonly refused: readonly string[];
}

/** An agent on a busy machine with two cores needs a tenth of it. */
const RUN_MS_MAX = 90_000;

const GUARD = new URL("./guard.cjs", import.meta.url).pathname;

/** Runs an agent to its end. */
export async function runAgent({ args, environment = {} }: Launch, room: Room): Promise<Ran> {
  const guardLog = join(room.home, "refused.log");
  await Deno.writeTextFile(guardLog, "");
  const child = new Deno.Command(room.node, {
    args: [...args],
    cwd: room.folder,
    clearEnv: true,
    env: { ...baseEnvironment(room.home), GUARD_LOG: guardLog, ...environment },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(child.pid);
  }, RUN_MS_MAX);
  const output = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const { code } = await child.status;
  clearTimeout(timer);
  // What the agent forked may still hold its output open.
  endGroup(child.pid);
  const printed = (await output).join("");
  const refused = (await Deno.readTextFile(guardLog)).split("\n").filter((line) => line !== "");
  return { code: isLate ? undefined : code, printed, refused: [...new Set(refused)] };
}

function baseEnvironment(home: string): Record<string, string> {
  return {
    PATH: Deno.env.get("PATH") ?? "",
    HOME: home,
    TMPDIR: home,
    LANG: "C.UTF-8",
    CI: "1",
    NO_COLOR: "1",
    DO_NOT_TRACK: "1",
    NODE_OPTIONS: `--require=${GUARD}`,
  };
}

function endGroup(leader: number): void {
  try {
    Deno.kill(-leader, "SIGKILL");
  } catch (error) {
    // Everybody has left already.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
