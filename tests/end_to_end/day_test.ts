/**
 * A day in small: requests of several clients, live, in a dry run and on both sides of the canary, with a plugin, calls of
 * the upstream's own, near misses and errors. The driver counts what it sends; metrics, page and report show the same figures.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { serve } from "../../src/cli/serve.ts";
import { report } from "../../src/cli/report.ts";
import type { ServerFigures } from "../../src/service/figures.ts";
import type { TimelineFigures } from "../../src/tally/timeline.ts";
import { bucketOf } from "../../src/rollout/bucket.ts";
import { conversationHash } from "../../src/rollout/conversation.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { checkExposition, readPrometheus } from "../support/prometheus.ts";
import { SMALL_ROO_PROMPT } from "../support/prompts.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { freePort } from "../support/server_process.ts";
import { createTestWorld } from "../support/world.ts";

const REQUESTS = IS_THOROUGH ? 10_000 : 240;
const CONCURRENCY = 8;
const ROLLOUT = 50;

const PLUGIN = `export default {
  name: "guard",
  onCall: (call) => call.tool === "switch_mode" ? { refuse: "not allowed" } : undefined,
};
`;

const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const TOOLS = [
  { type: "function", function: { name: "read_file", parameters } },
  {
    type: "function",
    function: {
      name: "switch_mode",
      parameters: { type: "object", properties: { mode_slug: { type: "string" } } },
    },
  },
];

const call = (tool: string, name: string, value: string) =>
  `Now.\n<tool_call>\n<function=${tool}>\n<parameter=${name}>\n${value}\n</parameter>\n</function>\n</tool_call>`;

/** What the model prints when the user's message has the word. */
const ANSWERS: Readonly<Record<string, string>> = {
  call: call("read_file", "path", "a.txt"),
  unknown: call("rm_rf", "path", "/"),
  refused: call("switch_mode", "mode_slug", "code"),
  near: "I look.\n@@invoke read_file\n@arg path = src/a.ts\n@@end\n",
  prose: "There is nothing to do.",
};

const NATIVE = {
  id: "native",
  object: "chat.completion",
  choices: [{
    index: 0,
    message: {
      role: "assistant",
      content: null,
      tool_calls: [{
        id: "call_native",
        type: "function",
        function: { name: "read_file", arguments: '{"path":"a.txt"}' },
      }],
    },
    finish_reason: "tool_calls",
  }],
};

type Word = keyof typeof ANSWERS | "native" | "html" | "busy" | "down";

/** One request of the day. */
interface Visit {
  readonly word: Word;
  readonly client: "openai" | "roo";
  readonly model: "live" | "dry" | "down";
  readonly stream: boolean;
  readonly number: number;
}

const COUNTED = [
  "requests",
  "errors",
  "answers",
  "leaked",
  "candidates",
  "attempts",
  "made",
  "nearMisses",
  "accepted",
  "rejected",
] as const;

type Counts = Record<typeof COUNTED[number], number>;

function visitOf(number: number): Visit {
  const words: Word[] = [
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
  ];
  const word = words[number % words.length]!;
  const round = Math.floor(number / words.length);
  return {
    word,
    client: round % 3 === 1 && word !== "native" ? "roo" : "openai",
    model: word === "down" ? "down" : round % 4 === 3 ? "dry" : "live",
    stream: word !== "native" && round % 2 === 0,
    number,
  };
}

function chatOf({ word, client, model, stream, number }: Visit) {
  const system = client === "roo" ? SMALL_ROO_PROMPT : "You help.";
  const messages: Record<string, unknown>[] = [
    { role: "system", content: system },
    { role: "user", content: `${word} ${number}` },
  ];
  return { model, stream, messages, ...(client === "roo" ? {} : { tools: TOOLS }) };
}

/** Sends a visit and, if it brought a call, the call's result; counts what the figures have to show. */
async function visit(origin: string, visit: Visit, counts: Counts): Promise<void> {
  const { word, client, model, number } = visit;
  const chat = chatOf(visit);
  const isLive = model === "live" && bucketOf(conversationHash(chat as never, client)) < ROLLOUT;
  const send = async (body: unknown) => {
    const path = client === "roo" ? "/roo/v1/chat/completions" : "/v1/chat/completions";
    const response = await fetch(origin + path, { method: "POST", body: JSON.stringify(body) });
    return await response.text();
  };
  const text = await send(chat);
  counts.requests++;
  const isError = word === "html" || word === "busy" || word === "down";
  const isRefused = word === "refused" && isLive;
  const isCall = word === "call" || (word === "refused" && !isLive);
  if (isError) counts.errors++;
  else counts.answers++;
  if (isCall || isRefused || word === "unknown" || word === "near") counts.leaked++;
  if (isCall || word === "unknown") {
    counts.candidates++;
    counts.attempts++;
  }
  if (isCall) counts.made++;
  if (word === "near") counts.nearMisses++;
  if (!isLive || (word !== "call" && word !== "native")) return;
  const isRejected = number % 4 === 0;
  const id = /"id":"(call_[^"]+)"/.exec(text)?.[1];
  assert.equal(id !== undefined, client === "openai", text);
  const content = isRejected ? "Missing value for required parameter 'path'" : "the file";
  const result = client === "roo"
    ? { role: "user", content: `[read_file for 'a.txt'] Result:\n${content}` }
    : { role: "tool", tool_call_id: id, content };
  await send({ ...chat, messages: [...chat.messages, { role: "assistant", content: "" }, result] });
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
    leaked: sum("leaked_answers_total"),
    candidates: sum("candidates_total"),
    attempts: sum("attempts_total"),
    made: sum("calls_made_total"),
    nearMisses: sum("near_misses_total"),
    accepted: sum("call_results_total", "accepted"),
    rejected: sum("call_results_total", "rejected"),
  };
}

