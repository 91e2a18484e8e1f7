/**
 * A day in small: requests of every client by two named keys, live over two upstreams of which one dies, in a dry run and on
 * both sides of the canary, with a plugin, calls of the upstream's own, near misses and errors; with and without workers. The
 * driver counts what it sends; metrics, page, audit log and report show the same figures, in all and for each client, key and
 * upstream. DRAGOMAN_THOROUGH=1 makes it a day of 4,000 requests.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { report } from "../../src/cli/report.ts";
import type { ServerFigures } from "../../src/admin/tally/timeline.ts";
import type { TimelineFigures } from "../../src/admin/tally/timeline.ts";
import { bucketOf } from "../../src/chat/rollout/canary.ts";
import { conversationHash } from "../../src/chat/rollout/conversation.ts";
import { ownerOf } from "../../src/proxy/server/admission.ts";
import { CutLine } from "../support/cut_line.ts";
import { DAY_CLIENTS, type DayClient } from "../support/day_clients.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { WORKERS } from "../support/process_stage.ts";
import { startProgram } from "../support/program.ts";
import { checkExposition, readPrometheus, type Sample } from "../support/prometheus.ts";
import { RefusedPort } from "../support/refused_port.ts";
import { type Arrived, type Script, startUpstream } from "../support/scripted_upstream.ts";
import { freePort } from "../support/server_process.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { functionCall } from "../support/chat_tools.ts";

/** In a short run, every client has every kind of answer once, live or on the other side of the canary, and once dry. */
const REQUESTS = IS_THOROUGH ? 4000 : 2 * 10 * DAY_CLIENTS.length;
const CONCURRENCY = 8;
/** The request from which on an upstream dies: in a short run, the second half of the requests is dry. */
const DIES_AT = REQUESTS / 4;
const ROLLOUT = 50;

const PLUGIN = `export default {
  name: "guard",
  onCall: (call) => call.arguments.path === "secret.txt" ? { refuse: "not allowed" } : undefined,
};
`;

const call = (tool: string, path: string) =>
  `Now.\n<tool_call>\n<function=${tool}>\n<parameter=path>\n${path}\n</parameter>\n</function>\n</tool_call>`;

/** What the model prints when the user's message has the word. */
const ANSWERS: Readonly<Record<string, string>> = {
  call: call("read_file", "a.txt"),
  unknown: call("rm_rf", "/"),
  refused: call("read_file", "secret.txt"),
  near: "I look.\n@@invoke read_file\n@arg path = src/a.ts\n@@end\n",
  prose: "No action is needed.",
};

const nativeCall = functionCall("call_native", "read_file", '{"path":"a.txt"}');
const native = (kind: string, choice: object) => JSON.stringify({ id: "n", object: kind, choices: [choice] });
const chunk = (choice: object) => `data: ${native("chat.completion.chunk", choice)}\n\n`;

/** A call of the upstream's own. */
const NATIVE: Script = {
  raw: {
    stream: chunk({
      index: 0,
      delta: { role: "assistant", tool_calls: [{ index: 0, ...nativeCall }] },
      finish_reason: null,
    }) + chunk({ index: 0, delta: {}, finish_reason: "tool_calls" }) + "data: [DONE]\n\n",
    body: native("chat.completion", {
      index: 0,
      message: { role: "assistant", content: null, tool_calls: [nativeCall] },
      finish_reason: "tool_calls",
    }),
  },
};

const WORDS = [
  "call",
  "prose",
  "near",
  "call",
  "unknown",
  "refused",
  "native",
  "html",
  "busy",
  "down",
] as const;

/** One request of the day. */
interface Visit {
  readonly word: typeof WORDS[number];
  readonly client: DayClient;
  readonly model: "live" | "dry" | "down";
  readonly isStreamed: boolean;
  readonly number: number;
}

const COUNTED = [
  "requests",
  "errors",
  "answers",
  "printedAsText",
  "candidates",
  "attempts",
  "made",
  "nearMisses",
  "accepted",
  "rejected",
] as const;

type Counts = Record<typeof COUNTED[number], number>;

/** What splits the figures. */
const KINDS = ["client", "key", "upstream"] as const;

/** What the driver counts: what splits the figures → its value → the figures. */
type Driven = Readonly<Record<typeof KINDS[number], Map<string, Counts>>>;

const none = () => Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts;

function addTo(all: Map<string, Counts>, name: string, counts: Counts): void {
  const sum = all.get(name) ?? none();
  for (const each of COUNTED) sum[each] += counts[each];
  all.set(name, sum);
}

