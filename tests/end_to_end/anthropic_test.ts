import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { readMessageStream } from "../support/anthropic_order.ts";
import { type Arrived, type Script, USAGE } from "../support/scripted_upstream.ts";
import { postRaw, startWireProxy } from "../support/wire_proxy.ts";
import { BEFORE, FILE_CONTENT, FILE_PATH, PRINTED, WRITE_FILE_SCHEMA } from "../support/written_file.ts";

const tool = { name: "write_file", description: "Writes a file", input_schema: { ...WRITE_FILE_SCHEMA } };
const messages = [{ role: "user" as const, content: "Write the file" }];
const question = { model: "m", max_tokens: 1000, messages, tools: [tool] };
const file = { path: FILE_PATH, content: FILE_CONTENT };

/** A client that talks to a model through a real proxy with the rules that ship. */
async function connect(script: Script | ((request: Arrived) => Script)) {
  const proxy = await startWireProxy(script);
  return { ...proxy, client: new Anthropic({ baseURL: proxy.origin, apiKey: "mine", maxRetries: 0 }) };
}

for (const [dialect, printed] of Object.entries(PRINTED)) {
  Deno.test(`anthropic: a call in ${dialect} arrives byte-exact, streamed and whole`, async () => {
    await using chat = await connect({ text: printed });
    for (
      const answer of [
        await chat.client.messages.stream(question).finalMessage(),
        await chat.client.messages.create(question),
      ]
    ) {
      const [text, call] = answer.content;
      assert.equal(text?.type === "text" && text.text.trimEnd(), BEFORE.trimEnd());
      assert.ok(call?.type === "tool_use" && call.id !== "");
      assert.deepEqual(call.input, file);
      assert.equal(answer.content.length, 2);
      assert.equal(answer.stop_reason, "tool_use");
      assert.equal(answer.usage.input_tokens, USAGE.prompt_tokens);
      assert.equal(answer.usage.output_tokens, USAGE.completion_tokens);
    }
    const [request] = chat.upstream.requests;
    assert.equal(request?.headers.get("authorization"), "Bearer mine");
    assert.equal(request?.path, "/v1/chat/completions");
  });

  Deno.test(`anthropic: a call in ${dialect} streams in the API's order, reasoning first`, async () => {
    await using chat = await connect({ text: printed, reasoning: "Let me think." });
    const { text, isBroken } = await postRaw(`${chat.origin}/v1/messages`, { ...question, stream: true });
    const { blocks, isWhole, stopReason } = readMessageStream(text);
    assert.deepEqual(blocks.map(({ type }) => type), ["thinking", "text", "tool_use"]);
    assert.deepEqual(JSON.parse(blocks[2]!.content), file);
    assert.deepEqual([isBroken, isWhole, stopReason], [false, true, "tool_use"]);
  });
}

Deno.test("anthropic: a tool runner's turns come back, with results, errors and images", async () => {
  await using chat = await connect(({ body }) => {
    const last = JSON.parse(body).messages.at(-1);
    return { text: last.role === "user" && Array.isArray(last.content) ? "Seen." : PRINTED["Hermes"]! };
  });
  const image = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } as const;
  const first = await chat.client.messages.create(question);
  const call = first.content.find(({ type }) => type === "tool_use");
  assert.ok(call?.type === "tool_use");
  const second = await chat.client.messages.create({
    ...question,
    system: [{ type: "text", text: "Be brief." }, {
      type: "text",
      text: "x-anthropic-billing-header: cch=1",
    }],
    messages: [
      ...messages,
      { role: "assistant", content: first.content },
      {
        role: "user",
        content: [{
          type: "tool_result",
          tool_use_id: call.id,
          is_error: true,
          content: [{ type: "text", text: "disk full" }, { type: "image", source: image }],
        }],
      },
    ],
  });
  assert.deepEqual(second.content.map((block) => block.type === "text" && block.text), ["Seen."]);
  const sent = JSON.parse(chat.upstream.requests[1]!.body);
  assert.deepEqual(
    sent.messages.map(({ role }: { role: string }) => role),
    ["system", "user", "assistant", "tool", "user"],
  );
  assert.equal(sent.messages[0].content, "Be brief.");
  assert.equal(sent.messages[3].content, "Error: disk full\n(image follows)");
  assert.equal(sent.messages[4].content[0].image_url.url, "data:image/png;base64,iVBORw0KGgo=");
});

Deno.test("anthropic: side routes and errors have the API's form", async () => {
  await using chat = await connect({
    error: { status: 429, body: '{"error":{"message":"slow down"}}', headers: { "retry-after": "3" } },
  });
  const counted = await chat.client.messages.countTokens({ model: "m", messages, tools: [tool] });
  assert.ok(counted.input_tokens > 20 && counted.input_tokens < 300);
  await assert.rejects(chat.client.messages.create(question), (error: unknown) => {
    assert.ok(error instanceof Anthropic.RateLimitError);
    assert.match(error.message, /slow down/);
    assert.equal(error.headers?.get("retry-after"), "3");
    return true;
  });
  const root = await fetch(chat.origin, { method: "HEAD" });
  assert.equal(root.status, 200);
  const thread = { type: "continue", previous_message_id: "msg_1" };
  const response = await fetch(`${chat.origin}/v1/messages`, {
    method: "POST",
    body: JSON.stringify({ ...question, thread }),
  });
  assert.equal(response.status, 404);
  const { error } = await response.json();
  assert.equal(error.details.error_code, "thread_not_found");
});
