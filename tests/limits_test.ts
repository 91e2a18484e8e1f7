/**
 * Tries the limits of `src/docs/reference/limits.md` that no test of their own file tries, by the names of their rows: what is
 * over a limit has the result that the page states. Checks that each row has a test, and that its value is the source's.
 *
 * @module
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { join } from "node:path";
import type { Capture } from "../src/analysis/replay/capture.ts";
import { recordRequest } from "../src/admin/audit/record.ts";
import { LIVE_LIMITS, LiveRequests } from "../src/admin/live/requests.ts";
import { AuditWriter } from "../src/admin/audit/writer.ts";
import { readContextSizes } from "../src/proxy/upstream/recognize_server.ts";
import type { AnswerEvent } from "../src/chat/event/event.ts";
import { simplifySchema } from "../src/chat/compatibility/schema.ts";
import { JoinedCalls } from "../src/chat/pipeline/joined_calls.ts";
import { createPrintedReader } from "../src/chat/pipeline/printed_calls.ts";
import { StreamedAnswer } from "../src/chat/pipeline/streamed.ts";
import { WholeCalls } from "../src/chat/pipeline/whole_calls.ts";
import { WrittenTexts } from "../src/chat/prompt/speaker.ts";
import type { TextPart } from "../src/chat/near_miss/shown.ts";
import { SecondReader } from "../src/chat/second_reader/second_reader.ts";
import { SseDecoder } from "../src/chat/sse/decode.ts";
import { openAudit } from "../src/cli/service/audit.ts";
import { openValkey } from "../src/cli/service/valkey.ts";
import type { Setup } from "../src/cli/service/setup.ts";
import { captureFolder } from "../src/cli/service/capture_folder.ts";
import { Repeats } from "../src/cli/service/notices.ts";
import { createTranslators } from "../src/chat/translator/translator.ts";
import { readTextFile } from "../src/engine/document/load.ts";
import { parseTree } from "../src/engine/document/yaml_tree.ts";
import { callableTools, readEvidence } from "../src/engine/evidence/evidence.ts";
import { readRepaired } from "../src/engine/evidence/repaired.ts";
import type { ContentEvent } from "../src/engine/event/event.ts";
import { collect, textAnswer } from "../src/engine/event/stage.ts";
import { readGlued } from "../src/engine/json/glued.ts";
import { JsonWriter } from "../src/engine/json/writer.ts";
import { EchoGuard } from "../src/engine/scan/echo_guard.ts";
import { Cursor } from "../src/engine/scan/cursor.ts";
import { Links } from "../src/engine/scan/links.ts";
import { Matcher } from "../src/engine/scan/matcher.ts";
import { Reasoning } from "../src/engine/scan/reasoning.ts";
import { Thought } from "../src/engine/scan/thought.ts";
import { offer } from "../src/engine/tool/offered.ts";
import { ArgumentsFitter } from "../src/engine/tool/arguments_fitter.ts";
import { checkArguments } from "../src/engine/tool/validate.ts";
import { Deadline } from "../src/proxy/exchange/deadline.ts";
import { dragomanFetch } from "../src/library/connection/fetch.ts";
import { ItemMemory } from "../src/proxy/exchange/item_memory.ts";
import { PrefixMemory } from "../src/proxy/exchange/prefix_memory.ts";
import { ThoughtMemory } from "../src/proxy/exchange/thought_memory.ts";
import { ThoughtWatch } from "../src/proxy/exchange/thought_watch.ts";
import { PluginStage } from "../src/proxy/plugin/stage.ts";
import type { Texts } from "../src/proxy/store/text.ts";
import { MemoryQuotas } from "../src/proxy/store/quota.ts";
import { findKind } from "../src/proxy/transport/body_kind.ts";
import { listen } from "../src/proxy/transport/listen.ts";
import { Pump } from "../src/proxy/transport/pump.ts";
import { AnswerBeginning, Beginnings } from "../src/proxy/upstream/beginnings.ts";
import { UpstreamHealth } from "../src/proxy/upstream/upstream_health.ts";
import { readError } from "../src/proxy/upstream/error_text.ts";
import { recognizeServer } from "../src/proxy/upstream/recognize_server.ts";
import { Servers } from "../src/proxy/upstream/servers.ts";
import { statedRefusal } from "../src/proxy/upstream/stream_start.ts";
import { WithdrawnStrictness } from "../src/proxy/upstream/strict.ts";
import { upstreamSchema } from "../src/proxy/config/schema.ts";
import { BracketSource } from "./support/bracket_source.ts";
import { chunkMessage } from "./support/chunks.ts";
import { demoParts } from "./support/demo_parts.ts";
import { eventsOf, feed, programOf } from "./support/matcher_events.ts";
import { bodyOf, streamOf } from "./support/native_answers.ts";
import { hookOptions } from "./support/plugins.ts";
import { askChat, bracketService, startProxy, testConfig } from "./support/proxy.ts";
import { requestFacts } from "./support/request_facts.ts";
import { startUpstream } from "./support/scripted_upstream.ts";
import { temporaryFolder } from "./support/temporary_folder.ts";

const ROOT = join(import.meta.dirname!, "..");

const KI = 1024;
const MI = 1024 * 1024;

const callOf = (call: number, json: string): ContentEvent[] => [
  { kind: "call_start", call, tool: "t", rule: "r", confidence: 1 },
  { kind: "arguments", call, json },
  { kind: "call_end", call },
];

/** A memory without a text, and what it was asked for. */
function emptyTexts(): { readonly asked: string[]; readonly texts: Texts } {
  const asked: string[] = [];
  const texts: Texts = {
    recall: (names) => (asked.push(...names), Promise.resolve(names.map(() => undefined))),
    keep: () => Promise.resolve(),
  };
  return { asked, texts };
}

const kindsOf = (events: readonly { readonly kind: string }[]) => events.map(({ kind }) => kind).join(" ");

const FINISH: AnswerEvent = { kind: "finish", reason: "stop", truncated: false, isAnswered: false };

const REFUSED = { status: 500, type: "upstream_error", code: "refused", message: "no" };

const READ_LIMITS = { firstMs: 60_000, silenceMs: 60_000, slow: REFUSED, silent: REFUSED };

const UPSTREAM = upstreamSchema.parse({ name: "local", url: "http://127.0.0.1:1/v1" });

