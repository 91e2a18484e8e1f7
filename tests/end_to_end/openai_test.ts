import assert from "node:assert/strict";
import OpenAI from "openai";
import { builtInService } from "../support/built_in.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import { type Arrived, type Script, startUpstream, USAGE } from "../support/scripted_upstream.ts";
import { BEFORE, FILE_CONTENT, FILE_PATH, PRINTED, WRITE_FILE_SCHEMA } from "../support/written_file.ts";
import { startWireProxy } from "../support/wire_proxy.ts";

const tool = {
  type: "function" as const,
  function: { name: "write_file", description: "Writes a file", parameters: { ...WRITE_FILE_SCHEMA } },
};
const messages = [{ role: "user" as const, content: "Write the file" }];

/** A client that talks to a model through a real proxy with the rules that ship. */
async function connect(script: Script | ((request: Arrived) => Script)) {
  const pair = await startWireProxy(script);
  return {
    upstream: pair.upstream,
    client: new OpenAI({ baseURL: `${pair.origin}/v1`, apiKey: "mine", maxRetries: 0 }),
    [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose](),
  };
}

/** Prints the call first, then a sentence once the tool's result is there. */
function callThenText(printed: string): (request: Arrived) => Script {
  return ({ body }) => {
    const last = JSON.parse(body).messages.at(-1);
    return { text: last.role === "tool" ? `Done: ${last.content}` : printed };
  };
}

function assertArguments(json: string | undefined): void {
  assert.deepEqual(JSON.parse(json ?? ""), { path: FILE_PATH, content: FILE_CONTENT });
}

for (const [dialect, printed] of Object.entries(PRINTED)) {
  Deno.test(`openai: a call in ${dialect} arrives byte-exact through the stream helper`, async () => {
    await using chat = await connect({ text: printed });
    const stream = chat.client.chat.completions.stream({
      model: "m",
      messages,
      tools: [tool],
      stream_options: { include_usage: true },
    });
    const final = await stream.finalChatCompletion();
    const [choice] = final.choices;
    assert.equal(choice?.finish_reason, "tool_calls");
    assert.equal(choice?.message.content?.trimEnd(), BEFORE.trimEnd());
    assert.equal(choice?.message.tool_calls?.length, 1);
    const call = choice?.message.tool_calls?.[0];
    assert.ok(call?.type === "function" && call.id);
    assertArguments(call.function.arguments);
    assert.deepEqual(final.usage, USAGE);
  });

  Deno.test(`openai: a call in ${dialect} arrives byte-exact in a whole answer`, async () => {
    await using chat = await connect({ text: printed });
    const answer = await chat.client.chat.completions.create({ model: "m", messages, tools: [tool] });
    const call = answer.choices[0]?.message.tool_calls?.[0];
    assert.ok(call?.type === "function");
    assertArguments(call.function.arguments);
    assert.equal(answer.choices[0]?.finish_reason, "tool_calls");
    assert.equal(answer.system_fingerprint, "fp_scripted");
  });

  Deno.test(`openai: runTools runs a call in ${dialect}, whole and streamed`, async () => {
    for (const stream of [false, true] as const) {
      await using chat = await connect(callThenText(printed));
      const written: unknown[] = [];
      const runnable = {
        type: "function" as const,
        function: {
          ...tool.function,
          parse: (json: string): object => JSON.parse(json),
          function: (given: object) => {
            written.push(given);
            return "written";
          },
        },
      };
      const request = { model: "m", messages, tools: [runnable] };
      const runner = stream
        ? chat.client.chat.completions.runTools({ ...request, stream: true })
        : chat.client.chat.completions.runTools(request);
      assert.equal(await runner.finalContent(), "Done: written");
      assert.deepEqual(written, [{ path: FILE_PATH, content: FILE_CONTENT }]);
      assert.equal(chat.upstream.requests.length, 2);
    }
  });
}

