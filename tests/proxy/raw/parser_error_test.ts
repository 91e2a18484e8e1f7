import assert from "node:assert/strict";
import { parserErrorOf } from "../../../src/proxy/raw/parser_error.ts";
import { PROFILES } from "../../../src/proxy/upstream/profiles/profiles.ts";

/** Server, the error's message, and what is read of it. */
const ERRORS: [server: string, message: string, read: unknown][] = [
  ["llama.cpp", "Failed to parse input at pos 22: <tool_call>\n{: x}", {
    text: "<tool_call>\n{: x}",
    isRest: true,
  }],
  ["llama.cpp", "The model produced output that does not match the expected peg-gemma4 format", {
    text: undefined,
    isRest: false,
  }],
  ["llama.cpp", "Invalid diff: now finding less tool calls!\n  Previous (1): - name f args {}", {
    text: undefined,
    isRest: false,
  }],
  [
    "llama.cpp",
    "request (9 tokens) exceeds the available context size (8 tokens), try increasing it",
    undefined,
  ],
  ["llama.cpp", "Failed to parse tool call arguments as JSON: x", undefined],
  ["ollama", "error parsing tool call: raw='{\"a\": \"it's', err=x', err=unexpected end of JSON input", {
    text: '{"a": "it\'s\', err=x',
    isRest: false,
  }],
  ["ollama", "XML syntax error on line 4: element <parameter> closed by </function>", {
    text: undefined,
    isRest: false,
  }],
  [
    "tgi",
    'Tool error: Failed to parse generated text: EOF while parsing an object at line 1 column 9: "{\\"a\\":\\n\\u{e9}\\\\"',
    { text: '{"a":\né\\', isRest: false },
  ],
  ["vllm", "The model produced output that does not match the expected peg-native format", undefined],
];

Deno.test("parserErrorOf reads the text of each server's parser error, and leaves other errors alone", () => {
  for (const [server, message, read] of ERRORS) {
    assert.deepEqual(parserErrorOf(PROFILES[server]!, message), read, message);
  }
});

Deno.test("every profile states its source, and how to read raw or why not", () => {
  for (const [name, { source, raw, no_raw }] of Object.entries(PROFILES)) {
    assert.ok(source.length > 0, name);
    assert.notEqual(raw === undefined, no_raw === undefined, name);
    assert.ok(raw === undefined || raw.source.length > 0, name);
  }
});
