/**
 * A real server without a parser of reasoning, whose template opens the reasoning in the prompt, behind `serve`. What the
 * server shows of its prompt splits the first answer; where it shows nothing, that answer splits the second one. Run by
 * `deno task test:servers`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { readChatAnswer } from "../support/chat_answer.ts";
import { startProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { isInstalled } from "./folder.ts";
import { makeParrot, type Parrot, TEMPLATE, withTemplate } from "./install.ts";
import { REAL_SERVERS, startServer } from "./start.ts";
import { TOOLS } from "./texts.ts";

/** What the template writes before the answer, and what it writes without thinking. */
const OPENED = "<|im_start|>assistant\n<think>\n";
const CLOSED = `${OPENED}\n</think>\n\n`;

const SPLIT = ["I add.", "It is 4."];
const UNSPLIT = ["", "I add.\nIt is 4."];

/** Server → what the client gets of its first and its second streamed answer. */
const SERVERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  vllm: [SPLIT, SPLIT],
  transformers: [UNSPLIT, SPLIT],
};

/** The parrot with a template that opens the reasoning, unless `enable_thinking` is false. */
async function makeThinking(parrot: Parrot): Promise<Parrot> {
  const plain = await Deno.readTextFile(join(parrot.folder, TEMPLATE));
  const opener = "{{- '<|im_start|>assistant\\n' -}}";
  assert(plain.includes(opener), `${basename(parrot.folder)} has another template`);
  const thoughts =
    "{{- '<think>\\n' -}}{%- if enable_thinking is false -%}{{- '\\n</think>\\n\\n' -}}{%- endif -%}";
  return await withTemplate(parrot, plain.replace(opener, opener + thoughts));
}

interface Question {
  readonly model: string;
  readonly prompt: string;
  readonly answer: string;
  readonly isStreamed: boolean;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Asks the parrot for an answer; gives the reasoning and the text. */
async function ask(url: string, { model, prompt, answer, isStreamed, more }: Question): Promise<string[]> {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model,
      messages: [{ role: "user", content: `Go. ${prompt}${answer}<|im_end|>` }],
      stream: isStreamed,
      max_tokens: 100,
      temperature: 0,
      ...more,
    }),
    signal: AbortSignal.timeout(90_000),
  });
  const body = await response.text();
  assert(response.ok, body);
  const { reasoning, content } = readChatAnswer(body, isStreamed);
  return [reasoning, content].map((part) => part.trim());
}

for (const [name, streamed] of Object.entries(SERVERS)) {
  Deno.test({
    name: `${name}, without a parser of reasoning: thoughts that the template opens are reasoning`,
    ignore: !isInstalled(REAL_SERVERS[name]!.environment),
    async fn() {
      const parrot = await makeParrot();
      assert(parrot !== undefined, "the parrot can't be made");
      await using server = await startServer(name, await makeThinking(parrot));
      const folder = await temporaryFolder();
      const upstream = `{ name: local, url: "${server.url}", tools: auto }`;
      await Deno.writeTextFile(join(folder, "dragoman.yaml"), `upstreams: [${upstream}]\n`);
      await using program = startProgram(folder, ["serve", "--port", "0"]);
      const url = await program.until(/http:\S+\/v1(?=\n)/);
      await program.until(/local answers.*/);
      const thought = { model: server.model, prompt: OPENED, answer: "I add.\n</think>\n\nIt is 4." };
      for (const expected of streamed) {
        assert.deepEqual(await ask(url, { ...thought, isStreamed: true }), expected);
      }
      assert.deepEqual(await ask(url, { ...thought, isStreamed: false }), SPLIT);
      assert.deepEqual(await ask(url, { ...thought, isStreamed: true, more: { tools: TOOLS } }), SPLIT);
      // Another switch of the template is another prompt.
      const more = { chat_template_kwargs: { enable_thinking: false } };
      const plain = { model: server.model, prompt: CLOSED, answer: "It is 4.", more };
      for (const isStreamed of [true, false]) {
        assert.deepEqual(await ask(url, { ...plain, isStreamed }), ["", "It is 4."]);
      }
    },
  });
}
