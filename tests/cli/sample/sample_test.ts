import assert from "node:assert/strict";
import { createSample, SAMPLE_HEADER } from "../../../src/cli/sample/sample.ts";
import { hear } from "../../support/chunks.ts";

const sample = createSample({ now: () => 1_700_000_000_000 });
const TOOLS = [{ type: "function", function: { name: "read_file", parameters: { required: ["path"] } } }];

function ask(body: Record<string, unknown>): Promise<Response> {
  const text = JSON.stringify({ messages: [{ role: "user", content: "hi" }], ...body });
  return sample(new Request("http://sample.invalid/v1/chat/completions", { method: "POST", body: text }));
}

Deno.test("createSample streams the text that it gives whole, in small pieces, with usage where asked for", async () => {
  const whole = await (await ask({ model: "sample-hermes", tools: TOOLS })).json();
  const { content } = whole.choices[0].message;
  assert.match(
    content,
    /<tool_call>\n\{"name": "read_file", "arguments": \{"path":"README\.md"\}\}\n<\/tool_call>$/,
  );
  const stream_options = { include_usage: true };
  const response = await ask({ model: "sample-hermes", tools: TOOLS, stream: true, stream_options, n: 2 });
  assert.equal(response.headers.get(SAMPLE_HEADER), "true");
  const answer = hear(await response.text());
  assert.deepEqual(answer.choices.map((choice) => choice.content), [content, content]);
  assert.deepEqual(answer.choices[0]?.finishReasons, ["stop"]);
  assert.deepEqual([answer.usage, answer.isDone], [whole.usage, true]);
  const lengths = answer.chunks.map((chunk) => String(chunk.choices[0]?.delta?.content ?? "").length);
  assert.ok(Math.max(...lengths) <= 8);
});

Deno.test("createSample reads into the reader's own buffer", async () => {
  const reader = (await ask({ stream: true })).body?.getReader({ mode: "byob" });
  const first = await reader?.read(new Uint8Array(1024));
  assert.match(new TextDecoder().decode(first?.value), /^data: \{/);
  await reader?.cancel();
});

Deno.test("createSample lists its models and says what it does not serve", async () => {
  const list = await (await sample(new Request("http://sample.invalid/v1/models"))).json();
  assert.ok(list.data.some((model: { id: string }) => model.id === "sample-qwen-xml"));
  const missing = await sample(new Request("http://sample.invalid/v1/embeddings", { method: "POST" }));
  assert.equal(missing.status, 404);
  assert.match((await missing.json()).error.message, /--upstream/);
  const broken = await sample(
    new Request("http://sample.invalid/v1/chat/completions", { method: "POST", body: "[" }),
  );
  assert.equal(broken.status, 400);
});
