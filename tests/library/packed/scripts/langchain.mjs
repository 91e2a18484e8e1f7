import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { dragomanFetch } from "dragoman-engine/fetch";
import { equal, runChecks } from "./harness.mjs";
import { PATHS, startServer } from "./server.mjs";

const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const tools = [{ type: "function", function: { name: "read_file", description: "Reads", parameters } }];

async function loop({ isStreamed = false, ...options }) {
  const { url, close } = await startServer();
  try {
    const model = new ChatOpenAI({
      model: "local",
      apiKey: "none",
      maxRetries: 0,
      configuration: { baseURL: url, fetch: dragomanFetch() },
      ...options,
    }).bindTools(tools);
    const messages = [new HumanMessage("Read all.")];
    const read = [];
    for (let step = 0; step < 5; step++) {
      let answer;
      if (isStreamed) {
        for await (const chunk of await model.stream(messages)) {
          answer = answer === undefined ? chunk : answer.concat(chunk);
        }
      } else answer = await model.invoke(messages);
      messages.push(answer);
      if (answer.tool_calls.length === 0) return { read, text: answer.text ?? answer.content };
      for (const { id, name, args } of answer.tool_calls) {
        equal(name, "read_file");
        read.push(args.path);
        messages.push(new ToolMessage({ tool_call_id: id, content: `text of ${args.path}` }));
      }
    }
    throw new Error("no end");
  } finally {
    close();
  }
}

const expected = { read: PATHS, text: "All is read." };
await runChecks({
  "a loop with bindTools": async () => equal(await loop({}), expected),
  "a loop that streams": async () => equal(await loop({ isStreamed: true }), expected),
  "a loop by the Responses API": async () => equal(await loop({ useResponsesApi: true }), expected),
});
