/** What `serve` runs with: the setup, the observers, the handlers of requests, and the watch on the files. @module */
import project from "../../deno.json" with { type: "json" };
import { basename, dirname, join } from "node:path";
import type { Diagnostic } from "../engine/diagnostic/diagnostic.ts";
import { printDiagnostics } from "../engine/diagnostic/print.ts";
import { isJsonEqual } from "../engine/json/equal.ts";
import { present } from "../engine/object/present.ts";
import type { UnwatchedRequest, WatchRequest } from "../proxy/exchange/watch.ts";
import type { Gateway, RequestHandler } from "../proxy/server/gateway.ts";
import { createKeyLimits, type KeyLimits } from "../proxy/server/key_limits.ts";
import { Beginnings } from "../proxy/upstream/beginnings.ts";
import { ToolMemory } from "../proxy/upstream/learned_tools.ts";
import { Servers } from "../proxy/upstream/servers.ts";
import type { UpstreamHealth, Upstreams } from "../proxy/upstream/upstream_health.ts";
import { complain } from "./complain.ts";
import { createHandlers } from "./handlers.ts";
import { type Guards, guardsOf } from "./service/access.ts";
import { tryAuditFile } from "./service/audit_file.ts";
import { tryCaptureFolder } from "./service/capture_folder.ts";
import { type CliContext, printing } from "./service/context.ts";
import { DISTRIBUTION } from "./service/distribution.ts";
import type { Log } from "./service/log.ts";
import { NotAllowed } from "./service/may_write.ts";
import { type Memory, openMemory } from "./service/memory.ts";
import { startObservers } from "./service/observers.ts";
import { snapshotNow } from "./service/file_snapshot.ts";
import { type Reloader, startReloading, watchedPathsOf } from "./service/reload.ts";
import { hasErrors, loadSetup, type Setup } from "./service/setup.ts";
import { type Unhandled, UnhandledLog, watchUnhandled } from "./service/unhandled.ts";
import { learnedChangesLine, learnedToolsLine, probeLine } from "./service/upstream_lines.ts";
import { wait } from "../proxy/transport/wait.ts";
import { type Watchdog, watchLoop } from "./service/watchdog.ts";
import { setupFlags } from "./setup_options.ts";
import { isSet, type VerbInput } from "./verb.ts";
import { welcome } from "./welcome.ts";

export interface ServingOptions {
  readonly input: VerbInput;
  readonly log: Log;
  /** The absolute path of the folder that `--record` names. */
  readonly recordFolder: string | undefined;
  readonly hasWorkers?: boolean;
  /** Takes what SIGHUP asks for, once the server has started. */
  readonly onHangup: (reload: () => void) => void;
}

/** What a server has once, however many workers answer its requests. */
export interface ServingParts {
  readonly watches: readonly WatchRequest[];
  pages(request: Request, remote: string | undefined): Promise<Response>;
  unwatched(request: UnwatchedRequest): void;
  unhandled(unhandled: Unhandled): void;
  readonly memory: Memory;
  readonly toolMemory: ToolMemory;
  readonly servers: Servers;
  readonly beginnings: Beginnings;
  readonly health: UpstreamHealth;
  readonly keyLimits: KeyLimits;
  /** What guards access now; no thread may start with less. */
  guards(): Guards;
}

export interface Serving {
  /** What answers requests at first. */
  readonly handler: RequestHandler;
  readonly parts: ServingParts;
  /** Prints that the server is ready, prepares the first answer, and watches the files; `use` takes reloaded handlers. */
  begin(url: string, use: (handler: RequestHandler) => void): void;
  /** How long open streams get at the end, in milliseconds. */
  drainMs(): number;
  /** Waits for open streams, then writes what is left. */
  end(gateway: Pick<Gateway, "drain">): Promise<void>;
}

