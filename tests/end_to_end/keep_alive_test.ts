/**
 * What clients of each wire get while the upstream has not answered: headers and something that keeps the connection
 * alive, and the error's status if it comes soon.
 */
import assert from "node:assert/strict";
import { builtInService } from "../support/built_in.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import { type RawRequest, startRawUpstream } from "../support/raw_upstream.ts";
import { readRaw, STREAMED_ROWS, type WireRow } from "../support/wire_table.ts";

/** The chat route's bytes may pass through, so it adds none. */
const ROWS = STREAMED_ROWS.filter(({ wire }) => wire !== "chat");

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

/** Asks with a proxy that waits 5 ms; `act` answers after the client's first bytes. */
async function askWaiting(row: WireRow, act: (request: RawRequest) => void) {
  await using upstream = await startRawUpstream();
  const service = await builtInService(testConfig(upstream.url));
  await using proxy = await startProxy(service, { keepAliveMs: 5 });
  const { path, body } = row.request({ task: "Hi" });
  const arriving = upstream.next();
  const response = await fetch(proxy.origin + path, { method: "POST", body: JSON.stringify(body) });
  const [first, rest] = response.body!.tee();
  const reader = first.getReader();
  await reader.read();
  void reader.cancel();
  act(await arriving);
  return row.read({ status: response.status, ...await readRaw(new Response(rest)) });
}

for (const row of ROWS) {
  Deno.test(`${row.wire}: a client that waits for the upstream gets headers and keep-alive bytes, then the answer`, async () => {
    const { status, end, text } = await askWaiting(row, (request) => {
      answerWith(request, { status: "200 OK", body: STREAM });
    });
    assert.deepEqual([status, end, text], [200, "whole", "Done."]);
  });

  Deno.test(`${row.wire}: an error of the upstream that comes late is in the stream`, async () => {
    const { status, end, error } = await askWaiting(row, (request) => {
      answerWith(request, { status: "500 Internal Server Error", body: FAILED });
    });
    assert.deepEqual([status, end], [200, "error"]);
    assert.match(error ?? "", /out of memory/);
  });
}
