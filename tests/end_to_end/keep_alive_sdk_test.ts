/**
 * The SDKs that agents are built on, while the model server is silent for many beats: before its answer, in the middle of it,
 * and before an error. Each ends with the answer or with the error, and notices nothing of the beats.
 */
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { GoogleGenAI } from "@google/genai";
import { streamText } from "ai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { builtInService } from "../support/built_in.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import { startRawUpstream } from "../support/raw_upstream.ts";

const TEXT = "Done in two parts.";
const chunk = (delta: unknown, finish: string | null) =>
  `data: ${
    JSON.stringify({
      id: "c",
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
  }\n\n`;
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
const parameters = { type: "object", properties: { a: { type: "string" } } } as const;

/** SDK → the text that it reads from a stream; throws where the SDK does. */
const SDKS: Readonly<Record<string, (origin: string) => Promise<string>>> = {
  async "openai, chat completions"(origin) {
    const client = new OpenAI({ baseURL: `${origin}/v1`, apiKey: "k", maxRetries: 0 });
    const tools = [{ type: "function" as const, function: { name: "t", parameters } }];
    const stream = client.chat.completions.stream({
      model: "m",
      messages: [{ role: "user", content: "Hi" }],
      tools,
    });
    return (await stream.finalContent()) ?? "";
  },
  async "openai, responses"(origin) {
    const client = new OpenAI({ baseURL: `${origin}/v1`, apiKey: "k", maxRetries: 0 });
    const stream = client.responses.stream({ model: "m", input: "Hi" });
    const response = await stream.finalResponse();
    // This SDK returns a response that failed.
    if (response.status === "failed") throw new Error(response.error?.message);
    return response.output_text;
  },
  async anthropic(origin) {
    const client = new Anthropic({ baseURL: origin, apiKey: "k", maxRetries: 0 });
    const messages = [{ role: "user" as const, content: "Hi" }];
    return await client.messages.stream({ model: "m", max_tokens: 99, messages }).finalText();
  },
  async "google genai"(origin) {
    const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: origin } });
    let text = "";
    for await (const part of await client.models.generateContentStream({ model: "m", contents: "Hi" })) {
      text += part.text ?? "";
    }
    return text;
  },
  async ollama(origin) {
    const client = new Ollama({ host: origin });
    let text = "";
    const messages = [{ role: "user", content: "Hi" }];
    for await (const part of await client.chat({ model: "m", messages, stream: true })) {
      text += part.message.content;
    }
    return text;
  },
  async "ai, openai-compatible"(origin) {
    const provider = createOpenAICompatible({ name: "d", baseURL: `${origin}/v1` });
    let failure: unknown;
    const { textStream } = streamText({
      model: provider("m"),
      prompt: "Hi",
      maxRetries: 0,
      onError: ({ error }) => void (failure = error),
    });
    let text = "";
    for await (const part of textStream) text += part;
    if (failure !== undefined) throw failure;
    return text;
  },
};

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

for (const [name, ask] of Object.entries(SDKS)) {
  Deno.test({
    name: `${name}: beats before and in an answer, and before an error, change nothing`,
    // The SDKs leave timers and sockets behind.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      let isFailing = false;
      await using upstream = await startRawUpstream(async (request) => {
        if (!request.text.includes("/chat/completions")) return request.end();
        await later(80);
        if (isFailing) {
          const body = '{"error":{"message":"out of memory"}}';
          request.write(
            `HTTP/1.1 500 Internal Server Error\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
          );
          return;
        }
        request.write(HEAD + chunk({ role: "assistant", content: "Done in " }, null));
        await later(80);
        request.write(chunk({ content: "two parts." }, null) + chunk({}, "stop") + "data: [DONE]\n\n");
        request.end();
      });
      const service = await builtInService(testConfig(upstream.url, { limits: { keep_alive_ms: 9 } }));
      await using proxy = await startProxy(service);
      assert.equal(await ask(proxy.origin), TEXT);
      isFailing = true;
      await assert.rejects(
        ask(proxy.origin),
        (cause) => /out of memory/.test(JSON.stringify(cause) + String(cause)),
      );
    },
  });
}
