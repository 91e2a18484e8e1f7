/**
 * The link to a store that can be away. A request waits for it no longer than the limit, and not at all while it is away:
 * changes are kept, and sent when it answers again.
 *
 *     up ──call fails or takes too long──▶ down ──▶ wait ──▶ send what is kept ──▶ up
 *                                                     ▲           │ fails
 *                                                     ╰───────────╯
 *
 * @module
 */
import type { Backend, Batch, Change } from "./backend.ts";

export interface LinkOptions {
  readonly backend: Backend;
  /** How long a request waits for one call, in milliseconds; infinite for a store in the same process. */
  readonly limitMs: number;
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Receives the beginning and the end of each outage, once. */
  readonly report: (change: LinkChange) => void;
}

export type LinkChange =
  | { readonly isUp: false; readonly cause: string }
  | { readonly isUp: true; readonly awayMs: number; readonly sent: number; readonly dropped: number };

export interface LinkFigures {
  readonly isUp: boolean;
  /** How often it went away. */
  readonly outages: number;
  readonly waiting: number;
  /** The batches that were too many or too old to be sent. */
  readonly dropped: number;
}

interface Kept {
  readonly batch: Batch;
  readonly at: number;
}

const WAITING_MAX = 10_000;

/** How long a batch waits, in milliseconds; the store remembers batches for longer. */
const WAIT_MAX_MS = 30 * 60_000;

/** The pauses between attempts while the store is away, in milliseconds. */
const PAUSE = { first: 100, longest: 1000 };

/** How long a stopping process waits for the store, in milliseconds. */
const CLOSE_MS = 5000;

/** How long an attempt may take if no request waits for it, in milliseconds. */
const ATTEMPT_MS = 1000;

export class StoreLink {
  readonly #options: LinkOptions;
  readonly #closed = new AbortController();
  readonly #waiting: Kept[] = [];
  #recovery: Promise<void> | undefined;
  #outages = 0;
  #dropped = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get figures(): LinkFigures {
    const isUp = this.#recovery === undefined;
    return { isUp, outages: this.#outages, waiting: this.#waiting.length, dropped: this.#dropped };
  }

  /** Calls the store; undefined while it is away. */
  async attempt<T>(call: (backend: Backend) => Promise<T>): Promise<{ readonly value: T } | undefined> {
    if (this.#recovery !== undefined) return undefined;
    try {
      return { value: await this.#limited(call, this.#options.limitMs) };
    } catch (cause) {
      this.#lose(cause);
      return undefined;
    }
  }

  /** Sends a batch. False: a value that it takes has another version. Undefined: the store is away and gets it later. */
  async send(batch: Batch): Promise<boolean | undefined> {
    const at = this.#options.now();
    const sent = await this.attempt((backend) => backend.apply(batch));
    if (sent === undefined) this.#keep({ batch, at });
    return sent?.value;
  }

  /** Waits for the store to answer, for a while. */
  async open(): Promise<void> {
    try {
      await this.#limited((backend) => backend.ping(), ATTEMPT_MS);
    } catch (cause) {
      this.#lose(cause);
    }
  }

  /** Waits a while until the store has the kept batches, and drops the rest. */
  async close(): Promise<void> {
    const given = new AbortController();
    const end = this.#options.wait(this.#waiting.length > 0 ? CLOSE_MS : 0, given.signal);
    await Promise.race([end, this.#recovery]);
    given.abort();
    this.#closed.abort();
    await this.#recovery;
  }

  #keep(kept: Kept): void {
    this.#waiting.push(kept);
    if (this.#waiting.length <= WAITING_MAX) return;
    this.#waiting.shift();
    this.#dropped++;
  }

  #lose(cause: unknown): void {
    if (this.#recovery !== undefined || this.#closed.signal.aborted) return;
    this.#outages++;
    this.#recovery = this.#recover();
    this.#report({ isUp: false, cause: cause instanceof Error ? cause.message : String(cause) });
  }

  /** Reports a change. A failing receiver, such as a log on a full disk, breaks neither a request nor the link. */
  #report(change: LinkChange): void {
    try {
      this.#options.report(change);
    } catch {
      return;
    }
  }

  /** Tries until the store answers and has everything. */
  async #recover(): Promise<void> {
    const { signal } = this.#closed;
    const { now } = this.#options;
    const before = { at: now(), dropped: this.#dropped };
    let sent = 0;
    for (let pauseMs = PAUSE.first;; pauseMs = Math.min(2 * pauseMs, PAUSE.longest)) {
      await this.#options.wait(pauseMs, signal);
      if (signal.aborted) return;
      try {
        await this.#limited((backend) => backend.ping(), ATTEMPT_MS);
        for (let kept = this.#waiting[0]; kept !== undefined; kept = this.#waiting[0]) {
          if (await this.#sendKept(kept)) sent++;
          if (signal.aborted) return;
        }
        break;
      } catch {
        // Still away.
      }
    }
    // In the same turn as the check of what waits, so that no batch is kept and never sent.
    this.#recovery = undefined;
    this.#report({ isUp: true, awayMs: now() - before.at, sent, dropped: this.#dropped - before.dropped });
  }

  /** Sends what was kept, unless it is too old. */
  async #sendKept(kept: Kept): Promise<boolean> {
    const batch = aged(kept.batch, this.#options.now() - kept.at);
    if (batch === undefined) this.#dropped++;
    else await this.#limited((backend) => backend.apply(batch), ATTEMPT_MS);
    // A batch that was added to a full list meanwhile can have displaced this one.
    if (this.#waiting[0] === kept) this.#waiting.shift();
    return batch !== undefined;
  }

  /** The result of a call; rejects if it takes too long. */
  async #limited<T>(call: (backend: Backend) => Promise<T>, limitMs: number): Promise<T> {
    const { backend, wait } = this.#options;
    if (limitMs === Infinity) return await call(backend);
    const over = new AbortController();
    const late = async (): Promise<never> => {
      await wait(limitMs, over.signal);
      // If this process was busy, the answer can have arrived meanwhile; it gets one turn to be read.
      await wait(1, over.signal);
      await wait(1, over.signal);
      throw new Error(`no answer within ${limitMs} ms`);
    };
    try {
      return await Promise.race([call(backend), late()]);
    } finally {
      over.abort();
    }
  }
}

/** A batch after it waited: its values live shorter by that time. Undefined: none is still alive. */
function aged({ changes, ...batch }: Batch, ageMs: number): Batch | undefined {
  if (ageMs > WAIT_MAX_MS) return undefined;
  const alive = changes.flatMap((change): Change[] => {
    if (change.kind === "take") return [change];
    const ttlMs = Math.round(change.ttlMs - ageMs);
    return ttlMs > 0 ? [{ ...change, ttlMs }] : [];
  });
  return alive.length === 0 ? undefined : { ...batch, changes: alive };
}
