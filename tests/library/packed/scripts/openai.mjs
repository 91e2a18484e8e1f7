import OpenAI from "openai";
import { dragomanFetch } from "dragoman-engine/fetch";
import { equal, runChecks } from "./harness.mjs";
import { PATHS, startServer } from "./server.mjs";

const PARAMETERS = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const messages = [{ role: "user", content: "Read all." }];

async function withClient(options, run) {
  const server = await startServer();
  const client = new OpenAI({
    baseURL: server.url,
    apiKey: "none",
    maxRetries: 0,
    fetch: dragomanFetch(options),
  });
  try {
    return await run(client, server);
  } finally {
    server.close();
  }
}

/** Lets the SDK run the tools, and gives the paths that were read. */
async function runTools(client, stream) {
  const read = [];
  const tool = {
    name: "read_file",
    description: "Reads",
    parameters: PARAMETERS,
    parse: JSON.parse,
    function: ({ path }) => (read.push(path), `text of ${path}`),
  };
  const runner = client.chat.completions.runTools({
    model: "local",
    stream,
    messages,
    tools: [{ type: "function", function: tool }],
  });
  equal(await runner.finalContent(), "All is read.");
  return read;
}

const tools = [{ type: "function", function: { name: "read_file", parameters: PARAMETERS } }];

await runChecks({
  "runTools whole": () => withClient({}, async (client) => equal(await runTools(client, false), PATHS)),
  "runTools streamed": () => withClient({}, async (client) => equal(await runTools(client, true), PATHS)),
  "runTools prompted: the server sees neither tools nor messages of a tool": () =>
    withClient({ prompt: true }, async (client, { seen }) => {
      equal(await runTools(client, true), PATHS);
      equal(seen.some(({ tools }) => tools !== undefined), false);
      equal(seen.flatMap(({ messages }) => messages).some(({ role }) => role === "tool"), false);
    }),
  "stream() with usage": () =>
    withClient({}, async (client) => {
      const stream = client.chat.completions.stream({
        model: "local",
        messages,
        tools,
        stream_options: { include_usage: true },
      });
      const { choices: [choice], usage } = await stream.finalChatCompletion();
      equal([choice.finish_reason, choice.message.tool_calls[0].function.arguments], [
        "tool_calls",
        '{"path":"a.txt"}',
      ]);
      equal(usage.total_tokens, 7);
    }),
  "withResponse and the list of models": () =>
    withClient({}, async (client) => {
      const { data, response } = await client.chat.completions.create({ model: "local", messages, tools })
        .withResponse();
      equal([response.status, data.choices[0].finish_reason], [200, "tool_calls"]);
      equal((await client.models.list()).data[0].id, "local");
    }),
  "abort": () =>
    withClient({}, async (client) => {
      const stream = await client.chat.completions.create({ model: "slow", messages, tools, stream: true });
      let chunks = 0;
      for await (const _ of stream) if (++chunks === 3) stream.controller.abort();
      equal(chunks, 3);
    }),
  "without tools nothing changes": () =>
    withClient({}, async (client) => {
      const { choices: [{ message }] } = await client.chat.completions.create({ model: "local", messages });
      equal(message.content.includes("<tool_call>"), true);
    }),
  "the Responses API, whole and streamed": () =>
    withClient({}, async (client) => {
      const request = {
        model: "local",
        input: "Read all.",
        tools: [{ type: "function", name: "read_file", parameters: PARAMETERS, strict: false }],
      };
      const whole = await client.responses.create(request);
      equal(whole.output.map(({ type }) => type), ["message", "function_call"]);
      const stream = client.responses.stream(request);
      const { output } = await stream.finalResponse();
      equal(output.at(-1).arguments, '{"path":"a.txt"}');
    }),
});
