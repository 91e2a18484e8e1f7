/** What a replica does while the shared store is away: it decides by itself. Afterwards the store counts again. @module */
import { type Backend, withoutVersions } from "./backend.ts";
import type { StoreLink } from "./link.ts";
import type { MemoryBackend } from "./memory_backend.ts";
import type { Quotas } from "./quota.ts";
import type { Texts } from "./text.ts";

/** What the replicas share, what counts in this process meanwhile, and what knows whether the store answers. */
interface Fallback<Kept> {
  readonly shared: Kept;
  readonly own: Kept;
  readonly link: Pick<StoreLink, "attempt">;
}

/** A backend that never fails. */
export function fallbackBackend(
  { link, copy }: { readonly link: Pick<StoreLink, "attempt" | "send">; readonly copy: MemoryBackend },
): Backend {
  return {
    async read(scope) {
      const read = await link.attempt((backend) => backend.read(scope));
      if (read === undefined) return await copy.read(scope);
      copy.replace(scope, read.value);
      return read.value;
    },
    async apply(batch) {
      const shared = await link.send(batch);
      // While the store is away, the copy decides who gets a value. The store gets the changes later.
      if (shared === undefined) return await copy.apply(batch);
      if (shared) await copy.apply(withoutVersions(batch));
      return shared;
    },
    list: async (countMax) =>
      (await link.attempt((backend) => backend.list(countMax)))?.value ?? await copy.list(countMax),
    ping: () => Promise.resolve(),
  };
}

/** Counts the use of keys over all replicas. A lease ends where it began. */
export function fallbackQuotas({ shared, own, link }: Fallback<Quotas>): Quotas {
  const ownLeases = new Set<string>();
  return {
    async admit(request) {
      const answered = await link.attempt(() => shared.admit(request));
      if (answered !== undefined) return answered.value;
      const refusal = await own.admit(request);
      if (refusal === undefined) ownLeases.add(request.lease);
      return refusal;
    },
    async renew(request) {
      if (ownLeases.has(request.lease)) return await own.renew(request);
      await link.attempt(() => shared.renew(request));
    },
    async release(use) {
      const isOwn = ownLeases.delete(use.lease);
      const released = isOwn ? undefined : await link.attempt(() => shared.release(use));
      if (released === undefined) await own.release(use);
    },
  };
}

/** Keeps texts for all replicas, and those of this one also here. */
export function fallbackTexts({ shared, own, link }: Fallback<Texts>): Texts {
  return {
    async recall(names) {
      const [found, ours] = await Promise.all([link.attempt(() => shared.recall(names)), own.recall(names)]);
      return names.map((_, at) => found?.value[at] ?? ours[at]);
    },
    async keep(name, text) {
      await Promise.all([link.attempt(() => shared.keep(name, text)), own.keep(name, text)]);
    },
  };
}
