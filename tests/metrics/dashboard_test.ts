/**
 * The dashboard for Grafana that ships: every metric and label in it exists.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createMetrics } from "../../src/metrics/metrics.ts";
import { decisionLine, requestLine, resultLine } from "../support/audit_lines.ts";
import { readPrometheus } from "../support/prometheus.ts";
import dashboard from "../../src/docs/grafana_dashboard.json" with { type: "json" };

Deno.test("the dashboard queries metrics and labels that exist", async () => {
  const metrics = createMetrics();
  metrics.add([
    decisionLine("transformed"),
    decisionLine("near_miss", { rule: "none" }),
    requestLine(),
    requestLine({ status: 502, error: "upstream_unreachable" }),
    resultLine("accepted"),
  ]);
  const labels = new Map<string, Set<string>>();
  for (const sample of readPrometheus((await metrics.page()).text)) {
    labels.set(sample.name, new Set([...labels.get(sample.name) ?? [], ...Object.keys(sample.labels)]));
  }
  const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const named = new Set<string>();
  for (const query of queries) {
    const names = query.match(/dragoman_\w+/g) ?? [];
    assert.ok(names.length > 0, query);
    const grouped = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", "));
    const filtered = [...query.matchAll(/\{(\w+)=/g)].map(([, label = ""]) => label);
    for (const name of names) {
      named.add(name.replace(/_bucket$/, ""));
      const known = labels.get(name);
      assert.ok(known, `${name} doesn't exist`);
      for (const label of [...grouped, ...filtered]) assert.ok(known.has(label), `${name} has no ${label}`);
    }
  }
  assert.ok(named.size > 10, [...named].join());
});
