/** A small agent on npm `ai`: its own loop over tools. Arguments: base URL, prompt, `streamed` or `whole`. */
const { mkdir, writeFile } = require("node:fs/promises");
const { dirname } = require("node:path");
const process = require("node:process");
const { createOpenAICompatible } = require("@ai-sdk/openai-compatible");
const { generateText, stepCountIs, streamText, tool } = require("ai");
const { z } = require("zod");

const [baseURL, prompt, variant] = process.argv.slice(2);

async function main() {
  const provider = createOpenAICompatible({ name: "dragoman", baseURL, apiKey: "none", includeUsage: true });
  const answer = await (variant === "streamed" ? streamText : generateText)({
    model: provider("scripted"),
    prompt,
    maxRetries: 0,
    stopWhen: stepCountIs(3),
    tools: {
      write_file: tool({
        description: "Writes a file",
        inputSchema: z.object({ filePath: z.string(), content: z.string() }),
        async execute({ filePath, content }) {
          await mkdir(dirname(filePath), { recursive: true });
          await writeFile(filePath, content);
          return "written";
        },
      }),
    },
  });
  console.log(await answer.text);
}

main();
