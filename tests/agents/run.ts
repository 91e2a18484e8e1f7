/**
 * The task `test:agents`: installs the agents once, then runs them through the proxy. Arguments go to `deno test`, such
 * as `--filter qwen`. Where nothing can be installed it prints SKIPPED and exits with 0, unless DRAGOMAN_AGENTS=required.
 *
 * @module
 */
import { installAgents } from "./install.ts";

const SUITES = [
  "./suite.ts",
  "./turns.ts",
  "./cuts.ts",
  "./search.ts",
  "./toolless.ts",
  "./compaction.ts",
  "./raw.ts",
  "./dying_turns.ts",
]
  .map((name) => new URL(name, import.meta.url).pathname);

const CONFIG = new URL("../deno.json", import.meta.url).pathname;

/** Agents wait for their own timers as much as for a processor. */
const JOBS = "2";

/** Installs and tests; gives the exit code. */
async function testAgents(): Promise<number> {
  const isRequired = Deno.env.get("DRAGOMAN_AGENTS") === "required";
  const { ready, missing } = await installAgents();
  for (const [reason, names] of missing) {
    console.log(`${isRequired ? "FAILED" : "SKIPPED"} ${names.join(", ")}: ${reason}`);
  }
  if (missing.size > 0 && isRequired) return 1;
  if (ready.length === 0) return 0;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", `--config=${CONFIG}`, "--no-check", "--allow-all", "--parallel", ...Deno.args, ...SUITES],
    env: { DENO_JOBS: JOBS },
    stdin: "null",
  }).spawn();
  // A terminal sends Ctrl-C to the child itself; a SIGTERM to this process alone is meant for the child as well.
  Deno.addSignalListener("SIGTERM", () => child.kill("SIGTERM"));
  return (await child.status).code;
}

Deno.exit(await testAgents());
