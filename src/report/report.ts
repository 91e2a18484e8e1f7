/**
 * Summarizes audit logs: takes lines in any order and from any number of files, and gives one value for the tables, the
 * JSON and the page. It counts and skips lines that are not valid.
 *
 * @module
 */
import type { AuditLine, DecisionLine, RequestLine, ResultLine } from "../audit/line.ts";
import { compareSides, type SideComparison } from "../tally/sides.ts";
import {
  addDecision,
  addRequest,
  addResult,
  emptyTally,
  type Figures,
  figuresOf,
  type Tally,
} from "../tally/tally.ts";

/** One row: a rule, a model, a day, or a mode. */
export interface Row extends Figures {
  /** The name of the row. */
  readonly name: string;
}

/** How often something occurred. */
export interface Count {
  /** The name. */
  readonly name: string;
  /** The count. */
  readonly count: number;
}

/** A report. */
export interface Report {
  /** The first and the last request, ISO 8601; null without requests. */
  readonly period: { readonly from: string; readonly to: string } | null;
  /** All requests. */
  readonly all: Figures;
  /** By rule. */
  readonly rules: readonly Row[];
  /** By model. */
  readonly models: readonly Row[];
  /** By client. */
  readonly clients: readonly Row[];
  /** By day, in UTC, the oldest first. */
  readonly days: readonly Row[];
  /** By mode: `live`, `dry_run`, `excluded`. */
  readonly modes: readonly Row[];
  /** The two sides of the canary compared; null without answers on both. */
  readonly canary: SideComparison | null;
  /** The recognized tools. */
  readonly tools: readonly Count[];
  /** The reasons for leaving text unchanged, most frequent first. */
  readonly abstained: readonly Count[];
  /** The repairs. */
  readonly repaired: readonly Count[];
  /** The number of lines that could not be read. */
  readonly unreadable: number;
  /** The number of lost lines that the log itself records. */
  readonly lost: number;
}

/** The most rows of one kind. */
const ROWS_MAX = 1000;

/** Collects lines and creates the report. */
export class ReportBuilder {
  readonly #all = emptyTally();
  readonly #rules = new Map<string, Tally>();
  readonly #models = new Map<string, Tally>();
  readonly #clients = new Map<string, Tally>();
  readonly #days = new Map<string, Tally>();
  readonly #modes = new Map<string, Tally>();
  readonly #tools = new Map<string, number>();
  readonly #abstained = new Map<string, number>();
  readonly #repaired = new Map<string, number>();
  #from: string | undefined;
  #to: string | undefined;
  #unreadable = 0;
  #lost = 0;

  /** Takes one line of a file. */
  add(text: string): void {
    if (text.trim() === "") return;
    const line = readLine(text);
    if (line === undefined) this.#unreadable++;
    else if (line.kind === "gap") this.#lost += line.lost;
    else if (line.kind === "request") this.#addRequest(line);
    else if (line.kind === "result") this.#addResult(line);
    else this.#addDecision(line);
  }

  /** The report on all lines so far. */
  build(): Report {
    return {
      period: this.#from === undefined || this.#to === undefined ? null : { from: this.#from, to: this.#to },
      all: figuresOf(this.#all),
      rules: rows(this.#rules),
      models: rows(this.#models),
      clients: rows(this.#clients),
      days: rows(this.#days).toSorted((one, other) => one.name < other.name ? -1 : 1),
      modes: rows(this.#modes),
      canary: this.#compareSides(),
      tools: counts(this.#tools),
      abstained: counts(this.#abstained),
      repaired: counts(this.#repaired),
      unreadable: this.#unreadable,
      lost: this.#lost,
    };
  }

  #addRequest(line: RequestLine): void {
    if (this.#from === undefined || line.time < this.#from) this.#from = line.time;
    if (this.#to === undefined || line.time > this.#to) this.#to = line.time;
    for (const tally of this.#tallies(line)) addRequest(tally, line);
  }

  #addDecision(line: DecisionLine): void {
    const tallies = this.#tallies(line);
    // No rule read a near miss.
    const rules = line.reason === "near_miss" ? [] : [tallyOf(this.#rules, line.rule)];
    for (const tally of [...tallies, ...rules]) addDecision(tally, line);
    if (line.outcome === "abstained") increase(this.#abstained, line.reason);
    if (line.outcome === "repaired") increase(this.#repaired, line.reason);
    const isRecognized = line.outcome === "transformed" || line.outcome === "would_transform";
    if (isRecognized && line.tool !== null) increase(this.#tools, line.tool);
  }

  #addResult(line: ResultLine): void {
    for (const tally of [...this.#tallies(line), tallyOf(this.#rules, line.rule)]) addResult(tally, line);
  }

  #compareSides(): SideComparison | null {
    const [live, excluded] = [this.#modes.get("live"), this.#modes.get("excluded")];
    if (live === undefined || excluded === undefined) return null;
    return compareSides({ live: figuresOf(live), excluded: figuresOf(excluded) });
  }

  #tallies({ model, client, time, mode }: RequestLine | DecisionLine | ResultLine): Tally[] {
    return [
      this.#all,
      tallyOf(this.#models, model ?? "none"),
      tallyOf(this.#clients, client ?? "none"),
      tallyOf(this.#days, time.slice(0, 10)),
      tallyOf(this.#modes, mode),
    ];
  }
}

/** A line of a log; undefined if it can't be read. */
export function readLine(text: string): AuditLine | undefined {
  let line: Partial<Record<string, unknown>> | null;
  try {
    line = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof line !== "object" || line === null || line.v !== 1) return undefined;
  const isRequestPart = typeof line.time === "string" && typeof line.mode === "string";
  const isLine = line.kind === "gap"
    ? typeof line.lost === "number"
    : line.kind === "request"
    ? isRequestPart && typeof line.status === "number"
    : line.kind === "result"
    ? isRequestPart && typeof line.rule === "string" &&
      (line.verdict === "accepted" || line.verdict === "rejected")
    : line.kind === "decision" && isRequestPart && typeof line.rule === "string" &&
      typeof line.reason === "string" && typeof line.outcome === "string";
  return isLine ? line as unknown as AuditLine : undefined;
}

function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  const known = tallies.get(name);
  if (known !== undefined) return known;
  const fresh = emptyTally();
  if (tallies.size < ROWS_MAX) tallies.set(name, fresh);
  return fresh;
}

function increase(counted: Map<string, number>, name: string): void {
  if (counted.size < ROWS_MAX || counted.has(name)) counted.set(name, (counted.get(name) ?? 0) + 1);
}

function rows(tallies: ReadonlyMap<string, Tally>): Row[] {
  return [...tallies].map(([name, tally]) => ({ name, ...figuresOf(tally) }))
    .sort((one, other) => other.candidates - one.candidates || other.requests - one.requests);
}

function counts(counted: ReadonlyMap<string, number>): Count[] {
  return [...counted].map(([name, count]) => ({ name, count })).sort((one, other) => other.count - one.count);
}
