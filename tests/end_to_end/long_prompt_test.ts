/**
 * A prompt that is longer than the model's context: every server's error reaches the agents of every wire in the words by
 * which they compact, the size of the context is known and shown, and a server that cuts prompts silently is named.
 */
import assert from "node:assert/strict";
import type { AuditLine, DecisionLine } from "../../src/admin/audit/line.ts";
import { recordRequest } from "../../src/admin/audit/record.ts";
import { printNotices } from "../../src/cli/service/notices.ts";
import { findContext } from "../../src/cli/model_servers.ts";
import type { WatchRequest } from "../../src/proxy/exchange/watch.ts";
import { OVERFLOW_TEXTS } from "../../src/proxy/upstream/overflow.ts";
import { Servers } from "../../src/proxy/upstream/servers.ts";
import { builtInService } from "../support/built_in.ts";
import { IS_SKIPPED, startLlama } from "../support/llama_server.ts";
import { type RunningProxy, startProxy, testConfig } from "../support/proxy.ts";
import { type Script, startUpstream } from "../support/scripted_upstream.ts";
import { askRow, onRows, TOOL, WIRE_TABLE, type WireRow } from "../support/wire_table.ts";

const TOKENS = 40_123;
const CONTEXT = 32_768;

const SIZES = `prompt is too long: ${TOKENS} tokens > ${CONTEXT} maximum`;
const CHAT =
  `${SIZES}. This model's maximum context length is ${CONTEXT} tokens. However, your messages resulted in ` +
  `${TOKENS} tokens. Please reduce the length of the messages.`;

/** Wire → the message by which its agents compact. */
const WORDS: Readonly<Record<string, string>> = {
  chat: CHAT,
  responses: CHAT,
  ollama: CHAT,
  anthropic: SIZES,
  gemini: `The input token count (${TOKENS}) exceeds the maximum number of tokens allowed (${CONTEXT}).`,
};

const filled = (text: string) =>
  text.replace("{tokens}", String(TOKENS)).replace("{context}", String(CONTEXT)).replace("…", " 99 and ");

