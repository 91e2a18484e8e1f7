/**
 * The recent requests of a real server, as the page reads them: their states, their texts with `admin.contents`, and
 * nothing of texts without it.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { LiveDetail, LiveRequest } from "../../src/admin/live/request.ts";
import { readLiveBatch } from "../support/live.ts";
import { SMALL_ROO_PROMPT } from "../support/prompts.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { type RunningServer, startServer } from "../support/serve.ts";

const CALL =
  "Now.\n<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>\nThen.";
const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const TOOLS = [{ type: "function", function: { name: "read_file", parameters } }];

function chatOf(client: "openai" | "roo", stream: boolean) {
  const system = client === "roo" ? SMALL_ROO_PROMPT : "You help.";
  const messages = [{ role: "system", content: system }, {
    role: "user",
    content: "my key is sk-0123456789abcdef",
  }];
  return { model: "m", stream, messages, ...(client === "roo" ? {} : { tools: TOOLS }) };
}

async function ask({ origin }: RunningServer, client: "openai" | "roo", stream = true): Promise<void> {
  const path = client === "roo" ? "/roo/v1/chat/completions" : "/v1/chat/completions";
  const body = JSON.stringify(chatOf(client, stream));
  await (await fetch(origin + path, { method: "POST", body })).text();
}

async function detailOf({ page }: RunningServer, { id }: LiveRequest): Promise<LiveDetail> {
  return await (await fetch(`${page}live/${id}`)).json();
}

Deno.test("the page sees requests that ended, failed or are refused, and no texts unless they are wanted", async () => {
  await using upstream = startUpstream({ text: CALL });
  await using server = await startServer(`upstreams: [{ name: local, url: "${upstream.url}" }]\n`);
  await ask(server, "openai");
  await (await fetch(`${server.origin}/v2/nothing`)).text();
  const { requests, hasContents } = await readLiveBatch(server.origin);
  assert.equal(hasContents, false);
  assert.deepEqual(
    requests.map(({ state, status, calls, called, route }) => [state, status, calls, called, route]),
    [["done", 200, 1, ["read_file"], null], ["error", 404, 0, [], "GET /v2/nothing"]],
  );
  const detail = await detailOf(server, requests[0]!);
  assert.equal(detail.contents, null);
  assert.deepEqual(detail.marks?.map(({ reason, rule, tool }) => [reason, rule, tool]), [
    ["transformed", "qwen_xml", "read_file"],
  ]);
});

Deno.test("with admin.contents the page sees what the model wrote and what each client got", async () => {
  await using upstream = startUpstream({ text: CALL });
  await using server = await startServer(
    `upstreams: [{ name: local, url: "${upstream.url}" }]\nadmin: { contents: true }\n`,
  );
  for (const stream of [true, false]) await ask(server, "openai", stream);
  await ask(server, "roo");
  const { requests, hasContents } = await readLiveBatch(server.origin);
  assert.equal(hasContents, true);
  for (const request of requests) {
    const { contents, marks } = await detailOf(server, request);
    assert.equal(contents?.before.map(({ text }) => text).join(""), CALL);
    const marked = contents?.before.filter((part) => part.marks.length > 0).map(({ text }) => text).join("");
    assert.ok(marked?.startsWith("<tool_call>") && marked.includes("</function>"), marked);
    assert.ok(marks?.some(({ reason }) => reason === "transformed"));
    assert.match(contents?.chat ?? "", /my key is \[redacted\]/);
    const call = contents?.after.find((part) => part.call !== null);
    if (request.client === "roo") assert.match(call?.text ?? "", /^<read_file>[^]*<\/read_file>$/);
    else assert.deepEqual([call?.tool, call?.text, call?.state], ["read_file", '{"path":"a.txt"}', "done"]);
    assert.match(contents?.after[0]?.text ?? "", /^Now\./);
  }
});

Deno.test("the page sees thoughts apart from the text, with their marks in what the model wrote", async () => {
  await using upstream = startUpstream({ text: `<think>\nHm.\n</think>\n\n${CALL}` });
  await using server = await startServer(
    `upstreams: [{ name: local, url: "${upstream.url}" }]\nadmin: { contents: true }\n`,
  );
  for (const stream of [true, false]) await ask(server, "openai", stream);
  const messages = [{ role: "user", content: "Name this" }];
  const body = JSON.stringify({ model: "m", messages });
  await (await fetch(`${server.origin}/v1/chat/completions`, { method: "POST", body })).text();
  const { requests } = await readLiveBatch(server.origin);
  assert.equal(requests.length, 3);
  for (const request of requests) {
    const { contents, marks } = await detailOf(server, request);
    const [thought, text] = contents?.after ?? [];
    assert.deepEqual([thought?.text, thought?.isReasoning], ["Hm.", true]);
    assert.deepEqual([text?.text.slice(0, 4), text?.isReasoning], ["Now.", false]);
    const mark = marks?.findIndex(({ reason }) => reason === "reasoning_in_text") ?? -1;
    assert.equal(marks?.[mark]?.detail, "<think> … </think>");
    const marked = contents?.before.find((part) => part.marks.includes(mark));
    assert.equal(marked?.text, "<think>\nHm.\n</think>");
  }
});

Deno.test("with admin.contents the page sees the calls of a client on another wire", async () => {
  await using upstream = startUpstream({ text: CALL });
  await using server = await startServer(
    `upstreams: [{ name: local, url: "${upstream.url}" }]\nadmin: { contents: true }\n`,
  );
  const tools = [{ name: "read_file", input_schema: parameters }];
  const messages = [{ role: "user", content: "Read the file" }];
  const body = JSON.stringify({ model: "m", max_tokens: 100, stream: true, messages, tools });
  assert.match(
    await (await fetch(`${server.origin}/v1/messages`, { method: "POST", body })).text(),
    /tool_use/,
  );
  const { requests: [request] } = await readLiveBatch(server.origin);
  const { contents } = await detailOf(server, request!);
  const call = contents?.after.find(({ tool }) => tool !== null);
  assert.deepEqual([call?.tool, call?.text, call?.state], ["read_file", '{"path":"a.txt"}', "done"]);
});

Deno.test("an open page sees a request while the model is silent, and a server with open pages stops", async () => {
  await using upstream = startUpstream({ text: CALL, fate: "pause" });
  const server = await startServer(`upstreams: [{ name: local, url: "${upstream.url}" }]\n`);
  const page = await fetch(`${server.page}live`);
  const reader = page.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? "";
  const leave = new AbortController();
  const body = JSON.stringify(chatOf("openai", true));
  const asked = fetch(`${server.origin}/v1/chat/completions`, { method: "POST", body, signal: leave.signal });
  const waitFor = async (state: string) => {
    while (!text.includes(`"state":"${state}"`)) text += (await reader.read()).value ?? assert.fail(text);
  };
  await waitFor("streaming");
  leave.abort();
  await asked.then((response) => response.text()).catch(() => undefined);
  await waitFor("left");
  await server[Symbol.asyncDispose]();
  while (!(await reader.read()).done);
});
