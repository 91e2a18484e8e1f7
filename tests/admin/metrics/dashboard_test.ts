/**
 * The dashboard for Grafana and the alerts for Prometheus that ship: every metric and label in them exists.
 *
 * @module
 */
import assert from "node:assert/strict";
import { parse } from "yaml";
import { createMetrics } from "../../../src/admin/metrics/metrics.ts";
import { decisionLine, requestLine, resultLine } from "../../support/audit_lines.ts";
import { readPrometheus } from "../../support/prometheus.ts";
import dashboard from "../../../src/docs/grafana_dashboard.json" with { type: "json" };

const ALERTS = new URL("../../../src/docs/prometheus_alerts.yaml", import.meta.url);

async function knownLabels(): Promise<Map<string, Set<string>>> {
  const metrics = createMetrics({ store: () => ({ isUp: true, waiting: 0, outages: 0, dropped: 0 }) });
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
  return labels;
}

/** Asserts that a query names only metrics and labels that exist; gives the metrics. */
function checkQuery(query: string, labels: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const names = query.match(/dragoman_\w+/g) ?? [];
  assert.ok(names.length > 0, query);
  const grouped = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", "));
  const filtered = [...query.matchAll(/[{,] ?(\w+)=/g)].map(([, label = ""]) => label);
  for (const name of names) {
    const known = labels.get(name);
    assert.ok(known, `${name} doesn't exist`);
    for (const label of [...grouped, ...filtered]) assert.ok(known.has(label), `${name} has no ${label}`);
  }
  return names;
}

Deno.test("the dashboard queries metrics and labels that exist", async () => {
  const labels = await knownLabels();
  const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const named = new Set(queries.flatMap((query) => checkQuery(query, labels)));
  assert.ok(named.size > 10, [...named].join());
  // Each variable lists the values of a label that exists, and filters some panel.
  const variables = dashboard.templating.list;
  assert.deepEqual(variables.map(({ name }) => name), ["upstream", "model", "rule"]);
  for (const { name, definition } of variables) {
    const [, metric = "", label = ""] = /^label_values\((\w+), (\w+)\)$/.exec(definition) ?? [];
    assert.ok(labels.get(metric)?.has(label), definition);
    assert.ok(queries.some((query) => query.includes(`${label}=~"$${name}"`)), name);
  }
  // The word of the figures is that of the page.
  assert.doesNotMatch(JSON.stringify(dashboard), /leak/i);
});

Deno.test("the alerts query metrics and labels that exist", async () => {
  const labels = await knownLabels();
  const { groups } = parse(await Deno.readTextFile(ALERTS));
  const queries: string[] = groups.flatMap(({ rules }: { rules: { expr: string }[] }) =>
    rules.map(({ expr }) => expr)
  );
  assert.ok(queries.length > 5);
  // Prometheus itself has this one.
  for (const query of queries.filter((query) => !query.startsWith("up{"))) checkQuery(query, labels);
});