async function startWith(script: Parameters<typeof startUpstream>[0], more: Record<string, unknown> = {}) {
  const upstream = startUpstream(script);
  const { upstream: settings = {}, ...config } = more as { upstream?: Record<string, unknown> };
  const lines: AuditLine[] = [];
  const printed: string[] = [];
  const service = await builtInService(testConfig(undefined, {
    upstreams: [{ name: "local", url: upstream.url, ...settings }],
    ...config,
  }));
  const watches: WatchRequest[] = [
    (facts) => recordRequest(facts, { contents: false, write: (all) => void lines.push(...all) }),
    printNotices((text) => printed.push(text)),
  ];
  const proxy = await startProxy({ ...service, servers: new Servers() }, { watches });
  return {
    origin: proxy.origin,
    upstream,
    printed,
    notes: (reason: string) =>
      lines.filter((line): line is DecisionLine => line.kind === "decision" && line.reason === reason),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

const ask = (origin: string, row: WireRow, model = "m") =>
  askRow(origin, { row, question: { task: "x", tool: TOOL, model } });

/** The whole error, as the client of a row gets it. */
async function errorOf(origin: string, row: WireRow): Promise<unknown> {
  const { path, body } = row.request({ task: "x", tool: TOOL });
  const response = await fetch(origin + path, { method: "POST", body: JSON.stringify(body) });
  return await response.json();
}

Deno.test("every server's words for a prompt that is too long become those of the agent's API", async () => {
  const texts = OVERFLOW_TEXTS.filter(({ server }) => server === undefined).map(({ text }) => text);
  await using pair = await startWith(({ body }) => {
    const { model } = JSON.parse(body);
    const message = filled(texts[Number(model.slice(1))]!);
    return {
      error: { status: 400, body: JSON.stringify({ error: { code: 400, message, type: "server" } }) },
    };
  });
  for (const [at, text] of texts.entries()) {
    const isWhole = text.includes("{tokens}") && text.includes("{context}");
    // The error's form differs only by wire, so after the first text one row of each wire is enough.
    const rows = at === 0 ? WIRE_TABLE : WIRE_TABLE.filter(({ isStreamed }) => isStreamed === (at % 2 === 0));
    await onRows(rows, async (row) => {
      const { status, error } = await ask(pair.origin, row, `m${at}`);
      assert.equal(status, 400, text);
      if (isWhole) assert.equal(error, WORDS[row.wire], text);
      else assert.match(error ?? "", /^prompt is too long/, text);
    });
  }
  assert.ok(pair.notes("prompt_too_long").length > texts.length);
});

Deno.test("the error has the form that was tried with the agents of each wire", async () => {
  const message = filled(OVERFLOW_TEXTS[0]!.text);
  await using pair = await startWith({
    error: { status: 400, body: JSON.stringify({ error: { message } }) },
  });
  const openai = {
    error: {
      message: CHAT,
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
    },
  };
  const forms: Readonly<Record<string, unknown>> = {
    chat: openai,
    responses: openai,
    anthropic: { type: "error", error: { type: "invalid_request_error", message: SIZES } },
    ollama: { error: CHAT },
    gemini: { error: { code: 400, message: WORDS["gemini"], status: "INVALID_ARGUMENT" } },
  };
  await onRows(WIRE_TABLE, async (row) => {
    assert.deepEqual(await errorOf(pair.origin, row), forms[row.wire]);
  });
});

interface OtherError {
  readonly server?: string;
  readonly status: number;
  /** The client's status, if it is another one. */
  readonly becomes?: number;
  readonly body: unknown;
}

/** What real servers (vLLM 0.32, mlx-lm 0.32.2, run) state of a model that they don't have, an image, and a malformed request. */
const OTHER_ERRORS: Readonly<Record<string, OtherError>> = {
  "an unknown model": {
    status: 404,
    body: {
      error: { message: "The model `m` does not exist.", type: "NotFoundError", param: "model", code: 404 },
    },
  },
  ...Object.fromEntries([
    "Repository Not Found for url: https://huggingface.co/api/models/m",
    "Cannot find an appropriate cached snapshot folder for the specified revision on the local disk",
    "Repo id must be in the form 'repo_name' or 'namespace/repo_name': '/no/such/path'.",
  ].map((error) => [error, { server: "mlx", status: 404, body: { error } }])),
  "an image": {
    status: 400,
    body: {
      error: { message: "m is not a multimodal model", type: "BadRequestError", param: null, code: 400 },
    },
  },
  ...Object.fromEntries([
    "Only 'text' content type is supported.",
    "'dict object' has no attribute 'role'",
    'can only concatenate str (not "int") to str',
    "Cannot apply chat template to an empty conversation. Provide at least one message.",
  ].map((error) => [error, { server: "mlx", status: 404, becomes: 400, body: { error } }])),
};

Deno.test("an unknown model, an image and a malformed request have the status and the form of each wire", async () => {
  for (const [name, { server, status, becomes = status, body }] of Object.entries(OTHER_ERRORS)) {
    await using pair = await startWith({ error: { status, body: JSON.stringify(body) } }, {
      upstream: server === undefined ? {} : { server },
    });
    const { error } = body as { error: string | { message: string; type: string; param: string | null } };
    const message = typeof error === "string" ? error : error.message;
    const isUnknown = becomes === 404;
    const openai = isUnknown
      ? { message, type: "invalid_request_error", param: "model", code: "model_not_found" }
      : { message, type: "invalid_request_error", param: null, code: "invalid_request" };
    // An error with the right status passes as it is.
    const passed = !isUnknown && typeof error !== "string" ? error : undefined;
    const forms: Readonly<Record<string, unknown>> = {
      chat: { error: passed ?? openai },
      responses: { error: passed === undefined ? openai : { ...passed, code: "upstream_error" } },
      anthropic: {
        type: "error",
        error: { type: isUnknown ? "not_found_error" : "invalid_request_error", message },
      },
      ollama: { error: message },
      gemini: { error: { code: becomes, message, status: isUnknown ? "NOT_FOUND" : "INVALID_ARGUMENT" } },
    };
    await onRows(WIRE_TABLE, async (row) => {
      assert.equal((await ask(pair.origin, row)).status, becomes, name);
      assert.deepEqual(await errorOf(pair.origin, row), forms[row.wire], name);
    });
  }
});

Deno.test("an error in a stream, as LM Studio sends it, gets the same words; other errors stay", async () => {
  const studio = OVERFLOW_TEXTS.find(({ text }) => text.startsWith("Trying to keep"))!;
  for (const [message, isLong] of [[filled(studio.text), true], ["out of memory", false]] as const) {
    const event = `event: error\ndata: ${JSON.stringify({ error: { message } })}\n\n`;
    await using pair = await startWith({ raw: { stream: event, body: JSON.stringify({ error: message }) } });
    await onRows(WIRE_TABLE.filter(({ isStreamed }) => isStreamed), async (row) => {
      const { path, body } = row.request({ task: "x", tool: TOOL });
      const response = await fetch(pair.origin + path, { method: "POST", body: JSON.stringify(body) });
      const text = await response.text();
      assert.ok(text.includes(isLong ? WORDS[row.wire]! : message), text);
    });
  }
});

Deno.test("a stream that passes unread gets the words, too, however it is cut, and all its other bytes stay", async () => {
  const studio = OVERFLOW_TEXTS.find(({ text }) => text.startsWith("Trying to keep"))!;
  const before = `data: {"choices":[{"index":0,"delta":{"content":"ü \\"error\\" 😀"}}]}\r\n\r\n`.repeat(20);
  const errorWith = (message: string) => `event: error\ndata: ${JSON.stringify({ error: { message } })}\n\n`;
  for (const [message, isLong] of [[filled(studio.text), true], ["out of memory", false]] as const) {
    const stream = before + errorWith(message);
    await using pair = await startWith({ raw: { stream, body: "{}" } }, {
      policy: { reasoning_text: "keep" },
    });
    const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "x" }] });
    const response = await fetch(`${pair.origin}/v1/chat/completions`, { method: "POST", body });
    const text = await response.text();
    assert.ok(text.startsWith(before), text);
    const rest = text.slice(before.length);
    if (isLong) assert.equal(JSON.parse(rest.replace(/^data: /, "")).error.message, CHAT);
    else assert.equal(rest, errorWith(message));
    assert.equal(pair.notes("prompt_too_long").length, isLong ? 1 : 0);
  }
});