Deno.test("openai: the choices of an answer are translated apart", async () => {
  await using chat = await connect({ text: [PRINTED["Qwen XML"] ?? "", "Only text with a < b."] });
  const stream = chat.client.chat.completions.stream({ model: "m", messages, tools: [tool], n: 2 });
  const { choices } = await stream.finalChatCompletion();
  assert.deepEqual(choices.map((choice) => choice.finish_reason), ["tool_calls", "stop"]);
  assert.equal(choices[1]?.message.content, "Only text with a < b.");
  const whole = await chat.client.chat.completions.create({ model: "m", messages, tools: [tool], n: 2 });
  assert.deepEqual(whole.choices.map((choice) => choice.message.tool_calls?.length), [1, undefined]);
});

Deno.test("openai: reasoning and unknown fields pass beside a call", async () => {
  const text = PRINTED["Hermes"] ?? "";
  await using chat = await connect({ text, reasoning: "Shall I? <tool_call>", extra: { x_odd: { a: [1] } } });
  let reasoning = "";
  let odd: unknown;
  const stream = await chat.client.chat.completions.create({
    model: "m",
    messages,
    tools: [tool],
    stream: true,
  });
  for await (const chunk of stream) {
    const delta = chunk.choices[0]?.delta as { reasoning_content?: string } | undefined;
    reasoning += delta?.reasoning_content ?? "";
    odd ??= (chunk as { x_odd?: unknown }).x_odd;
  }
  assert.equal(reasoning, "Shall I? <tool_call>");
  assert.deepEqual(odd, { a: [1] });
});

Deno.test("openai: a tool that was not offered stays text, byte for byte", async () => {
  const other = { ...tool, function: { ...tool.function, name: "read_file" } };
  const text = PRINTED["Qwen XML"] ?? "";
  await using chat = await connect({ text });
  const stream = chat.client.chat.completions.stream({ model: "m", messages, tools: [other] });
  const { message, finish_reason } = (await stream.finalChatCompletion()).choices[0] ?? {};
  assert.deepEqual([message?.content, message?.tool_calls, finish_reason], [text, undefined, "stop"]);
});

Deno.test("openai: an answer that was cut off inside a call ends with length", async () => {
  const text = (PRINTED["Qwen XML"] ?? "").slice(0, 200);
  await using chat = await connect({ text, finish: "length" });
  const stream = await chat.client.chat.completions.create({
    model: "m",
    messages,
    tools: [tool],
    stream: true,
  });
  const reasons: string[] = [];
  for await (const chunk of stream) {
    const reason = chunk.choices[0]?.finish_reason;
    if (reason) reasons.push(reason);
  }
  assert.deepEqual(reasons, ["length"]);
});

Deno.test("openai: an unreachable upstream reads as an error that says what to check", async () => {
  const gone = startUpstream({});
  await gone[Symbol.asyncDispose]();
  await using proxy = await startProxy(await builtInService(testConfig(gone.url)));
  const client = new OpenAI({ baseURL: `${proxy.origin}/v1`, apiKey: "mine", maxRetries: 0 });
  const asked = client.chat.completions.create({ model: "m", messages, tools: [tool] });
  await assert.rejects(asked, (error: InstanceType<typeof OpenAI.APIError>) => {
    assert.deepEqual([error.status, error.code], [502, "upstream_unreachable"]);
    assert.match(error.message, /Check that the model server is running/);
    return true;
  });
});

Deno.test("openai: the sample model gives a call that can be executed, in every dialect that is on", async () => {
  await using proxy = await startProxy(await builtInService(testConfig()));
  const client = new OpenAI({ baseURL: `${proxy.origin}/v1`, apiKey: "none", maxRetries: 0 });
  for (const model of ["sample", "sample-qwen-xml", "sample-hermes", "sample-fenced-json"]) {
    const stream = client.chat.completions.stream({ model, messages, tools: [tool] });
    const call = (await stream.finalChatCompletion()).choices[0]?.message.tool_calls?.[0];
    assert.ok(call?.type === "function", model);
    assert.equal(JSON.parse(call.function.arguments).path, "dragoman-sample.txt");
  }
});
