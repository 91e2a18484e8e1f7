/**
 * Every end of a call is one decision with the same word everywhere: the terminal, the page, its rules and figures, the
 * metrics, the audit log and the report count it alike. On every wire and for clients of text, streamed and whole.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { report } from "../../src/cli/report.ts";
import { END_ORDER, endOf, ENDS } from "../../src/admin/audit/ends.ts";
import type { DecisionLine } from "../../src/admin/audit/line.ts";
import { endsOf } from "../../src/admin/audit/summary.ts";
import type { LiveDetail } from "../../src/admin/live/request.ts";
import { reasonEntry } from "../../src/engine/event/reason.ts";
import { createTestContext } from "../support/context.ts";
import { DAY_CLIENTS } from "../support/day_clients.ts";
import { readLiveBatch } from "../support/live.ts";
import { readPrometheus } from "../support/prometheus.ts";
import { type Script, startUpstream } from "../support/scripted_upstream.ts";
import { startServer } from "../support/serve.ts";

const call = (tool: string, path: string) =>
  `Now.\n<tool_call>\n<function=${tool}>\n<parameter=path>\n${path}\n</parameter>\n</function>\n</tool_call>`;

const CALL = call("read_file", "a.txt");
const HALF = CALL.slice(0, CALL.indexOf("a.txt") + "a.txt".length);

interface Case {
  readonly script: Script;
  /** What the request's line says for a client of calls, streamed and whole; and for one that reads calls in text. */
  readonly streamed: string;
  readonly whole?: string;
  readonly text?: string;
}

/** The kind of end, which is the model's name → the answer, and its words on the line of the request. */
const CASES: Readonly<Record<string, Case>> = {
  made: { script: { text: CALL }, streamed: "read_file ×1" },
  made_twice: {
    script: { text: `${CALL}\n${CALL.replace("a.txt", "b.txt")}` },
    streamed: "read_file ×2",
    text: "read_file ×1, 1 dropped",
  },
  repaired: {
    script: { text: `<tool_call>\n{"name": "Read_File", "arguments": {"path": "a.txt",}}\n</tool_call>` },
    streamed: "read_file ×1, 2 repairs",
  },
  left: {
    script: { text: `See:\n\`\`\`\n${CALL}\n\`\`\`\nThat is how.` },
    streamed: "1 left as text (quoted)",
  },
  unknown: { script: { text: call("rm_rf", "/") }, streamed: "1 left as text (unknown_tool)" },
  near: {
    script: { text: "I look.\n@@invoke read_file\n@arg path = src/a.ts\n@@end\n" },
    streamed: "1 near miss",
  },
  refused: { script: { text: call("read_file", "secret.txt") }, streamed: "1 refused" },
  broke_off: {
    script: { text: HALF, finish: "length" },
    streamed: "1 broke off",
    whole: "1 lost",
    text: "1 left as text (truncated)",
  },
  lost: {
    script: { text: `Now.\n<tool_call>\n{"name": "read_file", "argum`, finish: "length" },
    streamed: "1 lost",
    text: "1 left as text (truncated)",
  },
};

/** One client for each wire, and one that reads calls in the text. */
const CLIENTS = DAY_CLIENTS.filter(({ name }) =>
  ["openai", "roo", "claude_code", "gemini_cli"].includes(name)
);

const GUARD = `export default {
  name: "guard",
  onCall: (call) => call.arguments.path === "secret.txt" ? { refuse: "not allowed" } : undefined,
};
`;

