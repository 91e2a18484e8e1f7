import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import {
  chatAnswer,
  type PromptTemplate,
  writeCompletion,
  writeWith,
} from "../../../src/proxy/upstream/completions.ts";
import { Deadline } from "../../../src/proxy/exchange/deadline.ts";

/** Writes the conversation as JSON, unless arguments are text. */
const template: PromptTemplate = {
  render: ({ messages, tools }) =>
    JSON.stringify(messages).includes('"arguments":"') ? undefined : JSON.stringify({ messages, tools }),
};

const writtenFor = (text: string, prompts: PromptTemplate = template) =>
  writeCompletion(text, { write: writeWith(prompts), profile: () => undefined });

async function bodyFor(request: unknown): Promise<string> {
  const written = await writtenFor(JSON.stringify(request));
  assert("fields" in written);
  return JSON.stringify(written.fields);
}

const call = (given: unknown) => ({ id: "1", type: "function", function: { name: "f", arguments: given } });

Deno.test("writeCompletion writes the conversation with its tools as a prompt", async () => {
  const tools = [{ type: "function", function: { name: "f" } }];
  const messages = [{ role: "assistant", content: null, tool_calls: [call('{"a":1}')] }, {
    role: "tool",
    content: "A",
  }];
  const request = {
    model: "m",
    stream: true,
    temperature: 0,
    tools,
    tool_choice: "auto",
    messages,
    top_logprobs: 1,
  };
  const body = await bodyFor(request);
  const { prompt, ...rest } = JSON.parse(body);
  assert.deepEqual(rest, { model: "m", stream: true, temperature: 0, max_tokens: 8192 });
  assert.deepEqual(JSON.parse(prompt), {
    messages: [{ role: "assistant", content: "", tool_calls: [call({ a: 1 })] }, {
      role: "tool",
      content: "A",
    }],
    tools,
  });
});

Deno.test("writeCompletion keeps the limit of tokens, and tools that must not be called", async () => {
  const messages = [{ role: "user", content: "hi" }];
  const bodyOf = async (more: object) => JSON.parse(await bodyFor({ messages, tools: [{}], ...more }));
  assert.equal((await bodyOf({ max_completion_tokens: 5, max_tokens: 7 })).max_tokens, 5);
  assert.equal((await bodyOf({ max_tokens: 7 })).max_tokens, 7);
  assert.deepEqual(JSON.parse((await bodyOf({ tool_choice: "none" })).prompt), { messages, tools: [{}] });
});

Deno.test("writeWith gives a template that loops over tools an empty list", async () => {
  const looping: PromptTemplate = { render: ({ tools }) => tools?.map(() => "tool").join("") };
  assert.equal(await writeWith(looping)({ messages: [] }), "");
  assert.equal(await writeWith(looping)({ messages: [], tools: [{}] }), "tool");
});

Deno.test("writeCompletion refuses a conversation that the template can't write", async () => {
  const never = { render: () => undefined };
  const refused = await writtenFor('{"messages":[]}', never);
  assert("code" in refused);
  assert.equal(refused.code, "template_failed");
});

Deno.test("writeCompletion gives templates text and the role system, and keeps the spelling of numbers", async () => {
  const part = (text: string) => ({ type: "text", text });
  const messages = [{ role: "developer", content: [part("A"), part("B")] }, { role: "user", content: [] }];
  const text = `{"seed":12345678901234567890,"messages":${JSON.stringify(messages)}}`;
  const written = await writtenFor(text);
  assert("fields" in written);
  const body = JSON.stringify(written.fields);
  assert(body.startsWith('{"seed":12345678901234567890,'), body);
  assert.deepEqual(JSON.parse(JSON.parse(body).prompt).messages, [
    { role: "system", content: "A\nB" },
    { role: "user", content: "" },
  ]);
});

Deno.test("writeCompletion refuses a conversation with an image", async () => {
  const content = [{ type: "text", text: "A" }, { type: "image_url", image_url: { url: "data:" } }];
  const refused = await writtenFor(JSON.stringify({ messages: [{ role: "user", content }] }));
  assert("code" in refused);
  assert.equal(refused.code, "not_text");
});

async function converted(
  body: string,
  type: string,
  { status = 200, encoding }: { readonly status?: number; readonly encoding?: "gzip" } = {},
): Promise<string> {
  const plain = new TextEncoder().encode(body);
  const bytes = encoding === undefined ? plain : new Uint8Array(gzipSync(plain));
  let at = 0;
  // Pieces that keep to no message and no character.
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at += 7));
    },
  });
  const coded = encoding === undefined ? {} : { "content-encoding": encoding };
  const headers = { "content-type": type, "content-length": "1", ...coded };
  const response = new Response(stream, { status, headers });
  const answer = chatAnswer({ response, deadline: new Deadline() }, {
    closer: undefined,
    topLogprobs: undefined,
    lengthMax: 10_000,
  });
  assert.equal(answer.response.headers.get("content-encoding"), null);
  return await answer.response.text();
}

Deno.test("chatAnswer makes a stream of chat messages of a streamed completion", async () => {
  const message = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const stream = `: ping\n\n` +
    message({
      id: "c",
      object: "text_completion",
      choices: [{ index: 0, text: "é ", finish_reason: null }],
    }) +
    message({
      id: "c",
      object: "text_completion",
      choices: [{ index: 0, text: "b", finish_reason: "stop" }],
    }) +
    message({ choices: [], usage: { total_tokens: 3 } }) + "data: [DONE]\n\n";
  const chunk = (delta: unknown, finish: string | null) =>
    message({
      id: "c",
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const expected = ": ping\n\n" + chunk({ role: "assistant", content: "é " }, null) +
    chunk({ content: "b" }, "stop") +
    message({ choices: [], usage: { total_tokens: 3 }, object: "chat.completion.chunk" }) +
    "data: [DONE]\n\n";
  assert.equal(await converted(stream, "text/event-stream"), expected);
  assert.equal(await converted(stream, "text/plain"), expected, "a wrong type");
  assert.equal(await converted(stream, "text/event-stream", { encoding: "gzip" }), expected);
});

Deno.test("chatAnswer makes a chat answer of a whole completion, and leaves errors alone", async () => {
  const whole = {
    id: "c",
    choices: [{ index: 0, text: "a", finish_reason: "stop", logprobs: null }],
    usage: {},
  };
  assert.deepEqual(JSON.parse(await converted(JSON.stringify(whole), "application/json")), {
    id: "c",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: "a" }, finish_reason: "stop" }],
    usage: {},
  });
  assert.equal(await converted("not JSON", "application/json"), "not JSON");
  assert.equal(await converted('{"error":{}}', "application/json", { status: 400 }), '{"error":{}}');
  assert.equal(await converted(" ", "application/json"), " ");
  const long = JSON.stringify({ choices: [{ text: "x".repeat(10_000) }] });
  assert.equal(await converted(long, "application/json"), long, "whoever reads it refuses it as too long");
});