Deno.test("every wire: an error that is compressed gets the words, too, with a status or in a stream, read or passed", async () => {
  const body = JSON.stringify({ error: { message: filled(OVERFLOW_TEXTS[0]!.text) } });
  const stream = `data: ${body}\n\ndata: [DONE]\n\n`;
  for (const isStated of [false, true]) {
    await using upstream = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
      if (!request.url.endsWith("/chat/completions")) return new Response("", { status: 404 });
      const isStream = isStated && (await request.json()).stream === true;
      const type = isStream ? "text/event-stream" : "application/json";
      const bytes = new Blob([isStream ? stream : body]).stream().pipeThrough(new CompressionStream("gzip"));
      const headers = { "content-type": type, "content-encoding": "gzip" };
      return new Response(bytes, { status: isStated ? 200 : 400, headers });
    });
    const url = `http://127.0.0.1:${upstream.addr.port}/v1`;
    for (const policy of [{ reasoning_text: undefined }, { reasoning_text: "keep" }]) {
      await using proxy = await startProxy(await builtInService(testConfig(url, { policy })));
      await onRows(WIRE_TABLE, async (row) => {
        // Without a tool, nothing reads the answer of a client of chat completions.
        const isPassed = policy.reasoning_text !== undefined && row.wire === "chat";
        // A whole body that passes isn't read, and no known server states this error in one with status 200.
        if (isPassed && isStated && !row.isStreamed) return;
        const question = { task: "x", ...policy.reasoning_text === undefined && { tool: TOOL } };
        const { end, error } = await askRow(proxy.origin, { row, question });
        assert.deepEqual([end, error], ["error", WORDS[row.wire]], `${isStated}`);
      });
    }
  }
});

