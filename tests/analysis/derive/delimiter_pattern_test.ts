import assert from "node:assert/strict";
import { type Delimiters, MASK } from "../../../src/analysis/derive/delimiters.ts";
import { evidenceOf, wrapped } from "../../../src/analysis/derive/delimiter_pattern.ts";

const FRAME: Delimiters = {
  opener: `<|call|>functions.${MASK.name}:${MASK.number}`,
  closer: "<|end|>",
  wrapperOpener: "<|calls|>",
  wrapperCloser: "<|calls_end|>",
  separator: "",
  isList: false,
};

Deno.test("wrapped makes wrapper and namespace optional", () => {
  const pattern = wrapped(FRAME, "(?<body>…)");
  assert.equal(
    pattern,
    String
      .raw`(?:<\|calls\|>\s*)?<\|call\|>\s*(?:functions\.)?{tool}:\d{1,4}(?<body>…)<\|end\|>(?:\s*<\|calls_end\|>)?`,
  );
});

Deno.test("wrapped makes a lone tag after the name optional if a tag is before it", () => {
  const opener = (text: string) =>
    wrapped({ ...FRAME, opener: text, wrapperOpener: "", wrapperCloser: "" }, "");
  assert.match(opener(`[CALL]${MASK.name}[WITH]`), /\{tool\}\\s\*\(\?:\\\[WITH\\\]\)\?/);
  assert.match(opener(`call ${MASK.name}[WITH]`), /\{tool\}\\s\*\\\[WITH\\\]/);
  assert.match(opener(`[CALL]${MASK.name}[WITH]now`), /\{tool\}\\s\*\\\[WITH\\\]\\s\*now/);
});

Deno.test("evidenceOf trusts special tokens more than tags, and tags more than words", () => {
  const confidence = (opener: string) => evidenceOf({ ...FRAME, opener, wrapperOpener: "" });
  assert.deepEqual(confidence("<|call|>"), { confidence: 0.97, in_code: "allowed" });
  assert.deepEqual(confidence("<call>"), { confidence: 0.95 });
  assert.deepEqual(confidence("!call "), { confidence: 0.9 });
});