/** What a report or the page shows. */
function countsOf(figures: Readonly<Record<string, unknown>>): Counts {
  const made = Number(figures["transformed"]) + Number(figures["wouldTransform"]);
  const all: Readonly<Record<string, unknown>> = { ...figures, made };
  return Object.fromEntries(COUNTED.map((name) => [name, all[name]])) as Counts;
}

/** The sums of all points of a timeline; it has no candidates, so those of the attempts stand in for them. */
function sumOverTime({ columns, points }: TimelineFigures): Record<string, number> {
  const sums = Object.fromEntries(
    columns.map((name, column) => [name, points.reduce((sum, point) => sum + (point[column + 1] ?? 0), 0)]),
  );
  return { ...sums, candidates: sums["attempts"] ?? 0 };
}

Deno.test("a day of requests has the same figures in the metrics, the page, the report and the driver's count", async () => {
  await using upstream = startUpstream(({ body }) => {
    // The probe of the start has no body.
    const { messages } = JSON.parse(body || '{"messages":[{},{}]}');
    const word = messages.length > 2 ? "prose" : String(messages[1].content).split(" ")[0]!;
    if (word === "html") {
      return { error: { status: 200, body: "<html>", headers: { "content-type": "text/html" } } };
    }
    if (word === "busy") return { error: { status: 429, body: "{}" } };
    if (word === "native") return { raw: { stream: "", body: JSON.stringify(NATIVE) } };
    return { text: ANSWERS[word] ?? "" };
  });
  const folder = await Deno.makeTempDir();
  const stop = new AbortController();
  try {
    await Deno.writeTextFile(join(folder, "guard.ts"), PLUGIN);
    await Deno.writeTextFile(
      join(folder, "dragoman.yaml"),
      `upstreams:
  - { name: live, url: "${upstream.url}", models: [live] }
  - { name: dry, url: "${upstream.url}", models: [dry], dry_run: true }
  - { name: down, url: "http://127.0.0.1:${freePort()}/v1", models: [down] }
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
    const counts = Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts;
    let next = 0;
    await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
      while (next < REQUESTS) await visit(origin, visitOf(next++), counts);
    }));
    const page = await (await fetch(`${origin}/metrics`)).text();
    checkExposition(page);
    assert.deepEqual(readMetrics(page), counts);
    const shown: ServerFigures = await (await fetch(`${origin}/_dragoman/figures`)).json();
    assert.deepEqual(countsOf({ ...shown.all }), counts);
    assert.deepEqual(countsOf(sumOverTime(shown.timeline)), counts);
    assert.match(shown.canary?.sentence ?? "", /\.$/);
    stop.abort();
    await ended;
    const printed = createTestWorld({ workingDirectory: folder });
    assert.equal(await report.run({ values: { json: true }, positionals: ["audit.jsonl"] }, printed), 0);
    const { all, canary, modes } = JSON.parse(printed.printed.stdout);
    assert.deepEqual(countsOf(all), counts);
    assert.equal(modes.length, 3);
    assert.equal(canary.sentence, shown.canary?.sentence);
    // Each request has one line in the terminal, and Roo's calls are in the log as it got them, or would have.
    const lines = world.printed.stdout.split("\n").filter((line) => / (?:openai|roo) /.test(line));
    assert.equal(lines.length, counts.requests);
    const decided = (await Deno.readTextFile(join(folder, "audit.jsonl"))).trimEnd().split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ client, outcome }) => client === "roo" && /transform/.test(outcome));
    assert.deepEqual([...new Set(decided.map(({ outcome }) => outcome))].sort(), [
      "transformed",
      "would_transform",
    ]);
    for (const { written, tool } of decided) assert.match(written, new RegExp(`<${tool}>[^]*</${tool}>`));
  } finally {
    stop.abort();
    await Deno.remove(folder, { recursive: true });
  }
});
