/**
 * Other models' templates on real servers: each writes calls in its own dialect, one begins in its reasoning. The templates are
 * next to the project; without them, and without the server, the tests are skipped. Run by `deno task test:servers`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { startProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { isInstalled } from "./folder.ts";
import { makeParrot, withTemplate } from "./install.ts";
import { REAL_SERVERS, type RunningServer, startServer } from "./start.ts";
import { type Text, wrongAnswer } from "./texts.ts";

const FOLDER = join(import.meta.dirname!, "../../../shared/llama/templates");

type Arguments = Readonly<Record<string, string | number>>;

/** Writes a call in a model's dialect. */
type WriteCall = (tool: string, args: Arguments) => string;

const json = (field: string): WriteCall => (tool, args) => JSON.stringify({ name: tool, [field]: args });
const items = (args: Arguments, write: (key: string, value: unknown) => string) =>
  Object.entries(args).map(([key, value]) => write(key, value)).join("\n");

const llama = json("parameters");
const hermes: WriteCall = (tool, args) => `<tool_call>\n${json("arguments")(tool, args)}\n</tool_call>`;
const qwen: WriteCall = (tool, args) =>
  `<tool_call>\n<function=${tool}>\n${
    items(args, (key, value) => `<parameter=${key}>\n${value}\n</parameter>`)
  }\n</function>\n</tool_call>`;
const glm: WriteCall = (tool, args) =>
  `<tool_call>${tool}\n${
    items(args, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`)
  }\n</tool_call>`;

const [READ, WRITE] = ["read_file", "write_file"];

/** What a file has → a call that writes it. */
const CONTENTS: Readonly<Record<string, string>> = {
  quotes: `He said "no", it's 'fine'.`,
  lines: "function f() {\n  return { a: [1, 2] };\n}\n\nf();",
  "no ASCII": "Grüße, 世界 🙂",
  HTML: '<div class="a">1 &lt; 2</div>\n',
  "a fence": "# Notes\n\n```js\nlet x = 1;\n```\nEnd.",
  JSON: '{"a": {"b": "c"}}',
  closers: "End with </tool_call>, </parameter> and </arg_value>.",
};

interface Written extends Text {
  /** What the model writes before it, if it isn't the same as before every answer. */
  readonly thoughts?: string;
}

/** Texts in a dialect, of which none is in the matrix of the other tests. */
function textsOf({ write, thoughts }: Model): readonly Written[] {
  const a: Text["calls"][number] = [READ, { path: "a.txt" }];
  const call = write(...a as [string, Arguments]);
  const made = (name: string, tool: string, args: Arguments): Text => ({
    name,
    wrote: write(tool, args),
    text: "",
    calls: [[tool, args]],
  });
  const plain = (name: string, wrote: string): Text => ({ name, wrote, text: wrote, calls: [] });
  const second = write(READ, { path: "b.txt" });
  const quoted = `> ${call.replaceAll("\n", "\n> ")}`;
  return [
    made("a number", READ, { path: "a.txt", limit: -5 }),
    made("a text that is a number", READ, { path: "42" }),
    made("backslashes", READ, { path: "C:\\new\\table.txt" }),
    ...Object.entries({ ...CONTENTS, "a call": `Example:\n${call}\nEnd.` }).map(([name, content]) =>
      made(`a file with ${name}`, WRITE, { path: "a.md", content })
    ),
    {
      name: "two calls and a text",
      wrote: `${call}\nThen:\n${second}`,
      calls: [a, [READ, { path: "b.txt" }]],
    },
    {
      name: "a list and a call",
      wrote: `1. Read\n2. Write\n\n${call}`,
      text: "1. Read\n2. Write",
      calls: [a],
    },
    {
      name: "a fence and a call",
      wrote: `\`\`\`js\nlet x;\n\`\`\`\n\n${call}`,
      text: "```js\nlet x;\n```",
      calls: [a],
    },
    { name: "an unknown tool", wrote: write("launch", { path: "a.txt" }), calls: [] },
    {
      name: "a call in thoughts, and another one",
      thoughts: `${thoughts === undefined ? "<think>\n" : ""}I could ${call} but no.\n</think>\n\n`,
      wrote: second,
      calls: [[READ, { path: "b.txt" }]],
    },
    plain("a call in a fence", `Like this:\n\`\`\`\n${call}\n\`\`\`\nDone.`),
    plain("a call in a quotation", `${quoted}\n\nDone.`),
    plain("marks in a sentence", 'It writes `<tool_call>`, <tool_call> or `{"name": …}`.'),
    plain("an answer in JSON", '{"files": ["a.txt"], "count": 1}'),
    plain("a table", "| a | b |\n|---|---|\n| 1 | <b>2</b> |"),
  ];
}

