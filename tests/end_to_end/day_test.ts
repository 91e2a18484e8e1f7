/**
 * A day in small: requests of every client, live, in a dry run and on both sides of the canary, with a plugin, calls of the
 * upstream's own, near misses and errors. The driver counts what it sends; metrics, page and report show the same figures,
 * in all and for each client.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { serve } from "../../src/cli/serve.ts";
import { report } from "../../src/cli/report.ts";
import type { ServerFigures } from "../../src/cli/service/figures.ts";
import type { TimelineFigures } from "../../src/desk/tally/timeline.ts";
import { bucketOf } from "../../src/chat/rollout/bucket.ts";
import { conversationHash } from "../../src/chat/rollout/conversation.ts";
import { DAY_CLIENTS, type DayClient } from "../support/day_clients.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { checkExposition, readPrometheus } from "../support/prometheus.ts";
import { RefusedPort } from "../support/refused_port.ts";
import { type Script, startUpstream } from "../support/scripted_upstream.ts";
import { createTestWorld } from "../support/world.ts";

/** In a short run, every client has every kind of answer once, live or on the other side of the canary, and once dry. */
const REQUESTS = IS_THOROUGH ? 10_000 : 2 * 10 * DAY_CLIENTS.length;
const CONCURRENCY = 8;
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
  prose: "There is nothing to do.",
};

const nativeCall = {
  id: "call_native",
  type: "function",
  function: { name: "read_file", arguments: '{"path":"a.txt"}' },
};
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

/** What the driver counts: client → its figures. */
type Driven = Map<string, Counts>;

function countsOf(driven: Driven, name: string): Counts {
  const counts = driven.get(name) ?? Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts;
  driven.set(name, counts);
  return counts;
}

