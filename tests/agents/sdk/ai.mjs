/** A small agent on npm `ai`: its own loop over tools. Arguments: base URL, prompt, `streamed` or `whole`. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const [baseURL, prompt, variant] = process.argv.slice(2);
const provider = createOpenAICompatible({ name: "dragoman", baseURL, apiKey: "none", includeUsage: true });
const answer = (variant === "streamed" ? streamText : generateText)({
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
console.log(await (await answer).text);
