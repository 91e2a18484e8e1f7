/**
 * The task `test:browser`: runs the tests that need a real browser. Arguments go to `deno test`, such as `--filter page`.
 * Without Chromium it prints SKIPPED and exits with 0, unless DRAGOMAN_BROWSER=required.
 *
 * @module
 */
import { findChromium } from "./find_chromium.ts";

const FOLDER = import.meta.dirname!;

const CONFIG = new URL("../deno.json", import.meta.url).pathname;

/** Gives the exit code. One test runs at a time: each has a browser of its own, and some measure. */
async function testBrowser(): Promise<number> {
  if (await findChromium() === undefined) {
    const isRequired = Deno.env.get("DRAGOMAN_BROWSER") === "required";
    console.log(
      `${isRequired ? "FAILED" : "SKIPPED"} browser: Chromium isn't installed, or DRAGOMAN_CHROMIUM is wrong`,
    );
    return isRequired ? 1 : 0;
  }
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", `--config=${CONFIG}`, "--no-check", "--allow-all", ...Deno.args, FOLDER],
    stdin: "null",
  }).spawn();
  // A terminal sends Ctrl-C to the child itself; a SIGTERM to this process alone is meant for the child as well.
  Deno.addSignalListener("SIGTERM", () => child.kill("SIGTERM"));
  return (await child.status).code;
}

Deno.exit(await testBrowser());
