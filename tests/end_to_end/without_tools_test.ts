/**
 * A request without tools: its answer keeps every byte unless it has reasoning in it, and answers in a demanded form and those
 * of clients that read the marks themselves stay as they are.
 *
 * @module
 */
import assert from "node:assert/strict";
import { readChatAnswer } from "../support/chat_answer.ts";
import { startWireProxy, type WireProxyOptions } from "../support/wire_proxy.ts";

const THOUGHT = "<think>\nTwo and two.\n</think>\n\nIt is 4.";

/** Texts with what looks like marks, calls and control tokens. */
const PLAIN = [
  "It is 4.",
  "",
  "  \n",
  "\n\nIt is 4.\n",
  'A long plain answer, in words and numbers: 1, 2, 3.\n\nA second part; with marks: (a) & "b".\n',
  "\n<thin",
  "Write `<think>` and `</think>`.\n\n```\n<think>\nx\n</think>\n```\n",
  "<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>\n",
  "Now:\n<tool_call>\n</tool_call>\n<|tool_calls_section_begin|><|tool_calls_section_end|>",
  '{"name": "read_file", "arguments": {"path": "a"}}',
  "a\r\nb \u{1F600} <b>\n\n[x](y) | z |",
];

type Body = Readonly<Record<string, unknown>>;

async function ask(
  url: string,
  { body = {}, headers = {} }: { readonly body?: Body; readonly headers?: Readonly<Record<string, string>> },
): Promise<string> {
  const messages = [{ role: "user", content: "What is 2 + 2?" }];
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "m", messages, ...body }),
  });
  return await response.text();
}

/** Whether the client gets the bytes of the server. */
async function isUnchanged(
  text: string,
  asked: Parameters<typeof ask>[1],
  options: WireProxyOptions = {},
): Promise<boolean> {
  await using proxy = await startWireProxy({ text }, options);
  return await ask(`${proxy.origin}/v1`, asked) === await ask(proxy.upstream.url, asked);
}

Deno.test("a plain answer keeps every byte; in a stream, only what can begin a mark waits", async () => {
  for (const text of PLAIN) {
    assert.ok(await isUnchanged(text, {}), text);
    if (!/^\s|[<[{`|]/.test(text)) assert.ok(await isUnchanged(text, { body: { stream: true } }), text);
    await using proxy = await startWireProxy({ text });
    const stream = await ask(`${proxy.origin}/v1`, { body: { stream: true } });
    assert.equal(readChatAnswer(stream, true).content, text);
  }
  assert.ok(!await isUnchanged(THOUGHT, {}));
});

Deno.test("an answer in a demanded form keeps every byte", async () => {
  const forms = [
    { response_format: { type: "json_object" } },
    { guided_json: { type: "object" } },
    { grammar: 'root ::= "a"' },
  ];
  for (const form of forms) {
    for (const begins of [true, false]) {
      for (const stream of [true, false]) {
        const options = { settings: { begins_in_reasoning: begins } };
        assert.ok(await isUnchanged('{"text": "a</think>b"}', { body: { ...form, stream } }, options));
      }
    }
  }
  assert.ok(!await isUnchanged(THOUGHT, { body: { response_format: { type: "text" } } }));
});

Deno.test("clients that read the marks in text get them: by the policy, their headers or their path", async () => {
  const headers: readonly Readonly<Record<string, string>>[] = [
    { "user-agent": "Cline/3.2" },
    { "x-title": "Roo Code" },
    { "x-dragoman-client": "roo" },
  ];
  for (const one of headers) assert.ok(await isUnchanged(THOUGHT, { headers: one }), JSON.stringify(one));
  assert.ok(await isUnchanged(THOUGHT, {}, { config: { policy: { reasoning_text: "keep" } } }));
  // From this version on, it reads reasoning in a field.
  assert.ok(!await isUnchanged(THOUGHT, { headers: { "user-agent": "RooCode/3.50.0" } }));
});

Deno.test("a call that is forbidden stays text after the thoughts", async () => {
  await using proxy = await startWireProxy({ text: `<think>Hm.</think>${PLAIN[4]}` });
  const tools = [{ type: "function", function: { name: "read_file" } }];
  const { choices: [{ message }] } = JSON.parse(
    await ask(`${proxy.origin}/v1`, { body: { tools, tool_choice: "none" } }),
  );
  assert.equal(message.reasoning_content, "Hm.");
  assert.equal(message.content, PLAIN[4]);
  assert.equal(message.tool_calls, undefined);
});

Deno.test("an answer in a demanded form teaches nothing about where the next one begins", async () => {
  let text = "Hm.\n</think>\n\nIt is 4.";
  await using proxy = await startWireProxy(() => ({ text }), { settings: { server: "none" } });
  const url = `${proxy.origin}/v1`;
  await ask(url, { body: { stream: true } });
  text = '{"sum": 4}';
  await ask(url, { body: { stream: true, response_format: { type: "json_object" } } });
  text = "Hm.\n</think>\n\nIt is 4.";
  const answer = await ask(url, { body: { stream: true } });
  assert.match(answer, /"reasoning_content":"Hm/);
});
