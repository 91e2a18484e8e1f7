import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import assert from "node:assert/strict";
import OpenAI from "openai";
import { hear } from "../support/chunks.ts";
import { type NativeAnswer, QUIRKS, TWO_CALLS } from "../support/native_answers.ts";
import { askChat } from "../support/proxy.ts";
import { FILE_CONTENT, FILE_PATH, WRITE_FILE_SCHEMA } from "../support/written_file.ts";
import { startWireProxy } from "../support/wire_proxy.ts";

const schema = { ...WRITE_FILE_SCHEMA, required: ["path", "content"] };
const offered = { type: "function" as const, function: { name: "write_file", parameters: schema } };
const messages = [{ role: "user" as const, content: "Write the file" }];
const expected = { path: FILE_PATH, content: FILE_CONTENT };

/** A proxy before a server that sends the answer, and a sentence once the tool's result is there. */
async function connect(raw: NativeAnswer) {
  const pair = await startWireProxy(({ body }) => {
    const last = JSON.parse(body).messages.at(-1);
    return last.role === "tool" ? { text: "Done." } : { raw };
  });
  const baseURL = `${pair.origin}/v1`;
  return {
    origin: pair.origin,
    openai: new OpenAI({ baseURL, apiKey: "mine", maxRetries: 0 }),
    model: createOpenAICompatible({ name: "dragoman", baseURL, apiKey: "mine", includeUsage: true })("m"),
    [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose](),
  };
}

type Chat = Awaited<ReturnType<typeof connect>>;

/** SDK → what it wrote. */
const SDKS: Readonly<Record<string, (chat: Chat) => Promise<unknown[]>>> = {
  "openai stream": async ({ openai }) => {
    const stream = openai.chat.completions.stream({ model: "m", messages, tools: [offered] });
    return written((await stream.finalChatCompletion()).choices[0]);
  },
  "openai plain": async ({ openai }) => {
    const answer = await openai.chat.completions.create({ model: "m", messages, tools: [offered] });
    return written(answer.choices[0]);
  },
  "openai runTools": ({ openai }) => runTools(openai, false),
  "openai runTools stream": ({ openai }) => runTools(openai, true),
  "ai streamText": async ({ model }) => {
    const given: unknown[] = [];
    const result = streamText({ model, ...aiRequest(given) });
    assert.match(await result.text, /Done\.$/);
    return given;
  },
  "ai generateText": async ({ model }) => {
    const given: unknown[] = [];
    const result = await generateText({ model, ...aiRequest(given) });
    assert.match(result.text, /Done\.$/);
    return given;
  },
};

function written(choice: OpenAI.Chat.ChatCompletion.Choice | undefined): unknown[] {
  assert.equal(choice?.finish_reason, "tool_calls");
  return (choice.message.tool_calls ?? []).map((call) => {
    assert.ok(call.type === "function" && call.id !== "");
    return JSON.parse(call.function.arguments);
  });
}

async function runTools(openai: OpenAI, isStreamed: boolean): Promise<unknown[]> {
  const given: unknown[] = [];
  const runnable = {
    type: "function" as const,
    function: {
      name: "write_file",
      description: "Writes a file",
      parameters: schema,
      parse: (json: string): object => JSON.parse(json),
      function: (input: object) => {
        given.push(input);
        return "written";
      },
    },
  };
  const request = { model: "m", messages, tools: [runnable] };
  const runner = isStreamed
    ? openai.chat.completions.runTools({ ...request, stream: true })
    : openai.chat.completions.runTools(request);
  assert.equal(await runner.finalContent(), "Done.");
  return given;
}

function aiRequest(given: unknown[]) {
  const write_file = tool({
    inputSchema: jsonSchema<typeof expected>(schema),
    execute: (input) => {
      given.push(input);
      return Promise.resolve("written");
    },
  });
  return { prompt: "Write the file", tools: { write_file }, stopWhen: stepCountIs(3), maxRetries: 0 };
}

/** Two calls, as odd servers tell them apart. */
for (const [quirk, raw] of Object.entries(TWO_CALLS)) {
  Deno.test(`native quirk, two calls, ${quirk}: every SDK writes both files`, async (test) => {
    await using chat = await connect(raw);
    for (const [sdk, ask] of Object.entries(SDKS)) {
      await test.step(
        sdk,
        async () => assert.deepEqual(await ask(chat), [expected, { path: "b", content: "b" }]),
      );
    }
  });
}

for (const [quirk, raw] of Object.entries(QUIRKS)) {
  Deno.test(`native quirk, ${quirk}: the file is byte-exact in every SDK`, async (test) => {
    await using chat = await connect(raw);
    for (const [sdk, ask] of Object.entries(SDKS)) {
      await test.step(sdk, async () => assert.deepEqual(await ask(chat), [expected]));
    }
  });

  Deno.test(`native quirk, ${quirk}: the stream has the one shape that every client reads`, async () => {
    await using chat = await connect(raw);
    const response = await askChat(chat.origin, { body: { tools: [offered], stream: true } });
    const { choices: [choice], chunks, isDone } = hear(await response.text());
    assert.deepEqual([choice?.finishReasons, isDone, choice?.calls.length], [["tool_calls"], true, 1]);
    const deltas = chunks.flatMap((chunk) => chunk.choices.map(({ delta }) => delta ?? {}));
    const pieces = deltas.flatMap((delta) => delta.tool_calls ?? []);
    assert.ok(deltas.findIndex((delta) => delta.role) <= deltas.findIndex((delta) => delta.tool_calls));
    const [first, ...rest] = pieces;
    assert.ok(first?.id && first.function?.name === "write_file" && first.type === "function");
    assert.ok(pieces.every((piece) => piece.index === 0 && piece.function?.arguments?.isWellFormed()));
    assert.ok(rest.every((piece) => piece.id == null && piece.function?.name === undefined));
    assert.ok(deltas.every((delta) => !("function_call" in delta) && delta.tool_calls?.length !== 0));
  });
}
