/**
 * Other models' templates on a real vLLM: each writes calls in its own dialect, one begins in its reasoning. The templates are next
 * to the project; without them, and without the server, the tests are skipped. Run by `deno task test:servers`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { startProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { isInstalled } from "./folder.ts";
import { makeParrot } from "./install.ts";
import { type RunningServer, startVllmWith } from "./start.ts";
import { type Text, TOOLS, wrongAnswer } from "./texts.ts";

const FOLDER = join(import.meta.dirname!, "../../../shared/llama/templates");

const A: Text["calls"][number] = ["read_file", { path: "a.txt" }];
const B: Text["calls"][number] = ["read_file", { path: "b.txt" }];
const FIVE: Text["calls"][number] = ["read_file", { path: "a.txt", limit: 5 }];

const json = (field: string, args: unknown) => JSON.stringify({ name: "read_file", [field]: args });
const hermes = (args: unknown) => `<tool_call>\n${json("arguments", args)}\n</tool_call>`;
const items = (args: Readonly<Record<string, unknown>>, write: (key: string, value: unknown) => string) =>
  Object.entries(args).map(([key, value]) => write(key, value)).join("\n");
const qwen = (args: Readonly<Record<string, unknown>>) =>
  `<tool_call>\n<function=read_file>\n${
    items(args, (key, value) => `<parameter=${key}>\n${value}\n</parameter>`)
  }\n</function>\n</tool_call>`;
const glm = (args: Readonly<Record<string, unknown>>) =>
  `<tool_call>read_file\n${
    items(args, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`)
  }\n</tool_call>`;
const a = { path: "a.txt" };

/** Five texts of a dialect: a call, two, a number, a call after a text, and one that is only shown. */
const texts = (write: (args: { path: string; limit?: number }) => string, thoughts = ""): readonly Text[] => [
  { name: "a call", wrote: thoughts + write(a), text: "", calls: [A] },
  {
    name: "two calls",
    wrote: `${thoughts}${write(a)}\n${write({ path: "b.txt" })}`,
    text: "",
    calls: [A, B],
  },
  { name: "a number", wrote: thoughts + write({ ...a, limit: 5 }), text: "", calls: [FIVE] },
  { name: "a text and a call", wrote: `${thoughts}I look.\n${write(a)}`, text: "I look.", calls: [A] },
  {
    name: "a fence",
    wrote: `${thoughts}Like this:\n\`\`\`\n${write(a)}\n\`\`\`\nDone.`,
    text: `Like this:\n\`\`\`\n${write(a)}\n\`\`\`\nDone.`,
    calls: [],
  },
];

const llama = (args: unknown) => json("parameters", args);

/** Template → texts in its dialect, of which none is in the matrix of the other tests. */
const TEMPLATES: Readonly<Record<string, readonly Text[]>> = {
  "meta-llama-Llama-3.1-8B-Instruct.jinja": [
    ...texts(llama).filter(({ name }) => name !== "two calls"),
    {
      name: "braces",
      wrote: "{x} is a set, and {} is empty.",
      text: "{x} is a set, and {} is empty.",
      calls: [],
    },
  ],
  "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use.jinja": texts(hermes),
  "Qwen3.5-4B.jinja": texts(qwen, "The user wants the file.\n</think>\n\n"),
  "GLM-4.6.jinja": texts(glm),
};

for (const [template, all] of Object.entries(TEMPLATES)) {
  const file = join(FOLDER, template);
  Deno.test({
    name: `vllm with the template ${template}: the agent gets each of ${all.length} texts as it should`,
    ignore: !isInstalled("vllm") || !existsSync(file),
    async fn() {
      const parrot = await makeParrot();
      assert(parrot !== undefined, "the parrot can't be made");
      await using server = await startVllmWith(file, parrot);
      const folder = await temporaryFolder();
      await Deno.writeTextFile(
        join(folder, "dragoman.yaml"),
        `upstreams: [{ name: local, url: "${server.url}" }]\npolicy: { echo_guard: false }\n`,
      );
      await using program = startProgram(folder, ["serve", "--port", "0"]);
      const url = await program.until(/http:\S+\/v1(?=\n)/);
      assert.match(await program.until(/local answers.*/), /read raw/);
      const opening = await openingOf(server);
      const wrong: string[] = [];
      for (const given of all) {
        const text = { ...given, wrote: `Go. ${opening}${given.wrote}<|im_end|>` };
        for (const isStreamed of [false, true]) {
          const found = await wrongAnswer(url, { model: server.model, text, isStreamed });
          if (found !== undefined) {
            wrong.push(`${given.name}, ${isStreamed ? "streamed" : "whole"}: ${found}`);
          }
        }
      }
      assert.deepEqual(wrong, []);
    },
  });
}

/** What the template puts before an answer: the model repeats what follows the last but one of it. */
async function openingOf({ origin, model }: RunningServer): Promise<string> {
  const ask = async (path: string, body: unknown) => {
    const response = await fetch(origin + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return await response.json();
  };
  const tokensOf = async (isOpened: boolean): Promise<number[]> => {
    const messages = [{ role: "user", content: "Go." }];
    return (await ask("/tokenize", { model, messages, tools: TOOLS, add_generation_prompt: isOpened }))
      .tokens;
  };
  const before = await tokensOf(false);
  const tokens = (await tokensOf(true)).slice(before.length);
  return (await ask("/detokenize", { model, tokens })).prompt;
}
