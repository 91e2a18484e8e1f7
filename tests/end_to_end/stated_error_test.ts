import assert from "node:assert/strict";
import type { AuditLine, RequestLine } from "../../src/admin/audit/line.ts";
import { recordRequest } from "../../src/admin/audit/record.ts";
import { summarize } from "../../src/admin/audit/summary.ts";
import { createMetrics } from "../../src/admin/metrics/metrics.ts";
import { RequestLines } from "../../src/cli/service/log.ts";
import { builtInService } from "../support/built_in.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { type Script, startUpstream } from "../support/scripted_upstream.ts";

const MESSAGE = "The model produced output that does not match the expected peg-native format";
const CHUNK = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "Hi" } }] })}\n\n`;

/** What servers send with status 200. */
const STREAMS: Readonly<Record<string, string>> = {
  "an event without an end":
    `${CHUNK}data: {"error":{"code":500,"message":"${MESSAGE}","type":"server_error"}}\n\n`,
  "an event, then [DONE]":
    `${CHUNK}data: {"error":{"message":"${MESSAGE}","type":"BadRequestError","param":null,"code":400}}\n\ndata: [DONE]\n\n`,
  "a flat event": `data: {"object":"error","message":"${MESSAGE}","code":400}\n\ndata: [DONE]\n\n`,
  "an event named error": `event: error\ndata: {"error":{"message":"${MESSAGE}"}}\n\n`,
  "a bare event named error": `event: error\ndata: {"message":"${MESSAGE}"}\n\n`,
  "a text as the error": `data: {"error":"${MESSAGE}"}\n\n`,
  "a chunk with an error":
    `${CHUNK}data: {"error":{"code":502,"message":"${MESSAGE}"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\ndata: [DONE]\n\n`,
  "JSON under the type of events": `{"error":"${MESSAGE}"}`,
};

const BODIES: Readonly<Record<string, string>> = {
  "an object": `{"error":{"message":"${MESSAGE}","code":500}}`,
  "a text": `{"error":"${MESSAGE}"}`,
  "a flat error": `{"object":"error","message":"${MESSAGE}","code":500}`,
};

/** Requests whose answers are translated, passed on, and read along. */
const WAYS: Readonly<Record<string, { readonly body: Record<string, unknown>; readonly isDry?: boolean }>> = {
  translated: { body: {} },
  "passed on": { body: { tools: [] } },
  "read along": { body: {}, isDry: true },
};

const WIRES: Readonly<Record<string, readonly [path: string, body: Record<string, unknown>]>> = {
  anthropic: ["/v1/messages", { max_tokens: 9, messages: [{ role: "user", content: "hi" }] }],
  responses: ["/v1/responses", { input: "hi" }],
  ollama: ["/api/chat", { messages: [{ role: "user", content: "hi" }] }],
};

/** A proxy whose requests are recorded. */
async function connect(script: Script, isDry = false) {
  const upstream = startUpstream(script);
  const lines: AuditLine[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const config = testConfig(upstream.url, { policy: { dry_run: isDry } });
  const proxy = await startProxy(await builtInService(config), {
    watches: [(facts) =>
      recordRequest(facts, {
        contents: false,
        write(written) {
          lines.push(...written);
          resolve();
        },
      })],
  });
  return {
    origin: proxy.origin,
    /** The line of the request, when it is over. */
    async line(): Promise<RequestLine> {
      await ended;
      const line = lines.find((line): line is RequestLine => line.kind === "request");
      assert.ok(line);
      return line;
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

/** The line, the page's row and the counter state the error and its text. */
async function assertStated(line: RequestLine, status = 200): Promise<void> {
  assert.deepEqual([line.status, line.error, line.message], [status, "upstream_error", MESSAGE]);
  const summary = summarize([line])!;
  assert.equal(summary.message, MESSAGE);
  const text = new RequestLines({ isAligned: false, hasColors: false }).format(summary);
  assert.ok(text.includes(`upstream_error: ${MESSAGE}`), text);
  const metrics = createMetrics();
  metrics.add([line]);
  const { text: page } = await metrics.page();
  assert.match(page, /dragoman_upstream_errors_total\{upstream="local",[^}]*,code="upstream_error"\} 1/);
}

for (const [way, { body, isDry }] of Object.entries(WAYS)) {
  Deno.test(`an error in a stream that is ${way} is logged with its text and counted`, async () => {
    for (const [name, stream] of Object.entries(STREAMS)) {
      await using chat = await connect({ raw: { stream, body: "" } }, isDry);
      const answered = await (await askChat(chat.origin, { body: { ...body, stream: true } })).text();
      assert.ok(answered.includes(MESSAGE), name);
      await assertStated(await chat.line());
    }
  });

  Deno.test(`an error as a whole body that is ${way} is logged with its text and counted`, async () => {
    for (const text of Object.values(BODIES)) {
      await using chat = await connect({ raw: { stream: "", body: text } }, isDry);
      const response = await askChat(chat.origin, { body });
      assert.deepEqual([response.status, await response.text()], [200, text]);
      await assertStated(await chat.line());
    }
  });
}

for (const [wire, [path, body]] of Object.entries(WIRES)) {
  Deno.test(`an error with status 200 reaches a client of ${wire} as its text`, async () => {
    for (const isStreamed of [true, false]) {
      await using chat = await connect({
        raw: { stream: STREAMS["an event named error"]!, body: BODIES["a text"]! },
      });
      const response = await fetch(chat.origin + path, {
        method: "POST",
        body: JSON.stringify({ model: "m", ...body, stream: isStreamed }),
      });
      assert.equal(response.status, isStreamed ? 200 : 502);
      assert.ok((await response.text()).includes(MESSAGE));
      const line = await chat.line();
      assert.equal(line.wire, wire);
      await assertStated(line, response.status);
    }
  });
}

Deno.test("a client that leaves because of an error in the stream doesn't hide it", async () => {
  const upstream = STREAMS["an event without an end"]!;
  await using chat = await connect({ raw: { stream: upstream + ": wait\n\n".repeat(2000), body: "" } });
  const response = await askChat(chat.origin, { body: { stream: true } });
  let text = "";
  for await (const bytes of response.body!) {
    text += new TextDecoder().decode(bytes);
    if (text.includes(MESSAGE)) break;
  }
  await assertStated(await chat.line());
});

Deno.test("the text of an error with a status is logged too, and secrets in it are not", async () => {
  const body = '{"error":{"message":"No model for api_key=sk-abcdefghijklmnopqrstuvwxyz123456"}}';
  for (const tools of [undefined, []]) {
    await using chat = await connect({ error: { status: 400, body } });
    await (await askChat(chat.origin, { body: tools === undefined ? {} : { tools } })).text();
    const { status, error, message } = await chat.line();
    assert.deepEqual([status, error], [400, "upstream_status"]);
    assert.match(message ?? "", /^No model for/);
    assert.ok(!message?.includes("sk-abc"));
  }
});
