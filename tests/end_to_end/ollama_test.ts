import assert from "node:assert/strict";
import { ollamaClient } from "../support/ollama_client.ts";
import { type Arrived, type Script, USAGE } from "../support/scripted_upstream.ts";
import { startWireProxy } from "../support/wire_proxy.ts";
import { BEFORE, FILE_CONTENT, FILE_PATH, PRINTED, WRITE_FILE_SCHEMA } from "../support/written_file.ts";

const tools = [{
  type: "function",
  function: { name: "write_file", description: "Writes a file", parameters: { ...WRITE_FILE_SCHEMA } },
}];
const messages = [{ role: "user", content: "Write the file" }];
const file = { path: FILE_PATH, content: FILE_CONTENT };

/** A client that talks to a model through a real proxy with the rules that ship. */
async function connect(script: Script | ((request: Arrived) => Script)) {
  const proxy = await startWireProxy(script);
  return { ...proxy, client: ollamaClient(proxy.origin) };
}

for (const [dialect, printed] of Object.entries(PRINTED)) {
  Deno.test(`ollama: a call in ${dialect} arrives byte-exact, streamed and whole`, async () => {
    await using chat = await connect({ text: printed, reasoning: "Let me think." });
    const whole = await chat.client.chat({ model: "m", messages, tools });
    assert.deepEqual(whole.message.tool_calls?.map((call) => call.function), [{
      name: "write_file",
      arguments: file,
    }]);
    assert.equal(whole.message.thinking, "Let me think.");
    let [content, thinking] = ["", ""];
    const calls: unknown[] = [];
    let last: { done_reason?: string; eval_count?: number } = {};
    for await (const part of await chat.client.chat({ model: "m", messages, tools, stream: true })) {
      content += part.message.content;
      thinking += part.message.thinking ?? "";
      calls.push(...(part.message.tool_calls ?? []).map((call) => call.function));
      if (part.done) last = part;
    }
    assert.equal(content.trimEnd(), BEFORE.trimEnd());
    assert.equal(thinking, "Let me think.");
    assert.deepEqual(calls, [{ name: "write_file", arguments: file }]);
    assert.deepEqual([last.done_reason, last.eval_count], ["stop", USAGE.completion_tokens]);
  });
}

Deno.test("ollama: results go back with the ids of their calls", async () => {
  await using chat = await connect({ text: "Done." });
  const call = { function: { name: "write_file", arguments: file } };
  await chat.client.chat({
    model: "m",
    messages: [...messages, { role: "assistant", content: "", tool_calls: [call] }, {
      role: "tool",
      tool_name: "write_file",
      content: "ok",
    }],
    tools,
    options: { num_predict: 7, temperature: 0.5, num_ctx: 4096 },
  });
  const sent = JSON.parse(chat.upstream.requests[0]!.body);
  assert.equal(sent.messages[1].tool_calls[0].id, sent.messages[2].tool_call_id);
  assert.deepEqual(JSON.parse(sent.messages[1].tool_calls[0].function.arguments), file);
  assert.deepEqual([sent.max_tokens, sent.temperature, sent.num_ctx], [7, 0.5, undefined]);
});

Deno.test("ollama: side routes and errors have the API's form", async () => {
  await using chat = await connect({ error: { status: 404, body: '{"error":{"message":"no such model"}}' } });
  assert.match((await chat.client.version()).version, /^\d+\.\d+\.\d+$/);
  assert.ok((await chat.client.show({ model: "m" })).capabilities.includes("tools"));
  assert.deepEqual((await chat.client.ps()).models, []);
  assert.equal(await (await fetch(chat.origin)).text(), "Ollama is running");
  await assert.rejects(chat.client.chat({ model: "m", messages }), /no such model/);
  await assert.rejects(chat.client.generate({ model: "m", prompt: "Hi" }), /\/api\/chat/);
});
