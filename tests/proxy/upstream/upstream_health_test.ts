import assert from "node:assert/strict";
import { configSchema, upstreamSchema } from "../../../src/proxy/config/schema.ts";
import type { ProbeResult } from "../../../src/proxy/upstream/probe.ts";
import { UpstreamHealth } from "../../../src/proxy/upstream/upstream_health.ts";

const UPSTREAMS = ["one", "two"].map((name) => upstreamSchema.parse({ name, url: "http://127.0.0.1/v1" }));
const ALL = { config: configSchema.parse({ upstreams: UPSTREAMS }), keys: new Map() };
const SILENT: ProbeResult = { kind: "silent", cause: "refused" };
const ANSWERS: ProbeResult = { kind: "answers", models: 1 };

function create() {
  const about = { now: 0, probes: 0, result: SILENT };
  const health = new UpstreamHealth({
    now: () => about.now,
    probe: () => {
      about.probes++;
      return Promise.resolve(about.result);
    },
  });
  return { about, health };
}

Deno.test("UpstreamHealth is ready after an answer, without a probe, until the answer is old", async () => {
  const { about, health } = create();
  health.see("two", true);
  assert.equal(await health.isReady(ALL), true);
  assert.equal(about.probes, 0);
  about.now = 31_000;
  assert.equal(await health.isReady(ALL), false);
  assert.equal(about.probes, 2);
});

Deno.test("UpstreamHealth probes when no upstream is known to answer, but not at every check", async () => {
  const { about, health } = create();
  about.now = 10_000;
  const checks = await Promise.all([health.isReady(ALL), health.isReady(ALL)]);
  assert.deepEqual([checks, about.probes], [[false, false], 2]);
  about.now += 1000;
  assert.equal(await health.isReady(ALL), false);
  assert.equal(about.probes, 2);
  about.now += 1000;
  about.result = ANSWERS;
  assert.equal(await health.isReady(ALL), true);
  assert.equal(about.probes, 4);
});

Deno.test("UpstreamHealth isn't ready after the only upstream failed", async () => {
  const { about, health } = create();
  const first = { ...ALL, config: configSchema.parse({ upstreams: UPSTREAMS.slice(0, 1) }) };
  health.see("one", true);
  health.see("one", false);
  about.now = 5000;
  assert.equal(await health.isReady(first), false);
});

Deno.test("UpstreamHealth.states tells what is known and how old it is", () => {
  const { about, health } = create();
  health.see("one", false);
  about.now = 2400;
  assert.deepEqual(health.states(UPSTREAMS), [
    { name: "one", answers: false, secondsAgo: 2 },
    { name: "two", answers: undefined, secondsAgo: undefined },
  ]);
});

Deno.test("UpstreamHealth.probe counts a server that refuses our key as one that answers", async () => {
  const { about, health } = create();
  about.result = { kind: "refuses_key", status: 401 };
  const probed = await health.probe(ALL);
  assert.deepEqual(probed.map(({ upstream, result }) => [upstream.name, result.kind]), [
    ["one", "refuses_key"],
    ["two", "refuses_key"],
  ]);
  assert.deepEqual(health.states(UPSTREAMS).map(({ answers }) => answers), [true, true]);
});

Deno.test("UpstreamHealth waits for a probe that still runs", async () => {
  const { promise, resolve } = Promise.withResolvers<ProbeResult>();
  const health = new UpstreamHealth({ now: () => 0, probe: () => promise });
  const started = health.probe(ALL);
  const ready = health.isReady(ALL);
  resolve(ANSWERS);
  assert.equal(await ready, true);
  assert.equal((await started).length, 2);
});
