/**
 * The table of what an answer is and what is done with it, on every wire, streamed and whole: the first remedy of a row by
 * default, and each other one if a plugin chooses it. The client gets one answer, and each server is asked as often as
 * the remedy states.
 */
import assert from "node:assert/strict";
import type { AuditLine, DecisionLine } from "../../src/admin/audit/line.ts";
import { recordRequest } from "../../src/admin/audit/record.ts";
import type { JudgedAnswer, Plugin, Remedy } from "../../src/proxy/plugin/mod.ts";
import { builtInService } from "../support/built_in.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import { type Arrived, type Script, startUpstream } from "../support/scripted_upstream.ts";
import { askRow, onRows, WIRE_TABLE, type WireRow, type WireTool } from "../support/wire_table.ts";

const TOOL: WireTool = {
  name: "read_file",
  schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};
const GOOD: Script = {
  text: '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>',
};
const CALLS = [["read_file", { path: "a.txt" }]];

const failure = (status: number, message: string): Script => ({
  error: { status, body: JSON.stringify({ error: { code: status, message, type: "server_error" } }) },
});

interface Row {
  readonly answer: Script;
  /** What is possible, in order. */
  readonly remedies: readonly Remedy[];
  /** What is possible in a stream that has shown thoughts. */
  readonly shown?: readonly Remedy[];
}

const PARSER_ERROR = "The model produced output that does not match the expected peg-native format";

/** An error with status 200: the first message of a stream, or the whole body. */
const stated = (code: number, message: string): Script => {
  const body = JSON.stringify({ error: { code, message, type: "server_error" } });
  return { raw: { stream: `: hello\n\ndata: ${body}\n\ndata: [DONE]\n\n`, body } };
};

/** What an answer is → such an answer of llama.cpp, before which nothing was asked. */
const TABLE: Readonly<Record<string, Row>> = {
  empty: { answer: { text: " \n" }, remedies: ["ask_again", "next", "pass"] },
  thoughts_only: {
    answer: { text: "", reasoning: "first, I read" },
    remedies: ["ask_again", "next", "pass"],
    shown: ["ask_again", "pass"],
  },
  cut: { answer: { text: "", finish: "length" }, remedies: ["ask_again", "next", "pass"] },
  lost: {
    answer: { text: "", usage: { prompt_tokens: 9, completion_tokens: 70, total_tokens: 79 } },
    remedies: ["raw", "ask_again", "next", "pass"],
  },
  unreadable_call: {
    answer: { text: 'Ok.\n<tool_call>\n{"name": "read_file", "arguments": {path a}}\n</tool_call>' },
    remedies: ["ask_again", "pass"],
  },
  endless_thoughts: {
    answer: { text: "", reasoning: "I have to read the file again. ".repeat(40), finish: "length" },
    remedies: ["ask_again", "pass"],
  },
  refused: {
    answer: failure(500, PARSER_ERROR),
    remedies: ["raw", "next", "error"],
  },
  "refused, with status 200": { answer: stated(500, PARSER_ERROR), remedies: ["raw", "next", "error"] },
  silent: { answer: failure(503, "loading"), remedies: ["next", "error"] },
  "silent, with status 200": { answer: stated(503, "loading"), remedies: ["next", "error"] },
};

/** Remedy → how often the first server is asked, and the second. */
const ASKED: Readonly<Record<Remedy, readonly [number, number]>> = {
  ask_again: [2, 0],
  raw: [2, 0],
  next: [1, 1],
  pass: [1, 0],
  error: [1, 0],
};

const isChat = ({ path }: Arrived) => path.endsWith("/chat/completions");
/** The case of a request, by which one is told from another. */
const caseIn = (text: string): string => /case-[\w-]+/.exec(text)?.[0] ?? "";

