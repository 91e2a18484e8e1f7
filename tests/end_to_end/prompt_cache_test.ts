/**
 * What an agent or a setting does to the prefix of a conversation, on every wire: a broken one is noted with what changed, the
 * settings keep it, and the audit log, the metrics and the page have the figures of the server's cache.
 */
import assert from "node:assert/strict";
import type { AuditLine, DecisionLine, RequestLine } from "../../src/admin/audit/line.ts";
import { recordRequest } from "../../src/admin/audit/record.ts";
import { summarize } from "../../src/admin/audit/summary.ts";
import { createMetrics } from "../../src/admin/metrics/metrics.ts";
import { conversationText, promptText } from "../../src/admin/page/views/request.ts";
import { askChat } from "../support/proxy.ts";
import type { WireProxy } from "../support/wire_proxy.ts";
import { startWireProxy } from "../support/wire_proxy.ts";
import { askRow, onRows, TOOL, WIRE_TABLE } from "../support/wire_table.ts";

const USAGE = {
  prompt_tokens: 100,
  completion_tokens: 5,
  total_tokens: 105,
  prompt_tokens_details: { cached_tokens: 80 },
} as unknown as Record<string, number>;

async function startWatched(config: Record<string, unknown> = {}) {
  const lines: AuditLine[] = [];
  const pair = await startWireProxy({ text: "Done.", usage: USAGE }, {
    config,
    server: {
      watches: [
        (facts) => recordRequest(facts, { contents: false, write: (all) => void lines.push(...all) }),
      ],
    },
  });
  return { pair, lines };
}

const notesOf = (lines: readonly AuditLine[]) =>
  lines.filter((line): line is DecisionLine => line.kind === "decision" && line.reason === "prefix_broken")
    .map(({ detail }) => detail);

const tools = (...names: string[]) =>
  names.map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } }));
const message = (role: string, content: string) => ({ role, content });

/** Asks one request after the other; streams state their tokens if they are asked for them. */
async function askAll({ origin }: WireProxy, bodies: readonly Record<string, unknown>[]): Promise<void> {
  for (const body of bodies) {
    await (await askChat(origin, {
      body: { stream: true, stream_options: { include_usage: true }, ...body },
    })).text();
  }
}

const FIRST = { tools: tools("b", "a"), messages: [message("system", "S\nnow: 1"), message("user", "U")] };
const LATER = [...FIRST.messages, message("assistant", "A"), message("user", "V")];

/** What the next request is → what is noted. */
const BREAKS: Readonly<Record<string, readonly [Record<string, unknown>, RegExp | undefined]>> = {
  "the conversation goes on": [{ ...FIRST, messages: LATER }, undefined],
  "the same again": [FIRST, undefined],
  "another order of the tools": [{ ...FIRST, tools: tools("a", "b"), messages: LATER }, /a different order/],
  "one more tool": [{ ...FIRST, tools: tools("b", "a", "c"), messages: LATER }, /more tools/],
  "another tool": [{ ...FIRST, tools: tools("b", "c"), messages: LATER }, /list of tools changed at a/],
  "another line of the system prompt": [
    { ...FIRST, messages: [message("system", "S\nnow: 2"), ...LATER.slice(1)] },
    /^line 2 of the system prompt changed/,
  ],
  "a side request without tools": [{
    messages: [message("system", "Title?"), message("user", "U")],
    tools: [],
  }, undefined],
  "another conversation": [{ ...FIRST, messages: [message("user", "W")] }, undefined],
};

Deno.test("what breaks the prefix of a conversation is noted, and nothing else", async () => {
  for (const [name, [next, expected]] of Object.entries(BREAKS)) {
    const { pair, lines } = await startWatched();
    await using _ = pair;
    await askAll(pair, [FIRST, next]);
    const notes = notesOf(lines);
    assert.equal(notes.length, expected === undefined ? 0 : 1, `${name}: ${notes.join()}`);
    if (expected !== undefined) assert.match(notes[0] ?? "", expected, name);
  }
});

Deno.test("a changed message, and a conversation that became shorter, are noted with their place", async () => {
  const { pair, lines } = await startWatched();
  await using _ = pair;
  const changed = LATER.map((one) => one.content === "A" ? message("assistant", "B") : one);
  await askAll(pair, [{ ...FIRST, messages: LATER }, { ...FIRST, messages: changed }, FIRST]);
  const [first = "", second = ""] = notesOf(lines);
  assert.match(first ?? "", /^message 2 of 3.*changed: assistant$/);
  assert.match(second ?? "", /^the conversation ends before message 2 of 3/);
  const summary = summarize(
    lines.filter((line) => "request" in line && line.request === requestOf(lines, 1)),
  );
  assert.deepEqual(summary?.remarks, ["prefix broken"]);
});

const requestOf = (lines: readonly AuditLine[], at: number) =>
  lines.filter((line): line is RequestLine => line.kind === "request")[at]?.request;