/** Loads and checks everything; undefined after printing errors. */
export async function loadServing(
  { input, log, recordFolder, hasWorkers = false, onHangup }: ServingOptions,
): Promise<Serving | undefined> {
  const { context } = log;
  const flags = setupFlags(input);
  const setup = await loadSetup(flags, context, { isServing: true });
  // The server opens its port later; what is edited until then is a change, too.
  const known = snapshotNow(watchedPathsOf(setup));
  context.stderr(printDiagnostics(setup.diagnostics, printing(context)));
  if (hasErrors(setup)) {
    context.stderr(
      `Not started: fix the errors above. For details, run \`${context.command} explain CODE\`\n`,
    );
    return undefined;
  }
  const { workingDirectory } = context;
  const unwritable = await tryWriting(setup, { recordFolder, workingDirectory });
  if (unwritable.length > 0) {
    complain(unwritable, context);
    return undefined;
  }
  const unhandled = new UnhandledLog((text) => context.stderr(text));
  const unhandledWatch = watchUnhandled((error) => unhandled.add(error));
  unhandledWatch.use(setup.plugins.plugins);
  // What plugins remember about conversations survives a hot reload.
  const memory = await openMemory(setup.config.storeServer, context, { hasWorkers });
  const keyLimits = createKeyLimits(memory.quotas);
  const toolMemory = new ToolMemory((learned) => log.context.stdout(learnedToolsLine(learned, new Date())));
  const servers = new Servers();
  servers.watchChanges((learned) => log.context.stdout(learnedChangesLine(learned, new Date())));
  servers.watchForgotten((upstream) => toolMemory.forget(upstream));
  const beginnings = new Beginnings({ texts: memory.texts });
  let watch: Reloader | undefined;
  const { version } = project;
  const observers = await startObservers(setup, {
    version,
    log,
    memory,
    keyLimits,
    toolMemory,
    servers,
    beginnings,
    recordFolder,
    recordsMessages: isSet(input, "with-messages"),
    unhandled: unhandled.counts,
    reload: async () => await watch?.reload(),
  });
  const shared: Omit<ServingParts, "health"> = {
    memory,
    toolMemory,
    servers,
    beginnings,
    keyLimits,
    watches: observers.watches,
    pages: observers.pages,
    unwatched(request) {
      log.addUnwatched(request);
      observers.unwatched(request);
    },
    unhandled: (error) => unhandled.add(error),
    guards: () => watch?.guards ?? guardsOf(setup),
  };
  const { handlerOf, health } = createHandlers({ input, context, ...shared, failed: unhandledWatch.take });
  const parts: ServingParts = { ...shared, health };
  let { config } = setup.config;
  let probing: Promise<void> | undefined;
  let watchdog: Watchdog | undefined;
  const drainMs = () => config.limits.drain_timeout_ms;
  const first = handlerOf(setup);
  return {
    handler: first.handler,
    parts,
    drainMs,
    begin(url, use) {
      watchdog = watchLoop(drainMs);
      context.stdout(
        welcome(setup, { url, version, recordFolder, recordsMessages: isSet(input, "with-messages") }),
      );
      first.prepare();
      probing = printProbes(health, { upstreams: { config, keys: setup.config.keys }, context });
      watch = startReloading({
        flags,
        context,
        setup,
        known,
        url,
        use(next) {
          const hasOthers = !isJsonEqual(config.upstreams, next.config.config.upstreams);
          ({ config } = next.config);
          // Another upstream can be another server, on which settings depend.
          if (hasOthers) probing = printProbes(health, { upstreams: next.config, context });
          unhandledWatch.use(next.plugins.plugins);
          observers.use(next);
          const { handler, prepare } = handlerOf(next);
          prepare();
          use(handler);
        },
      });
      onHangup(() => {
        if (!context.signal.aborted) void watch?.reload();
      });
    },
    async end(gateway) {
      // A reload that still runs must not delay the end.
      const stopped = watch?.stop();
      context.stdout("Stopping after open streams finish. Press Ctrl-C again to stop now\n");
      const { drain_timeout_ms, drain_notice_ms } = config.limits;
      // After Ctrl-C a person waits; SIGTERM comes from what also runs the other replicas.
      const noticeMs = context.signal.reason === "SIGTERM" ? drain_notice_ms : 0;
      observers.stopPages();
      await gateway.drain(drain_timeout_ms, { notice: (isAsked) => wait(isAsked ? noticeMs : 0) });
      await Promise.all([probing, stopped]);
      await observers.close();
      keyLimits.close();
      await memory.close();
      unhandledWatch.close();
      watchdog?.close();
    },
  };
}

/** Prints whether each upstream answers, once that is known. */
async function printProbes(
  health: UpstreamHealth,
  { upstreams, context }: { readonly upstreams: Upstreams; readonly context: CliContext },
): Promise<void> {
  const probes = await health.probe(upstreams, context.signal);
  if (context.signal.aborted) return;
  for (const probed of probes) {
    const server = await probed.server;
    const { text, isWarning } = probeLine({ ...probed, server }, new Date());
    if (isWarning) context.stderr(text);
    else context.stdout(text);
  }
}

interface WritingOptions {
  readonly recordFolder: string | undefined;
  readonly workingDirectory: string;
}

/** Why the audit log or the captures can't be written; each is an error. */
async function tryWriting(
  { config }: Pick<Setup, "config">,
  { recordFolder, workingDirectory }: WritingOptions,
): Promise<Diagnostic[]> {
  const { auditPath, path, config: { audit } } = config;
  const folder = dirname(path);
  const problems = [
    auditPath === undefined ? undefined : await problemOf(
      () => tryAuditFile({ path: auditPath, keep: audit.keep, folder }),
      {
        what: `the audit log ${auditPath}`,
        place: join(workingDirectory, "logs", basename(auditPath)),
        flag: "--audit",
        ...present({ location: config.locate(["audit", "file"]) }),
      },
    ),
    recordFolder === undefined ? undefined : await problemOf(
      () => tryCaptureFolder({ path: recordFolder, folder: workingDirectory }),
      {
        what: `answers into ${recordFolder}`,
        place: join(workingDirectory, "captures"),
        flag: "--record",
      },
    ),
  ];
  return problems.filter((problem) => problem !== undefined);
}

interface Tried extends Pick<Diagnostic, "location"> {
  readonly what: string;
  /** Where this program may write it however it was started. */
  readonly place: string;
  readonly flag: string;
}

async function problemOf(
  write: () => Promise<void>,
  { what, place, flag, ...more }: Tried,
): Promise<Diagnostic | undefined> {
  try {
    await write();
    return undefined;
  } catch (cause) {
    const isNotAllowed = cause instanceof NotAllowed;
    return {
      code: "file_unwritable",
      severity: "error",
      message: `Cannot write ${what}: ${cause instanceof Error ? cause.message : cause}`,
      ...more,
      expected: "a path that this program has permission to write to, on a working disk",
      help: isNotAllowed
        ? `name ${place}${ADVICE[DISTRIBUTION] ?? ""}`.replace("FLAG", flag)
        : "check the path, its owner, and the disk",
    };
  }
}

/** Distribution → another place that it can write. */
const ADVICE: Readonly<Record<string, string>> = { package: ", or the place that you want in `FLAG`" };
