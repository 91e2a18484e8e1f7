/**
 * The limits of client keys: checks them before a request is forwarded, and counts what its answer used.
 *
 *     request ─▶ enter ─▶ answer … ─▶ the connection ends: tokens are counted, the lease ends
 *                  ╰──▶ 429 with `retry-after`
 *
 * @module
 */
import { createHash } from "node:crypto";
import { plural } from "../../engine/diagnostic/figures.ts";
import type { QuotaLimits, QuotaName, QuotaRefusal, Quotas } from "../store/quota.ts";
import type { HttpError } from "../transport/respond.ts";
import { tokensUsed, type WatchRequest } from "../exchange/watch.ts";

export interface KeyLimits {
  /** Admits a request, or returns the error that states when to try again. */
  enter(request: LimitedRequest): Promise<KeyEntry | LimitedError>;
  readonly refusals: ReadonlyMap<QuotaName, number>;
  count(limit: QuotaName): void;
  close(): void;
}

interface LimitedRequest {
  /** The key; undefined if clients need none, and then share one limit. */
  readonly key: string | undefined;
  /** The name of the key in the configuration; undefined if it has none. */
  readonly name?: string | undefined;
  readonly limits: QuotaLimits;
}

export interface KeyEntry {
  readonly watch: WatchRequest;
  /** The bytes of the request's body so far, decoded. */
  bytes: number;
  /** Takes the tokens that the upstream states for an answer that isn't a chat's. */
  state(tokens: number): void;
  areEvents: boolean;
  /** Ends the request, after this many bytes of its answer. */
  leave(bytes: number): void;
}

export interface LimitedError extends HttpError {
  readonly retrySeconds: number;
}

/** How often leases are renewed, in milliseconds; they last much longer. */
const RENEW_MS = 20_000;

/** How long a request waits for the end of its client's previous answer, in milliseconds. */
const END_MS = 25;

/** The bytes of a token in JSON and in a stream of events, for upstreams that don't state their tokens. */
const TOKEN_BYTES = { json: 4, events: 50 };

/** Limits that count in `quotas`; `refused` gets the limit of each refusal. */
export function createKeyLimits(quotas: Quotas, refused: (limit: QuotaName) => void = () => {}): KeyLimits {
  const running = new Map<
    string,
    { readonly key: string; readonly lease: string; readonly limits: QuotaLimits }
  >();
  const refusals = new Map<QuotaName, number>();
  let renewing: ReturnType<typeof setInterval> | undefined;
  const renew = () => {
    for (const request of running.values()) void quotas.renew(request);
  };
  const count = (limit: QuotaName) => void refusals.set(limit, (refusals.get(limit) ?? 0) + 1);
  return {
    refusals,
    count,
    close: () => clearInterval(renewing),
    async enter({ key, name, limits }) {
      const request = { key: nameOf(key), lease: crypto.randomUUID(), limits };
      let refusal = await quotas.admit(request);
      if (refusal?.limit === "streams") {
        // The client's previous answer can be about to end.
        await new Promise((resolve) => setTimeout(resolve, END_MS));
        refusal = await quotas.admit(request);
      }
      if (refusal !== undefined) {
        count(refusal.limit);
        refused(refusal.limit);
        return limited(refusal, { limits, name });
      }
      running.set(request.lease, request);
      if (renewing === undefined) Deno.unrefTimer(renewing = setInterval(renew, RENEW_MS));
      return new Entry((tokens) => {
        running.delete(request.lease);
        void quotas.release({ ...request, tokens });
      });
    },
  };
}

class Entry implements KeyEntry {
  bytes = 0;
  areEvents = false;
  readonly #release: (tokens: number) => void;
  #stated: number | undefined;

  constructor(release: (tokens: number) => void) {
    this.#release = release;
  }

  state(tokens: number): void {
    this.#stated = tokens;
  }

  readonly watch: WatchRequest = () => ({
    observe() {},
    end: (outcome) => void (this.#stated = tokensUsed(outcome)),
  });

  leave(bytes: number): void {
    const { json, events } = TOKEN_BYTES;
    const estimated = this.bytes / json + bytes / (this.areEvents ? events : json);
    this.#release(Math.round(this.#stated ?? estimated));
  }
}

/** The name by which a key is counted. It doesn't reveal the key. */
function nameOf(key: string | undefined): string {
  return key === undefined ? "any" : createHash("sha256").update(key).digest("hex").slice(0, 32);
}

const REACHED: Readonly<Record<QuotaName, (most: number) => string>> = {
  requests: (most) => `${plural(most, "request")} a minute (\`limits.per_key.requests_per_minute\`)`,
  tokens: (most) => `${plural(most, "token")} a minute (\`limits.per_key.tokens_per_minute\`)`,
  day_requests: (most) => `${plural(most, "request")} a day (\`limits.per_key.requests_per_day\`)`,
  day_tokens: (most) => `${plural(most, "token")} a day (\`limits.per_key.tokens_per_day\`)`,
  streams: (most) => `${plural(most, "answer")} at a time (\`limits.per_key.streams\`)`,
};

function limited(
  { limit, retryMs }: QuotaRefusal,
  { limits, name }: Pick<LimitedRequest, "limits" | "name">,
): LimitedError {
  const retrySeconds = Math.max(1, Math.ceil(retryMs / 1000));
  return {
    status: 429,
    type: "rate_limit_error",
    code: "rate_limit_exceeded",
    message:
      `${name === undefined ? "This client key" : `The client key of ${name}`} has reached its limit of ${
        REACHED[limit](limits[limit] ?? 0)
      }. ` +
      (limit === "streams" ? "Try again when an answer has ended" : `Try again in ${retrySeconds} s`),
    retrySeconds,
  };
}
