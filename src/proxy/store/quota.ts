/**
 * How much one client key may use: requests and tokens a minute and a day, and answers at a time. All but the last are
 * buckets that empty steadily. So a minute's share can be used at once, and then becomes available again bit by bit:
 *
 *     60 a minute      60 at once, then one a second
 *
 * A bucket is stored as the time when it will be empty. A running answer is a lease, which expires if its process
 * vanishes.
 *
 * @module
 */
import { putLast } from "../../engine/object/drop_oldest.ts";

/** The limits of a key; an absent one doesn't limit. */
export interface QuotaLimits {
  readonly requests?: number | undefined;
  /** Tokens a minute. They are known at the end of an answer, so one answer can exceed the limit, and the next ones wait. */
  readonly tokens?: number | undefined;
  readonly day_requests?: number | undefined;
  readonly day_tokens?: number | undefined;
  /** Answers at a time. */
  readonly streams?: number | undefined;
}

export type QuotaName = keyof QuotaLimits;

export interface QuotaRequest {
  /** The name by which the key is counted, never the key itself. */
  readonly key: string;
  /** The id of the running answer. */
  readonly lease: string;
  readonly limits: QuotaLimits;
}

export interface QuotaRefusal {
  readonly limit: QuotaName;
  /** When the request would be admitted, if no other is first; a guess for `streams`. */
  readonly retryMs: number;
}

export interface QuotaUse extends QuotaRequest {
  readonly tokens: number;
}

export interface Quotas {
  /** Admits and counts a request, or returns why it has to wait. */
  admit(request: QuotaRequest): Promise<QuotaRefusal | undefined>;
  renew(request: QuotaRequest): Promise<void>;
  release(use: QuotaUse): Promise<void>;
}

/** The buckets: what fills them, and how long they take to empty, in milliseconds. */
export const BUCKETS = {
  requests: { unit: "requests", ms: 60_000 },
  tokens: { unit: "tokens", ms: 60_000 },
  day_requests: { unit: "requests", ms: 86_400_000 },
  day_tokens: { unit: "tokens", ms: 86_400_000 },
} as const satisfies Partial<Record<QuotaName, { unit: "requests" | "tokens"; ms: number }>>;

type BucketName = keyof typeof BUCKETS;

export const QUOTA_NAMES: readonly QuotaName[] = [...Object.keys(BUCKETS) as BucketName[], "streams"];

export function bucketsOf(unit: "requests" | "tokens"): BucketName[] {
  return (Object.keys(BUCKETS) as BucketName[]).filter((name) => BUCKETS[name].unit === unit);
}

/** How long a lease lasts without renewal, in milliseconds. */
export const LEASE_MS = 60_000;

/** How long a request waits for the end of an answer, which is unknown, in milliseconds. */
export const STREAM_RETRY_MS = 1000;

/** The most keys that are counted; the least recently used one is forgotten. */
const KEYS_MAX = 1000;

interface Use {
  readonly until: Map<BucketName, number>;
  readonly leases: Map<string, number>;
}

export class MemoryQuotas implements Quotas {
  readonly #now: () => number;
  readonly #uses = new Map<string, Use>();

  constructor(now: () => number) {
    this.#now = now;
  }

  admit({ key, lease, limits }: QuotaRequest): Promise<QuotaRefusal | undefined> {
    const now = this.#now();
    const use = this.#useOf(key);
    for (const [id, until] of use.leases) if (until <= now) use.leases.delete(id);
    const refusal = refusalOf(use, { limits, now });
    if (refusal === undefined) {
      fill(use, "requests", { amount: 1, limits, now });
      if (limits.streams !== undefined) use.leases.set(lease, now + LEASE_MS);
    }
    return Promise.resolve(refusal);
  }

  renew({ key, lease }: QuotaRequest): Promise<void> {
    const { leases } = this.#useOf(key);
    if (leases.has(lease)) leases.set(lease, this.#now() + LEASE_MS);
    return Promise.resolve();
  }

  release({ key, lease, limits, tokens }: QuotaUse): Promise<void> {
    const use = this.#useOf(key);
    use.leases.delete(lease);
    fill(use, "tokens", { amount: tokens, limits, now: this.#now() });
    return Promise.resolve();
  }

  #useOf(key: string): Use {
    const use = this.#uses.get(key) ?? { until: new Map(), leases: new Map() };
    putLast(this.#uses, key, use, KEYS_MAX);
    return use;
  }
}

interface Filling {
  readonly amount: number;
  readonly limits: QuotaLimits;
  readonly now: number;
}

function fill({ until }: Use, unit: "requests" | "tokens", { amount, limits, now }: Filling): void {
  for (const name of bucketsOf(unit)) {
    const most = limits[name];
    if (most === undefined) continue;
    until.set(name, Math.max(until.get(name) ?? 0, now) + amount * BUCKETS[name].ms / most);
  }
}

/** Rounding must not refuse the last request of a minute's share, in milliseconds. */
const TOLERANCE_MS = 0.5;

function refusalOf(
  { until, leases }: Use,
  { limits, now }: { readonly limits: QuotaLimits; readonly now: number },
): QuotaRefusal | undefined {
  const waits: QuotaRefusal[] = [];
  if (limits.streams !== undefined && leases.size >= limits.streams) {
    waits.push({ limit: "streams", retryMs: STREAM_RETRY_MS });
  }
  for (
    const [name, { unit, ms }] of Object.entries(BUCKETS) as [BucketName, { unit: string; ms: number }][]
  ) {
    const most = limits[name];
    if (most === undefined) continue;
    const full = Math.max(until.get(name) ?? 0, now) - ms - now;
    // A request has to fit. Tokens are known only afterwards, so any room is enough.
    const retryMs = unit === "requests" ? full + ms / most : full;
    const isOver = unit === "requests" ? retryMs > TOLERANCE_MS : retryMs >= 0;
    if (isOver) waits.push({ limit: name, retryMs });
  }
  return waits.sort((one, other) => other.retryMs - one.retryMs)[0];
}
