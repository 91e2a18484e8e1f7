import assert from "node:assert/strict";
import { openProcessFigures } from "../../../src/cli/service/process_figures.ts";
import { createMetrics } from "../../../src/admin/metrics/metrics.ts";
import { checkExposition, readPrometheus } from "../../support/prometheus.ts";

Deno.test("metrics show the program and what its process uses, as of now", async () => {
  const figures = openProcessFigures("1.2.3");
  try {
    const metrics = createMetrics({ program: figures });
    const { text } = await metrics.page();
    checkExposition(text);
    const sample = (name: string) => readPrometheus(text).find((one) => one.name === name);
    assert.equal(sample("dragoman_build_info")?.labels.version, "1.2.3");
    assert.equal(sample("dragoman_build_info")?.value, 1);
    assert.ok((sample("process_resident_memory_bytes")?.value ?? 0) > 10e6);
    assert.ok((sample("dragoman_heap_used_bytes")?.value ?? 0) > 1e6);
    assert.ok(Math.abs((sample("process_start_time_seconds")?.value ?? 0) - Date.now() / 1000) < 3600);
    assert.ok((sample("dragoman_event_loop_lag_seconds")?.value ?? -1) >= 0);
    if (Deno.build.os === "linux") {
      assert.ok((sample("process_open_fds")?.value ?? 0) > 3);
      const before = sample("process_cpu_seconds_total")?.value ?? 0;
      for (const end = performance.now() + 60; performance.now() < end;);
      const after = readPrometheus((await metrics.page()).text);
      assert.ok((after.find(({ name }) => name === "process_cpu_seconds_total")?.value ?? 0) > before);
    }
  } finally {
    figures.close();
  }
});
