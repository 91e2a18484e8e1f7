import assert from "node:assert/strict";
import type { RequestFacts } from "../../src/http/watch.ts";
import { createMetrics, type Metrics } from "../../src/metrics/metrics.ts";
import { readPrometheus } from "../support/prometheus.ts";

const FACTS: RequestFacts = {
  id: "r",
  beganAt: 0,
  client: "openai",
  model: "m",
  upstream: "local",
  mode: "live",
  conversation: "00",
  isStreamed: true,
  toolCount: 1,
  secrets: ["key-12345678"],
};
const OUTCOME = { status: 200, durationMs: 9, addedMs: 2, pieces: 1 };
const NOTE = {
  kind: "note",
  reason: "transformed",
  rule: "demo",
  tool: "t",
  call: 0,
  start: 0,
  end: 40,
} as const;
const PLACE = { choice: 0, isSent: false };

async function valueOf(metrics: Metrics, name: string, labels: Record<string, string> = {}): Promise<number> {
  const samples = readPrometheus((await metrics.page()).text);
  return samples.filter((sample) =>
    sample.name === `dragoman_${name}` &&
    Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
  ).reduce((sum, { value }) => sum + value, 0);
}

Deno.test("createMetrics counts requests, decisions, leaks and times", async () => {
  const metrics = createMetrics();
  const open = metrics.watch(FACTS);
  assert.equal(await valueOf(metrics, "streams_open"), 1);
  open.observe({ kind: "call_start", call: 0, tool: "t", rule: "demo", confidence: 0.95 }, PLACE);
  open.observe(NOTE, PLACE);
  open.observe({ ...NOTE, reason: "json_repaired" }, PLACE);
  open.worked?.(0.2);
  open.end(OUTCOME);
  metrics.watch(FACTS).end({ ...OUTCOME, status: 502, error: "upstream_unreachable", pieces: 0 });
  metrics.watch(FACTS).end(OUTCOME);
  const table: [string, Record<string, string>, number][] = [
    ["requests_total", { status: "200", client: "openai", upstream: "local" }, 2],
    ["upstream_errors_total", { code: "upstream_unreachable" }, 1],
    ["candidates_total", { rule: "demo" }, 1],
    ["decisions_total", { reason: "transformed", tool: "t" }, 1],
    ["decisions_total", { reason: "json_repaired" }, 1],
    ["answers_total", { model: "m" }, 2],
    ["leaked_answers_total", { model: "m" }, 1],
    ["leak_ratio", { model: "m" }, 0.5],
    ["confidence_bucket", { le: "0.95" }, 1],
    ["confidence_bucket", { le: "0.92" }, 0],
    ["added_milliseconds_sum", {}, 4],
    ["added_piece_milliseconds_count", {}, 1],
    ["streams_open", {}, 0],
  ];
  for (const [name, labels, value] of table) assert.equal(await valueOf(metrics, name, labels), value, name);
});

Deno.test("createMetrics lets the last word about a call count, and native calls are no leaks", async () => {
  const metrics = createMetrics();
  const refused = metrics.watch(FACTS);
  refused.observe(NOTE, PLACE);
  refused.observe({ ...NOTE, reason: "unwritable" }, { ...PLACE, isSent: true });
  refused.end(OUTCOME);
  const native = metrics.watch({ ...FACTS, model: "native" });
  native.observe({ ...NOTE, rule: "native" }, PLACE);
  native.end(OUTCOME);
  assert.equal(await valueOf(metrics, "decisions_total", { rule: "demo", reason: "transformed" }), 0);
  assert.equal(await valueOf(metrics, "decisions_total", { reason: "unwritable" }), 1);
  assert.equal(await valueOf(metrics, "leak_ratio", { model: "native" }), 0);
});

Deno.test("createMetrics bounds the labels that come from requests, and survives odd ones", async () => {
  const metrics = createMetrics();
  for (let number = 0; number < 500; number++) {
    metrics.watch({ ...FACTS, model: `m${number}"\n\\` }).end(OUTCOME);
  }
  metrics.watch({ ...FACTS, model: "key-12345678" }).end(OUTCOME);
  const { text } = await metrics.page();
  const models = readPrometheus(text).filter(({ name }) => name === "dragoman_answers_total");
  assert.equal(models.length, 51);
  assert.equal(models.find(({ labels }) => labels.model === "other")?.value, 451);
  assert.ok(!text.includes("key-12345678"));
});

Deno.test("createMetrics counts near misses of a model, and its answers as leaked", async () => {
  const metrics = createMetrics();
  const missed = metrics.watch(FACTS);
  missed.observe({ kind: "note", reason: "near_miss", rule: "none", tool: "t", start: 0, end: 9 }, PLACE);
  missed.end(OUTCOME);
  metrics.watch(FACTS).end(OUTCOME);
  assert.equal(await valueOf(metrics, "near_misses_total", { model: "m" }), 1);
  assert.equal(await valueOf(metrics, "decisions_total", { reason: "near_miss" }), 1);
  assert.equal(await valueOf(metrics, "leak_ratio", { model: "m" }), 0.5);
});