Deno.test("cache.watch: false notes nothing, and a client's file says what to set in it", async () => {
  const { pair, lines } = await startWatched({ cache: { watch: false } });
  await using _ = pair;
  await askAll(pair, [FIRST, { ...FIRST, tools: tools("a", "b") }]);
  assert.deepEqual(notesOf(lines), []);
  const watched = await startWatched();
  await using __ = watched.pair;
  const headers = { "user-agent": "claude-cli/2.1.332 (external, cli)", "content-type": "application/json" };
  for (const system of ["one", "two"]) {
    const body = {
      model: "m",
      max_tokens: 9,
      system,
      tools: [{ name: "t", input_schema: { type: "object" } }],
      messages: [{ role: "user", content: "U" }],
    };
    const response = await fetch(`${watched.pair.origin}/v1/messages`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    await response.text();
  }
  assert.match(
    notesOf(watched.lines)[0] ?? "",
    /line 1 of the system prompt.*CLAUDE_CODE_ATTRIBUTION_HEADER=0/,
  );
});

Deno.test("conversations that only go on are never noted, on every wire", async () => {
  const { pair, lines } = await startWatched();
  await using _ = pair;
  await onRows(WIRE_TABLE, async (row) => {
    const past = [1, 2, 3].map((at) => ({ text: `Step ${at}.`, name: "t", args: { at }, result: `r${at}` }));
    for (let count = 0; count <= past.length; count++) {
      const question = { system: "S", task: row.name, tool: TOOL, past: past.slice(0, count) };
      await askRow(pair.origin, { row, question });
    }
  });
  assert.deepEqual(notesOf(lines), []);
});

Deno.test("stable_tools and volatile_lines keep the prefix of every wire's requests; by default, nothing is changed", async () => {
  const question = { system: "S\nnow: 12:00\nE", task: "U", tool: TOOL };
  const cache = { stable_tools: true, volatile_lines: ["now: *"] };
  for (const [config, system] of [[{ cache }, "S\nE"], [{}, question.system]] as const) {
    const { pair } = await startWatched(config);
    await using _ = pair;
    await onRows(WIRE_TABLE, async (row) => void await askRow(pair.origin, { row, question }));
    for (const { body } of pair.upstream.requests) {
      assert.equal(JSON.parse(body).messages[0].content, system);
    }
    await askAll(pair, [{ tools: tools("b", "c", "a"), messages: [message("user", "U")], seed: 1.0 }]);
    const sent = JSON.parse(pair.upstream.requests.at(-1)!.body).tools;
    const names = sent.map((tool: { function: { name: string } }) => tool.function.name);
    assert.deepEqual(names, system === "S\nE" ? ["a", "b", "c"] : ["b", "c", "a"]);
  }
});

Deno.test("llama.cpp's own figures count where the client asks for no usage, and usage comes first", async () => {
  const timings = { cache_n: 90, prompt_n: 10, predicted_n: 5 };
  for (const [tools, usage] of [[true, undefined], [false, undefined], [true, USAGE]] as const) {
    const lines: AuditLine[] = [];
    await using pair = await startWireProxy({ text: "Done.", extra: { timings }, ...usage && { usage } }, {
      server: {
        watches: [
          (facts) => recordRequest(facts, { contents: false, write: (all) => void lines.push(...all) }),
        ],
      },
    });
    await askAll(pair, [{
      ...FIRST,
      ...tools ? {} : { tools: [] },
      stream_options: { include_usage: usage !== undefined },
    }]);
    const line = lines.find((line): line is RequestLine => line.kind === "request");
    assert.deepEqual([line?.promptTokens, line?.cachedTokens], [100, usage === undefined ? 90 : 80]);
  }
});

Deno.test("the figures of the server's cache are in the audit log, the metrics and on the page", async () => {
  const { pair, lines } = await startWatched();
  await using _ = pair;
  await onRows(WIRE_TABLE.filter(({ name }) => name !== "chat, streamed"), async (row) => {
    await askRow(pair.origin, { row, question: { task: "U", tool: TOOL } });
  });
  const requests = lines.filter((line): line is RequestLine => line.kind === "request");
  assert.equal(requests.length, WIRE_TABLE.length - 1);
  for (const { promptTokens, cachedTokens } of requests) {
    assert.deepEqual([promptTokens, cachedTokens], [100, 80]);
  }
  const metrics = createMetrics();
  metrics.add(lines);
  const { text } = await metrics.page();
  assert.match(text, new RegExp(`dragoman_prompt_tokens_total\\{.*\\} ${requests.length * 100}`));
  assert.match(text, new RegExp(`dragoman_cached_tokens_total\\{.*\\} ${requests.length * 80}`));
  assert.equal(promptText(requests[0]!), "100 tokens: 20 new, 80 from the cache");
  assert.equal(promptText({ promptTokens: 7 }), "7 tokens");
  const sums = { requests: 9, tokens: 900, cached: 720 };
  assert.equal(conversationText({ conversationPrompts: sums }), "9 requests so far: 20% of 900 tokens new");
});
