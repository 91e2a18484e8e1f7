import assert from "node:assert/strict";
import OpenAI from "openai";
import { readResponseStream } from "../support/responses_order.ts";
import { type Arrived, type Script, USAGE } from "../support/scripted_upstream.ts";
import { postRaw, startWireProxy } from "../support/wire_proxy.ts";
import { BEFORE, FILE_CONTENT, FILE_PATH, PRINTED, WRITE_FILE_SCHEMA } from "../support/written_file.ts";

const tool = {
  type: "function" as const,
  name: "write_file",
  strict: false,
  parameters: { ...WRITE_FILE_SCHEMA },
};
const question = { model: "m", input: "Write the file", tools: [tool] };
const file = { path: FILE_PATH, content: FILE_CONTENT };

/** A client that talks to a model through a real proxy with the rules that ship. */
async function connect(script: Script | ((request: Arrived) => Script)) {
  const proxy = await startWireProxy(script);
  return { ...proxy, client: new OpenAI({ baseURL: `${proxy.origin}/v1`, apiKey: "mine", maxRetries: 0 }) };
}

for (const [dialect, printed] of Object.entries(PRINTED)) {
  Deno.test(`responses: a call in ${dialect} arrives byte-exact, streamed and whole`, async () => {
    await using chat = await connect({ text: printed });
    for (
      const answer of [
        await chat.client.responses.stream(question).finalResponse(),
        await chat.client.responses.create(question),
      ]
    ) {
      const [message, call, ...others] = answer.output;
      assert.equal(answer.output_text.trimEnd(), BEFORE.trimEnd());
      assert.equal(message?.type, "message");
      assert.ok(call?.type === "function_call" && call.call_id !== "");
      assert.deepEqual(JSON.parse(call.arguments), file);
      assert.deepEqual(others, []);
      assert.equal(answer.status, "completed");
      assert.equal(answer.usage?.input_tokens, USAGE.prompt_tokens);
    }
  });

  Deno.test(`responses: a call in ${dialect} streams in the API's order, reasoning first`, async () => {
    await using chat = await connect({ text: printed, reasoning: "Let me think." });
    const { text } = await postRaw(`${chat.origin}/v1/responses`, { ...question, stream: true });
    const { items, response } = readResponseStream(text);
    assert.deepEqual(items.map(({ type }) => type), ["reasoning", "message", "function_call"]);
    assert.equal(response?.["status"], "completed");
  });
}

