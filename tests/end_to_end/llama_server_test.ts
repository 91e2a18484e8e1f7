/**
 * Answers of a real server whose own parser can't read them: they arrive with `tools: auto` and `tools: raw`, on the chat route
 * and on another wire, streamed and whole.
 *
 * @module
 */
import assert from "node:assert/strict";
import { recognizeServer } from "../../src/proxy/upstream/recognize_server.ts";
import { upstreamSchema } from "../../src/proxy/config/schema.ts";
import { builtInService } from "../support/built_in.ts";
import { readChatAnswer } from "../support/chat_answer.ts";
import { IS_SKIPPED, MISSING, startLlama } from "../support/llama_server.ts";
import { startProxy, testConfig } from "../support/proxy.ts";

if (MISSING !== undefined) console.log(MISSING);

const TEMPLATE = "meta-llama-Llama-3.1-8B-Instruct.jinja";
const OPENER = "<|start_header_id|>assistant<|end_header_id|>\n\n";
const END = "<|eot_id|>";
const PARAMETERS = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const TOOLS = [{ type: "function", function: { name: "read_file", parameters: PARAMETERS } }];
const CALL = '{"name": "read_file", "parameters": {"path": "a.txt"}}';

/** An answer, and what the client gets: its text and the paths of its calls. */
interface Answer {
  readonly wrote: string;
  readonly text: string;
  readonly paths?: readonly string[];
  /** Whether the rule abstains: bare JSON counts only at the end of an answer. The client then gets the whole text. */
  readonly isAbstained?: boolean;
}

const text = (wrote: string): Answer => ({ wrote, text: wrote });

const ANSWERS: Readonly<Record<string, Answer>> = {
  "a fence of JSON at the end": text('Here it is:\n```json\n{"a": 1}\n```'),
  "a fence of JSON alone": text('```json\n{"a": 1}\n```'),
  "a fence with text after it": text('Look:\n```json\n{"a": 1}\n```\nThat is all.'),
  "braces at the start": text("{x} is the set."),
  "an object at the start": text('{"a": 1} is what I found.'),
  "an unknown tool": text('{"name": "nope", "parameters": {"path": "a.txt"}}'),
  "a call": { wrote: CALL, text: "", paths: ["a.txt"] },
  "text before a call": text("I look."),
  "a list": text('["a", "b"] are two.'),
  "text after a call": { wrote: `${CALL}\nDone.`, text: "Done.", paths: ["a.txt"], isAbstained: true },
  "a line after a call": {
    wrote: `${CALL}\n\nI wait for the result.`,
    text: "I wait for the result.",
    paths: ["a.txt"],
    isAbstained: true,
  },
  "text around a call": {
    wrote: `I look.\n${CALL}\nDone.`,
    text: "I look.\nDone.",
    paths: ["a.txt"],
    isAbstained: true,
  },
  "a mention": text("The call would be <tool_call> or so."),
};

type Got = { text: string; paths: string[]; error: unknown };

const WIRES = {
  chat: {
    path: "/v1/chat/completions",
    body: (content: string) => ({ messages: [{ role: "user", content }], tools: TOOLS, max_tokens: 300 }),
    read(body: string, isStreamed: boolean): Got {
      const answer = readChatAnswer(body, isStreamed);
      const paths = answer.calls.map(({ json }) => JSON.parse(json).path);
      return { text: answer.content, paths, error: answer.error };
    },
  },
  messages: {
    path: "/v1/messages",
    body: (content: string) => ({
      messages: [{ role: "user", content }],
      tools: [{ name: "read_file", input_schema: PARAMETERS }],
      max_tokens: 300,
    }),
    read(body: string, isStreamed: boolean): Got {
      const got: Got = { text: "", paths: [], error: undefined };
      if (!isStreamed) {
        const { content = [], error } = JSON.parse(body);
        for (const block of content) {
          if (block.type === "text") got.text += block.text;
          if (block.type === "tool_use") got.paths.push(block.input.path);
        }
        return { ...got, error };
      }
      let json = "";
      for (const [, data = ""] of body.matchAll(/^data: (\{.*)$/gm)) {
        const { type, delta, error } = JSON.parse(data);
        got.error ??= error;
        if (delta?.type === "text_delta") got.text += delta.text;
        if (delta?.type === "input_json_delta") json += delta.partial_json;
        if (type === "content_block_stop" && json !== "") {
          got.paths.push(JSON.parse(json).path);
          json = "";
        }
      }
      return got;
    },
  },
};

for (const tools of ["auto", "raw"]) {
  for (const [wire, { path, body, read }] of Object.entries(WIRES)) {
    Deno.test({
      name: `a real server's answers arrive with tools: ${tools} on the wire ${wire}`,
      ignore: IS_SKIPPED,
      async fn() {
        await using llama = await startLlama(TEMPLATE);
        const lost: unknown[] = [];
        for (const [name, answer] of Object.entries(ANSWERS)) {
          for (const stream of [true, false]) {
            // In a stream, the client has the server's own call before its parser fails.
            const isText = answer.isAbstained === true && !(stream && tools === "auto");
            const { wrote } = answer;
            const text = isText ? wrote : answer.text;
            const paths = isText ? [] : answer.paths ?? [];
            // Each answer is the first one of its server, so that `auto` hasn't learned anything.
            const upstreams = [{ name: "local", url: llama.url, tools, server: "llama.cpp" }];
            const config = testConfig(undefined, { upstreams, policy: { echo_guard: false } });
            await using proxy = await startProxy(await builtInService(config));
            const response = await fetch(proxy.origin + path, {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ model: "llama-3.1", ...body(`Go. ${OPENER}${wrote}${END}`), stream }),
            });
            const got = read(await response.text(), stream);
            const isSame = got.error === undefined && got.text.trim() === text.trim() &&
              JSON.stringify(got.paths) === JSON.stringify(paths);
            if (!isSame) lost.push({ name, stream, status: response.status, ...got });
          }
        }
        assert.deepEqual(lost, []);
      },
    });
  }
}