const CALL = { rule: "call", pattern: "<c {tool}>(?<body>…)</c>", body: "json" };

const TAGGED = {
  rule: "tagged",
  pattern: "<f={tool}>(?<body>…)</f>",
  body: "tagged",
  item: "<p=(?<key>\\w+)>\\n?(?<value>…)\\n?</p>",
};

/** The kinds of the events of a text with calls, one of each in a row. */
function readingOf(text: string, ...rules: Record<string, unknown>[]): string {
  const string = { type: "string" };
  const offered = offer(
    ["f", "t"].map((name) => ({ name, schema: { properties: { a: string, b: string } } })),
  );
  const events = eventsOf([text], { program: programOf(...rules), offered });
  const kinds = events.map((event) => event.kind === "note" ? event.reason : event.kind);
  return kinds.filter((kind, index) => kind !== kinds[index - 1]).join(" ");
}

/** The text that is sent of the beginning of an answer. */
function sentOf(text: string, rule: Record<string, unknown>): string {
  const program = programOf(CALL, rule);
  const matcher = new Matcher(program, {
    offered: offer([{ name: "f", schema: {} }]),
    minimumConfidence: 0,
    wholeCalls: false,
  });
  return feed(matcher, text).map((event) => event.kind === "text" ? event.text : "").join("");
}

/** A call without one of its quotation marks. */
const DAMAGED = '<tool_call>{"name": f", "arguments": {"path": "a.txt"}}</tool_call>';

const WITH_PATH = offer([{
  name: "f",
  schema: { type: "object", properties: { path: { type: "string" } } },
}]);

const TOOLS = callableTools(WITH_PATH);

function readsDamaged(text: string, from = 0): boolean {
  return readRepaired(text, { tools: TOOLS, from, isCut: false, isShown: () => false }).calls.length > 0;
}

const ACTION = "<action>\n<tool>f</tool>\n<path>a.txt</path>\n</action>";

/** Whether the second reader makes a call of an answer. */
function readByEvidence(text: string, isShown: (part: TextPart) => boolean = () => false): boolean {
  const reader = new SecondReader({
    push: (event, out) => void (event.kind === "text_end" || out.push(event)),
  }, {
    offered: WITH_PATH,
    isShown,
    beginsInReasoning: false,
    echoGuard: new EchoGuard([]),
    minimumConfidence: 0.9,
    wholeCalls: false,
  });
  return collect(reader, textAnswer([text])).some(({ kind }) => kind === "call_start");
}

/** The waits of a trial, in milliseconds. Each is over at once. */
async function waitsOf(run: () => Promise<unknown>): Promise<readonly number[]> {
  const { setTimeout: wait } = globalThis;
  const waits: number[] = [];
  const timers: ReturnType<typeof setTimeout>[] = [];
  const begin = (callback: () => void, ms: number) => {
    waits.push(ms);
    const timer = wait(callback, 0);
    timers.push(timer);
    return timer;
  };
  globalThis.setTimeout = begin as unknown as typeof setTimeout;
  try {
    await run();
  } finally {
    globalThis.setTimeout = wait;
    for (const timer of timers) clearTimeout(timer);
  }
  return waits;
}

const listenWith = (handle: () => Promise<Response>) =>
  listen({
    hostname: "127.0.0.1",
    port: 0,
    headersTimeoutMs: 60_000,
    requestTimeoutMs: 60_000,
    handle,
    refuse: (status) => new Response("", { status }),
  });

/** How often the model is asked if its first answer is this one. */
async function askedOf(raw: { readonly stream: string; readonly body: string }): Promise<number> {
  return (await askedFor(raw)).asked;
}

async function askedFor(raw: { readonly stream: string; readonly body: string }) {
  let asked = 0;
  await using upstream = startUpstream(() => ++asked === 1 ? { raw } : { text: "Done." });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  const text = await (await askChat(proxy.origin, { body: { stream: raw.body === "" } })).text();
  return { asked, text };
}

