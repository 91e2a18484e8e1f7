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
  for (const reason of missing) console.log(`${isRequired ? "FAILED" : "SKIPPED"} ${reason}`);
  if (missing.length > 0 && isRequired) return 1;
  if (ready.length === 0) return 0;
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--allow-all", ...Deno.args, SUITE],
    stdin: "null",
  }).spawn().status;
  return code;
}

Deno.exit(await testAgents());
