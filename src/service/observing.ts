/**
 * Everything that watches a running server, in one place: audit log, metrics, traces, the last decisions, and the
 * pages that show them. In: a setup, and the next one after a reload. Out: watches and pages for the server.
 *
 * @module
 */
import { type AdminSection, createPages } from "../admin/pages.ts";
import { Recent } from "../admin/recent.ts";
import { captureRequest } from "../audit/capture.ts";
import { recordRequest } from "../audit/record.ts";
import { scrubArguments } from "../audit/scrub.ts";
import type { WatchRequest } from "../http/watch.ts";
import { isJsonEqual } from "../json/equal.ts";
import { loadLate } from "../metrics/late.ts";
import type { Store } from "../store/store.ts";
import { captureFolder } from "./capture_folder.ts";
import { openAudit } from "./audit.ts";
import type { Setup } from "./setup.ts";
import type { World } from "./world.ts";

/** What watches, and how it follows the setup. */
export interface Observing {
  /** Who watches the requests. */
  readonly watches: readonly WatchRequest[];
  /** Answers `/metrics` and `/_dragoman/…`. */
  pages(request: Request, remote: string | undefined): Promise<Response>;
  /** Follows a reload. */
  use(setup: Setup): void;
  /** The server has stopped: what waits is written. */
  close(): Promise<void>;
}

/** What there is around it. */
export interface ObservingOptions {
  /** The program's version, for the status page. */
  readonly version: string;
  /** Where trouble is logged. */
  readonly world: World;
  /** The absolute path of the folder that `--record` names. */
  readonly recordFolder: string | undefined;
  /** What plugins remember. */
  readonly store: Store;
  /** Reads everything again; undefined until that can be done. */
  readonly reload: () => Promise<unknown>;
}

/** Begins to watch. */
export async function startObserving(setup: Setup, options: ObservingOptions): Promise<Observing> {
  const { world, store, recordFolder } = options;
  const metrics = loadLate(async () => (await import("../metrics/metrics.ts")).createMetrics());
  const recent = new Recent();
  const captures = recordFolder === undefined ? undefined : captureFolder({
    path: recordFolder,
    report: (cause) =>
      world.stderr(`Cannot record answers in ${recordFolder}: ${cause}. Answers go on unrecorded\n`),
  });
  const capture: WatchRequest[] = captures ? [(facts) => captureRequest(facts, captures.keep)] : [];
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
    sections: new Map([["store", storeSection(store)]]),
    reload: options.reload,
    metrics: () => metrics.page(),
  });
  const record: WatchRequest = (facts) =>
    recordRequest(facts, {
      contents: audit?.contents ?? false,
      write(lines) {
        recent.add(lines);
        audit?.write(lines);
      },
    });
  return {
    watches: [record, (facts) => metrics.watch(facts), ...capture, ...tracing],
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

/** A URL may hold a name and a password. */
function bareUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  url.username = url.password = "";
  return url.href;
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

/** What plugins remember of conversations: counters as they are, of anything else only that it is there. */
function storeSection(store: Store): AdminSection {
  return {
    read: () =>
      store.entries().map(({ key, value, leftMs }) => ({
        key,
        leftSeconds: Math.round(leftMs / 1000),
        value: typeof value === "number" || typeof value === "boolean" ? value : `a ${typeof value}`,
      })),
    reset: (key) => store.take(key) !== undefined,
  };
}