interface Model {
  readonly write: WriteCall;
  /** What its template puts before an answer: the parrot repeats what follows the last but one of it. */
  readonly opening: string;
  /** What it writes before each answer, in the reasoning that its template opens. */
  readonly thoughts?: string;
}

const MODELS: Readonly<Record<string, Model>> = {
  "meta-llama-Llama-3.1-8B-Instruct.jinja": {
    write: llama,
    opening: "<|start_header_id|>assistant<|end_header_id|>\n\n",
  },
  "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use.jinja": {
    write: hermes,
    opening: "<|im_start|>assistant\n",
  },
  "Qwen3.5-4B.jinja": {
    write: qwen,
    thoughts: "The user wants the file.\n</think>\n\n",
    opening: "<|im_start|>assistant\n<think>\n",
  },
  "GLM-4.6.jinja": { write: glm, opening: "<|assistant|>" },
};

interface Served {
  readonly server: RunningServer;
  /** The fields of each request. */
  readonly more: Readonly<Record<string, unknown>>;
  readonly isRaw: boolean;
}

/** What is wrong about the answers that an agent gets of a model with this template. */
async function wrongTexts({ server, more, isRaw }: Served, model: Model) {
  const { thoughts = "", opening } = model;
  const folder = await temporaryFolder();
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `upstreams: [{ name: local, url: "${server.url}" }]\npolicy: { echo_guard: false }\n`,
  );
  await using program = startProgram(folder, ["serve", "--port", "0"]);
  const url = await program.until(/http:\S+\/v1(?=\n)/);
  assert.match(await program.until(/local answers.*/), isRaw ? /raw mode from the first/ : /begin natively/);
  const wrong: string[] = [];
  for (const given of textsOf(model)) {
    const { wrote, thoughts: own = thoughts } = given;
    const text = { ...given, wrote: `Go. ${opening}${own}${wrote}<|im_end|>` };
    for (const isStreamed of [false, true]) {
      const found = await wrongAnswer(url, { model: server.model, text, isStreamed, more });
      if (found !== undefined) wrong.push(`${given.name}, ${isStreamed ? "streamed" : "whole"}: ${found}`);
    }
  }
  return wrong;
}

for (const name of ["llama.cpp", "vllm", "transformers"]) {
  const { environment, templateFlag, requestTemplatesFlag } = REAL_SERVERS[name]!;
  Deno.test({
    name: `${name} with other models' templates: the agent gets each text as it should`,
    ignore: !isInstalled(environment) || !existsSync(FOLDER),
    async fn(test) {
      const parrot = await makeParrot();
      assert(parrot !== undefined, "the parrot can't be made");
      // A server that takes the template from the request starts once for all of them.
      await using shared = requestTemplatesFlag === undefined
        ? undefined
        : await startServer(name, parrot, [requestTemplatesFlag]);
      for (const [template, model] of Object.entries(MODELS)) {
        const file = join(FOLDER, template);
        await test.step(template, async () => {
          const text = await Deno.readTextFile(file);
          await using own = shared !== undefined
            ? undefined
            : templateFlag !== undefined
            ? await startServer(name, parrot, [templateFlag, file])
            : await startServer(name, await withTemplate(parrot, text));
          const more = shared === undefined ? {} : { chat_template: text };
          const isRaw = shared !== undefined || templateFlag !== undefined;
          assert.deepEqual(await wrongTexts({ server: own ?? shared!, more, isRaw }, model), []);
        });
      }
    },
  });
}
