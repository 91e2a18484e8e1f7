/**
 * What an upstream states about its connection ends at the proxy: after any answer, the client's connection carries the
 * proxy's next response and nothing else.
 *
 * @module
 */
import assert from "node:assert/strict";
import { bracketService, startProxy, testConfig, TOOLS } from "../support/proxy.ts";
import { connectRaw, postText } from "../support/raw_client.ts";
import { type RawResponse, readResponses } from "../support/raw_response.ts";
import { chunked, type RawRequest, startRawUpstream } from "../support/raw_upstream.ts";

const MESSAGES = [{ role: "user", content: "hi" }];
const chat = (more: object) =>
  postText("/v1/chat/completions", JSON.stringify({ model: "m", messages: MESSAGES, ...more }));
const gemini = { contents: [{ role: "user", parts: [{ text: "hi" }] }] };

/** Every route on which an upstream answers: its name → the bytes of its request. */
const REQUESTS: Readonly<Record<string, string>> = {
  "passed GET": "GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
  "passed HEAD": "HEAD /v1/models HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
  "passed POST": postText("/v1/embeddings", "{}"),
  "chat": chat({}),
  "chat, streamed": chat({ stream: true }),
  "chat with tools": chat({ tools: TOOLS }),
  "chat with tools, streamed": chat({ tools: TOOLS, stream: true }),
  "anthropic": postText("/v1/messages", JSON.stringify({ model: "m", max_tokens: 9, messages: MESSAGES })),
  "anthropic, streamed": postText(
    "/v1/messages",
    JSON.stringify({ model: "m", max_tokens: 9, messages: MESSAGES, stream: true }),
  ),
  "responses": postText("/v1/responses", JSON.stringify({ model: "m", input: "hi" })),
  "responses, streamed": postText("/v1/responses", JSON.stringify({ model: "m", input: "hi", stream: true })),
  "ollama": postText("/api/chat", JSON.stringify({ model: "m", messages: MESSAGES, stream: false })),
  "ollama, streamed": postText("/api/chat", JSON.stringify({ model: "m", messages: MESSAGES })),
  "ollama's models": "GET /api/tags HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
  "gemini": postText("/v1beta/models/m:generateContent", JSON.stringify(gemini)),
  "gemini, streamed": postText("/v1beta/models/m:streamGenerateContent?alt=sse", JSON.stringify(gemini)),
};

const SMUGGLED = "HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\nsmuggled";
const COMPLETION = JSON.stringify({
  choices: [{ index: 0, message: { role: "assistant", content: SMUGGLED }, finish_reason: "stop" }],
});
const EVENTS = `data: ${
  JSON.stringify({ choices: [{ index: 0, delta: { content: SMUGGLED }, finish_reason: "stop" }] })
}\n\ndata: [DONE]\n\n`;

const NEXT = "GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";

/** Sends a request and then another one on the same connection; gives both responses. */
async function askTwice(origin: string, request: string): Promise<readonly [RawResponse, RawResponse]> {
  using client = await connectRaw(origin);
  client.send(request + NEXT);
  const methods = [request.slice(0, request.indexOf(" ")), "GET"];
  const text = await client.until(/"status":"ok"[^]*\}/);
  const { responses: [first, second], rest } = readResponses(text, { methods });
  assert.ok(first !== undefined && second !== undefined, JSON.stringify(text));
  assert.equal(rest, "", JSON.stringify(text));
  assert.equal(JSON.parse(second.body).status, "ok", JSON.stringify(text));
  return [first, second];
}

/** Runs each route against an upstream that answers with these bytes. */
async function onEveryRoute(
  answer: (request: RawRequest) => string,
  check: (first: RawResponse, second: RawResponse, name: string) => void,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await using upstream = await startRawUpstream((request) => {
    request.write(answer(request));
    request.end();
  });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url, settings)));
  for (const [name, request] of Object.entries(REQUESTS)) {
    const [first, second] = await askTwice(proxy.origin, request).catch((cause) => {
      throw new Error(`${name}: ${cause.message}`, { cause });
    });
    check(first, second, name);
  }
}

const FRAMINGS: Readonly<Record<string, (body: string) => string>> = {
  "a length before a transfer coding": (body) =>
    `content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n${chunked(body)}0\r\n\r\n`,
  "a length after a transfer coding": (body) =>
    `transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n${chunked(body)}0\r\n\r\n`,
  "a length of zero and a transfer coding": (body) =>
    `content-length: 0\r\ntransfer-encoding: chunked\r\n\r\n${chunked(body)}0\r\n\r\n`,
  "a length that a connection field names": (body) =>
    `connection: content-length\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  "trailers": (body) => `transfer-encoding: chunked\r\n\r\n${chunked(body)}0\r\ncontent-length: 5\r\n\r\n`,
};

for (const [framing, frame] of Object.entries(FRAMINGS)) {
  for (const [type, body] of [["application/json", COMPLETION], ["text/event-stream", EVENTS]] as const) {
    Deno.test(`no route passes on an upstream's framing: ${framing}, ${type}`, async () => {
      for (const dry_run of [false, true]) {
        await onEveryRoute(
          ({ text }) =>
            `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${frame(text.startsWith("HEAD") ? "" : body)}`,
          ({ headers }, _second, name) =>
            assert.ok(!(headers.has("content-length") && headers.has("transfer-encoding")), name),
          { policy: { dry_run } },
        );
      }
    });
  }
}

