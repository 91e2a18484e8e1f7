/**
 * What ships for Prometheus, as its own tool sees it. Where promtool isn't installed, the tests print so.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { createMetrics } from "../../../src/admin/metrics/metrics.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { decisionLine, requestLine, resultLine } from "../../support/audit_lines.ts";
import { IS_THOROUGH } from "../../support/fuzz.ts";
import { findProgram } from "../../support/find_program.ts";
import { askChat } from "../../support/proxy.ts";
import { startServer } from "../../support/serve.ts";

const ALERTS = join(import.meta.dirname!, "../../../src/docs/prometheus_alerts.yaml");

const promtool = await findProgram("promtool");
if (promtool === undefined) console.log("SKIPPED promtool: it isn't installed");

/** Runs promtool; gives its exit code and everything that it prints. */
async function run(args: readonly string[], stdin = ""): Promise<{ code: number; printed: string }> {
  const child = new Deno.Command(promtool!, {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, printed: decoder.decode(stdout) + decoder.decode(stderr) };
}

const ignore = promtool === undefined || !IS_THOROUGH;

Deno.test({
  name: "promtool check metrics finds nothing in the metrics of a server, with all that it can count",
  ignore,
  async fn() {
    const metrics = createMetrics({
      store: () => ({ isUp: true, waiting: 0, outages: 0, dropped: 0 }),
      refusals: new Map([["requests", 1]]),
    });
    metrics.add([
      decisionLine("transformed"),
      decisionLine("near_miss", { rule: "none" }),
      requestLine({ model: 'odd "\\\n\u001b' }),
      requestLine({ status: 502, error: "upstream_unreachable" }),
      resultLine("accepted"),
    ]);
    const { text } = await metrics.page();
    assert.deepEqual(await run(["check", "metrics"], text), { code: 0, printed: "" });

    await using server = await startServer();
    await (await askChat(server.origin, { body: { model: "sample-qwen-xml", stream: true } })).text();
    const shown = await (await fetch(`${server.origin}/metrics`)).text();
    assert.match(shown, /^dragoman_requests_total\{/m);
    assert.deepEqual(await run(["check", "metrics"], shown), { code: 0, printed: "" });
  },
});

/** Series that grow by a step a minute, and the alerts that they raise. */
const FIRING = `
rule_files: ["${ALERTS}"]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - { series: 'up{job="dragoman", instance="a"}', values: '0x120' }
      - { series: 'dragoman_upstream_errors_total{upstream="u", code="c"}', values: '0+2x120' }
      - { series: 'dragoman_requests_total{upstream="u"}', values: '0+10x120' }
      - { series: 'dragoman_near_misses_total{model="new"}', values: '0+1x120' }
      - { series: 'dragoman_answers_total{model="new", mode="live"}', values: '0+10x120' }
      - { series: 'dragoman_answers_total{model="known", mode="live"}', values: '0+10x120' }
      - { series: 'dragoman_calls_made_total{rule="r", mode="live"}', values: '0+1x120' }
      - { series: 'dragoman_attempts_total{rule="r", mode="live"}', values: '0+2x120' }
      - { series: 'dragoman_call_results_total{rule="r", client="openai", verdict="rejected"}', values: '0+1x120' }
      - { series: 'dragoman_call_results_total{rule="r", client="openai", verdict="accepted"}', values: '0+3x120' }
      - { series: 'dragoman_added_seconds_bucket{le="0.1"}', values: '0+1x120' }
      - { series: 'dragoman_added_seconds_bucket{le="0.25"}', values: '0+9x120' }
      - { series: 'dragoman_added_seconds_bucket{le="+Inf"}', values: '0+9x120' }
      - { series: 'dragoman_store_up{instance="a"}', values: '0x120' }
    promql_expr_test:
      - expr: count by (alertname) (ALERTS{alertstate="firing"})
        eval_time: 110m
        exp_samples:
          - { labels: '{alertname="DragomanDown"}', value: 1 }
          - { labels: '{alertname="DragomanRequestsFail"}', value: 1 }
          - { labels: '{alertname="DragomanNearMisses"}', value: 1 }
          - { labels: '{alertname="DragomanCallsFail"}', value: 1 }
          - { labels: '{alertname="DragomanCallsRejected"}', value: 1 }
          - { labels: '{alertname="DragomanSlow"}', value: 1 }
          - { labels: '{alertname="DragomanStoreDown"}', value: 1 }
`;

Deno.test("promtool finds the alerts well-formed, and each of them fires", { ignore }, async () => {
  const checked = await run(["check", "rules", ALERTS]);
  assert.equal(checked.code, 0, checked.printed);
  const file = join(await temporaryFolder({ "firing.yaml": FIRING }), "firing.yaml");
  const tested = await run(["test", "rules", file]);
  assert.equal(tested.code, 0, tested.printed);
});