/** A row of the page → what tries it. */
const TRIED: Readonly<Record<string, () => void | Promise<void>>> = {
  "open brackets in a line"() {
    const links = new Links();
    links.watch("[");
    links.feed("[".repeat(5000));
    assert.equal(links.state.brackets, 1024);
  },
  "models for which Dragoman omits the grammar after an error, with `tools.strict: add`"() {
    const withdrawn = new WithdrawnStrictness();
    for (let model = 0; model <= 1000; model++) withdrawn.withdraw(`m${model}`, "no");
    assert.deepEqual([withdrawn.errorOf("m0"), withdrawn.errorOf("m1")], [undefined, "no"]);
  },
  "models whose refusals Dragoman remembers; changes to one request after refusals"() {
    const servers = new Servers();
    for (let model = 0; model <= 1000; model++) {
      servers.takeChanges({ upstream: "u", url: "http://u", model: `m${model}`, changes: [] });
    }
    const known = servers.learnedChanges().map(({ model }) => model);
    assert.deepEqual([known.length, known[0]], [1000, "m1"]);
  },
  async "models with a known context size; models that Dragoman queries one by one"() {
    const data = Array.from({ length: 1500 }, (_, index) => ({ id: `m${index}`, size: 10 }));
    const models = JSON.stringify({ data });
    let asked = 0;
    const post = () => Promise.resolve(JSON.stringify({ size: ++asked }));
    const questions = { models, post, get: () => Promise.resolve(undefined) };
    const all = { path: "models", list: "data", name: "id", field: "size" };
    assert.equal(Object.keys(await readContextSizes([all], questions) ?? {}).length, 1000);
    await readContextSizes([{ path: "/show", asks_model: true, field: "size" }], questions);
    assert.equal(asked, 8);
  },
  "stored text of earlier calls for `tools: prompted`"() {
    const texts = new WrittenTexts();
    for (let index = 0; index < 10; index++) {
      const call = { tool: "f", arguments: { value: `${index}${"x".repeat(MI)}` }, index: 0 };
      texts.find([call], { tools: [], write: () => ({ text: "", isOtherwise: false }) });
    }
    assert.equal(texts.size, 7);
  },
  "earlier answers that Dragoman searches for printed calls (`policy.repair_history`)"() {
    let read = 0;
    const reader = createPrintedReader(() => ({ push: (event) => void (event.kind === "text" && read++) }));
    for (let index = 0; index < 3; index++) reader(`${index}${"x".repeat(MI / 2 - 1)}`);
    assert.equal(read, 2);
  },
  "calls that wait until they are complete, with `policy.calls: whole`"() {
    const passed: AnswerEvent[] = [];
    const stage = new WholeCalls();
    const [start, json] = callOf(0, "x".repeat(MI));
    stage.push(start!, { push: (event) => void passed.push(event) });
    for (let sent = 0; sent < 4; sent++) stage.push(json!, { push: (event) => void passed.push(event) });
    assert.equal(passed.length, 0);
    stage.push(json!, { push: (event) => void passed.push(event) });
    assert.equal(kindsOf(passed), "call_start arguments arguments arguments arguments arguments");
  },
  "arguments that Dragoman compares to find a repeated call"() {
    for (const [length, expected] of [[MI, "note"], [5 * MI, "call_start arguments call_end"]] as const) {
      const joined = new JoinedCalls();
      const json = JSON.stringify({ x: "y".repeat(length) });
      collect(joined.text, callOf(0, json));
      assert.equal(kindsOf(collect(joined.native, callOf(0, json))), expected);
    }
  },
  async "client keys for which Dragoman counts requests"() {
    const quotas = new MemoryQuotas(() => 1_000_000);
    const limits = { requests: 1 };
    const admit = (key: string) => quotas.admit({ key, lease: key, limits });
    for (let key = 0; key <= 1000; key++) assert.equal(await admit(`k${key}`), undefined);
    assert.notEqual(await admit("k1000"), undefined);
    assert.equal(await admit("k0"), undefined);
  },
  "different plugin failures; Dragoman prints each at most once a minute"() {
    const repeats = new Repeats();
    assert.deepEqual([repeats.isDue("first", 0), repeats.isDue("first", 1)], [true, false]);
    for (let text = 0; text < 1000; text++) repeats.isDue(`t${text}`, 2);
    assert.equal(repeats.isDue("first", 3), true);
  },
  async "rule, client, or configuration file"() {
    const path = join(await temporaryFolder(), "large.yaml");
    for (const [size, code] of [[16 * MI, undefined], [16 * MI + 1, /larger than 16777216 bytes/]] as const) {
      using file = Deno.openSync(path, { create: true, write: true });
      file.truncateSync(size);
      const { diagnostics } = await readTextFile(path, { workingDirectory: path, isRegular: true });
      if (code === undefined) assert.deepEqual(diagnostics, []);
      else assert.match(diagnostics[0]!.message, code);
    }
  },
  "one server-sent event"() {
    const decoder = new SseDecoder();
    decoder.read("data: ");
    const messages = Array.from({ length: 17 }, () => decoder.read("x".repeat(MI))).flat();
    assert.ok(messages.length > 0 && messages.every(({ overLimit }) => overLimit === true));
  },
  async "first bytes that determine how Dragoman parses an answer"() {
    for (const [blanks, kind] of [[4 * KI - 1, "json"], [8 * KI, undefined]] as const) {
      const bytes = new TextEncoder().encode(`${" ".repeat(blanks)}{}`);
      const found = await findKind(ReadableStream.from([bytes.slice(0, 4 * KI), bytes.slice(4 * KI)]));
      assert.equal(found.kind, kind);
      await found.body.cancel();
    }
  },
  "objects, lists, values, and applied schemas when Dragoman checks arguments (`strict: true`, `strict_validation`); characters"() {
    const wide = (count: number) => ({
      type: "object",
      properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, true])),
    });
    assert.equal(checkArguments(wide(1000), {}).isUnchecked, undefined);
    assert.equal(checkArguments(wide(6000), {}).isUnchecked, true);
  },
  "nesting of a schema against which Dragoman checks arguments"() {
    const nested = (depth: number): Record<string, unknown> =>
      depth === 0
        ? { type: "string" }
        : { type: "object", properties: { a: nested(depth - 1) }, required: ["a"] };
    const value = (depth: number): unknown => depth === 0 ? 5 : { a: value(depth - 1) };
    assert.equal(checkArguments(nested(10), value(10)).wrong.length, 1);
    assert.deepEqual(checkArguments(nested(40), value(40)), { missing: [], wrong: [] });
  },
  "remembered beginnings of conversations"() {
    const memory = new PrefixMemory();
    const asked = { owner: "o", client: "c", model: "m", upstream: "u", help: undefined };
    const see = (first: number, system: string) => {
      const messages = [{ role: "system", content: system }, { role: "user", content: `${first}` }];
      return memory.see({ messages }, asked)?.detail;
    };
    for (let first = 0; first <= 200; first++) see(first, "a");
    assert.notEqual(see(200, "b"), undefined);
    assert.equal(see(0, "b"), undefined);
  },
  "the model's text for `onAnswerEnd`, and in a request that asks again"() {
    let length = 0;
    const plugin = {
      name: "p",
      onAnswerEnd: ({ text }: { readonly text: string }) => void (length = text.length),
    };
    const stage = new PluginStage(hookOptions([{ plugin, options: {} }], { client: "openai" }));
    const text: AnswerEvent = { kind: "text", text: "x".repeat(48 * KI) };
    for (const event of [text, text, FINISH]) stage.push(event, { push() {} });
    assert.equal(length, 64 * KI);
  },
  async "audit lines that are waiting to be written"() {
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
    let written = 0;
    const disk = {
      size: () => Promise.resolve(0),
      append: async (bytes: Uint8Array) => (await isFree, void (written += bytes.length)),
      rotate: () => Promise.resolve(),
    };
    const writer = new AuditWriter({ disk, bytesMax: 1e9, report() {} });
    for (let line = 0; line < 12; line++) writer.write(["x".repeat(MI)]);
    free();
    await writer.flush();
    assert.ok(written > 7 * MI && written < 10 * MI, `${written}`);
  },
  "text between a call's JSON and the call's closer"() {
    const without = (length: number) => readingOf(`<c f>{"a": 1} ${"x".repeat(length)}`, CALL);
    assert.match(without(MI - KI), /transformed arguments_fitted closer_missing text$/);
    assert.match(without(MI + KI), /over_limit call_abort text$/);
  },
  "text that waits because a closer might be missing"() {
    const open = (length: number) => readingOf(`<f=t><p=a>x\n<p=b>${"y".repeat(length)}</p></f>`, TAGGED);
    assert.match(open(KI), /value_closer_missing$/);
    assert.match(open(MI + KI), /transformed$/);
  },
  "repeated values that Dragoman compares"() {
    const twice = (value: string) => readingOf(`<f=t><p=a>${value}</p><p=a>${value}</p></f>`, TAGGED);
    assert.match(twice("y".repeat(60 * KI)), /repeated_parameter$/);
    assert.match(twice("y".repeat(68 * KI)), /malformed call_abort/);
  },
  "answer to which Dragoman applies evidence"() {
    const read = (length: number) => readByEvidence(`${"word ".repeat(length / 5)}\n\n${ACTION}`);
    assert.deepEqual([read(100 * KI), read(600 * KI)], [true, false]);
  },
  "YAML aliases"() {
    const errors = (aliases: number) =>
      parseTree({ file: "a.yaml", text: `a: &a x\nb: [${Array(aliases).fill("*a").join()}]\n` }).diagnostics
        .length;
    assert.deepEqual([errors(99), errors(101)], [0, 1]);
  },
  "nested references that Dragoman replaces"() {
    const inlined = (depth: number) => {
      const $defs: Record<string, unknown> = { d0: { type: "string" } };
      for (let at = 1; at < depth; at++) $defs[`d${at}`] = { $ref: `#/$defs/d${at - 1}` };
      const schema = { $ref: `#/$defs/d${depth - 1}`, $defs };
      return JSON.stringify(simplifySchema(schema, { refs: "inline" }).schema).includes("string");
    };
    assert.deepEqual([inlined(60), inlined(70)], [true, false]);
  },
  "native arguments that Dragoman searches for objects; braces that it tries"() {
    const objects = (count: number) =>
      readGlued(Array.from({ length: count }, (_, at) => `{"a":${at}}`).join(""), (object) => object).length;
    assert.deepEqual([objects(64), objects(65)], [64, 0]);
  },
  "text in one audit line"() {
    const lines: string[] = [];
    const write = (all: readonly unknown[]) => void lines.push(...all.map((line) => JSON.stringify(line)));
    const watch = recordRequest(requestFacts({}), { contents: true, write });
    const note = { kind: "note", reason: "malformed", rule: "r", start: 0, end: 1 } as const;
    watch.observe(note, { choice: 0, isSent: false, source: "word ".repeat(20 * KI) });
    watch.end({ status: 200, durationMs: 1, addedMs: 1, pieces: 1 });
    assert.ok(lines[0]!.length > 60 * KI && lines[0]!.length < 70 * KI, `${lines[0]!.length}`);
  },
  async "captures that Dragoman writes at the same time"() {
    const folder = await temporaryFolder();
    const captures = captureFolder({ path: join(folder, "captures"), folder, report: assert.fail });
    const kept = Array.from({ length: 20 }, (_, index) => {
      const time = `2026-01-01T00:00:${10 + index}.000Z`;
      return captures.keep({ time, request: "0123456789", text: "a" } as unknown as Capture);
    });
    assert.equal((await Promise.all(kept)).filter((file) => file !== undefined).length, 16);
  },
  async "answers that one request can refer to"() {
    const { asked, texts } = emptyTexts();
    await new ItemMemory(texts, "key").recall(Array.from({ length: 3000 }, (_, index) => `${index}`), MI);
    assert.equal(asked.length, 2000);
  },
  async "stored reasoning that precedes calls"() {
    const { asked, texts } = emptyTexts();
    const calls = Array.from({ length: 600 }, (_, index) => ({ id: `${index}`, tool: "t", json: "{}" }));
    await new ThoughtMemory(texts, "key").recall("c", calls);
    assert.equal(asked.length, 500);
  },
  "remarks that Dragoman notes only once, such as about an omitted tool"() {
    const { isNews } = createTranslators(demoParts({}));
    for (let remark = 0; remark < 1000; remark++) assert.equal(isNews(`${remark}`), true);
    assert.equal(isNews("one more"), false);
  },
  "schemas that replace references in one request; their characters, including removed parts"() {
    const allowsAll = (count: number) => {
      const properties = Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`p${at}`, { $ref: "#/$defs/d" }]),
      );
      const schema = { type: "object", properties, $defs: { d: { type: "string" } } };
      return !JSON.stringify(simplifySchema(schema, { refs: "inline" }).schema).includes("string");
    };
    assert.deepEqual([allowsAll(15_000), allowsAll(25_000)], [false, true]);
  },
  "requests on the page"() {
    const requests = new LiveRequests({
      hasContents: () => false,
      now: () => 0,
      changed() {},
      limits: LIVE_LIMITS,
    });
    for (let id = 0; id <= 500; id++) requests.watch(requestFacts({ id: `r${id}` }));
    assert.deepEqual([requests.get("r0"), requests.get("r1")?.id], [undefined, "r1"]);
  },
  "text after the end of an answer in which Dragoman looks for usage"() {
    const after = (length: number) => {
      let isFinished = false;
      const answer = new StreamedAnswer({
        createMatcher: () => new BracketSource(),
        createRenderer: () => ({
          get isFinished() {
            return isFinished;
          },
          push(event, out) {
            isFinished ||= event.kind === "call_end";
            if (event.kind === "text" || event.kind === "finish") out.push(event);
          },
        }),
        wantsUsage: true,
      });
      const push = (content: string) => answer.push(new TextEncoder().encode(chunkMessage({ content })));
      push("[[t {}]]");
      push("x".repeat(length));
      return answer.isOver;
    };
    assert.deepEqual([after(200 * KI), after(300 * KI)], [false, true]);
  },
  "messages at the start of an agent's stream that wait until text or a call follows": async () => {
    const blanks = (count: number) =>
      streamOf(
        Array.from({ length: count }, () => ({ role: "assistant", content: "", pad: "x".repeat(KI) })),
        {
          finish: "stop",
        },
      );
    const isSent = async (count: number) =>
      (await askedFor({ stream: blanks(count), body: "" })).text.includes("xxx");
    assert.deepEqual([await isSent(20), await isSent(100)], [false, true]);
  },
  "non-streaming answer that Dragoman checks for text or calls": async () => {
    const blank = (length: number) =>
      bodyOf({ role: "assistant", content: "", pad: "x".repeat(length) }, "stop");
    assert.deepEqual(
      [
        await askedOf({ stream: "", body: blank(MI) }),
        await askedOf({ stream: "", body: blank(5 * MI) }),
      ],
      [2, 1],
    );
  },
  "streamed reasoning after which Dragoman can ask the model again"() {
    const held = (length: number) => {
      const watch = new ThoughtWatch({ endsRepetition: false, holdsEnd: true, mayEnd: () => true });
      for (const event of [{ kind: "reasoning", text: "x".repeat(length) } as const, FINISH]) {
        watch.push(event, { push() {} });
      }
      return watch.held;
    };
    assert.deepEqual([held(256 * KI), held(256 * KI + 1)], ["end", undefined]);
  },
  "reasoning in the text, from a call to the end of the answer"() {
    const reasoning = new Reasoning({ citedFrom: 0, push() {} });
    const sent: number[] = [];
    for (const length of [MI, 1]) reasoning.show("x".repeat(length), (text) => void sent.push(text.length));
    assert.deepEqual(sent, [MI, 1]);
  },
  "text that might be either reasoning or the answer"() {
    const thought = new Thought();
    thought.ambiguity({ waits: true });
    const given = [MI, 1].map((length) => {
      const text = "x".repeat(length);
      return thought.take(text).length + thought.keep(text).length;
    });
    assert.deepEqual([given, thought.giveBack()], [[0, MI + 1], ""]);
  },
  "text that Dragoman processes without a pause"() {
    const cursor = new Cursor();
    cursor.queue("x".repeat(5000));
    assert.equal(cursor.text.length, 2048);
    cursor.extend();
    assert.equal(cursor.text.length, 4096);
  },
  "remembered beginnings of calls that Dragoman compared with the request"() {
    const calls = Array.from(
      { length: 5000 },
      (_, call) => [...`${10_000 + call}`].map((digit) => "abcdefghij"[+digit]).join(""),
    );
    const guard = new EchoGuard(calls);
    for (const call of calls) guard.follow()!.feed(call);
    assert.equal(guard.beginnings.size, 4096);
    assert.ok(guard.searches > 0);
  },
  async "one read from an upstream"() {
    const lengths: number[] = [];
    const body = new ReadableStream({
      type: "bytes",
      pull(controller) {
        lengths.push(controller.byobRequest!.view!.byteLength);
        controller.close();
        controller.byobRequest!.respond(0);
      },
    });
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    new Pump(body, { push: () => true, end, fail: assert.fail }).resume();
    await isOver;
    assert.deepEqual(lengths, [16 * KI]);
  },
  async "error from which Dragoman recovers lost text"() {
    const textOf = async (length: number) => {
      const response = new Response("x".repeat(length), { status: 500 });
      const { text, same } = await readError({ response, deadline: new Deadline() }, READ_LIMITS);
      assert.equal((await same.response.text()).length, length);
      same.deadline.stop();
      return text.length;
    };
    assert.deepEqual([await textOf(MI), await textOf(MI + 1)], [MI, 0]);
  },
  async "start of a stream that Dragoman checks for a refusal, on unknown servers and on servers that break streams"() {
    const asksAgain = async (length: number) => {
      const bytes = new TextEncoder().encode(`: ${"x".repeat(length - 4)}\n\n`);
      const last = new TextEncoder().encode('data: {"error": {"message": "no"}}\n\n');
      const response = new Response(ReadableStream.from([bytes, last]), {
        headers: { "content-type": "text/event-stream" },
      });
      let isAsked = false;
      const { deadline, response: same } = await statedRefusal({ response, deadline: new Deadline() }, {
        body: JSON.stringify({ messages: [], stream: true }),
        breaks: "at_once",
        limits: READ_LIMITS,
        send: () => (isAsked = true, Promise.resolve(REFUSED)),
      });
      await same.body?.cancel();
      deadline.stop();
      return isAsked;
    };
    assert.deepEqual([await asksAgain(64 * KI), await asksAgain(64 * KI + 1)], [true, false]);
    const waits = (breaks: "at_once" | "after_role") =>
      waitsOf(async () => {
        const response = new Response(new ReadableStream(), {
          headers: { "content-type": "text/event-stream" },
        });
        const same = await statedRefusal({ response, deadline: new Deadline() }, {
          body: "{}",
          breaks,
          limits: READ_LIMITS,
          send: () => Promise.resolve(REFUSED),
        });
        assert.equal(same.response.ok, true);
      });
    assert.deepEqual([await waits("at_once"), await waits("after_role")], [[2000], [10_000]]);
  },
  async "requests that identify an upstream's server"() {
    const found = async (length: number) => {
      const props = JSON.stringify({ build_info: "b1-0" });
      const recognized = await recognizeServer(UPSTREAM, {
        key: undefined,
        timeoutMs: 1000,
        models: { headers: new Headers(), body: '{"data": [{"id": "m", "owned_by": "llamacpp"}]}' },
        send: () => Promise.resolve(new Response(props + " ".repeat(length - props.length))),
      });
      return recognized?.version;
    };
    assert.deepEqual([await found(MI), await found(MI + 1)], ["b1-0", undefined]);
    const silent = () => new Promise<never>(() => {});
    const health = new UpstreamHealth({ probe: silent, recognize: silent, now: () => 0 });
    assert.deepEqual(await waitsOf(() => health.settle(UPSTREAM, undefined)), [2000]);
  },
  "rest of a call with invalid JSON, up to the call's closer"() {
    const rest = "nonsense <f=t><p=a>x</p></f> ";
    const read = (length: number) => readingOf(`<c f>{"a": ${rest}${"x".repeat(length)}</c>`, CALL, TAGGED);
    assert.doesNotMatch(read(4000), /call_end/);
    assert.match(read(3 * 2048), /call_end/);
  },
  "text after the opener of a wrapper without a call"() {
    const opener = { rule: "opener", pattern: "<calls>(?<body>…)", body: "opaque", region: "opener" };
    const textAfter = (length: number) => sentOf(`<calls>\n${"y".repeat(length - 1)}`, opener).length;
    assert.deepEqual([textAfter(256), textAfter(257)], [0, 264]);
  },
  "leaked copy of the upstream's own call, and the text after it"() {
    const leak = {
      rule: "leak",
      pattern: "to=(?<tool>f)!\\{\\}(?<body>…)",
      body: "opaque",
      opaque: { region: "leak" },
    };
    const sent = (length: number) => sentOf("to=f!{}".padEnd(length, " word"), leak).length;
    assert.deepEqual([sent(512), sent(513)], [0, 513]);
  },
  "string in native arguments that itself contains a parameter, and the text after the string"() {
    const refusalOf = (length: number) => {
      const string = { type: "string" };
      const schema = { properties: { path: string, content: string }, required: ["path", "content"] };
      const fitter = new ArgumentsFitter(new JsonWriter(() => {}), () => schema);
      fitter.begin("object");
      fitter.key("path");
      fitter.stringBegin();
      const marks = '</path><parameter name=\\"content\\">';
      fitter.stringPiece(`a${marks}${"x".repeat(length - marks.length)}`);
      return fitter.refusal;
    };
    assert.equal(refusalOf(MI), undefined);
    assert.match(refusalOf(MI + 1) ?? "", /is in the value before it/);
  },
  async "items that later requests can refer to, in each [`dragomanFetch`](library.md)"() {
    const calls = Array.from({ length: 1001 }, (_, index) => ({
      id: `c${index}`,
      type: "function",
      function: { name: "f", arguments: "{}" },
    }));
    const message = { role: "assistant", content: null, tool_calls: calls };
    const fetch = dragomanFetch({
      fetch: () =>
        Promise.resolve(Response.json({ choices: [{ index: 0, message, finish_reason: "tool_calls" }] })),
    }) as typeof globalThis.fetch;
    const tools = [{ type: "function", name: "f", parameters: { type: "object", properties: {} } }];
    const ask = async (input: unknown) => {
      const body = JSON.stringify({ model: "m", input, tools });
      const response = await fetch("http://127.0.0.1:1/v1/responses", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      return { ...await response.json(), status: response.status };
    };
    const { output } = await ask("a");
    assert.equal(output.length, 1001);
    const statusOf = async (index: number) =>
      (await ask([{ type: "item_reference", id: output[index].id }])).status;
    assert.deepEqual([await statusOf(0), await statusOf(1)], [400, 200]);
  },
  "places in an answer to which Dragoman applies evidence"() {
    const after = (places: number) => {
      // Each has two: its first mark, and the mark before the name.
      const shown = `${ACTION}\n\n`.repeat(places / 2);
      return readByEvidence(shown + ACTION, ({ start }) => start < shown.length);
    };
    assert.deepEqual([after(14), after(16)], [true, false]);
  },
  "text with one damaged piece of markup"() {
    const read = (length: number) => {
      const from = length - DAMAGED.length;
      return readsDamaged(`${"word\n".repeat(KI).slice(-from)}${DAMAGED}`, from);
    };
    assert.deepEqual([read(4 * KI), read(4 * KI + 1)], [true, false]);
    const withMarks = (marks: number) => readsDamaged(`${"<b/>".repeat(marks - 2)}\n${DAMAGED}`);
    assert.deepEqual([withMarks(48), withMarks(49)], [true, false]);
  },
  "characters that Dragoman processes to repair such text"() {
    const read = (length: number) => readsDamaged(DAMAGED.replace("a.txt", "x".repeat(length)));
    assert.deepEqual([read(600), read(800)], [true, false]);
  },
  "pieces of markup in a call that evidence reads; interpretations of the call"() {
    const read = (marks: number) => {
      const text = `<tool_call>f\n<path>${"<b>".repeat(marks)}</path>\n</tool_call>`;
      return readEvidence(text, { tools: TOOLS, isCut: false, isShown: () => false }).calls.length;
    };
    assert.deepEqual([read(248), read(249)], [1, 0]);
  },
  "events that wait for a repair"() {
    const given = (length: number) => {
      const answer = new StreamedAnswer({
        createMatcher: () => new BracketSource(),
        createRenderer: () => ({ isFinished: false, push: (event, out) => out.push(event) }),
      });
      const start = { index: 0, id: "c", type: "function", function: { name: "t", arguments: '{"a":1,' } };
      const push = (text: string) => answer.push(new TextEncoder().encode(text));
      push(chunkMessage({ role: "assistant", tool_calls: [start] }));
      return push(": ping\n\n".repeat(length / 8)).length;
    };
    assert.equal(given(60 * KI), 0);
    assert.ok(given(70 * KI) > 70 * KI);
  },
  async "request that asks the server where an answer begins"() {
    const key = { upstream: "u", url: "http://u", model: "m", switches: "{}" };
    const question = () => new Promise<never>(() => {});
    const waits = await waitsOf(async () => {
      const beginning = new AnswerBeginning({
        key,
        beginnings: new Beginnings(),
        stated: undefined,
        question,
      });
      await beginning.ready;
      assert.equal(beginning.beginsInReasoning, false);
    });
    assert.deepEqual(waits, [2000]);
  },
  async "writing the last lines of the audit log at exit"() {
    const folder = await temporaryFolder();
    const { stat } = Deno;
    Deno.stat = () => new Promise(() => {});
    try {
      const config = { auditPath: join(folder, "audit.jsonl"), path: folder, config: testConfig("http://u") };
      const audit = openAudit({ config } as unknown as Setup, { stderr: assert.fail })!;
      audit.write([{ type: "request" }] as unknown as Parameters<typeof audit.write>[0]);
      assert.deepEqual(await waitsOf(() => audit.close()), [2000]);
    } finally {
      Deno.stat = stat;
    }
  },
  async "connection without a request"() {
    const waits: number[] = [];
    const { setTimeout: wait } = Socket.prototype;
    Socket.prototype.setTimeout = function (ms, callback) {
      waits.push(ms);
      return wait.call(this, ms === 75_000 ? 1 : ms, callback);
    };
    try {
      const listener = await listenWith(() => Promise.resolve(new Response("a")));
      const connection = await Deno.connect({ hostname: "127.0.0.1", port: listener.port });
      await connection.write(new TextEncoder().encode("GET / HTTP/1.1\r\nhost: a\r\n\r\n"));
      const cut = setTimeout(() => listener.cut(), 2000);
      await new Response(connection.readable).text();
      clearTimeout(cut);
      await listener.close();
    } finally {
      Socket.prototype.setTimeout = wait;
    }
    assert.equal(waits.at(-1), 75_000);
  },
  async "part of a request that waits for the upstream"() {
    const { promise: isPaused, resolve: paused } = Promise.withResolvers<void>();
    const { emit, pause } = IncomingMessage.prototype;
    let arrived = 0;
    IncomingMessage.prototype.emit = function (event: string | symbol, ...args: unknown[]) {
      if (event === "data") arrived += (args[0] as Uint8Array).length;
      if (event === "end") paused();
      return emit.call(this, event, ...args);
    };
    IncomingMessage.prototype.pause = function () {
      if (arrived > 0) paused();
      return pause.call(this);
    };
    try {
      const listener = await listenWith(async () => {
        await isPaused;
        await new Promise((resolve) => setTimeout(resolve, 2));
        return new Response(`${arrived}`);
      });
      const body = "x".repeat(MI);
      const response = await fetch(`http://127.0.0.1:${listener.port}`, { method: "POST", body });
      const ahead = Number(await response.text());
      assert.ok(ahead >= 256 * KI && ahead <= 384 * KI, `${ahead}`);
      listener.cut();
      await listener.close();
    } finally {
      Object.assign(IncomingMessage.prototype, { emit, pause });
    }
  },
  async "time without a response from the shared store after an operation"() {
    using server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const serving = (async () => {
      const connection = await server.accept();
      const decoder = new TextDecoder();
      for await (const bytes of connection.readable) {
        for (const command of decoder.decode(bytes).split(/(?=\*\d+\r\n)/)) {
          if (!/\r\nping\r\n/i.test(command)) await connection.write(new TextEncoder().encode("+OK\r\n"));
        }
      }
    })();
    const { port } = server.addr;
    const at = { url: "", host: "127.0.0.1", port, database: 0, isSecure: false, timeoutMs: 50, prefix: "p" };
    const store = await openValkey(at);
    const waits = await waitsOf(async () => {
      await assert.rejects(store.ping());
      store.close();
      await serving;
    });
    assert.equal(waits[0], 2000);
  },
};