Deno.test("an error by its code or its words, and the size that it states, count on every path", async () => {
  const errors: [string, { readonly message: string; readonly code?: string }, number][] = [
    ["by its code", { message: "Too much.", code: "context_length_exceeded" }, 131_072],
    ["by its words", { message: filled(OVERFLOW_TEXTS[0]!.text) }, CONTEXT],
  ];
  for (const [name, error, size] of errors) {
    const body = JSON.stringify({ error });
    const scripts: Script[] = [
      { raw: { stream: `event: error\ndata: ${body}\n\n`, body } },
      { error: { status: 400, body } },
    ];
    for (const script of scripts) {
      await using pair = await startWith(script);
      await onRows(WIRE_TABLE, async (row) => {
        const { path, body } = row.request({ task: "x", tool: TOOL });
        const response = await fetch(pair.origin + path, { method: "POST", body: JSON.stringify(body) });
        const text = await response.text();
        const words = error.code === undefined ? WORDS[row.wire]! : "prompt is too long";
        assert.ok(text.includes(words), `${name}: ${text}`);
        if (!row.isStreamed) assert.equal(response.status, 400, name);
      });
      assert.equal(await shownContext(pair, "m"), size, name);
      assert.equal(pair.notes("prompt_too_long").length, WIRE_TABLE.length, name);
    }
  }
});

Deno.test("long_prompt: pass and dry runs keep the server's own words, and an error about max_tokens stays", async () => {
  const own = filled(OVERFLOW_TEXTS[0]!.text);
  const limit =
    "'max_tokens' is too large: 99. This model's maximum context length is 50 tokens and your request has 2";
  const table: [string, Record<string, unknown>][] = [
    [own, { policy: { long_prompt: "pass" } }],
    [own, { policy: { dry_run: true } }],
    [limit, {}],
  ];
  for (const [message, config] of table) {
    const body = JSON.stringify({ error: { message } });
    await using pair = await startWith({ error: { status: 400, body } }, config);
    await onRows(WIRE_TABLE, async (row) => {
      assert.equal((await ask(pair.origin, row)).error, message);
    });
    assert.deepEqual(pair.notes("prompt_too_long"), []);
  }
});

/** Name → what a server answers at its paths, and the size of the context that they state for the model `a`. */
const STATED: Readonly<
  Record<string, { readonly size: number; readonly paths: Readonly<Record<string, unknown>> }>
> = {
  "llama.cpp": {
    size: 8192,
    paths: {
      "/v1/models": { data: [{ id: "a", owned_by: "llamacpp", meta: { n_ctx_train: 262_144 } }] },
      "/props": { build_info: "b10547", default_generation_settings: { n_ctx: 8192 } },
    },
  },
  vllm: {
    size: 16_384,
    paths: { "/v1/models": { data: [{ id: "a", owned_by: "vllm", max_model_len: 16_384 }] } },
  },
  "Ollama with the model loaded": {
    size: 4096,
    paths: {
      "/": "Ollama is running",
      "/v1/models": { data: [{ id: "b", owned_by: "library" }, { id: "a" }] },
      "/api/ps": { models: [{ model: "b", context_length: 2048 }, { model: "a", context_length: 4096 }] },
    },
  },
  "Ollama with num_ctx": {
    size: 12_288,
    paths: {
      "/": "Ollama is running",
      "/v1/models": { data: [{ id: "a", owned_by: "library" }] },
      "/api/ps": { models: [] },
      "/api/show": { parameters: "temperature 0.7\nnum_ctx                        12288", model_info: {} },
    },
  },
  "LM Studio": {
    size: 7866,
    paths: {
      "/v1/models": { data: [{ id: "a" }] },
      "/api/v0/models": {
        data: [{
          id: "a",
          compatibility_type: "gguf",
          max_context_length: 32_768,
          loaded_context_length: 7866,
        }],
      },
    },
  },
  "a server without a profile": {
    size: 131_000,
    paths: { "/v1/models": { data: [{ id: "x", context_length: 5 }, { id: "a", context_length: 131_000 }] } },
  },
};

Deno.test("the size of the context is what the server states, and init and Ollama's API show it", async () => {
  for (const [name, { size, paths }] of Object.entries(STATED)) {
    await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
      const value = paths[new URL(request.url).pathname];
      if (value === undefined) return new Response("not found", { status: 404 });
      return typeof value === "string" ? new Response(value) : Response.json(value);
    });
    const url = `http://127.0.0.1:${server.addr.port}/v1`;
    assert.equal(await findContext(url, "a"), size, name);
    const servers = new Servers();
    const service = { ...await builtInService(testConfig(url)), servers };
    await using proxy = await startProxy(service);
    const upstreams = await readiness(
      proxy,
      () => servers.contextOf(service.config.upstreams[0]!, "a") !== undefined,
    );
    const isOnly = !name.startsWith("Ollama with the") && !name.includes("profile");
    assert.equal(upstreams[0].context, isOnly ? size : undefined, name);
    assert.equal(await shownContext(proxy, "a"), size, name);
    assert.equal(await shownContext(proxy, "a:latest"), size, name);
  }
});

