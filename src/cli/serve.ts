/**
 * The verb `serve`: loads and checks everything, opens the port, prints a line for each request, and applies changes on
 * the disk while it runs. After Ctrl-C it waits for open streams to finish; a second Ctrl-C stops it at once.
 *
 *     only what ships      open the port ─▶ load the rest ─▶ answer what waits
 *     anything else        load and check everything ─▶ open the port ─▶ prepare the first answer
 *
 * The code that answers requests loads in `serving.ts`, so `/health` doesn't wait for it.
 *
 * @module
 */
import { resolve } from "node:path";
import { CONFIG_FILE, loadConfig, type LoadConfigFlags, type LoadedConfig } from "../proxy/config/load.ts";
import { createGateway, type Gateway, type RequestHandler } from "../proxy/server/gateway.ts";
import { linkOut, linkProblem } from "./service/linked_path.ts";
import { type Log, type LogOptions, openLog } from "./service/log.ts";
import { giveUpWriting } from "./service/may_write.ts";
import { until } from "../proxy/transport/wait.ts";
import type { CliContext } from "./service/context.ts";
import { complain, complainOf, complainOfUsage } from "./complain.ts";
import { SERVE_OPTIONS, SETUP_OPTIONS, setupFlags } from "./setup_options.ts";
import { isSet, textValue, type Verb, type VerbInput } from "./verb.ts";
import { BUILT_IN_CLIENTS } from "../chat/client/folder.ts";
import { areShippedClients } from "../chat/client/load.ts";
import { type Folder, isYaml, readYamlFolder } from "../engine/document/load.ts";
import type { TextFile } from "../engine/document/text_file.ts";
import { SHIPPED_RULES } from "../engine/rule/folder.ts";
import { areShipped } from "../engine/rule/load.ts";

export const serve: Verb = {
  name: "serve",
  summary: "Start the proxy between your agent and your model server",
  usage: "[serve] [FLAGS]",
  operandsMax: 0,
  examples: [
    "serve --upstream http://127.0.0.1:8080/v1",
    "serve --port 0 --enable shell_block --min-confidence 0.8 --verbose",
  ],
  signals: {
    "Ctrl-C, SIGTERM": "End when open streams are over; a second one ends at once",
    "SIGHUP": "Reload everything, as after a change on the disk; when the terminal closes, end like Ctrl-C",
  },
  options: {
    ...SERVE_OPTIONS,
    ...SETUP_OPTIONS,
    verbose: { type: "boolean", short: "v", description: "Print every decision: client, rule, tool, reason" },
  },
  run,
};

const WORKERS_MAX = 64;

/** How long a probe that waits for the port may take to arrive and to get its answer. */
const PROBE_MS = 20;

async function run(input: VerbInput, context: CliContext): Promise<number> {
  const wrongFlag = logProblem(input) ?? recordProblem(input) ?? workersProblem(input);
  if (wrongFlag !== undefined) return complainOfUsage(wrongFlag, context);
  // From now on, because without a listener the signal would end the process.
  const onHangup = awaitHangup(context);
  const { workingDirectory } = context;
  giveUpWriting(workingDirectory, projectFiles(input).map((file) => resolve(workingDirectory, file)));
  const log = openLog(context, logOptions(input));
  const record = textValue(input, "record");
  const recordFolder = record && resolve(context.workingDirectory, record);
  const reason = recordFolder && await linkOut(recordFolder, { folder: context.workingDirectory });
  if (reason) {
    complain([linkProblem(reason, { what: "record folder" })], log.context);
    return 1;
  }
  const count = workerCount(input);
  if (count > 1) {
    const { serveWithWorkers } = await import("./workers.ts");
    return await serveWithWorkers({ input, log, recordFolder, onHangup, count }, context);
  }
  const load = async () => (await import("./serving.ts")).loadServing({ input, log, recordFolder, onHangup });
  const shipped = await loadShipped(setupFlags(input), context);
  const ready = Promise.withResolvers<RequestHandler>();
  let serving = shipped ? undefined : await load();
  const first = shipped ? waitingHandler(shipped, { ready: ready.promise, log }) : serving?.handler;
  if (first === undefined) return 1;
  let handler = first;
  const gateway = createGateway(() => handler);
  const url = await open(gateway, log.context);
  if (url === undefined) return 1;
  await answerProbes();
  if (serving === undefined) {
    serving = await load();
    if (serving === undefined) return 1;
    handler = serving.handler;
    ready.resolve(handler);
  }
  serving.begin(url, (next) => handler = next);
  await until(context.signal);
  await serving.end(gateway);
  return 0;
}

function logProblem(input: VerbInput): { readonly message: string; readonly help: string } | undefined {
  const format = textValue(input, "log-format") ?? "text";
  if (format !== "text" && format !== "json") {
    const message = `Cannot use \`${format}\` as the value of --log-format`;
    return { message, help: "write `--log-format json` or `--log-format text`" };
  }
  return isSet(input, "quiet") && isSet(input, "verbose")
    ? { message: "`--quiet` and `--verbose` can't be combined", help: "leave out one of them" }
    : undefined;
}

