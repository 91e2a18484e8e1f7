import assert from "node:assert/strict";
import { Tail } from "../../../src/proxy/exchange/tail.ts";

function usageOf(text: string, cut = text.length): unknown {
  const tail = new Tail();
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += cut) tail.push(bytes.slice(at, at + cut));
  return tail.usage();
}

Deno.test("Tail finds the tokens at the end of an answer, however it is cut", () => {
  const usage = { prompt_tokens: 1, details: { cached: 0 }, total_tokens: 3 };
  const whole = JSON.stringify({ choices: [{ message: { content: 'ä "usage": {}'.repeat(500) } }], usage });
  const stream = `data: {"choices":[],"usage": ${
    JSON.stringify(usage)
  }}\n\ndata: {"usage":null}\n\ndata: [DONE]\n\n`;
  for (const text of [whole, "x".repeat(5000) + stream]) {
    for (const cut of [1, 7, 100, 4096]) assert.deepEqual(usageOf(text, cut), usage, `${cut}`);
  }
});

Deno.test("Tail finds nothing where no tokens are stated", () => {
  for (const text of ["", '"usage"', '"usage": 3', '"usage":{"a":1', '{"text":"\\"usage\\":{}"}']) {
    assert.equal(usageOf(text), undefined, text);
  }
});