for (const [row, trial] of Object.entries(TRIED)) Deno.test(`limit: ${row}`, trial);

/** File → the rows that it tries. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  "tests/admin/call_results/watch_test.ts": [
    "conversations with calls that are waiting for a result",
  ],
  "tests/admin/audit/record_test.ts": [
    "decisions per request in the log and the metrics",
  ],
  "tests/admin/live/contents_test.ts": [
    "request and answer contents on the page, with `admin.contents`",
  ],
  "tests/admin/live/feed_test.ts": [
    "open pages with live requests",
  ],
  "tests/admin/metrics/metrics_test.ts": [
    "names in the metrics",
  ],
  "tests/admin/page/playground/state_test.ts": [
    "contents of a link to the playground",
  ],
  "tests/admin/routes/playground_routes_test.ts": [
    "rule that the playground saves",
  ],
  "tests/admin/routes/recent_test.ts": [
    "decisions in `/_dragoman/decisions`",
  ],
  "tests/admin/tally/timeline_test.ts": [
    "figures over time",
  ],
  "tests/chat/event/transcript_test.ts": [
    "text in an answer that decisions can quote",
  ],
  "tests/chat/native/reader_test.ts": [
    "native calls in a choice",
  ],
  "tests/chat/near_miss/near_miss_test.ts": [
    "text that Dragoman checks for a near miss",
  ],
  "tests/chat/pipeline/choices_test.ts": [
    "choices in an answer",
  ],
  "tests/chat/second_reader/closed_again_test.ts": [
    "call with the text after it in which Dragoman looks for the closing tags again",
  ],
  "tests/cli/service/unhandled_test.ts": [
    "different uncaught errors; Dragoman prints each at most once a minute",
  ],
  "tests/cli/service/worker_pages_test.ts": [
    "request to `/_dragoman`, with workers",
  ],
  "tests/end_to_end/deep_nesting_test.ts": ["different keys in JSON from a client or an upstream"],
  "tests/end_to_end/ask_again_test.ts": [
    "answer that Dragoman checks for calls, with `policy.unreadable_call: ask_again`",
  ],
  "tests/end_to_end/broken_ends_test.ts": [
    "first byte of an answer",
    "pause in an answer",
  ],
  "tests/end_to_end/compaction_test.ts": [
    "summary of a conversation that Codex compacts",
  ],
  "tests/end_to_end/healed_requests_test.ts": [
    "consecutive requests that Dragoman changes although the server refuses them again; remembered refusals of this kind",
  ],
  "tests/end_to_end/keep_alive_test.ts": [
    "silence in a client's stream, on every wire",
  ],
  "tests/end_to_end/limits_test.ts": [
    "chat request, decoded",
    "answer that isn't streamed, decoded",
  ],
  "tests/end_to_end/loop_test.ts": [
    "identical calls with identical results in a row",
  ],
  "tests/end_to_end/odd_requests_test.ts": [
    "headers of a request",
  ],
  "tests/end_to_end/process_test.ts": [
    "open streams after Ctrl-C or SIGTERM",
  ],
  "tests/end_to_end/thought_budget_test.ts": [
    "repeated reasoning",
  ],
  "tests/end_to_end/unhandled_test.ts": [
    "import of a plugin",
  ],
  "tests/end_to_end/watchdog_test.ts": [
    "blocked event loop",
    "blocked event loop in a worker",
  ],
  "tests/engine/document/yaml_tree_test.ts": [
    "YAML file: characters; lines and entries; aliases; aliases times values",
  ],
  "tests/engine/json/arguments_repairer_test.ts": [
    "native arguments that wait for a repair",
  ],
  "tests/engine/json/reader_test.ts": [
    "nesting of elements; nesting of JSON and literals, including native arguments",
  ],
  "tests/engine/object/nesting_test.ts": [
    "nesting in JSON from a client or an upstream",
  ],
  "tests/engine/pattern/determinize_test.ts": [
    "states in an automaton",
  ],
  "tests/engine/pattern/limit_test.ts": [
    "length of a pattern",
    "nesting of groups",
    "steps in a pattern, with repeats expanded",
  ],
  "tests/engine/pattern/parse_test.ts": [
    "bounded repeat",
  ],
  "tests/engine/pattern/runs_test.ts": [
    "text that might be the start of an opener or a closer",
  ],
  "tests/engine/rule/overlap_test.ts": [
    "examples that `check` uses to find overlapping rules",
  ],
  "tests/engine/scan/automata_test.ts": [
    "cached automata",
  ],
  "tests/engine/scan/body/examples_test.ts": [
    "nested calls in a value",
  ],
  "tests/engine/scan/body/neighbor_test.ts": [
    "text that follows a string whose closing quote might be missing, starting with the next call",
  ],
  "tests/engine/scan/body/value_writer_test.ts": [
    "value that must be complete, such as a list or a number",
  ],
  "tests/engine/scan/calls_test.ts": [
    "repairs in one call that Dragoman notes",
  ],
  "tests/engine/scan/cursor_test.ts": [
    "number of times that Dragoman rereads a character",
  ],
  "tests/engine/scan/echo_guard_test.ts": [
    "possible echoes in an answer",
  ],
  "tests/engine/scan/emission_test.ts": [
    "leftover markup that Dragoman removes with a call, and the text after it",
    "whitespace next to a possible call",
  ],
  "tests/engine/scan/frame_test.ts": [
    "Python call up to the bracket after its name",
    "call before the client gets any part of it",
  ],
  "tests/engine/scan/quotable_text_test.ts": [
    "request text for the echo guard",
  ],
  "tests/engine/scan/table_columns_test.ts": [
    "table columns that Dragoman compares separately",
  ],
  "tests/engine/tool/schema_budget_test.ts": [
    "objects, lists, and values in a tool's schema; characters in its strings, keys, and paths",
  ],
  "tests/engine/tool/shell_test.ts": [
    "shell command that the allowlist can allow",
  ],
  "tests/proxy/exchange/item_memory_test.ts": [
    "items in one Responses answer that later requests can refer to",
    "request, including the items that it refers to",
  ],
  "tests/proxy/exchange/retry_test.ts": [
    "attempts to get an answer for one request",
  ],
  "tests/proxy/exchange/tool_terms_test.ts": [
    "text that waits for a required call",
  ],
  "tests/proxy/plugin/imports_test.ts": [
    "nesting of brackets in a plugin",
  ],
  "tests/proxy/plugin/user_plugin_test.ts": [
    "a plugin's hook",
  ],
  "tests/proxy/raw/sent_so_far_test.ts": [
    "text and arguments in a stream that a second answer can continue",
  ],
  "tests/proxy/server/gateway_test.ts": [
    "time between SIGTERM and the closing of the port, if `/health/ready` is in use",
  ],
  "tests/proxy/server/key_limits_test.ts": [
    "requests per minute",
    "tokens per minute",
    "requests or tokens per day",
    "simultaneous answers",
  ],
  "tests/proxy/store/fallback_test.ts": [
    "one operation in the shared store",
  ],
  "tests/proxy/store/memory_backend_test.ts": [
    "values that plugins store between requests",
  ],
  "tests/proxy/store/shared_test.ts": [
    "lifetime of these values",
  ],
  "tests/proxy/store/text_test.ts": [
    "all such items, and stored reasoning, in each process",
  ],
  "tests/proxy/transport/listen_test.ts": [
    "complete request",
    "new connection without a request when the port closes",
    "connection that stays open after 400, 408, or 431",
  ],
  "tests/proxy/upstream/beginnings_test.ts": [
    "models for which Dragoman knows where answers begin",
  ],
  "tests/proxy/upstream/learned_tools_test.ts": [
    "models that `tools: auto` remembers",
  ],
  "tests/proxy/upstream/refused_tools_test.ts": [
    "error that `tools: auto` examines",
  ],
  "tests/proxy/upstream/upstream_test.ts": [
    "connecting to an upstream",
  ],
  "tests/wires/order_test.ts": [
    "arguments of all calls in an answer, on wires other than chat completions",
  ],
};

/** The first cells of the rows that state a limit, below the headings of limits. */
function rowsOf(page: string): string[] {
  const sections = page.split(/^## /m).filter((section) =>
    /^\|? ?limit \|/m.test(section.replace(/^\| /gm, ""))
  );
  return sections.flatMap((section) =>
    section.split("\n").filter((line) => line.startsWith("| ")).map((line) =>
      line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim())
    ).filter(([row, value]) => row !== "limit" && value !== "none").map(([row]) => row!)
  );
}