function sumOf(all: ReadonlyMap<string, Counts>): Counts {
  const sum = new Map<string, Counts>();
  for (const counts of all.values()) addTo(sum, "", counts);
  return sum.get("") ?? none();
}

function visitOf(number: number): Visit {
  const round = Math.floor(number / WORDS.length);
  const client = DAY_CLIENTS[round % DAY_CLIENTS.length]!;
  const turn = Math.floor(round / DAY_CLIENTS.length);
  const named = WORDS[number % WORDS.length]!;
  // A client that reads text offers no tools that a server could call.
  const word = named === "native" && client.isXml ? "call" : named;
  return {
    word,
    client,
    model: word === "down" ? "down" : turn % 4 === 1 ? "dry" : "live",
    isStreamed: (round + turn) % 2 === 0,
    number,
  };
}

const KEYS = { alice: "alice-has-a-long-key", bob: "bob-has-a-long-key-too" };

const keyOf = (number: number) => number % 3 === 0 ? "bob" : "alice";

/** Two upstreams of one model, of which one dies, and what the driver learns from them. */
class DayUpstreams implements AsyncDisposable {
  /** What was asked last, by the user's message and whether a result came with it: an upstream that could not answer is not. */
  readonly #askedLast = new Map<string, string>();
  readonly #one = startUpstream((request) => this.#answer("one", request));
  readonly #two = startUpstream((request) => this.#answer("two", request));
  #line: CutLine | undefined;
  #isDying = false;
  #waiting = 0;

