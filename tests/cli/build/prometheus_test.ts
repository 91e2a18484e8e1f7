import assert from "node:assert/strict";
import { join } from "node:path";
import * as whole from "prom-client";
import * as used from "../../../src/admin/metrics/prometheus/client.js";
import { BUNDLE, bundlePrometheus } from "../../../src/cli/build/prometheus.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

Deno.test("the metrics library that is checked in is what the package builds, byte for byte", async (t) => {
  const file = join(await temporaryFolder(), "client.js");
  try {
    await bundlePrometheus(file);
  } catch (cause) {
    if (!/esbuild/i.test(String(cause))) throw cause;
    return console.log(`SKIPPED ${t.name}: the bundler isn't here and can't be downloaded`);
  }
  const [built, checkedIn] = await Promise.all([file, BUNDLE].map((path) => Deno.readTextFile(path)));
  assert.ok(built === checkedIn, "run `deno task prometheus` and commit the result");
});

type Instances<Of extends Record<string, abstract new (...given: never) => unknown>> = {
  [Name in keyof Of]: InstanceType<Of[Name]>;
};

/** What a class is made with, without what refers to the other classes. */
type Options<Class extends abstract new (options: never) => unknown> = Omit<
  ConstructorParameters<Class>[0],
  "registers" | "collect"
>;

/** The check of types compares those of `client.d.ts` with the package's here. */
const COMPARED = {
  instances: (of: Instances<Pick<typeof whole, keyof typeof used>>): Instances<typeof used> => of,
  counter: (options: Options<typeof used.Counter>): whole.CounterConfiguration<string> => options,
  gauge: (options: Options<typeof used.Gauge>): whole.GaugeConfiguration<string> => options,
  histogram: (options: Options<typeof used.Histogram>): whole.HistogramConfiguration<string> => options,
};

Deno.test("the metrics library has the classes of the package, which write the same page", async () => {
  assert.deepEqual(Object.keys(used).sort(), ["Counter", "Gauge", "Histogram", "Registry"]);
  const [own, other] = [new used.Registry(), new whole.Registry()];
  const named = { name: "one", help: "One", labelNames: ["of"] };
  new used.Counter({ ...named, registers: [own] }).inc({ of: "a" }, 2);
  new whole.Counter({ ...COMPARED.counter(named), registers: [other] }).inc({ of: "a" }, 2);
  const buckets = { name: "two", help: "Two", buckets: [1, 5] };
  new used.Histogram({ ...buckets, registers: [own] }).observe(3);
  new whole.Histogram({ ...COMPARED.histogram(buckets), registers: [other] }).observe(3);
  const gauge = { name: "three", help: "Three" };
  new used.Gauge({ ...gauge, registers: [own] }).set(7);
  new whole.Gauge({ ...COMPARED.gauge(gauge), registers: [other] }).set(7);
  assert.equal(own.contentType, other.contentType);
  const page = await own.metrics();
  assert.equal(page, await other.metrics());
  assert.match(page, /one\{of="a"\} 2\n[\s\S]*two_bucket\{le="5"\} 1\n[\s\S]*three 7\n/);
});
