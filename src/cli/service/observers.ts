/** What observes a running server: audit log, metrics, traces, pages. A reload hands it the next setup. @module */
import { ownRuleFolder } from "../../proxy/config/load.ts";
import { watchCallResults } from "../../admin/call_results/watch.ts";
import { createPages, type LivePages } from "../../admin/routes/pages.ts";
import { Recent } from "../../admin/routes/recent.ts";
import type { AuditLine } from "../../admin/audit/line.ts";
import { recordRequest } from "../../admin/audit/record.ts";
import { escaped } from "../../engine/diagnostic/visible.ts";
import type { KeyLimits } from "../../proxy/server/key_limits.ts";
import type { Servers } from "../../proxy/upstream/servers.ts";
import type { Beginnings } from "../../proxy/upstream/beginnings.ts";
import type { ToolMemory } from "../../proxy/upstream/learned_tools.ts";
import type { UnwatchedRequest, WatchRequest } from "../../proxy/exchange/watch.ts";
import { isJsonEqual } from "../../engine/json/equal.ts";
import { loadLate } from "../../admin/metrics/late.ts";
import { captureFolder } from "./capture_folder.ts";
import { openAudit } from "./audit.ts";
import { deriveCommand, nearMissLines, watchNearMisses } from "./near_misses.ts";
import type { Log } from "./log.ts";
import type { Memory } from "./memory.ts";
import { printNotices, printPluginFailures } from "./notices.ts";
import { pluginsOf, ruleOf, rulesOf, serversOf, statusOf, storeSection } from "./page_data.ts";
import { playgroundSetup } from "./playground.ts";
import { openProcessFigures } from "./process_figures.ts";
import type { Setup } from "./setup.ts";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ReadSiteFile, SiteFile } from "../../admin/routes/site.ts";
import { Sums } from "../../admin/tally/sums.ts";
import { type ServerFigures, Timeline, TIMELINE_KINDS } from "../../admin/tally/timeline.ts";
import { LiveFeed } from "../../admin/live/feed.ts";
import { LiveRequests } from "../../admin/live/requests.ts";

interface Observers {
  readonly watches: readonly WatchRequest[];
  /** Answers `/metrics` and `/_dragoman/…`. */
  pages(request: Request, remote: string | undefined): Promise<Response>;
  unwatched(request: UnwatchedRequest): void;
  /** Ends the streams of open pages, so that the server can stop. */
  stopPages(): void;
  use(setup: Setup): void;
  /** Writes what is left after the server has stopped. */
  close(): Promise<void>;
}

interface ObserverOptions {
  readonly version: string;
  readonly log: Log;
  /** The absolute path of the folder that `--record` names. */
  readonly recordFolder: string | undefined;
  readonly recordsMessages?: boolean;
  readonly memory: Memory;
  readonly keyLimits?: Pick<KeyLimits, "refusals"> | undefined;
  /** Source → how many errors of it no one caught. */
  readonly unhandled?: ReadonlyMap<string, number> | undefined;
  readonly toolMemory?: Pick<ToolMemory, "entries"> | undefined;
  readonly beginnings?: Pick<Beginnings, "entries"> | undefined;
  readonly servers?: Servers | undefined;
  readonly reload: () => Promise<unknown>;
}

