/** Counts requests, decisions and times for Prometheus from the lines of the audit log, so that `report` agrees. @module */
import { Counter, Gauge, Histogram, Registry } from "./prometheus/client.js";
import type { AuditLine, DecisionLine, RequestLine, RequestPart, ResultLine } from "../audit/line.ts";
import { isAnswerLine, isErrorLine, standingOf } from "../audit/classification.ts";
import { escaped } from "../../engine/diagnostic/visible.ts";
import type { RequestFacts, RequestWatch } from "../../proxy/exchange/watch.ts";
import type { LinkFigures } from "../../proxy/store/link.ts";
import { type ProcessFigures, registerProcess } from "./program.ts";

/** The largest numbers of different models, tools, rules and client keys. */
const NAMES_MAX = { model: 50, tool: 200, rule: 200, key: 100 };

/** Buckets for Dragoman's own work on an answer, in seconds. */
const ADDED = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25];

/** Buckets for Dragoman's own work on one piece of a stream, in seconds. */
const PIECE = [0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01];

/** Buckets for the time to the first token and to the end, in seconds. */
const TIMES = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Buckets for the confidence of rules whose calls were read. */
const CONFIDENCE = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.92, 0.95, 0.98, 1];

export interface Metrics {
  add(lines: readonly AuditLine[]): void;
  watch(facts: RequestFacts): RequestWatch;
  page(): Promise<{ readonly text: string; readonly type: string }>;
}

export interface MetricsOptions {
  readonly store?: (() => LinkFigures) | undefined;
  /** Limit of a client key → how many requests it has refused. */
  readonly refusals?: ReadonlyMap<string, number> | undefined;
  /** Source → how many errors of it no one caught. */
  readonly unhandled?: ReadonlyMap<string, number> | undefined;
  readonly program?: ProcessFigures | undefined;
}

export function createMetrics({ store, refusals, unhandled, program }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  if (store !== undefined) registerStore(registry, store);
  if (refusals !== undefined) registerRefusals(registry, refusals);
  if (unhandled !== undefined) registerUnhandled(registry, unhandled);
  if (program !== undefined) registerProcess(registry, program);
  const series = createSeries(registry);
  const set = {
    series,
    labels: {
      model: new Labels(NAMES_MAX.model),
      tool: new Labels(NAMES_MAX.tool),
      rule: new Labels(NAMES_MAX.rule),
      key: new Labels(NAMES_MAX.key),
    },
  };
  return {
    add(lines) {
      for (const line of lines) {
        if (line.kind === "decision") countDecision(line, set);
        if (line.kind === "request") countRequest(line, set);
        if (line.kind === "result") countResult(line, set);
      }
    },
    watch: (facts) => watchWork(facts, series),
    page: async () => ({ text: await registry.metrics(), type: registry.contentType }),
  };
}

type Series = ReturnType<typeof createSeries>;

interface MetricSet {
  readonly series: Series;
  readonly labels: Readonly<Record<"model" | "tool" | "rule" | "key", Labels>>;
}

