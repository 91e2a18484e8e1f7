/**
 * The verb `serve`: loads and checks everything, opens the port, and applies changes on the disk while it runs. After
 * Ctrl-C it waits for open streams to finish; a second Ctrl-C stops it at once.
 *
 * @module
 */
import { resolve } from "node:path";
import project from "../../deno.json" with { type: "json" };
import { printDiagnostics } from "../diagnostic/print.ts";
import { createServer, type Server, type StartProblem } from "../http/server.ts";
import { createService } from "../http/service.ts";
import { createSample } from "../sample/sample.ts";
import { MemoryStore, type Store } from "../store/store.ts";
import { complain } from "./complain.ts";
import { decisionLine } from "./decision_line.ts";
import { linkOut, linkProblem } from "../service/linked_path.ts";
import { type Observers, startObservers } from "../service/observers.ts";
import { startReloading } from "../service/reload.ts";
import { hasErrors, loadSetup, serviceParts, type Setup } from "../service/setup.ts";
import type { World } from "../service/world.ts";
import { SERVE_OPTIONS, SETUP_OPTIONS, setupFlags } from "./setup_options.ts";
import { isSet, textValue, type Verb, type VerbInput } from "./verb.ts";
import { welcome } from "./welcome.ts";

/** `dragoman serve`. */
export const serve: Verb = {
  name: "serve",
  summary: "Start the proxy between your agent and your model server",
  usage: "[serve] [FLAGS]",
  operandsMax: 0,
  examples: [
    "serve --upstream http://127.0.0.1:8080/v1",
    "serve --port 0 --enable shell_block --min-confidence 0.8 --verbose",
  ],
  options: {
    ...SERVE_OPTIONS,
    ...SETUP_OPTIONS,
    verbose: { type: "boolean", short: "v", description: "Print every decision: client, rule, tool, reason" },
  },
  run,
};

/** The sample model's pause between two pieces, so that its stream is visible. */
const SAMPLE_PAUSE_MS = 10;

async function run(input: VerbInput, world: World): Promise<number> {
  const setup = await loadSetup(setupFlags(input), world);
  world.stderr(printDiagnostics(setup.diagnostics, { colours: world.isTerminal }));
  if (hasErrors(setup)) {
    world.stderr("Not started: fix the errors above. For details, run `dragoman explain CODE`\n");
    return 1;
  }
  // What plugins remember about conversations survives a hot reload.
  const store = new MemoryStore({ now: () => performance.now() });
  const record = textValue(input, "record");
  const recordFolder = record && resolve(world.workingDirectory, record);
  const reason = recordFolder && await linkOut(recordFolder, { folder: world.workingDirectory });
  if (reason) {
    complain([linkProblem(reason, { what: "record folder" })], world);
    return 1;
  }
  const observers = await startObservers(setup, {
    version: project.version,
    world,
    store,
    recordFolder,
    reload: () => watch.reload(),
  });
  const server = createProxy(setup, { input, world, observers, store });
  const started = await server.start();
  if ("problem" in started) {
    complainOfStart(started.problem, world);
    return 1;
  }
  const { url } = started;
  world.stdout(welcome(setup, { url, version: project.version }));
  let config = setup.config.config;
  const watch = startReloading({
    flags: setupFlags(input),
    world,
    setup,
    url,
    use(next) {
      config = next.config.config;
      observers.use(next);
      server.swap(createService({ ...serviceParts(next), store }));
    },
  });
  await aborted(world.signal);
  // A reload that still runs must not delay the end.
  void watch.close();
  world.stdout("Stopping after open streams finish. Press Ctrl-C again to stop now\n");
  await server.drain(config.limits.drain_timeout_ms);
  await observers.close();
  return 0;
}

interface Around {
  readonly input: VerbInput;
  readonly world: World;
  readonly observers: Observers;
  readonly store: Store;
}

function createProxy(setup: Setup, { input, world, observers, store }: Around): Server {
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, SAMPLE_PAUSE_MS));
  return createServer({
    service: createService({ ...serviceParts(setup), store }),
    sample: createSample({ now: () => Date.now(), wait: pause }),
    isBehindProxy: isBehindProxy(world),
    watches: observers.watches,
    pages: observers.pages,
    ...(isSet(input, "verbose")
      ? { observe: (event, { client }) => world.stdout(decisionLine(event, { client, date: new Date() })) }
      : {}),
  });
}

/** Whether the environment sets an HTTP proxy for our requests. */
function isBehindProxy(world: World): boolean {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return names.some((name) => (world.readEnvironment(name) ?? "") !== "");
}

function complainOfStart({ message, help }: StartProblem, world: World): void {
  complain([{ code: "cannot_listen", severity: "error", message, help }], world);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
