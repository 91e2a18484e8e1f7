import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createGroq } from "@ai-sdk/groq";
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { dragomanMiddleware } from "dragoman-engine/ai-sdk";
import { dragomanFetch } from "dragoman-engine/fetch";
import { equal, runChecks } from "./harness.mjs";
import { PATHS, startServer } from "./server.mjs";

const inputSchema = jsonSchema({
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
});

/** Provider → its model at a URL, by the middleware. */
const PROVIDERS = {
  "openai-compatible": (baseURL, more) =>
    createOpenAICompatible({ name: "local", baseURL, ...more })("local"),
  "openai, chat": (baseURL, more) => createOpenAI({ baseURL, apiKey: "none", ...more }).chat("local"),
  groq: (baseURL, more) => createGroq({ baseURL, apiKey: "none", ...more })("local"),
};

/** Providers whose API only the fetch reads. */
const FETCHED = {
  ...PROVIDERS,
  "openai, responses": (baseURL, more) =>
    createOpenAI({ baseURL, apiKey: "none", ...more }).responses("local"),
};

async function withServer(run, options) {
  const server = await startServer(options);
  try {
    return await run(server);
  } finally {
    server.close();
  }
}

function request(model, execute) {
  return {
    model,
    prompt: "Read all.",
    stopWhen: stepCountIs(5),
    maxRetries: 0,
    tools: { read_file: tool({ description: "Reads", inputSchema, execute }) },
  };
}

/** All steps, streamed or whole: what was read, the text, and the parts. */
async function ask(model, isStreamed, execute) {
  const read = [];
  const asked = request(model, execute ?? (({ path }) => (read.push(path), `text of ${path}`)));
  if (!isStreamed) {
    const { text, steps } = await generateText(asked);
    return { read, text, reasons: steps.map(({ finishReason }) => finishReason), parts: [] };
  }
  const parts = [];
  const result = streamText({ ...asked, onError: () => {} });
  for await (const part of result.fullStream) parts.push(part);
  return {
    read,
    text: await result.text,
    reasons: (await result.steps).map(({ finishReason }) => finishReason),
    parts,
  };
}

const checks = {};
for (const isStreamed of [true, false]) {
  const how = isStreamed ? "streamText" : "generateText";
  for (const [name, make] of Object.entries(PROVIDERS)) {
    for (const prompt of [false, true]) {
      checks[`middleware, ${name}, ${how}${prompt ? ", prompted" : ""}: three steps`] = () =>
        withServer(async ({ url, seen }) => {
          const model = wrapLanguageModel({ model: make(url), middleware: dragomanMiddleware({ prompt }) });
          const { read, text, reasons, parts } = await ask(model, isStreamed);
          equal([read, text, reasons], [PATHS, "All is read.", ["tool-calls", "tool-calls", "stop"]]);
          equal(
            parts.filter(({ type }) => type === "text-start").length,
            parts.filter(({ type }) => type === "text-end").length,
          );
          equal(seen.some(({ tools }) => tools !== undefined), !prompt);
        });
    }
  }
  for (const [name, make] of Object.entries(FETCHED)) {
    checks[`fetch, ${name}, ${how}: three steps`] = () =>
      withServer(async ({ url }) => {
        const { read, text } = await ask(make(url, { fetch: dragomanFetch() }), isStreamed);
        equal([read, text], [PATHS, "All is read."]);
      });
  }
  checks[`middleware, ${how}: a tool that throws`] = () =>
    withServer(async ({ url, seen }) => {
      const model = wrapLanguageModel({
        model: PROVIDERS["openai-compatible"](url),
        middleware: dragomanMiddleware(),
      });
      await ask(model, isStreamed, () => {
        throw new Error("no such file");
      });
      equal(JSON.stringify(seen.at(-1).messages).includes("no such file"), true);
    });
  checks[`middleware, ${how}: a tool that is not offered and an example stay text; a cut call is not made`] =
    async () => {
      const call =
        "<tool_call>\n<function=NAME>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>";
      const own = call.replace("NAME", "read_file");
      const texts = [call.replace("NAME", "delete_all"), `An example:\n\`\`\`\n${own}\n\`\`\`\nThat is all.`];
      for (const answer of texts) {
        await withServer(async ({ url }) => {
          const model = wrapLanguageModel({
            model: PROVIDERS["openai-compatible"](url),
            middleware: dragomanMiddleware(),
          });
          const { read, text } = await ask(model, isStreamed);
          equal([read, text], [[], answer]);
        }, { answer: () => answer });
      }
      await withServer(async ({ url }) => {
        const model = wrapLanguageModel({
          model: PROVIDERS["openai-compatible"](url),
          middleware: dragomanMiddleware(),
        });
        const { read, text, reasons } = await ask(model, isStreamed);
        equal([read, text, reasons], isStreamed ? [[], "", ["length"]] : [[], own.slice(0, 50), ["stop"]]);
      }, { answer: () => own.slice(0, 50) });
    };
}

await runChecks(checks);
