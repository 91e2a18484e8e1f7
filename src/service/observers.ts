/**
 * Everything that observes a running server: audit log, metrics, traces, the last decisions, and the pages that show
 * them. A reload hands it the next setup.
 *
 * @module
 */
import { ownRuleFolder } from "../config/load.ts";
import { watchAcceptance } from "../acceptance/watch.ts";
import { type AdminSection, createPages } from "../admin/pages.ts";
import { Recent } from "../admin/recent.ts";
import type { AuditLine } from "../audit/line.ts";
import { recordRequest } from "../audit/record.ts";
import { scrubArguments } from "../audit/scrub.ts";
import { escaped } from "../diagnostic/visible.ts";
import type { WatchRequest } from "../http/watch.ts";
import { isJsonEqual } from "../json/equal.ts";
import { loadLate } from "../metrics/late.ts";
import type { Sessions } from "../store/session.ts";
import { captureFolder } from "./capture_folder.ts";
import { openAudit } from "./audit.ts";
import { leftOutToolLines, watchLeftOutTools } from "./left_out_tools.ts";
import { nearMissLines, watchNearMisses } from "./near_misses.ts";
import type { Log } from "./log.ts";
import type { Memory } from "./memory.ts";
import { readPageFiles } from "./page_files.ts";
import { watchPluginFailures } from "./plugin_failures.ts";
import { bareUrl } from "./probe_line.ts";
import type { Setup } from "./setup.ts";

/** The observers of a server. */
export interface Observers {
  /** The watches on requests. */
  readonly watches: readonly WatchRequest[];
  /** Answers `/metrics` and `/_dragoman/…`. */
  pages(request: Request, remote: string | undefined): Promise<Response>;
  /** Uses the setup of a reload. */
  use(setup: Setup): void;
  /** Writes what is left after the server has stopped. */
  close(): Promise<void>;
}

/** What the observers need. */
export interface ObserverOptions {
  /** The program's version, for the status page. */
  readonly version: string;
  /** Takes each finished request, and trouble. */
  readonly log: Log;
  /** The absolute path of the folder that `--record` names. */
  readonly recordFolder: string | undefined;
  /** The memory of the plugins. */
  readonly memory: Memory;
  /** Loads everything again. */
  readonly reload: () => Promise<unknown>;
}

/** Starts the observers. */
export async function startObservers(setup: Setup, options: ObserverOptions): Promise<Observers> {
  const { log, memory, recordFolder } = options;
  const { world, requestWorld } = log;
  const metrics = loadLate(async () =>
    (await import("../metrics/metrics.ts")).createMetrics({ store: memory.figures })
  );
  const recent = new Recent();
  const captures = recordFolder === undefined ? undefined : captureFolder({
    path: recordFolder,
    folder: world.workingDirectory,
    report: (cause) =>
      world.stderr(
        `${
          escaped(
            `Cannot record answers in ${recordFolder}: ${cause}. Answers continue without being recorded`,
          )
        }\n`,
      ),
  });
  const nearMisses = watchNearMisses({
    keep: captures?.keep,
    report: (miss) => requestWorld.stdout(nearMissLines(miss, { world, ...rulePlace(current) })),
  });
  const leftOutTools = watchLeftOutTools((tool) => requestWorld.stdout(leftOutToolLines(tool)));
  const pluginFailures = watchPluginFailures((line) => world.stderr(line));
  const isTraced = ["1", "true"].includes(world.readEnvironment("OTEL_DENO") ?? "");
  const tracing = isTraced ? [(await import("./tracing.ts")).traceRequest] : [];
  let current = setup;
  let audit = openAudit(setup, world);
  const closing: Promise<void>[] = [];
  const pages = createPages({
    keys: () => ({ admin: current.config.adminKey, clients: current.config.clientKeys }),
    status: () => ({ version: options.version, ...statusOf(current, recent) }),
    rules: () => rulesOf(current, recent),
    decisions: () => recent.decisions,
    sections: new Map([["store", storeSection(memory.sessions)]]),
    reload: options.reload,
    metrics: () => metrics.page(),
    site: readPageFiles(),
    now: () => Date.now(),
  });
  const write = (lines: readonly AuditLine[]) => {
    recent.add(lines);
    log.add(lines);
    metrics.add(lines);
    audit?.write(lines);
  };
  const record: WatchRequest = (facts) => recordRequest(facts, { contents: audit?.contents ?? false, write });
  return {
    watches: [
      record,
      watchAcceptance(write),
      (facts) => metrics.watch(facts),
      nearMisses,
      leftOutTools,
      pluginFailures,
      ...tracing,
    ],
    pages,
    use(next) {
      const isSame = isJsonEqual(auditSettings(current), auditSettings(next));
      current = next;
      if (isSame) return;
      if (audit !== undefined) closing.push(audit.close());
      audit = openAudit(next, world);
    },
    async close() {
      await Promise.all([...closing, audit?.close(), captures?.flush()]);
    },
  };
}

/** Where a new rule goes, and the names that it cannot have. */
function rulePlace({ config, rules }: Setup) {
  const ruleFolder = ownRuleFolder(config);
  return { ruleFolder, ruleNames: new Set(rules.rules.map(({ rule }) => rule)) };
}

function auditSettings({ config }: Setup): unknown {
  return { ...config.config.audit, file: config.auditPath ?? null };
}

const STARTED = Date.now();

function statusOf({ config }: Setup, recent: Recent): object {
  const upstreams = config.config.upstreams.map((upstream) => ({ ...upstream, url: bareUrl(upstream.url) }));
  return {
    deno: Deno.version.deno,
    uptimeSeconds: Math.round((Date.now() - STARTED) / 1000),
    requests: recent.requests,
    configFile: config.path,
    auditLog: config.auditPath ?? null,
    config: JSON.parse(
      scrubArguments(JSON.stringify({ ...config.config, upstreams }), [...config.keys.values()]),
    ),
  };
}

function rulesOf({ rules }: Setup, recent: Recent): unknown {
  return rules.rules.map(({ rule, description, enabled, confidence }) => ({
    rule,
    description,
    enabled,
    confidence,
    hits: recent.hitsOf(rule),
  }));
}

/** What plugins remember about conversations: the value of a counter, otherwise only its type. */
function storeSection(sessions: Sessions): AdminSection {
  return {
    read: async () =>
      (await sessions.entries()).map(({ key, value, leftMs }) => ({
        key,
        leftSeconds: Math.round(leftMs / 1000),
        value: typeof value === "number" || typeof value === "boolean" ? value : `a ${typeof value}`,
      })),
    reset: (key) => sessions.remove(key),
  };
}
