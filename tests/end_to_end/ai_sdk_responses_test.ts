/**
 * AI SDK on the Responses API as it is by default: it sends the items of earlier answers as references, because OpenAI's
 * servers keep them.
 *
 * @module
 */
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import assert from "node:assert/strict";
import { MemoryTexts } from "../../src/proxy/store/text.ts";
import { builtInService } from "../support/built_in.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";

const STEPS = 3;

/** A model that thinks, writes and reads a file, step after step. */
function answerOf(results: number) {
  if (results === STEPS) return { text: "Done.", reasoning: "That was all." };
  const call = { name: "read_file", arguments: { path: `${results}.txt` } };
  return {
    text: `Step ${results}, "it's" — ok.\n<tool_call>\n${JSON.stringify(call)}\n</tool_call>`,
    reasoning: `Thought ${results}.`,
  };
}

interface Message {
  readonly role: string;
}

/** Replicas with one memory before one model; requests go to one after the other. */
async function connect(replicas = 1) {
  const upstream = startUpstream(({ body }) => {
    const { messages } = JSON.parse(body) as { messages: readonly Message[] };
    return answerOf(messages.filter(({ role }) => role === "tool").length);
  });
  const texts = new MemoryTexts(() => performance.now());
  const service = await builtInService(testConfig(upstream.url));
  const proxies = await Promise.all(Array.from({ length: replicas }, () => startProxy(service, { texts })));
  const sent: string[] = [];
  const provider = createOpenAI({
    baseURL: "http://replicas/v1",
    apiKey: "mine",
    fetch: (input, init) => {
      const { origin } = proxies[sent.length % replicas]!;
      sent.push(String(init?.body));
      return fetch(String(input).replace("http://replicas", origin), init);
    },
  });
  return {
    provider,
    sent,
    /** The conversation as the model got it last, without the random parts of ids. */
    conversation(): string {
      const { messages } = JSON.parse(upstream.requests.at(-1)!.body);
      return JSON.stringify(messages).replace(/call_[0-9a-f]+/g, "call");
    },
    requests: upstream.requests,
    async [Symbol.asyncDispose]() {
      for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

type Chat = Awaited<ReturnType<typeof connect>>;

/** Runs the steps; gives the text at the end. */
async function run(
  { provider }: Chat,
  { isStreamed, model = "m", store }: { isStreamed: boolean; model?: string; store?: boolean },
): Promise<string> {
  const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] } as const;
  const options = {
    model: provider(model),
    prompt: "Read the files",
    tools: {
      read_file: tool({
        inputSchema: jsonSchema<{ path: string }>(schema),
        execute: ({ path }) => Promise.resolve(`content of ${path}`),
      }),
    },
    stopWhen: stepCountIs(STEPS + 2),
    maxRetries: 0,
    ...(store === undefined ? {} : { providerOptions: { openai: { store } } }),
  };
  return isStreamed ? await streamText(options).text : (await generateText(options)).text;
}

for (const isStreamed of [true, false]) {
  const name = isStreamed ? "streamText" : "generateText";
  for (const model of ["m", "gpt-5"]) {
    Deno.test(`ai: ${name} refers to earlier items of ${model}, and the model gets the same conversation as without`, async () => {
      await using chat = await connect();
      assert.equal(await run(chat, { isStreamed, model }), "Done.");
      assert.equal(chat.requests.length, STEPS + 1);
      const references = chat.sent.at(-1)!.match(/"item_reference"/g) ?? [];
      // A thought, a text and a call for each step.
      assert.ok(references.length >= 2 * STEPS, String(references.length));
      const referred = chat.conversation();
      assert.ok(referred.includes("Thought 2."));
      await using plain = await connect();
      assert.equal(await run(plain, { isStreamed, model: "gpt-5", store: false }), "Done.");
      assert.ok(!plain.sent.some((body) => body.includes("item_reference")));
      assert.equal(referred, plain.conversation());
    });
  }

  Deno.test(`ai: ${name} refers to items of another replica's answer`, async () => {
    await using chat = await connect(2);
    assert.equal(await run(chat, { isStreamed }), "Done.");
  });
}
