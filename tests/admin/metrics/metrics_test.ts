import assert from "node:assert/strict";
import { createMetrics, Labels, type Metrics } from "../../../src/admin/metrics/metrics.ts";
import { ReportBuilder } from "../../../src/admin/report/report.ts";
import { auditLog, decisionLine, requestLine, resultLine } from "../../support/audit_lines.ts";
import { checkExposition, readPrometheus } from "../../support/prometheus.ts";
import { requestFacts } from "../../support/request_facts.ts";

const FACTS = requestFacts({ conversation: "00" });

async function valueOf(metrics: Metrics, name: string, labels: Record<string, string> = {}): Promise<number> {
  const samples = readPrometheus((await metrics.page()).text);
  return samples.filter((sample) =>
    sample.name === `dragoman_${name}` &&
    Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
  ).reduce((sum, { value }) => sum + value, 0);
}

Deno.test("createMetrics counts requests, decisions, calls as text and times", async () => {
  const metrics = createMetrics();
  metrics.add([decisionLine("transformed"), decisionLine("json_repaired"), requestLine({ addedMs: 2 })]);
  metrics.add([
    requestLine({ status: 502, error: "upstream_unreachable", printedAsText: false, addedMs: 0 }),
  ]);
  metrics.add([requestLine({ printedAsText: false, addedMs: 2 }), resultLine("accepted")]);
  const alice = { key: "alice", wire: "gemini" };
  metrics.add([
    decisionLine("malformed", alice),
    decisionLine("truncated", { ...alice, repeats: true }),
    requestLine({ ...alice, error: "upstream_error", tokens: 12, addedMs: 0 }),
  ]);
  const table: [string, Record<string, string>, number][] = [
    ["requests_total", { status: "200", client: "openai", upstream: "local" }, 3],
    ["upstream_errors_total", { code: "upstream_unreachable" }, 1],
    ["candidates_total", { rule: "qwen_xml" }, 2],
    ["attempts_total", { rule: "qwen_xml" }, 2],
    ["calls_made_total", { rule: "qwen_xml" }, 1],
    ["call_results_total", { rule: "qwen_xml", client: "openai", verdict: "accepted" }, 1],
    ["decisions_total", { reason: "transformed", tool: "read_file" }, 1],
    ["decisions_total", { reason: "json_repaired" }, 1],
    ["answers_total", { model: "small" }, 2],
    ["answers_printed_as_text_total", { model: "small", wire: "chat", key: "none" }, 1],
    ["calls_reached_as_text_total", { reason: "malformed", key: "alice", wire: "gemini" }, 1],
    ["calls_reached_as_text_total", {}, 1],
    ["requests_total", { key: "alice", wire: "gemini", status: "200", result: "error" }, 1],
    ["upstream_errors_total", { key: "alice", wire: "gemini", code: "upstream_error" }, 1],
    ["requests_total", { key: "none", result: "ok" }, 2],
    ["tokens_total", { key: "alice" }, 12],
    ["confidence_bucket", { le: "0.95" }, 1],
    ["confidence_bucket", { le: "0.92" }, 0],
    ["added_seconds_sum", {}, 0.004],
    ["first_token_seconds_count", {}, 4],
    ["request_seconds_count", {}, 4],
  ];
  for (const [name, labels, value] of table) assert.equal(await valueOf(metrics, name, labels), value, name);
});

Deno.test("createMetrics counts open streams and the work on single pieces", async () => {
  const metrics = createMetrics();
  const open = metrics.watch(FACTS);
  assert.equal(await valueOf(metrics, "streams_open"), 1);
  open.worked?.([0.2, 0.3]);
  open.end({ status: 200, durationMs: 9, addedMs: 2, pieces: 1 });
  assert.equal(await valueOf(metrics, "streams_open"), 0);
  assert.equal(await valueOf(metrics, "added_piece_seconds_count"), 2);
});

Deno.test("createMetrics bounds the labels that come from requests, and survives odd ones", async () => {
  const metrics = createMetrics();
  for (let number = 0; number < 500; number++) {
    metrics.add([requestLine({ model: `m${number}"\n\\` })]);
  }
  const { text } = await metrics.page();
  const models = readPrometheus(text).filter(({ name }) => name === "dragoman_answers_total");
  assert.equal(models.length, 51);
  assert.equal(models.find(({ labels }) => labels.model === "other")?.value, 450);
  checkExposition(text);
});

Deno.test("createMetrics and a report agree on one log", async () => {
  const log = auditLog();
  const metrics = createMetrics();
  const builder = new ReportBuilder();
  for (const text of log.trimEnd().split("\n")) {
    builder.add(text);
    metrics.add([JSON.parse(text)]);
  }
  const { all, rules, modes } = builder.build();
  const table: [string, Record<string, string>, number][] = [
    ["requests_total", {}, all.requests],
    ["upstream_errors_total", {}, all.errors],
    ["answers_total", {}, all.answers],
    ["answers_printed_as_text_total", {}, all.printedAsText],
    ["calls_reached_as_text_total", {}, all.reachedAsText],
    ["candidates_total", {}, all.candidates],
    ["attempts_total", {}, all.attempts],
    ["calls_made_total", {}, all.transformed + all.wouldTransform],
    ["near_misses_total", {}, all.nearMisses],
    ["call_results_total", { verdict: "accepted" }, all.accepted],
    ...rules.map(({ name, attempts }): [string, Record<string, string>, number] => [
      "attempts_total",
      { rule: name },
      attempts,
    ]),
    ...modes.map(({ name, answers }): [string, Record<string, string>, number] => [
      "answers_total",
      { mode: name },
      answers,
    ]),
  ];
  for (const [name, labels, value] of table) {
    assert.equal(await valueOf(metrics, name, labels), value, `${name} ${JSON.stringify(labels)}`);
  }
});

Deno.test("Labels keeps the first names and calls the rest other", () => {
  const labels = new Labels(2);
  assert.deepEqual(
    ["a", "b", "c", "a", undefined, ""].map((name) => labels.of(name)),
    ["a", "b", "other", "a", "none", "none"],
  );
  assert.equal(new Labels(1).of("x".repeat(500)).length, 100);
});