function sumOf(driven: Driven): Counts {
  const sum = (name: keyof Counts) => [...driven.values()].reduce((total, counts) => total + counts[name], 0);
  return Object.fromEntries(COUNTED.map((name) => [name, sum(name)])) as Counts;
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

/** Sends a visit and, if it brought a call, the call's result; counts what the figures have to show. */
async function visit(
  origin: string,
  { word, client, number, ...more }: Visit,
  counts: Counts,
): Promise<void> {
  const { name, system, wire, rejection } = client;
  const user = `${word} ${number}`;
  const messages = [{ role: "system", content: system }, { role: "user", content: user }];
  const isConverted = bucketOf(conversationHash({ messages } as never, name)) < ROLLOUT;
  const isLive = more.model === "live" && isConverted;
  const send = async (result?: Parameters<typeof wire.body>[0]["result"]) => {
    const request = { ...more, system, user, ...(result && { result }) };
    const headers = { "content-type": "application/json", ...client.headers };
    const body = JSON.stringify(wire.body(request));
    const response = await fetch(origin + wire.path(request), { method: "POST", headers, body });
    // Some wires have no form for an error in a stream: the connection breaks.
    return await response.text().catch((cause) => `broken by ${word}: ${cause}`);
  };
  const text = await send();
  counts.requests++;
  if (text.startsWith("broken by ")) assert.equal(word, "html", text);
  const isError = word === "html" || word === "busy" || word === "down";
  const isRefused = word === "refused" && isLive;
  const isCall = word === "call" || (word === "refused" && !isLive);
  if (isError) counts.errors++;
  else counts.answers++;
  if (isCall || isRefused || word === "unknown" || word === "near") counts.printedAsText++;
  if (isCall || word === "unknown") {
    counts.candidates++;
    counts.attempts++;
  }
  if (isCall) counts.made++;
  if (word === "near") counts.nearMisses++;
  if (!isLive || (word !== "call" && word !== "native")) return;
  const id = wire.id?.exec(text)?.[1];
  assert.equal(id !== undefined, wire.id !== undefined, text);
  const isRejected = number % 4 === 0 && rejection !== undefined;
  await send({ id: id ?? "", content: isRejected ? rejection : "the file", isError: isRejected });
  counts.requests++;
  counts.answers++;
  counts[isRejected ? "rejected" : "accepted"]++;
}

/** What the metrics show, as the sum over all labels. */
function readMetrics(text: string): Counts {
  const samples = readPrometheus(text);
  const sum = (name: string, verdict?: string) =>
    samples.filter((sample) =>
      sample.name === `dragoman_${name}` && (verdict === undefined || sample.labels["verdict"] === verdict)
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
    accepted: sum("call_results_total", "accepted"),
    rejected: sum("call_results_total", "rejected"),
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

/** The model server: it answers by the first word of the user's message, and a result with prose. */
function answer({ body }: { body: string }): Script {
  // The probe of the start has no body.
  const { messages } = JSON.parse(body || '{"messages":[{},{}]}');
  const word = messages.length > 2 ? "prose" : String(messages[1].content).split(" ")[0]!;
  if (word === "html") {
    return { error: { status: 200, body: "<html>", headers: { "content-type": "text/html" } } };
  }
  if (word === "busy") return { error: { status: 429, body: "{}" } };
  return word === "native" ? NATIVE : { text: ANSWERS[word] ?? "" };
}

Deno.test("a day of requests has the same figures in the metrics, the page, the report and the driver's count", async () => {
  await using upstream = startUpstream(answer);
  using down = await RefusedPort.open();
  const folder = await Deno.makeTempDir();
  const stop = new AbortController();
  try {
    await Deno.writeTextFile(join(folder, "guard.ts"), PLUGIN);
    await Deno.writeTextFile(
      join(folder, "dragoman.yaml"),
      `upstreams:
  - { name: live, url: "${upstream.url}", models: [live] }
  - { name: dry, url: "${upstream.url}", models: [dry], dry_run: true }
  - { name: down, url: "http://127.0.0.1:${down.port}/v1", models: [down] }
policy: { rollout_percent: ${ROLLOUT} }
plugins: [./guard.ts]
audit: { file: audit.jsonl, contents: true, max_bytes: 1000000000 }
`,
    );
    const ready = Promise.withResolvers<string>();
    const world = createTestWorld({ workingDirectory: folder });
    const ended = serve.run({ values: { port: "0" }, positionals: [] }, {
      ...world,
      stdout(text) {
        world.stdout(text);
        const origin = /(http:\S+)\/v1\n/.exec(text)?.[1];
        if (origin !== undefined) ready.resolve(origin);
      },
      signal: stop.signal,
    });
    const origin = await Promise.race([
      ready.promise,
      ended.then(() => Promise.reject(world.printed.stderr)),
    ]);
    const driven: Driven = new Map();
    let next = 0;
    await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
      while (next < REQUESTS) {
        const one = visitOf(next++);
        await visit(origin, one, countsOf(driven, one.client.name));
      }
    }));
    const counts = sumOf(driven);
    const page = await (await fetch(`${origin}/metrics`)).text();
    checkExposition(page);
    assert.deepEqual(readMetrics(page), counts);
    const shown: ServerFigures = await (await fetch(`${origin}/_dragoman/figures`)).json();
    assert.deepEqual(readRow({ ...shown.all }), counts);
    assert.deepEqual(readRow(sumOverTime(shown.timeline)), counts);
    stop.abort();
    await ended;
    const printed = createTestWorld({ workingDirectory: folder });
    assert.equal(await report.run({ values: { json: true }, positionals: ["audit.jsonl"] }, printed), 0);
    const { all, canary, clients, modes } = JSON.parse(printed.printed.stdout);
    assert.deepEqual(readRow(all), counts);
    for (const rows of [clients, shown.clients]) {
      const figures = rows.map((row: Readonly<Record<string, unknown>>) => [row["name"], readRow(row)]);
      assert.deepEqual(Object.fromEntries(figures), Object.fromEntries(driven));
    }
    assert.equal(modes.length, 3);
    assert.match(canary.sentence, /\.$/);
    assert.equal(canary.sentence, shown.canary?.sentence);
    // Each request has one line in the terminal.
    const names = [...driven.keys()];
    const lines = world.printed.stdout.split("\n").filter((line) =>
      names.some((name) => line.includes(` ${name} `))
    );
    assert.equal(lines.length, counts.requests);
    assert.deepEqual(lines.filter((line) => line.includes("client_left")), []);
    // The calls of clients that read text are in the log as they got them, or would have.
    const decided = (await Deno.readTextFile(join(folder, "audit.jsonl"))).trimEnd().split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ client, outcome }) => /^(?:roo|cline)$/.test(client) && /transform/.test(outcome));
    assert.deepEqual([...new Set(decided.map(({ client, outcome }) => `${client} ${outcome}`))].sort(), [
      "cline transformed",
      "cline would_transform",
      "roo transformed",
      "roo would_transform",
    ]);
    for (const { written, tool } of decided) assert.match(written, new RegExp(`<${tool}>[^]*</${tool}>`));
  } finally {
    stop.abort();
    await Deno.remove(folder, { recursive: true });
  }
});