function createSeries(registry: Registry) {
  const registers = [registry];
  const counter = <Name extends string>(name: string, help: string, labelNames: Name[]) =>
    new Counter({ name: `dragoman_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `dragoman_${name}`, help, buckets, registers });
  const offered = "to requests that offer tools";
  return {
    requests: counter("requests_total", "Finished chat requests; result is ok, error or client_left", [
      "client",
      "wire",
      "key",
      "upstream",
      "mode",
      "status",
      "result",
    ]),
    errors: counter("upstream_errors_total", "Requests that ended with an error", [
      "upstream",
      "wire",
      "key",
      "code",
    ]),
    moved: counter("upstream_failovers_total", "Requests that failed over to the next upstream", [
      "upstream",
    ]),
    answering: new Gauge({
      name: "dragoman_upstream_answers",
      help: "Whether the last request to the upstream got an answer from its server",
      labelNames: ["upstream"],
      registers,
    }),
    tokens: counter("tokens_total", "Tokens that the upstreams report", ["key", "upstream"]),
    promptTokens: counter("prompt_tokens_total", "Prompt tokens that the upstreams report", [
      "key",
      "upstream",
    ]),
    cachedTokens: counter("cached_tokens_total", "Prompt tokens that came from the upstreams' caches", [
      "key",
      "upstream",
    ]),
    answers: counter("answers_total", `Answers ${offered}`, ["model", "wire", "key", "mode"]),
    printed: counter(
      "answers_printed_as_text_total",
      `Answers ${offered} in which the model printed a call as text, whether or not a rule read the call`,
      ["model", "wire", "key", "mode"],
    ),
    reached: counter("calls_reached_as_text_total", "Calls that reached the agent as text", [
      "model",
      "wire",
      "key",
      "mode",
      "reason",
    ]),
    nearMisses: counter("near_misses_total", "Passages that look like a call but that no rule reads", [
      "model",
      "wire",
      "key",
    ]),
    candidates: counter("candidates_total", "Passages that a rule treated as a call", ["rule", "mode"]),
    attempts: counter("attempts_total", "Candidates that the model intended as calls", ["rule", "mode"]),
    made: counter("calls_made_total", "Attempts that became calls, or would have outside a dry run", [
      "rule",
      "mode",
    ]),
    results: counter("call_results_total", "Calls that the agent accepted or rejected", [
      "rule",
      "client",
      "verdict",
    ]),
    decisions: counter("decisions_total", "Decisions, repairs, and remarks", [
      "rule",
      "tool",
      "reason",
      "mode",
    ]),
    confidence: histogram("confidence", "Confidence of the rules that read calls", CONFIDENCE),
    candidateCharacters: histogram(
      "candidate_characters",
      "Length of the passages that became calls, in UTF-16 code units",
      [16, 64, 256, 1024, 4096, 16384, 65536, 262144],
    ),
    first: histogram("first_token_seconds", "Time from a request to the model's first token", TIMES),
    duration: histogram("request_seconds", "Time from a request to the end of its answer", TIMES),
    added: histogram("added_seconds", "Time that Dragoman itself spends on one answer", ADDED),
    addedPiece: histogram(
      "added_piece_seconds",
      "Time that Dragoman itself spends on one piece of an answer",
      PIECE,
    ),
    streams: new Gauge({ name: "dragoman_streams_open", help: "Open streams", registers }),
  };
}

function countDecision(line: DecisionLine, { series, labels }: MetricSet): void {
  if (line.repeats) return;
  const { reason, mode, confidence, characters } = line;
  const rule = labels.rule.of(line.rule);
  const { isCandidate, isAttempt, isMade, isReached } = standingOf(line);
  const who = whoOf(line, labels);
  series.decisions.inc({ rule, tool: labels.tool.of(line.tool ?? undefined), reason, mode });
  if (reason === "near_miss") series.nearMisses.inc(who);
  if (isReached) series.reached.inc({ ...who, mode, reason });
  if (isCandidate) series.candidates.inc({ rule, mode });
  if (isAttempt) series.attempts.inc({ rule, mode });
  if (!isMade) return;
  series.made.inc({ rule, mode });
  if (confidence !== null) series.confidence.observe(confidence);
  if (characters !== null) series.candidateCharacters.observe(characters);
}

/** Whether a request got no answer of the upstream's server. */
function isUnavailable({ status, error }: RequestLine): boolean {
  return [502, 503, 504].includes(status) && error !== "upstream_unreadable";
}

function whoOf({ model, wire, key }: RequestPart, labels: MetricSet["labels"]) {
  return {
    model: labels.model.of(model ?? undefined),
    wire: escaped(wire ?? "none"),
    key: labels.key.of(key ?? undefined),
  };
}

function countRequest(line: RequestLine, { series, labels }: MetricSet): void {
  const { mode, status, error, firstMs, durationMs, addedMs, tokens } = line;
  const { model, ...from } = whoOf(line, labels);
  const upstream = escaped(line.upstream);
  const result = isErrorLine(line) ? "error" : error ?? "ok";
  const client = escaped(line.client ?? "none");
  series.requests.inc({ client, ...from, upstream, mode, status: String(status), result });
  if (error !== null && error !== "client_left") series.errors.inc({ upstream, ...from, code: error });
  for (const name of line.tried ?? []) {
    series.moved.inc({ upstream: escaped(name) });
    series.answering.set({ upstream: escaped(name) }, 0);
  }
  if (error !== "client_left") series.answering.set({ upstream }, isUnavailable(line) ? 0 : 1);
  if (tokens) series.tokens.inc({ key: from.key, upstream }, tokens);
  if (line.promptTokens) series.promptTokens.inc({ key: from.key, upstream }, line.promptTokens);
  if (line.cachedTokens) series.cachedTokens.inc({ key: from.key, upstream }, line.cachedTokens);
  if (firstMs !== null) series.first.observe(firstMs / 1000);
  series.duration.observe(durationMs / 1000);
  if (addedMs > 0) series.added.observe(addedMs / 1000);
  if (!isAnswerLine(line)) return;
  series.answers.inc({ model, ...from, mode });
  series.printed.inc({ model, ...from, mode }, line.printedAsText ? 1 : 0);
}

function countResult({ rule, client, verdict }: ResultLine, { series, labels }: MetricSet): void {
  series.results.inc({ rule: labels.rule.of(rule), client: escaped(client ?? "none"), verdict });
}

function watchWork({ isStreamed }: RequestFacts, { streams, addedPiece }: Series): RequestWatch {
  if (isStreamed) streams.inc();
  return {
    observe() {},
    worked(durationsMs) {
      for (const durationMs of durationsMs) addedPiece.observe(durationMs / 1000);
    },
    end() {
      if (isStreamed) streams.dec();
    },
  };
}

/** The counter of requests that a limit of their client key refused: limit → requests. */
function registerRefusals(registry: Registry, refusals: ReadonlyMap<string, number>): void {
  new Counter({
    name: "dragoman_key_refusals_total",
    help: "Requests refused because their client key reached a limit",
    labelNames: ["limit"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [limit, count] of refusals) this.inc({ limit }, count);
    },
  });
}

function registerUnhandled(registry: Registry, counts: ReadonlyMap<string, number>): void {
  new Counter({
    name: "dragoman_unhandled_errors_total",
    help: "Uncaught errors in plugins, libraries, or Dragoman",
    labelNames: ["source"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [source, count] of counts) this.inc({ source }, count);
    },
  });
}

const CHARACTERS_MAX = 100;

const OTHER = "other";

/**
 * The names of one label, without what a terminal would obey. Names of models and tools come from requests, and every new
 * one would add a series that never goes away, so names beyond the limit become `other`.
 */
export class Labels {
  readonly #known = new Set<string>();
  readonly #countMax: number;

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  of(name: string | undefined): string {
    if (name === undefined || name === "") return "none";
    const label = escaped(name.slice(0, CHARACTERS_MAX));
    if (this.#known.has(label)) return label;
    if (this.#known.size >= this.#countMax) return OTHER;
    this.#known.add(label);
    return label;
  }
}

function registerStore(registry: Registry, figures: () => LinkFigures): void {
  const registers = [registry];
  new Gauge({
    name: "dragoman_store_up",
    help: "Whether the store that replicas share responds",
    registers,
    collect() {
      this.set(figures().isUp ? 1 : 0);
    },
  });
  new Gauge({
    name: "dragoman_store_waiting_changes",
    help: "Changes that are waiting for the store to respond",
    registers,
    collect() {
      this.set(figures().waiting);
    },
  });
  new Counter({
    name: "dragoman_store_outages_total",
    help: "How many times the store stopped responding",
    registers,
    collect() {
      setTotal(this, figures().outages);
    },
  });
  new Counter({
    name: "dragoman_store_dropped_changes_total",
    help: "Changes dropped because there were too many or they were too old",
    registers,
    collect() {
      setTotal(this, figures().dropped);
    },
  });
}

function setTotal(counter: Counter, total: number): void {
  counter.reset();
  counter.inc(total);
}
