/**
 * The upstream's own calls reach the SDK of every wire: as clean servers send them, as odd ones do, two at once.
 */
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import {
  bodyOf,
  CLEAN,
  FILE_ARGUMENTS,
  fragment,
  head,
  inPieces,
  type NativeAnswer,
  parallelCalls,
  parallelDeltasById,
  QUIRKS,
  streamOf,
  TWO_CALLS,
} from "../support/native_answers.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { ollamaClient } from "../support/ollama_client.ts";
import type { Script } from "../support/scripted_upstream.ts";
import { startWireProxy } from "../support/wire_proxy.ts";
import { FILE_CONTENT, FILE_PATH, WRITE_FILE_SCHEMA } from "../support/written_file.ts";

/** A call as an SDK gives it to its program. */
type Called = readonly [name: string | undefined, args: unknown];

/** What a program does with the calls: files to write, path and content. */
function filesOf(calls: readonly Called[]): unknown[] {
  return calls.map((
    [called, args],
  ) => [called, Reflect.get(Object(args), "path"), Reflect.get(Object(args), "content")]);
}

/** Asks once; gives the calls. */
type Ask = (origin: string, isStreamed: boolean) => Promise<Called[]>;

const name = "write_file";
const schema = { ...WRITE_FILE_SCHEMA };
const messages = [{ role: "user" as const, content: "Write the file" }];

const SDKS: Readonly<Record<string, Ask>> = {
  async chat(origin, isStreamed) {
    const { chat: { completions: api } } = new OpenAI({
      baseURL: `${origin}/v1`,
      apiKey: "mine",
      maxRetries: 0,
    });
    const tool = { type: "function" as const, function: { name, parameters: schema } };
    const question = { model: "m", messages, tools: [tool] };
    const { choices: [choice] } = isStreamed
      ? await api.stream(question).finalChatCompletion()
      : await api.create(question);
    return (choice?.message.tool_calls ?? []).flatMap((call) =>
      call.type === "function" ? [[call.function.name, JSON.parse(call.function.arguments)] as const] : []
    );
  },
  async anthropic(baseURL, isStreamed) {
    const { messages: api } = new Anthropic({ baseURL, apiKey: "mine", maxRetries: 0 });
    const question = { model: "m", max_tokens: 1000, messages, tools: [{ name, input_schema: schema }] };
    const { content } = isStreamed ? await api.stream(question).finalMessage() : await api.create(question);
    return content.flatMap((block) => block.type === "tool_use" ? [[block.name, block.input] as const] : []);
  },
  async responses(origin, isStreamed) {
    const { responses: api } = new OpenAI({ baseURL: `${origin}/v1`, apiKey: "mine", maxRetries: 0 });
    const tool = { type: "function" as const, name, strict: false, parameters: schema };
    const question = { model: "m", input: "Write the file", tools: [tool] };
    const { output } = isStreamed ? await api.stream(question).finalResponse() : await api.create(question);
    return output.flatMap((item) =>
      item.type === "function_call" ? [[item.name, JSON.parse(item.arguments)] as const] : []
    );
  },
  async ollama(host, isStreamed) {
    const api = ollamaClient(host);
    const tools = [{
      type: "function",
      function: { name, description: "Writes a file", parameters: schema },
    }];
    const question = { model: "m", messages, tools };
    const parts = isStreamed
      ? await Array.fromAsync(await api.chat({ ...question, stream: true }))
      : [await api.chat(question)];
    return parts.flatMap(({ message }) => message.tool_calls ?? [])
      .map((call) => [call.function.name, call.function.arguments]);
  },
  async gemini(baseUrl, isStreamed) {
    const { models: api } = new GoogleGenAI({ apiKey: "mine", httpOptions: { baseUrl } });
    const config = { tools: [{ functionDeclarations: [{ name, parametersJsonSchema: schema }] }] };
    const question = { model: "m", contents: "Write the file", config };
    const chunks = isStreamed
      ? await Array.fromAsync(await api.generateContentStream(question))
      : [await api.generateContent(question)];
    return chunks.flatMap(({ functionCalls = [] }) => functionCalls).map(({ name, args }) => [name, args]);
  },
};

const nasty = { path: FILE_PATH, content: FILE_CONTENT };
const small = { path: "b", content: "b" };
const ONE = filesOf([[name, nasty]]);
const TWO = filesOf([[name, nasty], [name, small]]);

