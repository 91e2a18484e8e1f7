/**
 * Thoughts that a model prints in its text arrive as reasoning in the SDK of every wire and in the AI SDK, streamed and whole,
 * with tools and without.
 *
 * @module
 */
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { generateText, jsonSchema, type LanguageModel, streamText, tool } from "ai";
import assert from "node:assert/strict";
import OpenAI from "openai";
import { ollamaClient } from "../support/ollama_client.ts";
import { startWireProxy } from "../support/wire_proxy.ts";

/** What a program gets of an answer. */
type Got = readonly [reasoning: string, text: string];

interface Asked {
  readonly isStreamed: boolean;
  readonly hasTools: boolean;
}

const name = "look_up";
const description = "Looks up";
const schema = { type: "object" as const, properties: { word: { type: "string" } } };
const prompt = "What is 2 + 2?";
const messages = [{ role: "user" as const, content: prompt }];

/** SDK → what its program gets. */
const SDKS: Readonly<Record<string, (origin: string, asked: Asked) => Promise<Got>>> = {
  async openai(origin, { isStreamed, hasTools }) {
    const { chat: { completions: api } } = openai(origin);
    const offered = { type: "function" as const, function: { name, parameters: schema } };
    const question = { model: "m", messages, ...hasTools ? { tools: [offered] } : {} };
    const parts: readonly object[] = isStreamed
      ? (await Array.fromAsync(await api.create({ ...question, stream: true })))
        .map(({ choices: [choice] }) => choice?.delta ?? {})
      : [(await api.create(question)).choices[0]!.message];
    return [joined(parts, "reasoning_content"), joined(parts, "content")];
  },
  async "openai, responses"(origin, { isStreamed, hasTools }) {
    const { responses: api } = openai(origin);
    const offered = { type: "function" as const, name, strict: false, parameters: schema };
    const question = { model: "m", input: prompt, ...hasTools ? { tools: [offered] } : {} };
    const answer = isStreamed ? await api.stream(question).finalResponse() : await api.create(question);
    const thoughts = answer.output.flatMap((item) => item.type === "reasoning" ? item.summary : []);
    return [joined(thoughts, "text"), answer.output_text];
  },
  async anthropic(baseURL, { isStreamed, hasTools }) {
    const { messages: api } = new Anthropic({ baseURL, apiKey: "mine", maxRetries: 0 });
    const offered = [{ name, input_schema: schema }];
    const question = { model: "m", max_tokens: 1000, messages, ...hasTools ? { tools: offered } : {} };
    const { content } = isStreamed ? await api.stream(question).finalMessage() : await api.create(question);
    return [joined(content, "thinking"), joined(content, "text")];
  },
  async ollama(host, { isStreamed, hasTools }) {
    const api = ollamaClient(host);
    const offered = [{ type: "function", function: { name, description, parameters: schema } }];
    const question = { model: "m", messages, ...hasTools ? { tools: offered } : {} };
    const parts = isStreamed
      ? await Array.fromAsync(await api.chat({ ...question, stream: true }))
      : [await api.chat(question)];
    const made = parts.map(({ message }) => message);
    return [joined(made, "thinking"), joined(made, "content")];
  },
  async "google genai"(baseUrl, { isStreamed, hasTools }) {
    const { models: api } = new GoogleGenAI({ apiKey: "mine", httpOptions: { baseUrl } });
    const config = { tools: [{ functionDeclarations: [{ name, parametersJsonSchema: schema }] }] };
    const question = { model: "m", contents: prompt, ...hasTools ? { config } : {} };
    const chunks = isStreamed
      ? await Array.fromAsync(await api.generateContentStream(question))
      : [await api.generateContent(question)];
    const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
    const those = (isThought: boolean) => parts.filter(({ thought = false }) => thought === isThought);
    return [joined(those(true), "text"), joined(those(false), "text")];
  },
  "ai sdk": (origin, asked) => askAiSdk(compatible(origin)("m"), asked),
  "ai sdk, responses": (origin, asked) =>
    askAiSdk(createOpenAI({ baseURL: `${origin}/v1`, apiKey: "mine" })("m"), asked),
};

function openai(origin: string): OpenAI {
  return new OpenAI({ baseURL: `${origin}/v1`, apiKey: "mine", maxRetries: 0 });
}

function compatible(origin: string) {
  return createOpenAICompatible({ name: "dragoman", baseURL: `${origin}/v1`, apiKey: "mine" });
}

async function askAiSdk(model: LanguageModel, { isStreamed, hasTools }: Asked): Promise<Got> {
  const offered = tool({
    description,
    inputSchema: jsonSchema<{ word?: string }>(schema),
    execute: () => Promise.resolve("a word"),
  });
  const question = { model, prompt, maxRetries: 0 };
  const tools = { [name]: offered };
  const answer = hasTools
    ? isStreamed ? streamText({ ...question, tools }) : await generateText({ ...question, tools })
    : isStreamed
    ? streamText(question)
    : await generateText(question);
  return [await answer.reasoningText ?? "", await answer.text];
}

/** The texts of one field, joined. */
function joined(parts: readonly object[], field: string): string {
  return parts.map((part) => Reflect.get(part, field) ?? "").join("");
}

/** What the model prints, and whether its prompt is known to open the thoughts. */
const ANSWERS = [
  { printed: "<think>\nTwo and two.\n</think>\n\nIt is 4.", begins: false },
  { printed: "Two and two.\n</think>\n\nIt is 4.", begins: true },
];

Deno.test(
  "thoughts arrive as reasoning in every SDK, streamed and whole, with tools and without",
  async () => {
    for (const { printed, begins } of ANSWERS) {
      await using proxy = await startWireProxy({ text: printed }, {
        settings: { begins_in_reasoning: begins },
      });
      for (const [sdk, ask] of Object.entries(SDKS)) {
        for (const isStreamed of [true, false]) {
          for (const hasTools of [true, false]) {
            const asked = { isStreamed, hasTools };
            const about = JSON.stringify({ sdk, begins, ...asked });
            assert.deepEqual(await ask(proxy.origin, asked), ["Two and two.", "It is 4."], about);
          }
        }
      }
    }
  },
);