/** Two servers and a plugin: `chosen` has what it wants for a case. */
async function start() {
  const chosen = new Map<string, { readonly kind: string; readonly remedy: unknown }>();
  const seen: JudgedAnswer[] = [];
  const counts = new Map<string, number>();
  const one = startUpstream((request) => {
    if (!isChat(request)) return { text: "" };
    const name = caseIn(request.body);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? TABLE[chosen.get(name)!.kind]!.answer : GOOD;
  });
  const two = startUpstream((request) => isChat(request) ? GOOD : { text: "" });
  const plugin: Plugin = {
    name: "chooser",
    onAnswerJudged(judged, { request }) {
      seen.push(judged);
      const remedy = chosen.get(caseIn(JSON.stringify(request.messages)))?.remedy as Remedy | undefined;
      return remedy === undefined ? undefined : { remedy };
    },
  };
  const lines: AuditLine[] = [];
  const config = testConfig(undefined, {
    upstreams: [one, two].map(({ url }, at) => ({
      name: `u${at}`,
      url,
      server: "llama.cpp",
      tools: "native",
    })),
    routing: { strategy: "order", cooldown_ms: 1 },
    policy: { unreadable_call: "ask_again" },
  });
  const proxy = await startProxy(await builtInService(config, [{ plugin, options: {} }]), {
    watches: [
      (facts) => recordRequest(facts, { contents: false, write: (all) => void lines.push(...all) }),
    ],
  });
  return {
    seen,
    notes: (reason: string) =>
      lines.filter((line): line is DecisionLine => line.kind === "decision" && line.reason === reason),
    /** Asks; gives what the client got, and how often each server was asked. */
    async ask(row: WireRow, { kind, remedy }: { readonly kind: string; readonly remedy?: unknown }) {
      const name = `case ${kind} ${String(remedy)} ${row.name}`.replaceAll(/\W+/g, "-");
      chosen.set(name, { kind, remedy });
      const got = await askRow(proxy.origin, { row, question: { task: name, tool: TOOL } });
      const asked = [one, two].map(({ requests }) =>
        requests.filter((request) => isChat(request) && caseIn(request.body) === name).length
      );
      return { ...got, asked };
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await one[Symbol.asyncDispose]();
      await two[Symbol.asyncDispose]();
    },
  };
}

/** How an answer ends for the client. */
function isAsChosen(remedy: Remedy, { calls, end }: { calls: unknown; end: string }): void {
  assert.deepEqual(calls, remedy === "pass" || remedy === "error" ? [] : CALLS);
  if (remedy === "error") assert.equal(end, "error");
  else assert.ok(end === "whole" || (remedy === "pass" && end === "cut"), end);
}

for (const [kind, { remedies, shown = remedies }] of Object.entries(TABLE)) {
  Deno.test(`judged answers, every wire: ${kind} leads to ${remedies.join(", ")}, as a plugin wants`, async () => {
    await using both = await start();
    await onRows(WIRE_TABLE, async (row) => {
      // A stream of chat completions states no tokens that could have been lost.
      const isEmpty = kind === "lost" && row.name === "chat, streamed";
      const possible = isEmpty ? TABLE["empty"]!.remedies : row.isStreamed ? shown : remedies;
      for (const remedy of [undefined, ...possible]) {
        const got = await both.ask(row, { kind, remedy });
        isAsChosen(remedy ?? possible[0]!, got);
        assert.deepEqual(got.asked, ASKED[remedy ?? possible[0]!], String(remedy));
      }
    });
    const judged = both.seen.filter((one) => one.kind === kind.split(",")[0]);
    assert.ok(judged.length >= WIRE_TABLE.length);
    for (const { remedy, possible } of judged) {
      assert.equal(remedy, possible[0]);
      assert.ok(possible.every((one) => remedies.includes(one)), possible.join());
    }
    assert.deepEqual(both.notes("plugin_failed"), []);
  });
}

Deno.test("judged answers, every wire: a remedy that isn't possible changes nothing, and is noted", async () => {
  await using both = await start();
  await onRows(WIRE_TABLE, async (row) => {
    const { calls, asked } = await both.ask(row, { kind: "empty", remedy: "raw" });
    assert.deepEqual([calls, asked], [CALLS, ASKED.ask_again]);
  });
  assert.equal(both.notes("plugin_failed").length, WIRE_TABLE.length);
  assert.match(both.notes("plugin_failed")[0]!.detail ?? "", /^onAnswerJudged /);
});
