/**
 * The program: hands its arguments to the command line and ends with its exit code. `serve --workers` also runs it in threads
 * that answer requests.
 *
 * @module
 */
import { runCommandLine } from "./src/cli/cli.ts";
import { createCliContext } from "./src/cli/context.ts";
import { permissionHelp } from "./src/cli/permission_help.ts";
import { isWorkerScope } from "./src/cli/worker_scope.ts";

const scope: object = globalThis;
if (isWorkerScope(scope)) (await import("./src/cli/worker.ts")).runWorker(scope);
else Deno.exit(await runProgram());

async function runProgram(): Promise<number> {
  try {
    return await runCommandLine(Deno.args, createCliContext());
  } catch (error) {
    const help = permissionHelp(error);
    if (help === undefined) throw error;
    await Deno.stderr.write(new TextEncoder().encode(help));
    return 1;
  }
}
