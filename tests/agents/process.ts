/**
 * One run of an agent as a process group of its own: when it is over, or its time is, the whole group is ended, so
 * nothing that it forked outlives the test.
 *
 * @module
 */
import { join } from "node:path";
import type { Launch, Room } from "./agent.ts";
import { agentsFolder } from "./folder.ts";

/** What is left of a run. */
export interface Ran {
  /** `undefined`: it had to be stopped. */
  readonly code: number | undefined;
  /** What it printed, both streams. */
  readonly printed: string;
  /** Hosts besides loopback that it tried to reach, and could not. */
  readonly refused: readonly string[];
}

/** Ten times what the slowest agent needs on two cores. */
const RUN_MS_MAX = 180_000;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

const GUARD = new URL("./guard.cjs", import.meta.url).pathname;

/** The groups of the runs that go on. */
const running = new Set<number>();
let isInterrupted = false;

/** Runs an agent to its end, or until its time is over. Throws once the person has interrupted the tests. */
export async function runAgent(
  { args, environment = {}, limitMs = RUN_MS_MAX }: Launch & { readonly limitMs?: number | undefined },
  room: Room,
): Promise<Ran> {
  if (isInterrupted) throw new Error("The tests were interrupted");
  const guardLog = join(room.home, "refused.log");
  await Deno.writeTextFile(guardLog, "");
  const child = new Deno.Command(room.program, {
    args: [...args],
    cwd: room.folder,
    clearEnv: true,
    env: { ...baseEnvironment(room.home), GUARD_LOG: guardLog, ...environment },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  watch(child.pid);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(child.pid);
  }, limitMs);
  const output = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const { code } = await child.status;
  clearTimeout(timer);
  // What the agent forked may still hold its output open.
  endGroup(child.pid);
  unwatch(child.pid);
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
    // Most of a start is compiling the same program again.
    NODE_COMPILE_CACHE: join(agentsFolder(), "compile_cache"),
  };
}

/** A group of its own does not hear the terminal's Ctrl-C: it is ended, and what follows fails at once. */
function watch(leader: number): void {
  if (running.size === 0) { for (const signal of SIGNALS) Deno.addSignalListener(signal, endAll); }
  running.add(leader);
}

function unwatch(leader: number): void {
  running.delete(leader);
  if (running.size === 0) { for (const signal of SIGNALS) Deno.removeSignalListener(signal, endAll); }
}

function endAll(): void {
  isInterrupted = true;
  for (const leader of running) endGroup(leader);
}

function endGroup(leader: number): void {
  try {
    Deno.kill(-leader, "SIGKILL");
  } catch (error) {
    // The whole group has ended already.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
