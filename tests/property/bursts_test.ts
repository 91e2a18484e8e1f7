/**
 * Messages that arrive together are read together, and the pieces of a call's arguments among them leave as one message.
 * The oracle is the answer of messages that arrive one by one: however else they arrive, the client gets the same answer,
 * and an answer without calls byte for byte.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { AnswerOptions } from "../../src/chat/pipeline/pipeline.ts";
import { StreamedAnswer } from "../../src/chat/pipeline/streamed.ts";
import { createRenderer } from "../../src/chat/translator/translator.ts";
import { recognize } from "../../src/chat/client/recognize.ts";
import { Matcher } from "../../src/engine/scan/matcher.ts";
import { shippedClients } from "../support/client_files.ts";
import { hear } from "../support/chunks.ts";
import { runs, tell } from "../support/fuzz.ts";
import { shippedProgram } from "../support/matcher_events.ts";
import { rooPrompt } from "../support/prompts.ts";

const program = shippedProgram();

const TOOLS = ["write_to_file", "read_file"].map((name) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties: { path: {}, content: {} } } },
}));

const REQUESTS = {
  openai: { tools: TOOLS },
  roo: { messages: [{ role: "system", content: rooPrompt({ hasArgs: false, hasLineCount: false }) }] },
};

/** Three servers, each with its own order of the fields and its own line ends. */
const SHAPES: readonly ((delta: object, finish?: string) => string)[] = [
  (delta, finish) =>
    `data: ${
      JSON.stringify({
        id: "c",
        object: "chat.completion.chunk",
        created: 1,
        model: "m",
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish ?? null }],
      })
    }\n\n`,
  (delta, finish) =>
    `data: {"choices": [{"finish_reason": ${JSON.stringify(finish ?? null)}, "index": 0, "delta": ${
      JSON.stringify(delta).replaceAll('":', '": ')
    }}], "created": 1, "id": "c", "model": "m"}\r\n\r\n`,
  (delta, finish) =>
    `event: message\ndata:{"model":"m","choices":[{"delta":${
      JSON.stringify(delta).replaceAll("/", "\\/").replaceAll("<", "\\u003c")
    }${finish === undefined ? "" : `,"finish_reason":"${finish}"`}}]}\n\n`,
];

const CALLS = [
  '<tool_call>\n{"name": "write_to_file", "arguments": {"path": "a/b.ts", "content": "x < y\\n\\"q\\" é😀"}}\n</tool_call>',
  "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>",
  "<write_to_file>\n<path>a</path>\n<content>\nif (a < b) {}\n</content>\n</write_to_file>",
];

const word = fc.constantFrom(
  "I'll ",
  "look ",
  "at\n",
  "<",
  "</",
  "<div>",
  "a < b && c ",
  "é",
  "漢字 ",
  "😀",
  "\\",
  '"',
  "{}",
  "\t",
  "[x](y) ",
  "\ud83d",
  "```\n",
  "`code` ",
  "<tool",
  "\u2028",
  "a/b ",
  "m",
  "c",
);
const part = fc.oneof({ weight: 6, arbitrary: word }, { weight: 1, arbitrary: fc.constantFrom(...CALLS) });
const answers = fc.record({
  shape: fc.nat(SHAPES.length - 1),
  client: fc.constantFrom("openai" as const, "roo" as const),
  parts: fc.array(part, { maxLength: 60 }),
  pieces: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 }),
  extras: fc.array(fc.tuple(fc.nat(80), fc.nat(8)), { maxLength: 4 }),
  cuts: fc.array(fc.nat(), { maxLength: 30 }),
  finish: fc.constantFrom("stop", "length"),
});
type Answer = typeof answers extends fc.Arbitrary<infer T> ? T : never;

/** What may stand between two messages of text. */
function extra(kind: number, shape: (delta: object) => string): string {
  return [
    ": ping\n\n",
    shape({ reasoning_content: "hm <tool_call>" }),
    shape({ content: "bad Q" }).replace("Q", "\u0000"),
    shape({
      tool_calls: [{ index: 0, id: "n", type: "function", function: { name: "read_file", arguments: "{}" } }],
    }),
    shape({ content: "x" }).replace('"m"', '"other"'),
    `data: {"choices":[],"odd":1}\n\n`,
    ": ping\n",
    ": one\r\n:two\n",
    ": odd\r",
  ][kind]!;
}

function streamOf({ shape: number, parts, pieces, extras, finish }: Answer): Uint8Array {
  const shape = SHAPES[number]!;
  const text = parts.join("");
  const messages: string[] = [shape({ role: "assistant", content: "" })];
  for (let at = 0, count = 0; at < text.length; count++) {
    const length = pieces[count % pieces.length]!;
    messages.push(shape({ content: text.slice(at, at + length) }));
    at += length;
  }
  for (const [place, kind] of extras) messages.splice(1 + place % messages.length, 0, extra(kind, shape));
  const bytes = new TextEncoder().encode(`${messages.join("")}${shape({}, finish)}data: [DONE]\n\n`);
  // What stands for invalid UTF-8 in a text is a byte that no character begins with.
  return bytes.map((byte) => byte === 0 ? 0xff : byte);
}

function options(client: Answer["client"]): AnswerOptions {
  const recognized = recognize(REQUESTS[client], new Headers(), shippedClients());
  assert.ok(recognized);
  let count = 0;
  return {
    createMatcher: () =>
      new Matcher(program, {
        offered: recognized.offered,
        minimumConfidence: 0.8,
        wholeCalls: recognized.wholeCalls,
      }),
    createRenderer: () => createRenderer(recognized, { newId: () => `call_${++count}` }),
    native: recognized.native,
  };
}

function run(bytes: Uint8Array, cuts: readonly number[], answer: AnswerOptions): string {
  const pipeline = new StreamedAnswer(answer);
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let output = "";
  let from = 0;
  for (const to of [...places, bytes.length]) {
    if (!pipeline.isOver) output += decoder.decode(pipeline.push(bytes.slice(from, to)), { stream: true });
    from = to;
  }
  if (!pipeline.isOver) output += decoder.decode(pipeline.end());
  return output;
}

/** What the client makes of a stream; in how many messages is not its concern. */
function heard(stream: string): unknown {
  return { ...hear(stream), chunks: undefined };
}

/** The offsets after all messages. */
function messageEnds(bytes: Uint8Array): number[] {
  const text = new TextDecoder("latin1").decode(bytes);
  return [...text.matchAll(/\r?\n\r?\n/g)].map((end) => end.index + end[0].length);
}

Deno.test("StreamedAnswer gives the same answer however many messages arrive at once, and wherever they are cut", () => {
  const figures = { answers: 0, calls: 0, joined: 0, "byte for byte": 0 };
  fc.assert(
    fc.property(answers, (answer) => {
      const bytes = streamOf(answer);
      const oracle = run(bytes, messageEnds(bytes), options(answer.client));
      for (const cuts of [[], answer.cuts]) {
        const output = run(bytes, cuts, options(answer.client));
        assert.deepEqual(heard(output), heard(oracle));
        if (!output.includes("tool_calls")) {
          assert.equal(output, oracle);
          figures["byte for byte"]++;
        } else figures.calls++;
        if (output.length < oracle.length) figures.joined++;
      }
      figures.answers++;
    }),
    runs(1000),
  );
  tell("bursts", figures);
  assert.ok(figures["byte for byte"] > 0 && figures.joined > 0, JSON.stringify(figures));
});