Deno.test({
  name: "the prompt of tools: raw is that of native, byte for byte",
  ignore: IS_SKIPPED,
  async fn() {
    await using llama = await startLlama(TEMPLATE);
    const body = { messages: [{ role: "user", content: "hi" }], tools: TOOLS };
    const prompts = await Promise.all([{}, { tool_choice: "none" }].map(async (more) => {
      const response = await fetch(`${llama.origin}/apply-template`, {
        method: "POST",
        body: JSON.stringify({ ...body, ...more }),
      });
      return (await response.json()).prompt;
    }));
    assert.match(prompts[0], /read_file/);
    assert.equal(prompts[0], prompts[1]);
  },
});

Deno.test("a real server is recognized with its version", { ignore: IS_SKIPPED }, async () => {
  await using llama = await startLlama(TEMPLATE);
  const upstream = upstreamSchema.parse({ name: "local", url: llama.url });
  const models = await fetch(`${llama.url}/models`);
  const found = await recognizeServer(upstream, {
    key: undefined,
    send: fetch,
    timeoutMs: 5000,
    models: { headers: models.headers, body: await models.text() },
  });
  assert.equal(found?.server, "llama.cpp");
  assert.match(found?.version ?? "", /^b\d+-/);
});

/** What the server can't turn into a grammar. */
const REFUSED: Readonly<Record<string, Record<string, unknown>>> = {
  "a pattern that is broken": { type: "string", pattern: "^(a$" },
  "a reference to elsewhere": { $ref: "file:x" },
  "a reference to nothing": { $ref: "#/$defs/none" },
  "an unknown type": { type: "weird" },
  "a long text": { type: "string", maxLength: 2000 },
  "a long list": { type: "array", items: { type: "string" }, minItems: 5000 },
};

Deno.test({
  name:
    "tools that a real server refuses reach the model anyway, with auto after the refusal and with raw at once",
  ignore: IS_SKIPPED,
  async fn() {
    await using llama = await startLlama();
    const refused: string[] = [];
    for (const [name, path] of Object.entries(REFUSED)) {
      const parameters = {
        type: "object",
        properties: { path, other: { type: "string" } },
        required: ["path"],
      };
      const tools = [{ type: "function", function: { name: "read_file", parameters } }];
      const body = {
        model: "m",
        messages: [{ role: "user", content: "Say it again." }],
        tools,
        max_tokens: 50,
      };
      const status = async (url: string) => {
        const response = await fetch(`${url}/chat/completions`, {
          method: "POST",
          body: JSON.stringify(body),
        });
        await response.body?.cancel();
        return response.status;
      };
      if (await status(llama.url) === 400) refused.push(name);
      for (const mode of ["auto", "raw"]) {
        const upstreams = [{ name: "local", url: llama.url, tools: mode, server: "llama.cpp" }];
        await using proxy = await startProxy(await builtInService(testConfig(undefined, { upstreams })));
        assert.equal(await status(`${proxy.origin}/v1`), 200, `${mode}: ${name}`);
      }
    }
    // b10547 refused more.
    assert.ok(refused.length >= 1, `the server itself refuses only: ${refused.join(", ")}`);
  },
});