Deno.test("responses: custom tools and namespaces go to the model as functions and come back as themselves", async () => {
  const patch = '*** Begin Patch\n*** Add File: a.txt\n+it\'s "here" <b>\n*** End Patch';
  const call = (name: string, args: unknown) =>
    `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
  await using chat = await connect({
    text: call("apply_patch", { input: patch }) + "\n" + call("files__read", { path: "a.txt" }),
  });
  const tools = [
    {
      type: "custom",
      name: "apply_patch",
      format: { type: "grammar", syntax: "lark", definition: "start: X" },
    },
    {
      type: "namespace",
      name: "files",
      tools: [{
        type: "function",
        name: "read",
        parameters: { type: "object", properties: { path: { type: "string" } } },
      }],
    },
    { type: "web_search" },
  ];
  const { text } = await postRaw(`${chat.origin}/v1/responses`, {
    model: "m",
    input: "Go",
    tools,
    stream: true,
  });
  const { items } = readResponseStream(text);
  const [first, second] = items.filter(({ type }) => type !== "message");
  assert.deepEqual(
    [first?.["type"], first?.["name"], first?.["input"]],
    ["custom_tool_call", "apply_patch", patch],
  );
  assert.deepEqual(
    [second?.["name"], second?.["namespace"], second?.["arguments"]],
    ["read", "files", '{"path":"a.txt"}'],
  );
  const history = [
    { role: "developer", content: "Be brief." },
    { role: "user", content: "Go" },
    ...items,
    { type: "custom_tool_call_output", call_id: first?.["call_id"], output: "done" },
    {
      type: "function_call_output",
      call_id: second?.["call_id"],
      output: [{ type: "input_text", text: "text" }],
    },
  ];
  await postRaw(`${chat.origin}/v1/responses`, { model: "m", input: history, tools, stream: true });
  const { messages } = JSON.parse(chat.upstream.requests[1]!.body);
  assert.deepEqual(
    messages.map(({ role }: { role: string }) => role),
    ["system", "user", "assistant", "tool", "tool"],
  );
  assert.deepEqual(
    messages[2].tool_calls.map((each: { function: { name: string } }) => each.function.name),
    ["apply_patch", "files__read"],
  );
  assert.deepEqual(JSON.parse(messages[2].tool_calls[0].function.arguments), { input: patch });
});

Deno.test("responses: what needs a store is refused by name, and errors have the API's form", async () => {
  await using chat = await connect({ error: { status: 429, body: '{"error":{"message":"slow down"}}' } });
  const refused: readonly [Record<string, unknown>, code: string, param: string][] = [
    [{ previous_response_id: "resp_1" }, "unsupported_parameter", "previous_response_id"],
    [{ conversation: "conv_1" }, "unsupported_parameter", "conversation"],
    [{ input: [{ type: "item_reference", id: "msg_1_0" }] }, "item_not_found", "input"],
    [{ input: [{ id: "rs_elsewhere" }] }, "item_not_found", "input"],
    [{ input: [{ type: "item_reference" }] }, "item_not_found", "input"],
  ];
  for (const [more, code, param] of refused) {
    await assert.rejects(
      chat.client.post("/responses", { body: { ...question, ...more } }),
      (error: unknown) => {
        assert.ok(error instanceof OpenAI.BadRequestError);
        assert.deepEqual([error.code, error.param], [code, param]);
        assert.match(error.message, /`store: false`/);
        return true;
      },
    );
  }
  await assert.rejects(chat.client.responses.create(question), OpenAI.RateLimitError);
});

for (const isStreamed of [true, false]) {
  const how = isStreamed ? "streamed" : "whole";
  Deno.test(`responses: the items of a ${how} answer can be referred to, by the key that got them`, async () => {
    await using chat = await connect({ text: PRINTED["Hermes"]!, reasoning: "Let me think." });
    const ask = async (client: OpenAI, body: Record<string, unknown> = {}) => {
      const asked = { ...question, ...body } as OpenAI.Responses.ResponseCreateParamsNonStreaming;
      if (!isStreamed) return (await client.responses.create(asked)).output;
      // What the client has got, and not what the last event repeats.
      const items: OpenAI.Responses.ResponseOutputItem[] = [];
      for await (const event of await client.responses.create({ ...asked, stream: true })) {
        if (event.type === "response.output_item.done") items.push(event.item);
      }
      return items;
    };
    const output = await ask(chat.client);
    assert.deepEqual(
      output.map(({ id, type }) => `${type} ${id?.replace(/[0-9a-f]{32}/, "ID")}`),
      ["reasoning rs_ID_0", "message msg_ID_1", "function_call fc_ID_2"],
    );
    const call = output[2]!;
    assert.ok(call.type === "function_call");
    const result = { type: "function_call_output", call_id: call.call_id, output: "written" };
    const references = output.map(({ id }) => ({ type: "item_reference", id }));
    const user = { role: "user", content: "Write the file" };
    await ask(chat.client, { input: [user, ...output, result] });
    await ask(chat.client, { input: [user, ...references, result] });
    const [, sent, referred] = chat.upstream.requests.map(({ body }) => JSON.parse(body).messages);
    assert.deepEqual(referred, sent);
    const stranger = new OpenAI({ baseURL: `${chat.origin}/v1`, apiKey: "another", maxRetries: 0 });
    await assert.rejects(
      ask(stranger, { input: [user, ...references, result] }),
      (error: unknown) => error instanceof OpenAI.BadRequestError && error.code === "item_not_found",
    );
    const unstored = await ask(chat.client, { store: false });
    await assert.rejects(
      ask(chat.client, { input: unstored.map(({ id }) => ({ type: "item_reference", id })) }),
      OpenAI.BadRequestError,
    );
  });
}

Deno.test("responses: what a client got of an answer that it left can be referred to", async () => {
  await using chat = await connect(({ body }) =>
    body.includes("Go on") ? { text: "Fine." } : { text: "Once upon a time. ", isEndless: true }
  );
  const stream = await chat.client.responses.create({ ...question, stream: true });
  let id = "";
  let got = "";
  for await (const event of stream) {
    if (event.type !== "response.output_text.delta") continue;
    id = event.item_id;
    got += event.delta;
    if (got.length > 100) break;
  }
  stream.controller.abort();
  const input = [{ type: "item_reference" as const, id }, { role: "user" as const, content: "Go on" }];
  let answer: OpenAI.Responses.Response | undefined;
  // The proxy learns a moment later that the client has left.
  for (let attempt = 0; attempt < 100 && answer === undefined; attempt++) {
    answer = await chat.client.responses.create({ ...question, input }).catch(() => undefined);
    if (answer === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(answer?.output_text, "Fine.");
  const { messages } = JSON.parse(chat.upstream.requests.at(-1)!.body);
  assert.equal(messages[0].role, "assistant");
  assert.ok(messages[0].content.startsWith(got), messages[0].content);
});