const both = [{ name, arguments: nasty }, { name, arguments: small }];
const parallel = parallelCalls(both, "Two files.");

/** An answer with one call, whose arguments come in pieces. */
function answerWith(json: string, tool = name): NativeAnswer {
  const call = { id: "call_a", type: "function", function: { name: tool, arguments: json } };
  return {
    stream: streamOf([
      { role: "assistant", content: null },
      head({}, { name: tool }),
      ...inPieces(json).map((piece) => fragment(piece)),
    ]),
    body: bodyOf({ content: null, tool_calls: [call] }),
  };
}

const SMALL = JSON.stringify(small);
const OTHER = JSON.stringify({ path: "c", content: "c" });

/** What only the whole text of the arguments or the schema shows → the calls. */
const READ_AGAIN: readonly (readonly [string, NativeAnswer, readonly unknown[]])[] = [
  ["arguments that begin twice", answerWith(SMALL.slice(0, -1) + SMALL), [small]],
  ["words before the arguments", answerWith(`I write it.${SMALL}`), [small]],
  ["escaped quotes", answerWith(SMALL.replaceAll('"', '\\"')), [small]],
  ["objects in a row", answerWith(SMALL + OTHER), [small, JSON.parse(OTHER)]],
  ["a parameter in another spelling", answerWith(SMALL.replace("path", "file_path")), [small]],
  ["a tool in another spelling", answerWith(SMALL, "writefile"), [small]],
  ["a channel after the name", answerWith(SMALL, "write_file..commentary"), [small]],
].map(([title, answer, given]) => [
  title as string,
  answer as NativeAnswer,
  filesOf((given as unknown[]).map((args) => [name, args])),
]);

/** What the upstream sends, and the calls that it means. */
const CASES: readonly (readonly [string, NativeAnswer, readonly unknown[]])[] = [
  ...Object.entries({ ...CLEAN, ...QUIRKS }).map(([title, answer]) => [title, answer, ONE] as const),
  ...Object.entries(TWO_CALLS).map(([title, answer]) => [title, answer, TWO] as const),
  ...READ_AGAIN,
  ["interleaved", parallel, TWO],
  ...[undefined, 0, -1, 0.5].map((index) =>
    [
      `interleaved, index ${index}`,
      parallelCalls(both, "Two files.", parallelDeltasById(both, index)),
      TWO,
    ] as const
  ),
];

/** Of how many cases a short run tries one with each SDK, so that each case has its SDKs. */
const SHARE = 3;

for (const [number, [wire, ask]] of Object.entries(SDKS).entries()) {
  Deno.test(`${wire}: the upstream's own calls arrive byte-exact, streamed and whole`, async () => {
    let script: Script = {};
    await using proxy = await startWireProxy(() => script);
    for (const [at, [title, raw, expected]] of CASES.entries()) {
      if (!IS_THOROUGH && (at + number) % SHARE !== 0) continue;
      script = { raw };
      assert.deepEqual(filesOf(await ask(proxy.origin, true)), expected, `${title}, streamed`);
      assert.deepEqual(filesOf(await ask(proxy.origin, false)), expected, `${title}, whole`);
    }
  });
}

for (const [wire, ask] of Object.entries(SDKS)) {
  Deno.test(
    `${wire}: no call of the upstream's own that broke off reaches the program`,
    async () => {
      let script: Script = {};
      await using proxy = await startWireProxy(() => script);
      const fragments = inPieces(FILE_ARGUMENTS).map((json) => fragment(json));
      for (let count = 0; count < fragments.length; count += IS_THOROUGH ? 5 : 15) {
        const deltas = [{ role: "assistant", content: null }, head(), ...fragments.slice(0, count)];
        const body = bodyOf({
          content: null,
          tool_calls: [{
            id: "a",
            type: "function",
            function: { name, arguments: FILE_ARGUMENTS.slice(0, 5 * count + 1) },
          }],
        }, "length");
        for (const isBroken of [false, true]) {
          const stream = streamOf(deltas, isBroken ? { finish: null, after: "" } : { finish: "length" });
          script = { raw: { stream, body }, ...(isBroken ? { fate: "break" } : {}) };
          for (const isStreamed of [true, false]) {
            const called = await ask(proxy.origin, isStreamed).catch(() => []);
            assert.deepEqual(called, [], `after ${count} fragments`);
          }
        }
      }
    },
  );
}
