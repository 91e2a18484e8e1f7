/**
 * What clients of each wire get while the upstream has not answered: headers and something that keeps the connection
 * alive, and the error's status if it comes soon.
 */
import assert from "node:assert/strict";
import { builtInService } from "../support/built_in.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import { type RawRequest, startRawUpstream } from "../support/raw_upstream.ts";
import { READERS } from "../support/wire_readers.ts";

const ask = [{ role: "user", content: "Hi" }];
const QUESTIONS: Readonly<Record<string, { readonly path: string; readonly body: unknown }>> = {
  anthropic: { path: "/v1/messages", body: { model: "m", max_tokens: 9, messages: ask, stream: true } },
  responses: { path: "/v1/responses", body: { model: "m", input: "Hi", stream: true } },
  ollama: { path: "/api/chat", body: { model: "m", messages: ask } },
  gemini: {
    path: "/v1beta/models/m:streamGenerateContent?alt=sse",
    body: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
  },
};

const FAILED = '{"error":{"message":"out of memory"}}';
const STREAM = [
  { choices: [{ index: 0, delta: { content: "Done." }, finish_reason: null }] },
  {
    choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 2 },
  },
].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("") + "data: [DONE]\n\n";

function answerWith(request: RawRequest, { status, body }: { status: string; body: string }): void {
  const type = status === "200 OK" ? "text/event-stream" : "application/json";
  request.write(
    `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

/** Asks with a proxy that waits as long; `act` answers after the client's first bytes. */
async function askWaiting(wire: string, keepAliveMs: number, act: (request: RawRequest) => void) {
  await using upstream = await startRawUpstream();
  const service = await builtInService(testConfig(upstream.url));
  await using proxy = await startProxy(service, { keepAliveMs });
  const { path, body } = QUESTIONS[wire]!;
  const arriving = upstream.next();
  const response = await fetch(proxy.origin + path, { method: "POST", body: JSON.stringify(body) });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? "";
  act(await arriving);
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  return { status: response.status, text };
}

for (const [wire, read] of Object.entries(READERS)) {
  Deno.test(`${wire}: a client that waits for the upstream gets headers and keep-alive bytes, then the answer`, async () => {
    const { status, text } = await askWaiting(wire, 5, (request) => {
      answerWith(request, { status: "200 OK", body: STREAM });
    });
    const { isWhole, text: answer } = read(
      wire === "gemini" ? text.replaceAll(/"responseId":"\w+"/g, '"responseId":"1"') : text,
    );
    assert.deepEqual([status, isWhole, answer], [200, true, "Done."]);
  });

  Deno.test(`${wire}: an error of the upstream that comes late is in the stream`, async () => {
    const { status, text } = await askWaiting(wire, 5, (request) => {
      answerWith(request, { status: "500 Internal Server Error", body: FAILED });
    });
    assert.equal(status, 200);
    assert.match(text, /out of memory/);
    assert.equal(read(text).isWhole, false);
  });
}
