/** A small agent on npm `openai`: its own loop over tools. Arguments: base URL, prompt, `streamed` or `whole`. */
const { mkdir, writeFile } = require("node:fs/promises");
const { dirname } = require("node:path");
const process = require("node:process");
const { OpenAI } = require("openai");

const [baseURL, prompt, variant] = process.argv.slice(2);
const string = { type: "string" };

async function main() {
  const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
  const runner = client.chat.completions.runTools({
    model: "scripted",
    stream: variant === "streamed",
    messages: [{ role: "user", content: prompt }],
    tools: [{
      type: "function",
      function: {
        name: "write_file",
        description: "Writes a file",
        parameters: {
          type: "object",
          properties: { file_path: string, content: string },
          required: ["file_path", "content"],
        },
        parse: JSON.parse,
        async function({ file_path, content }) {
          await mkdir(dirname(file_path), { recursive: true });
          await writeFile(file_path, content);
          return "written";
        },
      },
    }],
  });
  console.log(await runner.finalContent());
}

main();
