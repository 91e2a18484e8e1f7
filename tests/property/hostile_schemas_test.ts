/**
 * No schema of a tool keeps the proxy from answering: random schemas, most of them hostile, on every wire, streamed and
 * whole, with and without checks by schema, for servers that get schemas unchanged and for those that get them simplified.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { IS_THOROUGH, runs, SEED, tell } from "../support/fuzz.ts";
import { HOSTILE_SCHEMAS } from "../support/hostile_schemas.ts";
import { WORKERS } from "../support/process_stage.ts";
import { PROGRAM } from "../support/program_file.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { ServerProcess } from "../support/server_process.ts";
import { readRaw, WIRE_TABLE } from "../support/wire_table.ts";

/** With two workers, other schemas are tried, so that both runs together try more. */
const REQUESTS = IS_THOROUGH ? { 1: 4000, 2: 1200 } : { 1: 1500, 2: 1500 };
const TOGETHER = 4;

/** How long `/health` may wait: by the clock, or the processor time of the busiest thread meanwhile, whichever is less. */
const WAIT_MAXIMUM_MS = 200;

/** How often the same requests are sent until `/health` waits no longer than that. */
const ATTEMPTS = 3;

/** Longer schemas and arguments are sent one after the other, in characters. */
const LONG = 10_000;

/** For each worker, because each has a heap of its own. */
const MEMORY_MAXIMUM = 768 * 1024 * 1024;

type Json = Record<string, unknown>;

const NAMES = ["a", "b", "c"];

/** Keywords of one schema. */
const ONE_SCHEMA = [
  ...["not", "items", "contains", "additionalProperties", "propertyNames"],
  ...["unevaluatedProperties", "unevaluatedItems"],
];

/** A schema whose references lead anywhere, also to itself and to nowhere. */
const anySchema: fc.Arbitrary<Json> = fc.letrec<{ schema: Json }>((tie) => {
  const schema = tie("schema");
  const reference = fc.constantFrom("#", "#/$defs/a", "#/$defs/b", "#/$defs/c", "#/properties/a", "#/none");
  const list = fc.array(schema, { minLength: 1, maxLength: 12 });
  const map = fc.dictionary(fc.constantFrom(...NAMES), schema);
  return {
    schema: fc.oneof(
      { depthSize: "small" },
      fc.tuple(fc.constantFrom("$ref", "$ref", "$dynamicRef", "$recursiveRef"), reference)
        .map(([word, to]): Json => ({ [word]: to })),
      fc.constantFrom<Json>({ type: "string" }, { type: "integer" }, {}, { enum: ["x", 1, null] }),
      fc.tuple(fc.constantFrom("anyOf", "oneOf", "allOf", "prefixItems"), list).map(([word, of]): Json => ({
        [word]: of,
      })),
      fc.tuple(fc.constantFrom(...ONE_SCHEMA), schema).map(([word, of]): Json => ({ [word]: of })),
      fc.tuple(schema, schema, schema).map(([of, yes, no]): Json => ({ if: of, then: yes, else: no })),
      fc.tuple(fc.constantFrom("properties", "dependentSchemas", "patternProperties", "$defs"), map)
        .map(([word, of]): Json => ({ [word]: of })),
      fc.constantFrom("(a+)+$", "([", "(".repeat(5000), "(x+x+)+y").map((pattern): Json => ({ pattern })),
    ),
  };
}).schema;

interface Trial {
  readonly schema: Json;
  readonly value: unknown;
}

const anyTrial: fc.Arbitrary<Trial> = fc.oneof(
  { arbitrary: fc.constantFrom(...HOSTILE_SCHEMAS), weight: 1 },
  {
    arbitrary: fc.record({
      schema: fc.record({
        type: fc.constant("object"),
        $defs: fc.dictionary(fc.constantFrom(...NAMES), anySchema),
        properties: fc.dictionary(fc.constantFrom(...NAMES), anySchema),
        required: fc.subarray(NAMES),
        anyOf: fc.array(anySchema, { minLength: 1, maxLength: 8 }),
      }, { requiredKeys: ["type"] }) as fc.Arbitrary<Json>,
      value: fc.dictionary(fc.constantFrom(...NAMES, "d"), fc.jsonValue()),
    }),
    weight: 20,
  },
);

for (const workers of WORKERS as (1 | 2)[]) {
  Deno.test(`no schema of a tool stops the proxy, on any wire, workers: ${workers}`, () => tryAll(workers));
}

