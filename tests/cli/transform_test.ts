import assert from "node:assert/strict";
import { transform } from "../../src/cli/transform.ts";
import type { VerbInput } from "../../src/cli/verb.ts";
import { runVerb } from "../support/run_verb.ts";
import { functionCall } from "../support/chat_tools.ts";

const ANSWER =
  "I'll do it.\n<tool_call>\n<function=read_file>\n<parameter=path>\na<b.txt\n</parameter>\n</function>\n" +
  "</tool_call>\nDone";

const run = (stdin: string, values: VerbInput["values"] = {}) => runVerb(transform, { stdin, values });

Deno.test("transform prints the message of an OpenAI client", async () => {
  const { code, stdout, stderr } = await run(ANSWER);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout), {
    content: "I'll do it.\nDone",
    tool_calls: [functionCall("call_1", "read_file", '{"path":"a<b.txt"}')],
    finish_reason: "tool_calls",
  });
  assert.match(stderr, /^Without --tools, every name counts/);
});

Deno.test("transform --stream prints the chunks of the stream", async () => {
  const { stdout } = await run(ANSWER, { stream: true });
  assert.ok(stdout.endsWith("data: [DONE]\n\n"));
  assert.ok(stdout.includes('"name":"read_file"') && stdout.includes('"finish_reason":"tool_calls"'), stdout);
});

Deno.test("transform for a client of XML prints its text, streamed or not", async () => {
  const expected = "I'll do it.\n<read_file>\n<path>a<b.txt</path>\n</read_file>";
  for (const stream of [false, true]) {
    const { code, stdout } = await run(ANSWER, { client: "roo", stream });
    assert.deepEqual([code, stdout.trimEnd()], [0, expected]);
  }
});

Deno.test("transform leaves a text without calls byte for byte", async () => {
  assert.equal((await run("a < b\r\n\n", { client: "cline" })).stdout, "a < b\r\n\n");
  assert.deepEqual(JSON.parse((await run("Hello")).stdout), { content: "Hello", finish_reason: "stop" });
});

Deno.test("transform takes reasoning out of the text as the proxy does, with tools and without, streamed or not", async () => {
  for (const printed of ["<think>\nHm.\n</think>\n\nHi.", "Hm.\n</think>\n\nHi."]) {
    const { stdout } = await run(printed);
    assert.deepEqual(JSON.parse(stdout), { content: "Hi.", reasoning_content: "Hm.", finish_reason: "stop" });
  }
  const { stdout } = await run("<think>\nHm.\n</think>\n\nHi.", { stream: true });
  assert.ok(stdout.includes('"reasoning_content":"') && !stdout.includes("think>"), stdout);
  const kept = await run("<think>Hm.</think>Hi.", { client: "roo" });
  assert.equal(kept.stdout, "<think>Hm.</think>Hi.");
});