Deno.test("limits.md: each limit has a test", () => {
  const rows = rowsOf(Deno.readTextFileSync(join(ROOT, "src/docs/reference/limits.md")));
  assert.ok(rows.length > 130, `${rows.length}`);
  const named = [...Object.keys(TRIED), ...Object.values(ELSEWHERE).flat()];
  assert.deepEqual(rows.filter((row) => !named.includes(row)), [], "rows without a test");
  assert.deepEqual(named.filter((row) => !rows.includes(row)), [], "tests without a row");
  assert.deepEqual(Object.keys(ELSEWHERE).filter((file) => !existsSync(join(ROOT, file))), []);
});

/** A unit of the page → how often the sources count it. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ Ki: KI, KiB: KI, Mi: MI, MiB: MI },
  ...{ ms: 1, s: 1000, hours: 3_600_000 },
};

function numbersIn(cell: string): number[] {
  const stated = cell.replace(/\([^)]*\)/g, "").matchAll(/(\d[\d,]*)(?: (KiB|MiB|Ki|Mi|ms|s|hours)\b)?/g);
  return [...stated].map(([_, number = "", unit = ""]) =>
    Number(number.replaceAll(",", "")) * (UNITS[unit] ?? 1)
  );
}

/** Every number and product of numbers in a source. */
function constantsIn(source: string): number[] {
  return [...source.matchAll(/\d[\d_]*(?:\s*\*\s*\d[\d_]*)*/g)].map(([product]) =>
    product.replaceAll("_", "").split("*").reduce((value, factor) => value * Number(factor), 1)
  );
}

Deno.test("limits.md states the values that the named files and the configuration have", () => {
  const page = Deno.readTextFileSync(join(ROOT, "src/docs/reference/limits.md"));
  for (const line of page.split("\n")) {
    const [row = "", value = "", ...rest] = line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim());
    const files = [...rest.join(" ").matchAll(/`(src\/[\w/.]+)`/g)].map(([_, file]) => file!);
    if (/`(?:limits|store|audit)\./.test(rest[0] ?? "")) files.push("src/proxy/config/schema.ts");
    if (files.length === 0 || value.startsWith("`")) continue;
    const has = files.flatMap((file) => constantsIn(Deno.readTextFileSync(join(ROOT, file))));
    assert.deepEqual(numbersIn(value).filter((number) => !has.includes(number)), [], row);
  }
});
