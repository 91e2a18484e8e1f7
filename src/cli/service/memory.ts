/** The memory between requests, in this process or shared through a server, whose outages get a line each. @module */
import type { StoreServer } from "../../proxy/config/store_server.ts";
import { visible } from "../../engine/diagnostic/visible.ts";
import { clock } from "../../engine/diagnostic/figures.ts";
import type { LinkChange, LinkFigures, LinkOptions } from "../../proxy/store/link.ts";
import { memorySessions, type Sessions } from "../../proxy/store/session.ts";
import { SharedSessions } from "../../proxy/store/shared.ts";
import { MemoryQuotas, type Quotas } from "../../proxy/store/quota.ts";
import { MemoryStore } from "../../proxy/store/store.ts";
import { MemoryTexts, type Texts } from "../../proxy/store/text.ts";
import type { Backend } from "../../proxy/store/backend.ts";
import { fallbackBackend, fallbackQuotas, fallbackTexts } from "../../proxy/store/fallback.ts";
import { MemoryBackend } from "../../proxy/store/memory_backend.ts";
import { wait } from "../../proxy/transport/wait.ts";
import type { CliContext } from "./context.ts";

export interface Memory {
  readonly sessions: Sessions;
  /** What there is to count about the server; undefined without one. */
  readonly figures?: () => LinkFigures;
  readonly quotas: Quotas;
  /** Keeps what answers leave for later requests. */
  readonly texts: Texts;
  /** What workers read and change; it never fails. Undefined in a worker and without workers. */
  readonly backend?: Backend;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Opens the memory. If the server does not answer, requests begin with an empty memory of this process. */
export async function openMemory(
  server: StoreServer | undefined,
  context: CliContext,
  { hasWorkers = false }: { readonly hasWorkers?: boolean } = {},
): Promise<Memory> {
  const own = new MemoryQuotas(now);
  const texts = new MemoryTexts(now);
  if (server === undefined && hasWorkers) {
    const backend = new MemoryBackend(now);
    const sessions = sessionsIn(backend, { limitMs: Infinity });
    return { sessions, quotas: own, texts, backend, close: () => Promise.resolve() };
  }
  if (server === undefined) {
    const sessions = memorySessions(new MemoryStore({ now }));
    return { sessions, quotas: own, texts, close: () => Promise.resolve() };
  }
  const backend = await (await import("./valkey.ts")).openValkey(server);
  const sessions = sessionsIn(backend, {
    limitMs: server.timeoutMs,
    report: (change) => context.stderr(`${clock(Date.now())}  ${lineOf(change, server)}\n`),
  });
  const { link } = sessions;
  await link.open();
  return {
    sessions,
    backend: fallbackBackend({ link, copy: new MemoryBackend(now) }),
    figures: () => link.figures,
    quotas: fallbackQuotas({ shared: backend.quotas, own, link }),
    texts: fallbackTexts({ shared: backend.texts, own: texts, link }),
    async close() {
      await link.close();
      backend.close();
    },
  };
}

export function sessionsIn(
  backend: Backend,
  { limitMs, report = () => {} }: Pick<LinkOptions, "limitMs"> & Partial<Pick<LinkOptions, "report">>,
): SharedSessions {
  return new SharedSessions({ backend, limitMs, now, wait, newId: () => crypto.randomUUID(), report });
}

function now(): number {
  return performance.now();
}

function lineOf(change: LinkChange, { url }: StoreServer): string {
  if (!change.isUp) {
    const cause = visible(change.cause, { lengthMax: 200 });
    return `The store at ${url} does not answer (${cause}). Requests use this process's memory`;
  }
  const seconds = Math.round(change.awayMs / 1000);
  const lost = change.dropped === 0 ? "" : `, ${change.dropped} were too many or too old`;
  return `The store at ${url} answers again after ${seconds} s: ${change.sent} waiting changes were sent${lost}`;
}
