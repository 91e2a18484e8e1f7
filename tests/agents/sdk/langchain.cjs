/** A small agent on npm `@langchain/openai`. Arguments: base URL, prompt, `streamed` or `whole`. */
const { mkdir, writeFile } = require("node:fs/promises");
const { dirname } = require("node:path");
const process = require("node:process");
const { HumanMessage } = require("@langchain/core/messages");
const { tool } = require("@langchain/core/tools");
const { ChatOpenAI } = require("@langchain/openai");

const [baseURL, prompt, variant] = process.argv.slice(2);
const string = { type: "string" };

const writer = tool(
  async ({ path, content }) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return "written";
  },
  {
    name: "write_file",
    description: "Writes a file",
    schema: { type: "object", properties: { path: string, content: string }, required: ["path", "content"] },
  },
);

const model = new ChatOpenAI({
  model: "scripted",
  apiKey: "none",
  maxRetries: 0,
  useResponsesApi: false,
  configuration: { baseURL },
}).bindTools([writer]);

async function ask(messages) {
  if (variant === "whole") return await model.invoke(messages);
  let answer;
  for await (const chunk of await model.stream(messages)) answer = answer?.concat(chunk) ?? chunk;
  return answer;
}

async function main() {
  const messages = [new HumanMessage(prompt)];
  for (;;) {
    const answer = await ask(messages);
    // LangChain hides a call that it cannot read: the agent would go on as if there were none.
    if (answer.invalid_tool_calls?.length) throw new Error(JSON.stringify(answer.invalid_tool_calls));
    if (!answer.tool_calls?.length) return console.log(answer.text);
    messages.push(answer);
    for (const call of answer.tool_calls) messages.push(await writer.invoke(call));
  }
}

main();