Deno.test("a call is one decision with one word on the terminal, the page, the metrics, the log and the report", async () => {
  await using upstream = startUpstream(({ body }) =>
    body === "" ? { text: "" } : CASES[JSON.parse(body).model]!.script
  );
  await using server = await startServer(
    `upstreams: [{ name: local, url: "${upstream.url}" }]\naudit: { file: logs/audit.jsonl }\n`,
  );
  const asked = Object.keys(CASES).flatMap((model) =>
    CLIENTS.flatMap((client) => [true, false].map((isStreamed) => ({ model, client, isStreamed })))
  );
  const ask = async ({ model, client: { wire, system, headers }, isStreamed }: typeof asked[number]) => {
    const request = { model, isStreamed, system, user: model };
    const body = JSON.stringify(wire.body(request));
    const address = server.origin + wire.path(request);
    await (await fetch(address, { method: "POST", body, headers: headers ?? {} })).text();
  };
  // The decisions of old requests aren't kept.
  const details = new Map<string, LiveDetail>();
  const keepDetails = async () => {
    for (const { id } of (await readLiveBatch(server.origin)).requests) {
      if (!details.has(id)) details.set(id, await (await fetch(`${server.page}live/${id}`)).json());
    }
  };
  const isRefused = ({ model }: typeof asked[number]) => model === "refused";
  await Promise.all(asked.filter((one) => !isRefused(one)).map(ask));
  await keepDetails();
  // With a plugin that decides about calls, none is announced before it is whole, so none breaks off.
  await Deno.writeTextFile(join(server.folder, "guard.ts"), GUARD);
  await server.write(
    `upstreams: [{ name: local, url: "${upstream.url}" }]\naudit: { file: logs/audit.jsonl }\nplugins: [./guard.ts]\n`,
  );
  await Promise.all(asked.filter(isRefused).map(ask));
  await keepDetails();
  const { requests } = await readLiveBatch(server.origin);
  assert.equal(requests.length, asked.length);
  const marks: { end: string; reason: string; rule: string }[] = [];
  for (const request of requests) {
    const { model, client, wire, isStreamed } = request;
    const { streamed, whole = streamed, text = streamed } = CASES[model!]!;
    const expected = client === "roo" ? text : isStreamed ? streamed : whole;
    const title = `${model}, ${client}, ${wire}, ${isStreamed ? "streamed" : "whole"}`;
    // The page's list.
    assert.equal(
      endsOf(request).map(({ text, more }) => `${text} ${more}`.trimEnd()).join(", "),
      expected,
      title,
    );
    assert.equal(request.state, /broke|lost/.test(expected) ? "cut" : "done", title);
    // The terminal.
    const place = wire === "chat" ? client : `${client} on ${wire}`;
    const lines = server.printed.stdout.split("\n").filter((line) =>
      line.includes(`  ${place}  ${model}  local `)
    );
    assert.ok(lines.some((line) => line.endsWith(`s  ${expected}`)), `${title}: ${lines.join("\n")}`);
    // The page's detail: the decisions of its list.
    const detail = details.get(request.id);
    const decided = detail!.marks!.filter(({ reason }) => reasonEntry(reason)?.kind === "decision");
    const words = decided.map(({ end }) => end === "made" ? "read_file" : ENDS[end].word);
    const isTwo = expected.includes("×2") || expected.includes("dropped");
    assert.equal(words.length, isTwo ? 2 : 1, `${title}: ${words}`);
    assert.ok(expected.includes(words[0]!), `${title}: ${words}`);
    marks.push(...detail!.marks!);
  }
  const count = (of: (mark: typeof marks[number]) => string) => {
    const counts: Record<string, number> = {};
    for (const mark of marks) counts[of(mark)] = (counts[of(mark)] ?? 0) + 1;
    return counts;
  };
  // The metrics.
  const samples = readPrometheus(await (await fetch(`${server.origin}/metrics`)).text())
    .filter(({ name }) => name === "dragoman_decisions_total");
  const counted: Record<string, number> = {};
  for (const { labels: { reason = "" }, value } of samples) counted[reason] = (counted[reason] ?? 0) + value;
  assert.deepEqual(sorted(counted), sorted(count(({ reason }) => reason)));
  // The page's rules.
  const rules: { rule: string; hits: Record<string, number> }[] = await (await fetch(`${server.page}rules`))
    .json();
  const hits = rules.flatMap(({ rule, hits }) =>
    Object.entries(hits).map(([end, count]) => [`${rule} ${end}`, count])
  );
  const known = new Set(rules.map(({ rule }) => rule));
  assert.deepEqual(
    sorted(Object.fromEntries(hits)),
    sorted(
      Object.fromEntries(
        Object.entries(count(({ rule, end }) => `${rule} ${end}`)).filter(([key]) =>
          known.has(key.split(" ")[0]!)
        ),
      ),
    ),
  );
  // The page's figures.
  const { all } = await (await fetch(`${server.page}figures`)).json();
  const ends = count(({ end }) => end);
  const figures = (row: Record<string, number>) => ({
    made: row.transformed,
    left: row.abstained,
    near: row.nearMisses,
    refused: row.refused,
    broken: row.failed,
    lost: row.lost,
    repaired: row.repairs,
  });
  const expected = Object.fromEntries(Object.keys(figures({})).map((end) => [end, ends[end] ?? 0]));
  assert.ok(Object.values(expected).every((value) => value > 0), JSON.stringify(expected));
  assert.deepEqual(figures(all), expected);
  // The audit log and its report.
  await server.stop();
  const file = join(server.folder, "logs", "audit.jsonl");
  const logged = (await Deno.readTextFile(file)).trimEnd().split("\n").map((line) => JSON.parse(line))
    .filter((line): line is DecisionLine => line.kind === "decision" && !line.repeats);
  const ofLog = Object.fromEntries(
    END_ORDER.map((end) => [end, logged.filter((line) => endOf(line) === end).length]),
  );
  assert.deepEqual({ ...ofLog, ...expected }, ofLog);
  const context = createTestContext({ workingDirectory: server.folder });
  assert.equal(await report.run({ values: { json: true }, positionals: ["logs/audit.jsonl"] }, context), 0);
  const reported = JSON.parse(context.printed.stdout);
  assert.deepEqual(figures(reported.all), expected);
  // Why calls were cut off or lost.
  const why = reported.broken.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
  assert.equal(why, expected.broken! + expected.lost!);
});

function sorted(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).sort(([one], [other]) => one < other ? -1 : 1);
}