/** Asks until the servers are known, which no request waits for. */
async function readiness({ origin }: RunningProxy, isKnown: () => boolean) {
  for (let attempt = 0; attempt < 200; attempt++) {
    const { upstreams } = await (await fetch(`${origin}/health/ready`)).json();
    if (isKnown()) return await (await fetch(`${origin}/health/ready`)).json().then((got) => got.upstreams);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (attempt === 199) return upstreams;
  }
}

async function shownContext({ origin }: Pick<RunningProxy, "origin">, model: string): Promise<unknown> {
  const response = await fetch(`${origin}/api/show`, { method: "POST", body: JSON.stringify({ model }) });
  return (await response.json()).model_info["model.context_length"];
}

Deno.test("context_tokens comes before what is stated, and an error's own number is remembered", async () => {
  const message = filled(OVERFLOW_TEXTS[0]!.text);
  const failing = { error: { status: 400, body: JSON.stringify({ error: { message } }) } };
  await using learned = await startWith(failing);
  assert.equal(await shownContext(learned, "m"), 131_072);
  await ask(learned.origin, WIRE_TABLE[0]!);
  assert.equal(await shownContext(learned, "m"), CONTEXT);
  await using configured = await startWith(failing, { upstream: { context_tokens: 999 } });
  await ask(configured.origin, WIRE_TABLE[0]!);
  assert.equal(await shownContext(configured, "m"), 999);
});

Deno.test("a server that cuts prompts silently is noted for each request, and printed once with its setting", async () => {
  const script: Script = {
    text: "Done.",
    usage: { prompt_tokens: 2050, completion_tokens: 2, total_tokens: 2052 },
  };
  const long = "An ordinary sentence of a long file. ".repeat(1000);
  await using pair = await startWith(script, { upstream: { server: "ollama" } });
  await onRows(WIRE_TABLE, async (row) => {
    const { text } = await askRow(pair.origin, { row, question: { task: long, tool: TOOL } });
    assert.equal(text, "Done.");
  });
  // A stream of chat completions that doesn't ask for its tokens states none.
  assert.equal(pair.notes("prompt_cut").length, WIRE_TABLE.length - 1);
  assert.equal(pair.printed.length, 1);
  assert.match(
    pair.printed[0]!,
    /local truncates the prompts for m without an error: the server processed 2050 tokens .*`num_ctx`/,
  );
  const fits = "An ordinary sentence of a long file. ".repeat(250);
  for (const [server, task] of [["ollama", fits], ["llama.cpp", long]] as const) {
    await using fair = await startWith(script, { upstream: { server } });
    await askRow(fair.origin, { row: WIRE_TABLE[0]!, question: { task, tool: TOOL } });
    assert.deepEqual([fair.notes("prompt_cut"), fair.printed], [[], []], server);
  }
});

Deno.test({
  name: "a real llama.cpp states its context and its error, and every wire gets the words of its agents",
  ignore: IS_SKIPPED,
  async fn() {
    await using server = await startLlama(undefined, ["-c", "512", "-np", "1"]);
    assert.equal(await findContext(server.url, "m"), 512);
    const service = { ...await builtInService(testConfig(server.url)), servers: new Servers() };
    await using proxy = await startProxy(service);
    const long = "one two three ".repeat(400);
    await onRows(WIRE_TABLE, async (row) => {
      const { status, error } = await askRow(proxy.origin, { row, question: { task: long, tool: TOOL } });
      assert.equal(status, 400);
      const words = row.wire === "gemini"
        ? /^The input token count \(\d+\) exceeds the maximum number of tokens allowed \(512\)\.$/
        : /^prompt is too long: \d+ tokens > 512 maximum/;
      assert.match(error ?? "", words);
    });
  },
});