/** Asks with hostile schemas. */
async function tryAll(workers: 1 | 2): Promise<void> {
  await using resources = new AsyncDisposableStack();
  let script = {};
  const upstream = resources.use(startUpstream(() => script));
  const folder = await Deno.makeTempDir();
  resources.defer(() => Deno.remove(folder, { recursive: true }));
  const config = join(folder, "dragoman.yaml");
  const servers = ["none", "ollama", "llama.cpp", "tgi"];
  const upstreams = servers.map((server) => ({
    name: server.replace(".", "-"),
    url: upstream.url,
    server,
    models: [`*${server}`],
  }));
  await Deno.writeTextFile(
    config,
    JSON.stringify({ upstreams, plugins: [{ use: "strict_validation", mode: "observe" }] }),
  );
  const proxy = await ServerProcess.start({
    name: "dragoman",
    folder,
    args: [
      PROGRAM,
      "serve",
      "--quiet",
      "--workers",
      `${workers}`,
      "--port",
      "PORT",
      "--config",
      config,
    ],
  });
  resources.defer(async () => void await proxy.stop());
  await proxy.isLoaded();
  const watch = watchHealth(proxy);
  resources.defer(() => watch.end());
  const { numRuns } = runs(REQUESTS[workers]);
  const trials = fc.sample(anyTrial, { seed: SEED + workers, numRuns: Math.ceil(numRuns / TOGETHER) });
  let asked = 0;
  let repeated = 0;
  let longest = 0;
  for (const { schema, value } of trials) {
    const json = JSON.stringify(value);
    const text = `<tool_call>\n{"name": "t", "arguments": ${json}}\n</tool_call>`;
    script = asked % (2 * TOGETHER) === 0 ? { text } : nativeScript(json);
    const shown = JSON.stringify(schema);
    const ask = async () => {
      const at = asked++;
      const row = WIRE_TABLE[at % WIRE_TABLE.length]!;
      const model = `m-${servers[Math.floor(at / 3) % servers.length]}`;
      const { path, body } = row.request({ task: "Go on.", tool: { name: "t", schema }, model });
      const response = await fetch(proxy.url + path, { method: "POST", body: strict(body, at % 2 === 0) });
      const answer = await readRaw(response);
      const what = `${row.name} ${model} ${JSON.stringify(schema).slice(0, 500)} ${json.slice(0, 200)}`;
      assert.ok(response.status < 500, `${response.status} for ${what}: ${answer.text.slice(0, 300)}`);
      assert.ok(!answer.isBroken, `a broken answer for ${what}`);
    };
    // What a long request or answer takes counts once: `/health` is compared with the work for one client.
    const isLong = shown.length + json.length > LONG;
    const groups = isLong ? Array(TOGETHER).fill(1) : [TOGETHER];
    // A machine that is busy holds a thread once; what a schema costs, it costs each time.
    let waited = Infinity;
    for (let attempt = 0; attempt < ATTEMPTS && waited > WAIT_MAXIMUM_MS; attempt++) {
      if (attempt > 0) repeated += TOGETHER;
      for (const count of groups) await Promise.all(Array.from({ length: count }, ask));
      waited = Math.min(waited, watch.take());
    }
    longest = Math.max(longest, waited);
    assert.ok(waited <= WAIT_MAXIMUM_MS, `/health waited ${waited.toFixed(0)} ms for ${shown.slice(0, 300)}`);
  }
  await watch.end();
  const peak = await proxy.peakResidentBytes();
  tell(`hostile schemas, ${workers} workers`, {
    asked,
    "ms /health waited": Math.round(longest),
    "bytes at most": peak,
  });
  assert.ok(peak < workers * MEMORY_MAXIMUM, `${peak} bytes of memory`);
  assert.equal(asked - repeated, trials.length * TOGETHER);
}

/** The call as the server's own. */
function nativeScript(json: string) {
  const call = { id: "c1", type: "function", function: { name: "t", arguments: json } };
  const choice = (field: string, message: unknown, finish: string | null) => ({
    choices: [{ index: 0, [field]: message, finish_reason: finish }],
  });
  const events = [
    choice("delta", { role: "assistant", tool_calls: [{ index: 0, ...call }] }, null),
    choice("delta", {}, "tool_calls"),
  ];
  return {
    raw: {
      stream: `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`,
      body: JSON.stringify(
        choice("message", { role: "assistant", content: null, tool_calls: [call] }, "tool_calls"),
      ),
    },
  };
}

/** The body, whose tools are strict on the wires that know it. */
function strict(body: Readonly<Json>, isStrict: boolean): string {
  if (!isStrict) return JSON.stringify(body);
  const tools = (Array.isArray(body.tools) ? body.tools : []).map((tool) =>
    tool.function === undefined ? tool : { ...tool, function: { ...tool.function, strict: true } }
  );
  return JSON.stringify({ ...body, ...tools.length === 0 ? {} : { tools } });
}

/** Asks `/health` again and again. */
function watchHealth(proxy: ServerProcess) {
  let longest = 0;
  let isOver = false;
  const watching = (async () => {
    let used = await proxy.threadMilliseconds();
    while (!isOver) {
      const asked = performance.now();
      await (await fetch(`${proxy.url}/health`)).text();
      const took = performance.now() - asked;
      const now = await proxy.threadMilliseconds();
      const busiest = Math.max(...[...now].map(([thread, ms]) => ms - (used.get(thread) ?? 0)));
      longest = Math.max(longest, Math.min(took, busiest));
      used = now;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return {
    /** The longest wait since the last time. */
    take() {
      const taken = longest;
      longest = 0;
      return taken;
    },
    async end() {
      isOver = true;
      await watching;
    },
  };
}
