/**
 * Knows which upstreams answered lately: from the requests that pass, and from probes when no request did.
 *
 * @module
 */
import type { UpstreamConfig } from "../config/schema.ts";
import { type ProbeResult, probeUpstream } from "./probe.ts";
import type { Service } from "../exchange/service.ts";

/** What is known of an upstream. */
export interface UpstreamState {
  /** The upstream's name. */
  readonly name: string;
  /** Whether its last request or probe got an answer; undefined if it has had none. */
  readonly answers: boolean | undefined;
  /** How long ago that was, in seconds. */
  readonly secondsAgo: number | undefined;
}

/** An upstream's probe. */
export interface Probed {
  /** The upstream. */
  readonly upstream: UpstreamConfig;
  /** What the probe found. */
  readonly result: ProbeResult;
}

/** The upstreams, and their keys. */
export type Upstreams = Pick<Service, "config" | "keys">;

/** What a probe gets besides the upstream. */
export interface ProbeContext {
  /** The upstream's key. */
  readonly key: string | undefined;
  /** Ends the probe early. */
  readonly signal: AbortSignal | undefined;
}

/** What the knowledge comes from. */
export interface UpstreamHealthOptions {
  /** Probes an upstream; never rejects. */
  readonly probe: (upstream: UpstreamConfig, context: ProbeContext) => Promise<ProbeResult>;
  /** A clock, in milliseconds. */
  readonly now: () => number;
}

/** How long a probe may take, in milliseconds. */
const PROBE_MS = 3000;

/** How long an answer counts as lately, in milliseconds. */
const FRESH_MS = 30_000;

/** How long the result of a probe is used instead of another probe, in milliseconds. */
const PROBE_PAUSE_MS = 2000;

interface Seen {
  readonly answers: boolean;
  readonly at: number;
}

/** Which upstreams of a server answer. */
export class UpstreamHealth {
  readonly #options: UpstreamHealthOptions;
  readonly #seen = new Map<string, Seen>();
  #probing: Promise<unknown> | undefined;
  #probedAt = -Infinity;

  /** Starts without knowledge. */
  constructor(options: UpstreamHealthOptions) {
    this.#options = options;
  }

  /** Takes what became of a request: whether the upstream, and not a gateway in front of it, answered. */
  see(name: string, answers: boolean): void {
    this.#seen.set(name, { answers, at: this.#options.now() });
  }

  /** Probes the upstreams, all at once. */
  probe(upstreams: Upstreams, signal?: AbortSignal): Promise<Probed[]> {
    this.#probedAt = this.#options.now();
    const probing = this.#probeAll(upstreams, signal);
    this.#probing = probing;
    return probing;
  }

  async #probeAll({ config, keys }: Upstreams, signal: AbortSignal | undefined): Promise<Probed[]> {
    return await Promise.all(config.upstreams.map(async (upstream) => {
      const result = await this.#options.probe(upstream, { key: keys.get(upstream.name), signal });
      if (!signal?.aborted) {
        this.see(upstream.name, result.kind === "answers" || result.kind === "refuses_key");
      }
      return { upstream, result };
    }));
  }

  /** Whether one of the upstreams answered lately. If none is known to, they are probed first. */
  async isReady(upstreams: Upstreams): Promise<boolean> {
    const isFresh = () => upstreams.config.upstreams.some(({ name }) => this.#answeredLately(name));
    if (isFresh()) return true;
    const isDue = this.#options.now() - this.#probedAt >= PROBE_PAUSE_MS;
    // A probe that still runs, such as that of the start, is the answer.
    await (isDue ? this.probe(upstreams) : this.#probing);
    return isFresh();
  }

  /** What is known of each upstream. */
  states(upstreams: readonly UpstreamConfig[]): UpstreamState[] {
    return upstreams.map(({ name }) => {
      const seen = this.#seen.get(name);
      const secondsAgo = seen && Math.round((this.#options.now() - seen.at) / 1000);
      return { name, answers: seen?.answers, secondsAgo };
    });
  }

  #answeredLately(name: string): boolean {
    const seen = this.#seen.get(name);
    return seen !== undefined && seen.answers && this.#options.now() - seen.at < FRESH_MS;
  }
}

/** Starts to learn which upstreams answer. */
export function createUpstreamHealth(): UpstreamHealth {
  return new UpstreamHealth({
    probe: (upstream, context) => probeUpstream(upstream, { ...context, send: fetch, timeoutMs: PROBE_MS }),
    now: () => performance.now(),
  });
}
