import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import assert from "node:assert/strict";
import { USAGE } from "../support/scripted_upstream.ts";
import { FILE_CONTENT, FILE_PATH, PRINTED, WRITE_FILE_SCHEMA } from "../support/written_file.ts";
import { startWireProxy } from "../support/wire_proxy.ts";

/** A model behind a real proxy: it prints a call, and a sentence once the tool's result is there. */
async function connect(printed: string) {
  const pair = await startWireProxy(({ body }) => {
    const last = JSON.parse(body).messages.at(-1);
    return { text: last.role === "tool" ? "Done." : printed };
  });
  const provider = createOpenAICompatible({
    name: "dragoman",
    baseURL: `${pair.origin}/v1`,
    apiKey: "mine",
    includeUsage: true,
  });
  return {
    model: provider("m"),
    [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose](),
  };
}

function writeFile(written: unknown[]) {
  return tool({
    description: "Writes a file",
    inputSchema: jsonSchema<{ path: string; content: string }>({
      ...WRITE_FILE_SCHEMA,
      required: ["path", "content"],
    }),
    execute: (given) => {
      written.push(given);
      return Promise.resolve("written");
    },
  });
}

for (const [dialect, printed] of Object.entries(PRINTED)) {
  Deno.test(`ai: streamText runs a call in ${dialect} byte-exact`, async () => {
    await using chat = await connect(printed);
    const written: unknown[] = [];
    const result = streamText({
      model: chat.model,
      prompt: "Write the file",
      tools: { write_file: writeFile(written) },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    assert.equal(await result.text, "Done.");
    assert.deepEqual(written, [{ path: FILE_PATH, content: FILE_CONTENT }]);
    const steps = await result.steps;
    assert.deepEqual(steps.map((step) => step.finishReason), ["tool-calls", "stop"]);
    assert.equal(steps[0]?.usage.totalTokens, USAGE.total_tokens);
  });

  Deno.test(`ai: generateText runs a call in ${dialect} byte-exact`, async () => {
    await using chat = await connect(printed);
    const written: unknown[] = [];
    const result = await generateText({
      model: chat.model,
      prompt: "Write the file",
      tools: { write_file: writeFile(written) },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    assert.equal(result.text, "Done.");
    assert.deepEqual(written, [{ path: FILE_PATH, content: FILE_CONTENT }]);
    assert.equal(result.steps[0]?.finishReason, "tool-calls");
  });
}
