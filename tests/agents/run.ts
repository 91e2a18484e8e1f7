/**
 * The task `test:agents`: installs the agents once, then lets each write a nasty file through the proxy. Arguments
 * go to `deno test`, such as `--filter qwen`. Where nothing can be installed it says SKIPPED and ends well, unless
 * DRAGOMAN_AGENTS=required.
 *
 * @module
 */
import { installAgents } from "./install.ts";

const SUITE = new URL("./suite.ts", import.meta.url).pathname;

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
    args: ["test", "--no-check", "--allow-all", ...Deno.args, SUITE],
    stdin: "null",
  }).spawn();
  // A terminal tells the child of Ctrl-C itself; whoever ends this process alone means the child as well.
  Deno.addSignalListener("SIGTERM", () => child.kill("SIGTERM"));
  return (await child.status).code;
}

Deno.exit(await testAgents());
