/** Summarizes audit logs: lines in any order, from any number of files; those that aren't valid are counted. @module */
import { endOf } from "../audit/ends.ts";
import type { AuditLine, DecisionLine, RequestLine } from "../audit/line.ts";
import { NamedTallies, type Row, Sums, type SumsFigures } from "../tally/sums.ts";
import { readLine } from "./read_line.ts";

export type { Row } from "../tally/sums.ts";

export interface Count {
  readonly name: string;
  readonly count: number;
}

export interface Report extends SumsFigures {
  /** The first and the last request, ISO 8601; null without requests. */
  readonly period: { readonly from: string; readonly to: string } | null;
  /** By day, in UTC, the oldest first. */
  readonly days: readonly Row[];
  readonly tools: readonly Count[];
  /** The reasons for leaving text unchanged, most frequent first. */
  readonly abstained: readonly Count[];
  /** The reasons for which calls broke off or were lost, most frequent first. */
  readonly broken: readonly Count[];
  readonly repaired: readonly Count[];
  readonly unreadable: number;
  /** The number of lost lines that the log itself records. */
  readonly lost: number;
}

const NAMES_MAX = 1000;

export class ReportBuilder {
  readonly #sums = new Sums();
  readonly #days = new NamedTallies();
  readonly #tools = new Map<string, number>();
  readonly #abstained = new Map<string, number>();
  readonly #broken = new Map<string, number>();
  readonly #repaired = new Map<string, number>();
  #from: string | undefined;
  #to: string | undefined;
  #unreadable = 0;
  #lost = 0;

  add(text: string): void {
    if (text.trim() === "") return;
    const line = readLine(text);
    if (line === undefined) this.#unreadable++;
    else if (line.kind === "gap") this.#lost += line.lost;
    else this.#addLine(line);
  }

  build(): Report {
    return {
      period: this.#from === undefined || this.#to === undefined ? null : { from: this.#from, to: this.#to },
      ...this.#sums.figures,
      days: this.#days.rows.toSorted((one, other) => one.name < other.name ? -1 : 1),
      tools: counts(this.#tools),
      abstained: counts(this.#abstained),
      broken: counts(this.#broken),
      repaired: counts(this.#repaired),
      unreadable: this.#unreadable,
      lost: this.#lost,
    };
  }

  #addLine(line: Exclude<AuditLine, { kind: "gap" }>): void {
    this.#sums.add(line);
    this.#days.add(line.time.slice(0, 10), line);
    if (line.kind === "request") this.#addTime(line);
    if (line.kind === "decision") this.#count(line);
  }

  #addTime({ time }: RequestLine): void {
    if (this.#from === undefined || time < this.#from) this.#from = time;
    if (this.#to === undefined || time > this.#to) this.#to = time;
  }

  #count(line: DecisionLine): void {
    if (line.repeats) return;
    if (["left", "near"].includes(endOf(line))) increase(this.#abstained, line.reason);
    if (line.outcome === "failed" || line.outcome === "lost") increase(this.#broken, line.reason);
    if (line.outcome === "repaired") increase(this.#repaired, line.reason);
    const isRecognized = line.outcome === "transformed" || line.outcome === "would_transform";
    if (isRecognized && line.tool !== null) increase(this.#tools, line.tool);
  }
}

function increase(counted: Map<string, number>, name: string): void {
  if (counted.size < NAMES_MAX || counted.has(name)) counted.set(name, (counted.get(name) ?? 0) + 1);
}

function counts(counted: ReadonlyMap<string, number>): Count[] {
  return [...counted].map(([name, count]) => ({ name, count })).sort((one, other) => other.count - one.count);
}
