import assert from "node:assert/strict";
import { upstreamSchema } from "../../../src/proxy/config/schema.ts";
import type { RecognizedServer } from "../../../src/proxy/upstream/recognize_server.ts";
import { loadRules } from "../../../src/engine/rule/load.ts";
import { PROFILES } from "../../../src/proxy/upstream/profiles/profiles.ts";
import { Servers } from "../../../src/proxy/upstream/servers.ts";

const upstream = (fields: Record<string, unknown> = {}) =>
  upstreamSchema.parse({ name: "local", url: "http://h/v1", ...fields });
const FOUND = { upstream: "local", url: "http://h/v1", server: "vllm", version: "0.28.0" };

Deno.test("Servers takes what the configuration names before what was recognized", () => {
  const servers = new Servers();
  assert.equal(servers.of(upstream()), undefined);
  servers.learn(FOUND);
  assert.deepEqual([servers.of(upstream())?.server, servers.of(upstream())?.version], ["vllm", "0.28.0"]);
  assert.equal(
    servers.of(upstream({ url: "http://other/v1" })),
    undefined,
    "another address, another server",
  );
  assert.equal(servers.of(upstream({ server: "none" })), undefined);
  const named = servers.of(upstream({ server: "tgi" }));
  assert.deepEqual([named?.server, named?.version], ["tgi", undefined]);
});

Deno.test("a profile that prefers raw names rules that ship, are on, and read calls with its marks", async () => {
  const { rules } = await loadRules({
    folders: [],
    settings: { enable: [], disable: [], confidence: {}, minimumConfidence: 0 },
    workingDirectory: Deno.cwd(),
    withExamples: true,
  });
  const preferences = Object.values(PROFILES).flatMap(({ prefers_raw: preferred }) => preferred ?? []);
  assert(preferences.length > 0);
  for (const [mark, names] of preferences.flatMap(({ marks }) => Object.entries(marks ?? {}))) {
    const found = rules.filter(({ rule, enabled }) => names.includes(rule) && enabled !== false);
    assert.deepEqual(found.map(({ rule }) => rule).sort(), [...names].sort(), mark);
    // A template writes the form of a bare object in words.
    const written = mark.replace("function name, ", "").split(" ")[0]!;
    assert(found.some(({ examples }) => examples.some(({ input }) => input.includes(written))), mark);
  }
});

Deno.test("Servers reports a server once, and again if it is another one", () => {
  const reported: RecognizedServer[] = [];
  const servers = new Servers();
  servers.watch((server) => reported.push(server));
  servers.learn(FOUND);
  servers.learn({ ...FOUND });
  servers.learn({ ...FOUND, version: "0.29.0" });
  assert.deepEqual(reported.map(({ version }) => version), ["0.28.0", "0.29.0"]);
  assert.deepEqual(servers.entries().map(({ version }) => version), ["0.29.0"]);
});

Deno.test("Servers forgets the size of a context only when its own server is another one", () => {
  const servers = new Servers();
  const [own, other] = [upstream(), upstream({ name: "other" })];
  servers.learnContext(own, { model: "m", context: 4096 });
  servers.learnContext(other, { model: "m", context: 8192 });
  servers.learn(FOUND);
  assert.deepEqual([servers.contextOf(own, "m"), servers.contextOf(other, "m")], [undefined, 8192]);
});

Deno.test("Servers forgets what requests needed, and which refusals stay, only when the server, its version or its model is another one", () => {
  const other = upstream({ name: "other" });
  for (const change of [{ server: "sglang" }, { version: "0.29.0" }, { model: "m2" }, undefined]) {
    const servers = new Servers();
    const forgotten: string[] = [];
    servers.watchForgotten((name) => forgotten.push(name));
    servers.learn({ ...FOUND, model: "m" });
    for (const each of [upstream(), other]) {
      servers.learnChanges(each, { model: "m", changes: [{ source: "a test", messages: ["no_developer"] }] });
      for (const _ of [1, 2, 3]) servers.stayingOf(each, "m", "plainer").stayed("Bad request 1");
    }
    servers.learn({ ...FOUND, model: "m", contexts: { m: 1 }, ...change });
    const isForgotten = change !== undefined;
    assert.deepEqual(
      servers.learnedChanges().map(({ upstream }) => upstream),
      isForgotten ? ["other"] : ["local", "other"],
    );
    const stays = [upstream(), other].map((each) =>
      servers.stayingOf(each, "m", "plainer").stays("Bad request 2")
    );
    assert.deepEqual(stays, [!isForgotten, true]);
    assert.deepEqual(forgotten, isForgotten ? ["local"] : []);
  }
});

Deno.test("Servers learns from the headers of an answer only what it may and doesn't know", () => {
  const headers = new Headers({ server: "llama.cpp" });
  for (const server of ["none", "vllm"]) {
    const servers = new Servers();
    servers.see(upstream({ server }), headers);
    assert.deepEqual(servers.entries(), []);
  }
  const servers = new Servers();
  servers.see(upstream(), headers);
  assert.equal(servers.of(upstream())?.server, "llama.cpp");
});
