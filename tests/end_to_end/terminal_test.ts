/**
 * What a person sees in the terminal of a running server: one line for each request, however it ends, and whether the
 * upstreams answer at the start.
 *
 * @module
 */
import assert from "node:assert/strict";
import { serve } from "../../src/cli/serve.ts";
import { askChat, TOOLS } from "../support/proxy.ts";
import { RefusedPort } from "../support/refused_port.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** How long a line may take on a busy machine, in milliseconds. */
const WAIT_MS = 20_000;

interface Terminal extends AsyncDisposable {
  readonly origin: string;
  /** Waits until the output matches, and gives all of it. */
  until(expected: RegExp): Promise<string>;
}

/** Serves in a fresh folder; its output can be waited for. */
async function start(config: string, values: Record<string, string | boolean> = {}): Promise<Terminal> {
  const folder = await temporaryFolder({ "dragoman.yaml": config });
  const stopping = new AbortController();
  const context = createTestContext({
    workingDirectory: folder,
    environment: { CLIENT_KEY: "client-key-0001" },
  });
  let printed = "";
  let waiting: (() => void)[] = [];
  const take = (text: string) => {
    printed += text;
    for (const look of waiting) look();
  };
  const ended = serve.run({ values: { port: "0", ...values }, positionals: [] }, {
    ...context,
    stdout: take,
    stderr: take,
    signal: stopping.signal,
  });
  const until = (expected: RegExp) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const timer = setTimeout(() => reject(new Error(`No ${expected} in:\n${printed}`)), WAIT_MS);
    const look = () => {
      if (!expected.test(printed)) return;
      clearTimeout(timer);
      waiting = waiting.filter((other) => other !== look);
      resolve(printed);
    };
    waiting.push(look);
    look();
    return promise;
  };
  const text = await Promise.race([
    until(/http:\/\/127\.0\.0\.1:\d+\/v1/),
    ended.then(() => Promise.reject(new Error(printed))),
  ]);
  return {
    origin: /http:\/\/127\.0\.0\.1:\d+(?=\/v1)/.exec(text)![0],
    until,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await ended;
    },
  };
}

const upstreamAt = (url: string, more = "") => `upstreams: [{ name: local, url: "${url}" }]\n${more}`;

Deno.test("serve prints one line for each request: a call, a near miss, an error status, a web page", async () => {
  const call = "I'll look. <tool_call>\n<function=t>\n</function>\n</tool_call>";
  await using upstream = startUpstream(({ body }) => {
    if (body.includes("html")) {
      return { error: { status: 200, body: "<html>", headers: { "content-type": "text/html" } } };
    }
    if (body.includes("busy")) return { error: { status: 429, body: '{"error":{"message":"slow down"}}' } };
    return { text: call };
  });
  await using terminal = await start(upstreamAt(upstream.url));
  await terminal.until(/local answers/);
  const table: [Record<string, unknown>, RegExp][] = [
    [
      { stream: true },
      /\n\d\d:\d\d:\d\d {2}openai {2}m {2}local {2}200 {2}[\d.]+ m?s {2}[\d.]+ m?s {2}t ×1\n/,
    ],
    [{ model: "html" }, / openai {2}html {2}local {2}502 {2}.* upstream_unreadable\n/],
    [{ model: "busy" }, / openai {2}busy {2}local {2}429 {2}.* upstream_status: slow down\n/],
    [{ tools: undefined, model: "plain" }, / - {2}plain {2}local {2}200 {2}[\d.]+ m?s {2}[\d.]+ m?s\n/],
  ];
  for (const [body, line] of table) {
    await (await askChat(terminal.origin, { body })).text();
    const printed = await terminal.until(line);
    assert.ok(!printed.includes("I'll look"), printed);
  }
  await (await fetch(`${terminal.origin}/v1/models?key=secret`)).text();
  await terminal.until(/ 200 {2}- {2}\d+ ms {2}GET \/v1\/models\n/);
  await (await fetch(`${terminal.origin}/health`)).text();
  await (await fetch(`${terminal.origin}/v2`)).text();
  const printed = await terminal.until(/ 404 {2}- {2}\d+ ms {2}not_found: GET \/v2\n/);
  assert.ok(!printed.includes("secret") && !printed.includes("/health"), printed);
});

Deno.test("serve shows a refused key, on every wire", async () => {
  await using terminal = await start("listen: { key_env: CLIENT_KEY }\n");
  await (await askChat(terminal.origin, {})).text();
  await terminal.until(/ 401 {2}- {2}\d+ ms {2}invalid_api_key: POST \/v1\/chat\/completions\n/);
  await (await fetch(`${terminal.origin}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": "client-key-0001" },
    body: "{",
  })).text();
  await terminal.until(/ 400 {2}- {2}\d+ ms {2}invalid_json: POST \/v1\/messages\n/);
});

Deno.test("serve starts without its upstream, warns, and shows the requests that fail", async () => {
  using refused = await RefusedPort.open();
  const url = `http://127.0.0.1:${refused.port}/v1`;
  await using terminal = await start(upstreamAt(url));
  const ready = () => fetch(`${terminal.origin}/health/ready`);
  const printed = await terminal.until(/warning: local at http\S+ does not answer: .*refused.*\n/);
  assert.match(printed, /Upstreams {3}local: http/);
  await (await askChat(terminal.origin, {})).text();
  await terminal.until(/ openai {2}m {2}local {2}502 {2}- {2}\d+ ms {2}upstream_unreachable\n/);
  const down = await ready();
  assert.deepEqual([down.status, (await down.json()).status], [503, "not_ready"]);
  await (await fetch(`${terminal.origin}/health`)).text();
});

Deno.test("serve is ready while its upstream answers", async () => {
  await using upstream = startUpstream({ text: "hi" });
  await using terminal = await start(upstreamAt(upstream.url));
  const response = await fetch(`${terminal.origin}/health/ready`);
  const { status, upstreams } = await response.json();
  assert.deepEqual([response.status, status], [200, "ready"]);
  assert.deepEqual([upstreams[0].name, upstreams[0].answers], ["local", true]);
});

Deno.test("serve --log-format json prints an object for each request, and --quiet prints none", async () => {
  await using json = await start("", { "log-format": "json" });
  await (await askChat(json.origin, { body: { model: "sample-qwen-xml", tools: TOOLS } })).text();
  const lines = (await json.until(/"kind":"request"/)).trimEnd().split("\n").map((line) => JSON.parse(line));
  const request = lines.find(({ kind }) => kind === "request");
  assert.deepEqual([request.client, request.status, request.calls, request.error], ["openai", 200, 1, null]);
  assert.equal(lines[0].kind, "message");

  await using quiet = await start("", { quiet: true });
  await (await askChat(quiet.origin, {})).text();
  await (await fetch(`${quiet.origin}/v2`)).text();
  assert.ok(!/not_found|openai {2}/.test(await quiet.until(/Ctrl-C/)));
});
