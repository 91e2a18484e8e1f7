/** Counts the use of keys over all replicas; while the store is away, each replica counts for itself. @module */
import type { StoreLink } from "./link.ts";
import type { MemoryQuotas, QuotaRefusal, QuotaRequest, Quotas, QuotaUse } from "./quota.ts";

export interface SharedQuotaOptions {
  readonly shared: Quotas;
  readonly link: Pick<StoreLink, "attempt">;
  /** Counts while the store is away. */
  readonly own: MemoryQuotas;
}

export class SharedQuotas implements Quotas {
  readonly #options: SharedQuotaOptions;
  readonly #ownLeases = new Set<string>();

  constructor(options: SharedQuotaOptions) {
    this.#options = options;
  }

  async admit(request: QuotaRequest): Promise<QuotaRefusal | undefined> {
    const { shared, link, own } = this.#options;
    const answered = await link.attempt(() => shared.admit(request));
    if (answered !== undefined) return answered.value;
    const refusal = await own.admit(request);
    if (refusal === undefined) this.#ownLeases.add(request.lease);
    return refusal;
  }

  async renew(request: QuotaRequest): Promise<void> {
    const { shared, link, own } = this.#options;
    if (this.#ownLeases.has(request.lease)) return await own.renew(request);
    await link.attempt(() => shared.renew(request));
  }

  async release(use: QuotaUse): Promise<void> {
    const { shared, link, own } = this.#options;
    const released = this.#ownLeases.delete(use.lease)
      ? undefined
      : await link.attempt(() => shared.release(use));
    if (released === undefined) await own.release(use);
  }
}
