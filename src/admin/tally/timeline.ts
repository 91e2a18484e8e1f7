/**
 * Sums over time: one bucket a minute for a day, of all lines and by model and rule. Memory is bounded: the oldest
 * buckets are dropped, and so are the names of the oldest where there are too many.
 *
 *     23:58 ▏all 12 ▏model a 8 ▏model b 4 ▏rule x 3
 *     23:59 ▏all  0
 *     00:00 ▏all 31 ▏model a 31 ▏rule x 9 ▏rule y 1
 *
 * @module
 */
import type { AuditLine } from "../audit/line.ts";
import { ruleOf, type SumsFigures } from "./sums.ts";
import { addLine, emptyTally, type Tally } from "./tally.ts";

interface TimelineOptions {
  readonly bucketMs?: number;
  readonly bucketsMax?: number;
  /** The most names in all buckets together. */
  readonly namesMax?: number;
}

interface TimelineFilter {
  /** What a line has to have: one model, one rule, which has no requests, one API, or one client key. */
  readonly kind: TimelineKind;
  readonly name: string;
}

type TimelineKind = "model" | "rule" | "wire" | "key";

export const TIMELINE_KINDS: readonly TimelineKind[] = ["model", "rule", "wire", "key"];

export const POINT_COLUMNS = [
  "requests",
  "errors",
  "answers",
  "printedAsText",
  "reachedAsText",
  "attempts",
  "transformed",
  "wouldTransform",
  "nearMisses",
  "accepted",
  "rejected",
  "begun",
  "firstMs",
  "durationMs",
] as const satisfies readonly SumName[];

export interface TimelineFigures {
  readonly bucketMs: number;
  /** The time of the end, in milliseconds since 1970. */
  readonly now: number;
  /** The names of the sums in a point, after its time. */
  readonly columns: readonly SumName[];
  /** The buckets with lines, the oldest first: the beginning in milliseconds since 1970, then the sums. */
  readonly points: readonly (readonly number[])[];
}

/** What `GET /_dragoman/figures` answers. */
export interface ServerFigures extends SumsFigures {
  /** When the server started, in milliseconds since 1970. */
  readonly since: number;
  /** The figures over time: of the model, rule, API or key that the query names, otherwise of all requests. */
  readonly timeline: TimelineFigures;
}

type TimesName = "firstTimes" | "durationTimes";

/** The sums that are one number. */
type SumName = Exclude<keyof Tally, TimesName>;

interface Bucket {
  readonly at: number;
  readonly all: Tally;
  /** `model NAME`, `rule NAME`, `wire NAME` and `key NAME` → sums. */
  readonly named: Map<string, Tally>;
}

/** Sums over the last day. */
export class Timeline {
  readonly #bucketMs: number;
  readonly #bucketsMax: number;
  readonly #namesMax: number;
  #buckets: Bucket[] = [];
  #names = 0;
  /** Buckets have no quantiles: all share these counts, so that thousands of them stay small. */
  readonly #times: Pick<Tally, TimesName> = { firstTimes: new Map(), durationTimes: new Map() };

  constructor({ bucketMs = 60_000, bucketsMax = 1440, namesMax = 20_000 }: TimelineOptions = {}) {
    this.#bucketMs = bucketMs;
    this.#bucketsMax = bucketsMax;
    this.#namesMax = namesMax;
  }

  add(lines: readonly AuditLine[], now: number): void {
    if (lines.length === 0) return;
    const bucket = this.#bucketAt(now);
    for (const line of lines) {
      if (line.kind === "gap") continue;
      addLine(bucket.all, line);
      for (const kind of ["model", "wire", "key"] as const) {
        addLine(this.#named(bucket, `${kind} ${line[kind] ?? "none"}`), line);
      }
      const rule = ruleOf(line);
      if (rule !== undefined) addLine(this.#named(bucket, `rule ${rule}`), line);
    }
  }

  read(filter: TimelineFilter | undefined, now: number): TimelineFigures {
    const key = filter && `${filter.kind} ${filter.name}`;
    this.#forget(now);
    const points = this.#buckets.flatMap(({ at, all, named }) => {
      const tally = key === undefined ? all : named.get(key);
      return tally === undefined ? [] : [[at, ...POINT_COLUMNS.map((name) => Math.round(tally[name]))]];
    });
    return { bucketMs: this.#bucketMs, now, columns: POINT_COLUMNS, points };
  }

  #bucketAt(now: number): Bucket {
    const at = Math.floor(now / this.#bucketMs) * this.#bucketMs;
    const last = this.#buckets.at(-1);
    // A clock that is set back counts in the last bucket.
    if (last !== undefined && last.at >= at) return last;
    const bucket = { at, all: this.#emptySums(), named: new Map<string, Tally>() };
    this.#buckets.push(bucket);
    this.#forget(now);
    return bucket;
  }

  #named(bucket: Bucket, key: string): Tally {
    const known = bucket.named.get(key);
    if (known !== undefined) return known;
    const tally = this.#emptySums();
    this.#makeRoom(bucket);
    if (this.#names >= this.#namesMax) return tally;
    bucket.named.set(key, tally);
    this.#names++;
    return tally;
  }

  #emptySums(): Tally {
    return { ...emptyTally(), ...this.#times };
  }

  #makeRoom(current: Bucket): void {
    for (const bucket of this.#buckets) {
      if (this.#names < this.#namesMax || bucket === current) return;
      this.#names -= bucket.named.size;
      bucket.named.clear();
    }
  }

  #forget(now: number): void {
    const first = now - this.#bucketMs * this.#bucketsMax;
    const kept = this.#buckets.filter(({ at }) => at > first);
    if (kept.length === this.#buckets.length) return;
    this.#buckets = kept;
    this.#names = kept.reduce((sum, { named }) => sum + named.size, 0);
  }
}
