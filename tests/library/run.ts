/**
 * The task `test:library`: installs runtimes and SDKs once, then runs the packed library in them. Arguments go to
 * `deno test`, such as `--filter openai`. Where nothing can be installed it prints SKIPPED and exits with 0, unless
 * DRAGOMAN_LIBRARY=required.
 *
 * @module
 */
import { installSets } from "./packed/install.ts";

const CONFIG = new URL("../deno.json", import.meta.url).pathname;
const SUITE = new URL("./packed/suite.ts", import.meta.url).pathname;

const reason = await installSets();
if (reason !== undefined) {
  const isRequired = Deno.env.get("DRAGOMAN_LIBRARY") === "required";
  console.log(`${isRequired ? "FAILED" : "SKIPPED"} library: ${reason}`);
  Deno.exit(isRequired ? 1 : 0);
}
const child = new Deno.Command(Deno.execPath(), {
  args: ["test", `--config=${CONFIG}`, "--no-check", "--allow-all", ...Deno.args, SUITE],
  stdin: "null",
}).spawn();
Deno.addSignalListener("SIGTERM", () => child.kill("SIGTERM"));
Deno.exit((await child.status).code);