  async open(): Promise<{ readonly one: string; readonly two: string }> {
    this.#line = await CutLine.open(this.#one.url);
    return { one: this.#line.url, two: this.#two.url };
  }

  /** From now on, the first one begins no answer; it dies when all connections of the driver wait for it. */
  die(): void {
    this.#isDying = true;
  }

  /** Whether requests waited for the first byte when it died. */
  get isDead(): boolean {
    return this.#waiting === CONCURRENCY;
  }

  /** The upstream that had the last word about a request. */
  answered(user: string, hasResult: boolean): string {
    return this.#askedLast.get(`${user} ${hasResult}`) ?? "down";
  }

  #answer(name: string, { body }: Arrived): Script {
    // The probe of the start has no body.
    const { model, messages } = JSON.parse(body || '{"messages":[{},{}]}');
    const user = String(messages[1].content);
    const hasResult = messages.length > 2;
    if (name === "one" && this.#isDying && body !== "") {
      if (++this.#waiting === CONCURRENCY) this.#line?.cut();
      return { fate: "silent" };
    }
    this.#askedLast.set(`${user} ${hasResult}`, model === "dry" ? "dry" : name);
    return scriptOf(hasResult ? "prose" : user.split(" ")[0]!);
  }

  async [Symbol.asyncDispose]() {
    await this.#line?.[Symbol.asyncDispose]();
    await this.#one[Symbol.asyncDispose]();
    await this.#two[Symbol.asyncDispose]();
  }
}

/** What the model prints by the first word of the user's message. */
function scriptOf(word: string): Script {
  if (word === "html") {
    return { error: { status: 200, body: "<html>", headers: { "content-type": "text/html" } } };
  }
  if (word === "busy") return { error: { status: 429, body: "{}" } };
  return word === "native" ? NATIVE : { text: ANSWERS[word] ?? "" };
}

/** What the figures have to show of the first request of a visit. */
function firstCounts(word: Visit["word"], isLive: boolean): Counts {
  const isError = word === "html" || word === "busy" || word === "down";
  const isRefused = word === "refused" && isLive;
  const isCall = word === "call" || (word === "refused" && !isLive);
  const isCandidate = isCall || word === "unknown";
  return {
    ...none(),
    requests: 1,
    errors: Number(isError),
    answers: Number(!isError),
    printedAsText: Number(isCandidate || isRefused || word === "near"),
    candidates: Number(isCandidate),
    attempts: Number(isCandidate),
    made: Number(isCall),
    nearMisses: Number(word === "near"),
  };
}

interface Driving {
  readonly origin: string;
  readonly upstreams: DayUpstreams;
  readonly driven: Driven;
}

/** Sends a visit and, if it brought a call, the call's result; counts what the figures have to show. */
async function visit(
  { word, client, number, ...more }: Visit,
  { origin, upstreams, driven }: Driving,
): Promise<void> {
  const { name, system, wire, rejection } = client;
  const user = `${word} ${number}`;
  const key = keyOf(number);
  const messages = [{ role: "system", content: system }, { role: "user", content: user }];
  const owner = ownerOf({ key: KEYS[key], requester: "" }, key);
  const isConverted = bucketOf(conversationHash({ messages } as never, { client: name, owner })) < ROLLOUT;
  const isLive = more.model === "live" && isConverted;
  const add = (upstream: string, counts: Counts) => {
    for (const [kind, value] of Object.entries({ client: name, key, upstream })) {
      addTo(driven[kind as keyof Driven], value, counts);
    }
  };
  const send = async (counts: Counts, result?: Parameters<typeof wire.body>[0]["result"]) => {
    const request = { ...more, system, user, ...(result && { result }) };
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${KEYS[key]}`,
      ...client.headers,
    };
    const body = JSON.stringify(wire.body(request));
    const response = await fetch(origin + wire.path(request), { method: "POST", headers, body });
    // Some wires have no form for an error in a stream: the connection breaks.
    const text = await response.text().catch((cause) => `broken by ${word}: ${cause}`);
    if (counts.errors === 0) assert.equal(response.status, 200, text);
    // If one is dead and the other busy, the busy one has the last word.
    const upstream = upstreams.answered(user, result !== undefined);
    add(upstream, counts);
    return { text, upstream };
  };
  const { text, upstream } = await send(firstCounts(word, isLive));
  if (text.startsWith("broken by ")) assert.equal(word, "html", text);
  if (!isLive || (word !== "call" && word !== "native")) return;
  const id = wire.id?.exec(text)?.[1];
  assert.equal(id !== undefined, wire.id !== undefined, text);
  const isRejected = number % 4 === 0 && rejection !== undefined;
  const result = { id: id ?? "", content: isRejected ? rejection : "the file", isError: isRejected };
  await send({ ...none(), requests: 1, answers: 1 }, result);
  const verdict = { ...none(), [isRejected ? "rejected" : "accepted"]: 1 };
  // A result is about the call, so it counts for the upstream that made it.
  add(upstream, verdict);
}

/** What the metrics show, as the sum over all labels but those given. */
function readMetrics(samples: readonly Sample[], labels: Readonly<Record<string, string>> = {}): Counts {
  const sum = (name: string, more: Readonly<Record<string, string>> = {}) =>
    samples.filter((sample) =>
      sample.name === `dragoman_${name}` &&
      Object.entries({ ...labels, ...more }).every(([label, value]) => sample.labels[label] === value)
    ).reduce((total, { value }) => total + value, 0);
  return {
    requests: sum("requests_total"),
    errors: sum("upstream_errors_total"),
    answers: sum("answers_total"),
    printedAsText: sum("answers_printed_as_text_total"),
    candidates: sum("candidates_total"),
    attempts: sum("attempts_total"),
    made: sum("calls_made_total"),
    nearMisses: sum("near_misses_total"),
    accepted: sum("call_results_total", { verdict: "accepted" }),
    rejected: sum("call_results_total", { verdict: "rejected" }),
  };
}

/** What a row of the report or the page shows, as the driver counts. */
function readRow(row: Readonly<Record<string, unknown>>): Counts {
  const made = Number(row["transformed"]) + Number(row["wouldTransform"]);
  const all: Readonly<Record<string, unknown>> = { ...row, made };
  return Object.fromEntries(COUNTED.map((name) => [name, all[name]])) as Counts;
}

/** The sums of all points of a timeline; it has no candidates, so those of the attempts stand in for them. */
function sumOverTime({ columns, points }: TimelineFigures): Record<string, number> {
  const sums = Object.fromEntries(
    columns.map((name, column) => [name, points.reduce((sum, point) => sum + (point[column + 1] ?? 0), 0)]),
  );
  return { ...sums, candidates: sums["attempts"] ?? 0 };
}

for (const workers of WORKERS) {
  Deno.test({
    name:
      `a day of requests has the same figures in the metrics, the page, the report and the driver's count${
        workers > 1 ? ", with workers" : ""
      }`,
    fn: () => playDay(workers),
  });
}

async function playDay(workers: number): Promise<void> {
  await using upstreams = new DayUpstreams();
  const { one, two } = await upstreams.open();
  using down = await RefusedPort.open();
  const folder = await temporaryFolder();
  const port = freePort();
  const origin = `http://127.0.0.1:${port}`;
  await Deno.writeTextFile(join(folder, "guard.ts"), PLUGIN);
  for (const [name, key] of Object.entries(KEYS)) await Deno.writeTextFile(join(folder, `${name}.key`), key);
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `listen: { keys: { alice: ./alice.key, bob: ./bob.key } }
upstreams:
  - { name: one, url: "${one}", models: [live] }
  - { name: two, url: "${two}", models: [live] }
  - { name: dry, url: "${two}", models: [dry], dry_run: true }
  - { name: down, url: "http://127.0.0.1:${down.port}/v1", models: [down] }
routing: { strategy: spread, cooldown_ms: 1 }
policy: { rollout_percent: ${ROLLOUT} }
plugins: [./guard.ts]
limits: { per_key: { requests_per_day: 1000000 } }
audit: { file: logs/audit.jsonl, contents: true, max_bytes: 1000000000 }
`,
  );
  const words = ["serve", "--port", `${port}`, "--workers", `${workers}`];
  const program = startProgram(folder, words, ["--allow-write=logs"]);
  try {
    await program.until(/is ready/);
    const driven: Driven = { client: new Map(), key: new Map(), upstream: new Map() };
    let next = 0;
    await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
      while (next < REQUESTS) {
        if (next === DIES_AT) upstreams.die();
        await visit(visitOf(next++), { origin, upstreams, driven });
      }
    }));
    assert.ok(upstreams.isDead);
    const counts = sumOf(driven.client);
    const headers = { authorization: `Bearer ${KEYS.alice}` };
    const read = async (path: string) => await (await fetch(origin + path, { headers })).text();
    // Workers pass on what they counted after some milliseconds.
    let metrics = await read("/metrics");
    for (
      let tries = 0;
      tries < 100 && readMetrics(readPrometheus(metrics)).requests < counts.requests;
      tries++
    ) {
      metrics = await read("/metrics");
    }
    checkExposition(metrics);
    const samples = readPrometheus(metrics);
    assert.deepEqual(readMetrics(samples), counts);
    for (const kind of ["key", "upstream"] as const) {
      for (const [value, { requests }] of driven[kind]) {
        assert.equal(readMetrics(samples, { [kind]: value }).requests, requests, value);
      }
    }
    const moved = samples.filter(({ name }) => name === "dragoman_upstream_failovers_total");
    assert.ok(moved.some(({ labels, value }) => labels["upstream"] === "one" && value >= CONCURRENCY));
    const shown: ServerFigures = JSON.parse(await read("/_dragoman/figures"));
    assert.deepEqual(readRow({ ...shown.all }), counts);
    assert.deepEqual(readRow(sumOverTime(shown.timeline)), counts);
    program.interrupt();
    const { code, stdout, stderr } = await program.end();
    assert.equal(code, 0, stderr);
    const printed = createTestContext({ workingDirectory: folder });
    assert.equal(await report.run({ values: { json: true }, positionals: ["logs/audit.jsonl"] }, printed), 0);
    const reported = JSON.parse(printed.printed.stdout);
    assert.deepEqual(readRow(reported.all), counts);
    for (const kind of KINDS) {
      for (const figures of [reported, shown]) {
        const rows = figures[`${kind}s`].map((
          row: Readonly<Record<string, unknown>>,
        ) => [row["name"], readRow(row)]);
        assert.deepEqual(Object.fromEntries(rows), Object.fromEntries(driven[kind]), kind);
      }
    }
    assert.equal(reported.modes.length, 3);
    assert.match(reported.canary.sentence, /\.$/);
    assert.equal(reported.canary.sentence, shown.canary?.sentence);
    // Each request has one line in the terminal.
    const lines = stdout.split("\n").filter((line) =>
      [...driven.client.keys()].some((name) => line.includes(` ${name} `))
    );
    assert.equal(lines.length, counts.requests);
    assert.deepEqual(lines.filter((line) => line.includes("client_left")), []);
    checkAudit(await Deno.readTextFile(join(folder, "logs", "audit.jsonl")), driven);
  } finally {
    program.kill();
    await program.end();
  }
}

/** The log has a line of each request with its key and upstream, and the calls of clients that read text as they got them. */
function checkAudit(text: string, driven: Driven): void {
  const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  for (const kind of KINDS) {
    const logged = Map.groupBy(lines.filter((line) => line.kind === "request"), (line) => String(line[kind]));
    const wanted = [...driven[kind]].map(([value, { requests }]) => [value, requests]).sort();
    assert.deepEqual([...logged].map(([value, all]) => [value, all.length]).sort(), wanted);
  }
  const decided = lines.filter(({ client, outcome }) =>
    /^(?:roo|cline)$/.test(client) && /transform/.test(outcome)
  );
  assert.deepEqual(
    [...new Set(decided.map(({ client, outcome }) => `${client} ${outcome}`))].sort(),
    ["cline transformed", "cline would_transform", "roo transformed", "roo would_transform"],
  );
  for (const { written, tool } of decided) assert.match(written, new RegExp(`<${tool}>[^]*</${tool}>`));
}
