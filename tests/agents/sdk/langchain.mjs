/** A small agent on npm `@langchain/openai`. Arguments: base URL, prompt, `streamed` or `whole`. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";

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

const messages = [new HumanMessage(prompt)];
for (let turn = 0; turn < 3; turn++) {
  const answer = await ask(messages);
  if (answer.invalid_tool_calls?.length) throw new Error(JSON.stringify(answer.invalid_tool_calls));
  if (!answer.tool_calls?.length) {
    console.log(answer.text);
    break;
  }
  messages.push(answer);
  for (const call of answer.tool_calls) messages.push(await writer.invoke(call));
}
