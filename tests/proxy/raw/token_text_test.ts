import assert from "node:assert/strict";
import { readTokens, textOfTokens } from "../../../src/proxy/raw/token_text.ts";

/** Tokens as vocabularies spell them, and their text. */
const TOKENS: [why: string, tokens: string[], text: string][] = [
  ["bytes", ["I", "Ġlook", ".", "Ċ", "<tool_call>", "ĉ{}"], "I look.\n<tool_call>\t{}"],
  ["a character of several tokens", ["GrÃ¼", "ÃŁ", "e", "Ġä¸ĸ", "çķ", "Į", "ðŁ", "Ļ", "Ĥ"], "Grüße 世界🙂"],
  ["a mark with characters that no byte has", ["Ġ", "<｜tool▁calls▁begin｜>"], " <｜tool▁calls▁begin｜>"],
  [
    "pieces of sentences",
    ["▁I", "▁look", ".", "<0x0A>", "<0xE4>", "<0xB8>", "<0x96>", "▁▁x"],
    "I look.\n世  x",
  ],
  ["none", [], ""],
];

Deno.test("textOfTokens reads tokens of bytes, of pieces of sentences, and marks", () => {
  for (const [why, tokens, text] of TOKENS) assert.equal(textOfTokens(tokens), text, why);
});

interface Given {
  readonly content: string | null;
  readonly reasoning?: string;
  readonly tokens: readonly string[] | undefined;
  readonly finish: string;
  readonly stops?: readonly string[];
}

function read({ content, reasoning, tokens, finish, stops = [] }: Given) {
  const logprobs = tokens && { content: tokens.map((token) => ({ token, logprob: 0 })) };
  const message = { role: "assistant", content, reasoning, tool_calls: [{ id: "a" }] };
  const body = JSON.stringify({ choices: [{ index: 0, finish_reason: finish, logprobs, message }] });
  const text = readTokens(body, { stops });
  if (text === body) return undefined;
  const [{ message: made, finish_reason: end, logprobs: left }] = JSON.parse(text).choices;
  assert.deepEqual([made.tool_calls, left], [undefined, undefined]);
  return [made.content, made.reasoning_content, end];
}

/** Whole answers, and the text, the reasoning and the end that are read; undefined: the answer stays. */
const ANSWERS: [why: string, given: Given, read: unknown[] | undefined][] = [
  ["the token that ends the answer isn't text", {
    content: "I ",
    tokens: ["I", "Ġ", "<tool_call>", "x", "<|im_end|>"],
    finish: "tool_calls",
  }, ["I <tool_call>x", undefined, "stop"]],
  ["an answer that was cut has none", { content: "I", tokens: ["I", "Ġlook"], finish: "length" }, [
    "I look",
    undefined,
    "length",
  ]],
  ["the client's own stop", { content: "a", tokens: ["a", "Ġ", "EN", "D"], finish: "stop", stops: ["END"] }, [
    "a ",
    undefined,
    "stop",
  ]],
  ["thoughts that the prompt opened", {
    content: null,
    reasoning: "Hm.",
    tokens: ["Hm", ".", "Ċ", "</think>", "<tool_call>", "x", "<|im_end|>"],
    finish: "tool_calls",
  }, ["<tool_call>x", "Hm.", "stop"]],
  ["a call inside of thoughts stays there", {
    content: " no.",
    reasoning: "I could ",
    tokens: ["<think>", "I", "Ġcould", "Ġ", "<tool_call>", "x", "Ġno", ".", "</think>", "<|im_end|>"],
    finish: "tool_calls",
  }, ["<think>I could <tool_call>x no.</think>", undefined, "stop"]],
  [
    "tokens of another text",
    { content: "You", tokens: ["I", "Ġlook", "<|im_end|>"], finish: "stop" },
    undefined,
  ],
  ["no tokens", { content: "You", tokens: undefined, finish: "stop" }, undefined],
];

Deno.test("readTokens gives what the model wrote, and leaves answers whose tokens don't tell", () => {
  for (const [why, given, expected] of ANSWERS) assert.deepEqual(read(given), expected, why);
});