/** What the next start reads. */
function projectFiles(input: VerbInput): string[] {
  return [CONFIG_FILE, "dragoman.schema.json", textValue(input, "config") ?? CONFIG_FILE];
}

/** Messages are saved with answers only. */
function recordProblem(input: VerbInput): { readonly message: string; readonly help: string } | undefined {
  if (!isSet(input, "with-messages") || textValue(input, "record") !== undefined) return undefined;
  return { message: "`--with-messages` saves nothing without `--record`", help: "add `--record captures`" };
}

function workersProblem(input: VerbInput): { readonly message: string; readonly help: string } | undefined {
  const given = textValue(input, "workers");
  if (given === undefined || given === "1") return undefined;
  if (Deno.build.os !== "linux") {
    const message = "Workers require Linux, which distributes the connections to one port among them";
    return { message, help: "remove --workers, or start several processes and a load balancer" };
  }
  const count = workerCount(input);
  return Number.isInteger(count) && count >= 1 && count <= WORKERS_MAX ? undefined : {
    message: `Cannot use \`${given}\` as the value of --workers`,
    help: `write a number from 1 to ${WORKERS_MAX}, or \`auto\` for one worker per core`,
  };
}

/** How many workers answer requests; 1 for none besides this thread. */
function workerCount(input: VerbInput): number {
  const given = textValue(input, "workers") ?? "1";
  return given === "auto" ? Math.min(WORKERS_MAX, navigator.hardwareConcurrency) : Number(given);
}

function logOptions(input: VerbInput): LogOptions {
  return {
    format: textValue(input, "log-format") === "json" ? "json" : "text",
    isQuiet: isSet(input, "quiet"),
  };
}

/** Lets requests wait until everything is loaded. */
function waitingHandler(
  { config, clientKeys }: LoadedConfig,
  { ready, log }: { readonly ready: Promise<RequestHandler>; readonly log: Log },
): RequestHandler {
  return {
    config,
    clientKeys,
    unwatched: (request) => log.addUnwatched(request),
    health: () => ({ status: "ok", upstreams: config.upstreams.map(({ name }) => name) }),
    respond: async (request, context) => (await ready).respond(request, context),
  };
}

/** Opens the port and gives the URL; undefined if that fails. */
async function open(gateway: Gateway, context: CliContext): Promise<string | undefined> {
  // The first access installs the handler, and from now on a signal has to end open streams.
  void context.signal;
  const started = await gateway.start();
  if ("url" in started) return started.url;
  const { message, help } = started.problem;
  complainOf({ code: "cannot_listen", message, help }, context);
  return undefined;
}

/** Lets a probe that waited for the port get its answer, because what follows keeps the event loop busy. */
function answerProbes(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PROBE_MS));
}

/** The configuration, if it has no error, and no plugin, audit log, rule setting, or folder of the user to be checked. */
export async function loadShipped(
  flags: LoadConfigFlags,
  context: CliContext,
): Promise<LoadedConfig | undefined> {
  const { workingDirectory } = context;
  const readEnvironment = (name: string) => context.readEnvironment(name);
  const loaded = await loadConfig({ flags, readEnvironment, workingDirectory });
  const { config, ruleFolders, clientFolders, auditPath, diagnostics } = loaded;
  const { enable, disable, confidence } = config.rules;
  const chosen = [...config.upstreams, ...Object.values(config.models)].some(({ rules, dialect }) =>
    rules !== undefined || dialect !== undefined
  );
  const named = [...enable, ...disable, ...Object.keys(confidence), ...config.plugins];
  const hasTemplate = config.upstreams.some(({ chat_template: file }) => file !== undefined);
  const isOwn = chosen || hasTemplate || named.length > 0 || auditPath !== undefined ||
    diagnostics.some(({ severity }) => severity === "error") ||
    [...ruleFolders, ...clientFolders].some(hasFiles);
  if (isOwn) return undefined;
  const clients: Folder = { path: BUILT_IN_CLIENTS, isRequired: true };
  const arePlain = await isPlain(SHIPPED_RULES, { context, areShipped }) &&
    await isPlain(clients, { context, areShipped: areShippedClients });
  return arePlain ? loaded : undefined;
}

/** Whether there is something to read in a folder of the user's own, or something wrong with it. */
function hasFiles({ path, isRequired }: Folder): boolean {
  try {
    return Deno.readDirSync(path).some(({ name }) => isYaml(name));
  } catch (error) {
    return isRequired || !(error instanceof Deno.errors.NotFound);
  }
}

/** Whether a folder has the files that were shipped. */
async function isPlain(
  folder: Folder,
  { context, areShipped }: { readonly context: CliContext; areShipped(files: readonly TextFile[]): boolean },
): Promise<boolean> {
  const { files, diagnostics } = await readYamlFolder(folder, context);
  return diagnostics.length === 0 && areShipped(files);
}

/** Listens from now on; gives what takes the reload, which then runs if it was asked for before. */
function awaitHangup({ onReload }: Pick<CliContext, "onReload">): (reload: () => void) => void {
  let reload: (() => void) | undefined;
  let isAsked = false;
  onReload?.(() => {
    isAsked = true;
    reload?.();
  });
  return (given) => {
    reload = given;
    if (isAsked) given();
  };
}
