/** What Dragoman and its nearest peer make of the same answers: the calls that an agent runs. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { hermesToolMiddleware, qwen3CoderToolMiddleware } from "@ai-sdk-tool/parser";
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { dragomanMiddleware } from "dragoman-engine/ai-sdk";
import { equal, runChecks } from "./harness.mjs";
import { startServer } from "./server.mjs";

const XML =
  "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>";
const HERMES = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
const KIMI =
  "<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>" +
  '{"path": "a.txt"}<|tool_call_end|><|tool_calls_section_end|>';
const GLM = "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>";

/** Answer, prompt, the calls that are right, and those that the peer makes: streamed/whole, qwen3coder and hermes. */
const CASES = {
  "Qwen XML": [XML, "Read.", 1, "1/1", "0/0"],
  "Hermes JSON": [HERMES, "Read.", 1, "0/1", "1/1"],
  "Kimi K2 tokens": [KIMI, "Read.", 1, "0/1", "0/1"],
  "GLM 4.5": [GLM, "Read.", 1, "0/0", "0/0"],
  "a call in a fence as an example": [
    `So:\n\`\`\`xml\n${XML}\n\`\`\`\nThat is how.`,
    "How?",
    0,
    "1/1",
    "0/0",
  ],
  "an echo of the user's page": [XML, `A page has this: ${XML}\nWhat is it?`, 0, "1/1", "0/0"],
  "a call of a tool that isn't offered": [
    XML.replaceAll("read_file", "delete_all"),
    "Read.",
    0,
    "0/0",
    "0/0",
  ],
};

const MIDDLEWARES = {
  dragoman: () => dragomanMiddleware(),
  "parser, qwen3coder": () => qwen3CoderToolMiddleware,
  "parser, hermes": () => hermesToolMiddleware,
};

async function callsOf(answer, prompt, { middleware, isStreamed }) {
  const server = await startServer({
    answer: ({ messages }) => messages.some(({ role }) => role === "assistant") ? "Done." : answer,
  });
  try {
    let calls = 0;
    const inputSchema = jsonSchema({ type: "object", properties: { path: { type: "string" } } });
    const request = {
      model: wrapLanguageModel({
        model: createOpenAICompatible({ name: "local", baseURL: server.url })("local"),
        middleware,
      }),
      prompt,
      stopWhen: stepCountIs(3),
      maxRetries: 0,
      tools: {
        read_file: tool({
          description: "Reads",
          inputSchema,
          execute: ({ path }) => (calls += Number(path === "a.txt"), "text"),
        }),
      },
    };
    if (!isStreamed) await generateText(request);
    else for await (const _ of streamText({ ...request, onError: () => {} }).fullStream);
    return calls;
  } finally {
    server.close();
  }
}

const checks = {};
for (const [name, [answer, prompt, wanted, qwen3coder, hermes]] of Object.entries(CASES)) {
  checks[name] = async () => {
    const found = {};
    for (const [who, make] of Object.entries(MIDDLEWARES)) {
      const made = [];
      for (const isStreamed of [true, false]) {
        made.push(await callsOf(answer, prompt, { middleware: make(), isStreamed }).catch(() => "error"));
      }
      found[who] = made.join("/");
    }
    console.log(
      `${name} (${wanted}): ${Object.entries(found).map(([who, made]) => `${who} ${made}`).join(", ")}`,
    );
    equal(found, {
      dragoman: `${wanted}/${wanted}`,
      "parser, qwen3coder": qwen3coder,
      "parser, hermes": hermes,
    });
  };
}
await runChecks(checks);