Deno.test("an answer that is longer or shorter than its length breaks the connection", async () => {
  for (const length of [COMPLETION.length + 5, COMPLETION.length - 5]) {
    await using upstream = await startRawUpstream((request) => {
      request.write(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n${COMPLETION}`);
      request.end();
    });
    await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
    using client = await connectRaw(proxy.origin);
    client.send(REQUESTS["passed GET"]! + NEXT);
    const isBroken = length > COMPLETION.length;
    const text = await (isBroken ? client.rest() : client.until(/"status":"ok"/));
    assert.ok(text.startsWith("HTTP/1.1 200 OK\r\n"), text);
    assert.doesNotMatch(text, isBroken ? /"status":"ok"/ : /undefined/);
  }
});

/** Fields of one connection, one of them because `connection` names it. */
const HOPS: Readonly<Record<string, string>> = {
  "connection": "x.hop, X-Named, close",
  "x.hop": "1",
  "x-named": "1",
  "keep-alive": "timeout=1",
  "proxy-authenticate": "Basic",
  "proxy-authentication-info": "a",
  "proxy-authorization": "Basic a",
  "proxy-connection": "keep-alive",
  "proxy-anything": "1",
  "te": "trailers",
  "trailer": "x-late",
  "upgrade": "h2c",
  "http2-settings": "a",
};
const HOP_LINES = Object.entries(HOPS).map(([name, value]) => `${name}: ${value}\r\n`).join("");

Deno.test("fields of one connection never travel further, in either direction", async () => {
  const received: string[] = [];
  await using upstream = await startRawUpstream((request) => {
    received.push(request.text);
    const body = request.text.startsWith("HEAD") ? "" : COMPLETION;
    request.write(
      `HTTP/1.1 200 OK\r\n${HOP_LINES}x-kept: 1\r\ncontent-length: ${COMPLETION.length}\r\n\r\n${body}`,
    );
    request.end();
  });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  for (const [name, request] of Object.entries(REQUESTS)) {
    using client = await connectRaw(proxy.origin);
    client.send(request.replace("\r\n", `\r\n${HOP_LINES}x-mine: 1\r\n`));
    const text = await client.rest();
    const { responses: [response] } = readResponses(text, {
      methods: [request.slice(0, request.indexOf(" "))],
    });
    assert.ok(response !== undefined && response.status === 200, `${name}: ${text}`);
    const sent = received.at(-1) ?? "";
    for (const hop of Object.keys(HOPS).filter((hop) => !["connection", "keep-alive"].includes(hop))) {
      assert.ok(!response.headers.has(hop), `${name}: ${hop} in ${text}`);
      assert.doesNotMatch(sent, new RegExp(`\\n${hop.replace(".", "\\.")}:`, "i"), `${name}: ${sent}`);
    }
    for (const head of [text, sent]) assert.doesNotMatch(head, /x\.hop|timeout=1/i, name);
  }
});

/** Statuses that have no body, that no one may send as an answer, or that aren't HTTP's. */
const STATUSES = [
  100,
  101,
  102,
  103,
  204,
  205,
  206,
  226,
  299,
  300,
  302,
  304,
  305,
  399,
  407,
  408,
  417,
  418,
  499,
]
  .concat([500, 511, 599, 600, 601, 700, 998, 999]);

for (const status of STATUSES) {
  Deno.test(`no route answers 500 of its own for the status ${status} of an upstream`, async () => {
    // What follows a provisional status is the answer.
    const isProvisional = status < 200 && status !== 101;
    for (const type of ["application/json", "text/event-stream"]) {
      await onEveryRoute(
        ({ text }) => {
          const body = status === 204 || status === 304 || text.startsWith("HEAD") ? "" : COMPLETION;
          const end = `content-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
          return isProvisional
            ? `HTTP/1.1 ${status} x\r\n\r\nHTTP/1.1 200 OK\r\n${end}`
            : `HTTP/1.1 ${status} x\r\n${end}`;
        },
        (first, _second, name) => {
          assert.doesNotMatch(first.body, /internal_error|Dragoman failed/, `${name}: ${first.body}`);
          if (status !== 500) assert.notEqual(first.status, 500, `${name}: ${first.body}`);
          if (name.startsWith("passed") && !isProvisional) {
            assert.equal(first.status, status >= 200 && status < 600 ? status : 502, name);
          }
        },
      );
    }
  });
}

Deno.test("an upstream's reason phrase never breaks the response", async () => {
  for (const reason of ["", "OK", "\xe4\xff", "a\tb", "x".repeat(5000)]) {
    await onEveryRoute(
      ({ text }) => {
        const body = text.startsWith("HEAD") ? "" : COMPLETION;
        return `HTTP/1.1 200 ${reason}\r\ncontent-length: ${COMPLETION.length}\r\n\r\n${body}`;
      },
      (first, _second, name) => assert.equal(first.status, 200, name),
    );
  }
});

Deno.test("a request to change the protocol is answered as any other, and its connection ends", async () => {
  const received: string[] = [];
  await using upstream = await startRawUpstream((request) => {
    received.push(request.text);
    request.write(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}`);
    request.end();
  });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  for (const protocol of ["websocket", "h2c"]) {
    const upgrade = `connection: upgrade, http2-settings\r\nupgrade: ${protocol}\r\nhttp2-settings: AA\r\n`;
    for (const name of ["passed GET", "passed POST", "chat"]) {
      using client = await connectRaw(proxy.origin);
      client.send(REQUESTS[name]!.replace("\r\n", `\r\n${upgrade}`) + NEXT);
      const { responses, rest } = readResponses(await client.rest(), { methods: ["POST"] });
      assert.deepEqual([responses[0]?.status, responses[0]?.body, rest], [200, "{}", ""], name);
      assert.doesNotMatch(received.at(-1) ?? "", /upgrade|websocket|h2c/i);
    }
  }
});