export async function startObservers(setup: Setup, options: ObserverOptions): Promise<Observers> {
  const { log, memory, keyLimits, recordFolder } = options;
  const { context, requestContext } = log;
  const processFigures = openProcessFigures(options.version);
  const metrics = loadLate(async () =>
    (await import("../../admin/metrics/metrics.ts")).createMetrics({
      store: memory.figures,
      refusals: keyLimits?.refusals,
      unhandled: options.unhandled,
      program: processFigures,
    })
  );
  const recent = new Recent();
  const captures = recordFolder === undefined ? undefined : captureFolder({
    path: recordFolder,
    folder: context.workingDirectory,
    report: (cause) =>
      context.stderr(
        `${
          escaped(
            `Cannot record answers in ${recordFolder}: ${cause}. Answers continue without being recorded`,
          )
        }\n`,
      ),
  });
  const nearMisses = watchNearMisses({
    keep: captures?.keep,
    keepsMessages: options.recordsMessages,
    report: (miss) => {
      const place = { context, ...rulePlace(current) };
      requestContext.stdout(nearMissLines(miss, place));
      const command = deriveCommand(miss, place);
      if (command !== undefined) live.addCommand(miss.request, command);
    },
  });
  const isTraced = ["1", "true"].includes(context.readEnvironment("OTEL_DENO") ?? "");
  const tracing = isTraced ? [(await import("./tracing.ts")).traceRequest] : [];
  let current = setup;
  let audit = openAudit(setup, context);
  const closing: Promise<void>[] = [];
  const live = openLive(() => current.config.config.admin.contents);
  const figures = openFigures();
  const pages = createPages({
    keys: () => ({ admin: current.config.adminKey, clients: current.config.clientKeys }),
    data: {
      status: () => ({
        version: options.version,
        ...statusOf(current, recent),
        learnedTools: options.toolMemory?.entries() ?? [],
        learnedChanges: options.servers?.learnedChanges() ?? [],
        beginnings: options.beginnings?.entries() ?? [],
        servers: serversOf(current, options.servers),
      }),
      rules: () => rulesOf(current, recent),
      rule: (query) => ruleOf(current, { name: query.get("name") ?? "", recent, context }),
      decisions: () => recent.decisions,
      figures: (query) => figures.read(query),
      plugins: () => pluginsOf(current),
    },
    live,
    sections: new Map([["store", storeSection(memory.sessions)]]),
    reload: options.reload,
    metrics: () => metrics.page(),
    playground: {
      setup: () => playgroundSetup(current, context),
      // Only a save needs the parsers of rules, which take long to load.
      save: async (text) => (await import("./save_rule.ts")).saveRule(text, { setup: current, context }),
    },
    site: readPageFiles(),
    now: () => Date.now(),
  });
  const write = (lines: readonly AuditLine[]) => {
    recent.add(lines);
    live.add(lines);
    figures.add(lines);
    log.add(lines);
    metrics.add(lines);
    audit?.write(lines);
  };
  const record: WatchRequest = (facts) => recordRequest(facts, { contents: audit?.contents ?? false, write });
  return {
    watches: [
      live.watch,
      record,
      watchCallResults(write),
      (facts) => metrics.watch(facts),
      nearMisses,
      printNotices(requestContext.stdout),
      printPluginFailures(context.stderr),
      ...tracing,
    ],
    pages,
    unwatched: (request) => live.addUnwatched(request),
    stopPages: () => live.close(),
    use(next) {
      const isSame = isJsonEqual(auditSettings(current), auditSettings(next));
      current = next;
      if (isSame) return;
      if (audit !== undefined) closing.push(audit.close());
      audit = openAudit(next, context);
    },
    async close() {
      processFigures.close();
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

const FOLDER = join(import.meta.dirname ?? ".", "..", "..", "admin", "page", "built");

/** Reads files of the page and keeps them; the caller checks the path. */
export function readPageFiles(folder: string = FOLDER): ReadSiteFile {
  const files = new Map<string, SiteFile>();
  return async (path) => {
    const known = files.get(path);
    if (known !== undefined) return known;
    const [bytes, br, gzip] = await Promise.all(
      ["", ".br", ".gz"].map((ending) => Deno.readFile(join(folder, path + ending)).catch(() => undefined)),
    );
    if (bytes === undefined || br === undefined || gzip === undefined) return undefined;
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
    const file = { bytes, compressed: { br, gzip }, hash };
    files.set(path, file);
    return file;
  };
}

interface FigureCounter {
  add(lines: readonly AuditLine[]): void;
  /** The figures; `model=NAME`, `rule=NAME`, `wire=NAME` or `key=NAME` chooses the timeline. */
  read(query: URLSearchParams): ServerFigures;
}

export function openFigures(): FigureCounter {
  const sums = new Sums();
  const timeline = new Timeline();
  const since = Date.now();
  return {
    add(lines) {
      for (const line of lines) sums.add(line);
      timeline.add(lines, Date.now());
    },
    read(query) {
      const kind = TIMELINE_KINDS.find((one) => query.has(one));
      const filter = kind && { kind, name: query.get(kind) ?? "" };
      return { since, ...sums.figures, timeline: timeline.read(filter, Date.now()) };
    },
  };
}

export interface Live extends LivePages {
  readonly watch: WatchRequest;
  add(lines: readonly AuditLine[]): void;
  addCommand(id: string, command: string): void;
  addUnwatched(request: UnwatchedRequest): void;
  close(): void;
}

/** Opens the list; `hasContents` decides for each request whether its texts are kept. */
export function openLive(hasContents: () => boolean): Live {
  const requests: LiveRequests = new LiveRequests({
    hasContents,
    now: () => Date.now(),
    changed: (id) => feed.changed(id),
  });
  const feed: LiveFeed = new LiveFeed({
    all: () => requests.all,
    get: (id) => requests.get(id),
    hasContents,
    later(act, ms) {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  });
  return {
    watch: (facts) => requests.watch(facts),
    add: (lines) => requests.add(lines),
    addCommand: (id, command) => requests.addCommand(id, command),
    addUnwatched: (request) => requests.addUnwatched(request),
    open: () => feed.open(),
    detailOf: (id) => requests.detailOf(id),
    versionOf: (id) => requests.versionOf(id),
    close: () => feed.close(),
  };
}
