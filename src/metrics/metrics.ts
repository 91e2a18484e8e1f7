/**
 * Counts requests, decisions and times for Prometheus.
 *
 * @module
 */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { outcomeOf } from "../audit/outcome.ts";
import { withoutKnown } from "../audit/scrub.ts";
import { escaped } from "../diagnostic/visible.ts";
import { isDecision } from "../event/reason.ts";
import type { RequestFacts, RequestOutcome, RequestWatch } from "../http/watch.ts";
import { Labels } from "./labels.ts";

/** The largest numbers of different models, tools and rules. */
const NAMES_MAX = { model: 50, tool: 200, rule: 200 };

/** Buckets for Dragoman's own work on an answer, in milliseconds. */
const ADDED_MS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250];

/** Buckets for Dragoman's own work on one piece of a stream, in milliseconds. */
const PIECE_MS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Buckets for the confidence of rules whose calls were read. */
const CONFIDENCE = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.92, 0.95, 0.98, 1];

/** All counters of one server. */
export interface Metrics {
  /** Counts a request. */
  watch(facts: RequestFacts): RequestWatch;
  /** The page, and its content type. */
  page(): Promise<{ readonly text: string; readonly type: string }>;
}

/** Creates counters at zero. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const series = createSeries(registry);
  const labels = {
    model: new Labels(NAMES_MAX.model),
    tool: new Labels(NAMES_MAX.tool),
    rule: new Labels(NAMES_MAX.rule),
  };
  return {
    watch: (facts) => countRequest(facts, { series, labels }),
    page: async () => ({ text: await registry.metrics(), type: registry.contentType }),
  };
}

type Series = ReturnType<typeof createSeries>;

interface MetricSet {
  readonly series: Series;
  readonly labels: Readonly<Record<"model" | "tool" | "rule", Labels>>;
}

function createSeries(registry: Registry) {
  const registers = [registry];
  const counter = <Name extends string>(name: string, help: string, labelNames: Name[]) =>
    new Counter({ name: `dragoman_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `dragoman_${name}`, help, buckets, registers });
  return {
    requests: counter("requests_total", "Finished chat requests", [
      "client",
      "upstream",
      "mode",
      "status",
    ]),
    upstreamErrors: counter("upstream_errors_total", "Requests whose upstream failed", ["upstream", "code"]),
    candidates: counter("candidates_total", "Texts that looked like a call", ["rule", "mode"]),
    decisions: counter("decisions_total", "Decisions, repairs and remarks", [
      "rule",
      "tool",
      "reason",
      "mode",
    ]),
    countAnswer: leakCounter(registry),
    nearMisses: counter("near_misses_total", "Answers that look like a call that no rule reads", ["model"]),
    confidence: histogram("confidence", "Confidence of the rules whose calls were read", CONFIDENCE),
    candidateCharacters: histogram(
      "candidate_characters",
      "Length of the texts that became calls, in UTF-16 units",
      [16, 64, 256, 1024, 4096, 16384, 65536, 262144],
    ),
    added: histogram("added_milliseconds", "Dragoman's own work on one answer, in milliseconds", ADDED_MS),
    addedPiece: histogram(
      "added_piece_milliseconds",
      "Dragoman's own work on one piece of an answer, in milliseconds",
      PIECE_MS,
    ),
    streams: new Gauge({ name: "dragoman_streams_open", help: "Open streams", registers }),
  };
}

/** Counts answers and those that leaked, and keeps their ratio; every label is a model. */
function leakCounter(registry: Registry): (model: string, hasLeak: boolean) => void {
  const about = { labelNames: ["model"], registers: [registry] };
  const help = "to requests that offer tools";
  const answers = new Counter({ name: "dragoman_answers_total", help: `Answers ${help}`, ...about });
  const leaks = new Counter({
    name: "dragoman_leaked_answers_total",
    help: `Answers ${help} that contained a call as text, read or missed`,
    ...about,
  });
  const ratio = new Gauge({ name: "dragoman_leak_ratio", help: "Share of answers that leaked", ...about });
  const counts = new Map<string, { all: number; leaked: number }>();
  return (model, hasLeak) => {
    const { all, leaked } = counts.get(model) ?? { all: 0, leaked: 0 };
    const now = { all: all + 1, leaked: leaked + (hasLeak ? 1 : 0) };
    counts.set(model, now);
    answers.inc({ model });
    leaks.inc({ model }, hasLeak ? 1 : 0);
    ratio.set({ model }, now.leaked / now.all);
  };
}

/** The rule of calls that the upstream sent itself; they are not leaks. */
const NATIVE_RULE = "native";

/** The most decisions of one request that are counted. */
const DECISIONS_MAX = 1000;

function countRequest(facts: RequestFacts, { series, labels }: MetricSet): RequestWatch {
  const { mode, secrets, isStreamed } = facts;
  const clean = (name: string | undefined) => name === undefined ? undefined : withoutKnown(name, secrets);
  const model = labels.model.of(clean(facts.model));
  // A call counts once, with its last decision: the renderer may refuse what the matcher read.
  const decided = new Map<string, Record<"rule" | "tool" | "reason", string>>();
  let hasLeak = false;
  if (isStreamed) series.streams.inc();
  return {
    observe(event, { choice }) {
      if (event.kind === "call_start") series.confidence.observe(event.confidence);
      if (event.kind !== "note") return;
      const { reason } = event;
      const about = { rule: labels.rule.of(event.rule), tool: labels.tool.of(clean(event.tool)), reason };
      if (!isDecision(reason)) return series.decisions.inc({ ...about, mode });
      const isCall = outcomeOf(reason) !== "abstained";
      if (reason === "near_miss") series.nearMisses.inc({ model });
      hasLeak ||= (isCall && event.rule !== NATIVE_RULE) || reason === "near_miss";
      if (isCall && event.end > event.start) series.candidateCharacters.observe(event.end - event.start);
      const key = event.call === undefined ? `note ${decided.size}` : `${choice} ${event.call}`;
      if (decided.size < DECISIONS_MAX || decided.has(key)) decided.set(key, about);
    },
    worked: (durationMs) => series.addedPiece.observe(durationMs),
    end(outcome) {
      if (isStreamed) series.streams.dec();
      for (const about of decided.values()) {
        series.candidates.inc({ rule: about.rule, mode });
        series.decisions.inc({ ...about, mode });
      }
      countEnd(outcome, { facts, series });
      const mayLeak = facts.client !== undefined && facts.toolCount > 0 && outcome.status < 400;
      if (mayLeak) series.countAnswer(model, hasLeak);
    },
  };
}

function countEnd(outcome: RequestOutcome, { facts, series }: { facts: RequestFacts; series: Series }): void {
  const { mode } = facts;
  const client = escaped(facts.client ?? "none");
  const upstream = escaped(facts.upstream);
  series.requests.inc({ client, upstream, mode, status: String(outcome.status) });
  if (outcome.error !== undefined && outcome.error !== "client_left") {
    series.upstreamErrors.inc({ upstream, code: outcome.error });
  }
  if (outcome.pieces > 0) series.added.observe(outcome.addedMs);
}
