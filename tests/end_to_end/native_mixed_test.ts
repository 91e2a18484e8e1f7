import assert from "node:assert/strict";
import { builtInService } from "../support/built_in.ts";
import { hear, type Heard } from "../support/chunks.ts";
import { bodyOf, chunkOf, head, inPieces, streamOf } from "../support/native_answers.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";

const tools = ["read_file", "write_file"].map((name) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties: { path: {}, content: {} } } },
}));

function printed(name: string, given: Record<string, unknown>): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;
}

function native(id: string, name: string, given: Record<string, unknown>, index = 0): unknown {
  return head({ index, id }, { name, arguments: JSON.stringify(given) });
}

function texts(text: string): unknown[] {
  return inPieces(text).map((content) => ({ content }));
}

const ROLE = { role: "assistant", content: "" };

async function ask(stream: string, body: Record<string, unknown> = {}): Promise<Heard> {
  await using upstream = startUpstream({ raw: { stream, body: "" } });
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url)));
  const response = await askChat(proxy.origin, { body: { tools, stream: true, ...body } });
  const [choice] = hear(await response.text()).choices;
  assert.ok(choice);
  return choice;
}

function calls(choice: Heard): string[] {
  assert.equal(new Set(choice.calls.map((call) => call.id)).size, choice.calls.length);
  return choice.calls.map((call) => `${call.name} ${call.arguments}`);
}

Deno.test("text calls and native calls arrive in the order in which they came, with the text between them", async () => {
  const choice = await ask(streamOf([
    ROLE,
    ...texts(`First.\n${printed("read_file", { path: "a" })}\nThen.`),
    native("x", "read_file", { path: "b" }),
    ...texts(` Last.\n${printed("write_file", { path: "c" })}`),
    native("y", "write_file", { path: "d" }, 1),
  ]));
  assert.deepEqual(calls(choice), [
    'read_file {"path":"a"}',
    'read_file {"path":"b"}',
    'write_file {"path":"c"}',
    'write_file {"path":"d"}',
  ]);
  assert.equal(choice.content.replaceAll("\n", " ").trim(), "First. Then. Last.");
  assert.deepEqual(choice.finishReasons, ["tool_calls"]);
});

Deno.test("a call that comes as text and natively is sent once, whichever is first", async () => {
  const given = { path: "a", content: 'x "y"\n' };
  const text = texts(printed("write_file", given));
  const own = native("x", "write_file", { content: given.content, path: given.path });
  for (const deltas of [[ROLE, ...text, own], [ROLE, own, ...text]]) {
    const choice = await ask(streamOf(deltas));
    assert.equal(choice.calls.length, 1);
    assert.deepEqual(JSON.parse(choice.calls[0]?.arguments ?? ""), given);
    assert.equal(choice.content, "");
  }
});

Deno.test("two calls of one tool with other arguments are both sent", async () => {
  const choice = await ask(streamOf([
    ROLE,
    ...texts(printed("read_file", { path: "a" })),
    native("x", "read_file", { path: "b" }),
  ]));
  assert.deepEqual(calls(choice), ['read_file {"path":"a"}', 'read_file {"path":"b"}']);
});

Deno.test("arguments and names stay as the upstream sent them with policy.repair_shapes: off", async () => {
  const schema = {
    type: "object",
    properties: { path: { type: "string" }, limit: { type: "integer" } },
    required: ["path"],
  };
  const offered = [{ type: "function", function: { name: "read_file", parameters: schema } }];
  const given = { file_path: "a", limit: null };
  for (const [repair_shapes, expected] of [["on", { path: "a" }], ["off", given]] as const) {
    const policy = { ...testConfig("").policy, repair_shapes };
    const raw = {
      stream: streamOf([ROLE, native("x", "read_file", given)]),
      body: bodyOf({
        content: null,
        tool_calls: [{
          id: "x",
          type: "function",
          function: { name: "read_file", arguments: JSON.stringify(given) },
        }],
      }),
    };
    await using upstream = startUpstream({ raw });
    await using proxy = await startProxy(
      await builtInService({ ...testConfig(upstream.url), policy }),
    );
    const streamed = hear(
      await (await askChat(proxy.origin, { body: { tools: offered, stream: true } })).text(),
    );
    const whole = await (await askChat(proxy.origin, { body: { tools: offered, stream: false } })).json();
    const calls = [streamed.choices[0]?.calls[0], whole.choices[0].message.tool_calls[0].function];
    for (const call of calls) assert.deepEqual(JSON.parse(call.arguments), expected, repair_shapes);
  }
});

Deno.test("the native calls of several choices are independent", async () => {
  const entry = (json: string) => ({
    index: 0,
    id: "same",
    type: "function",
    function: { name: "f", arguments: json },
  });
  const choices = [0, 1].map((index) => ({
    index,
    delta: { role: "assistant", tool_calls: [entry(index === 0 ? '{"a":1,}' : '{"a":1}')] },
    finish_reason: null,
  }));
  const ends = choices.map(({ index }) => ({
    index,
    delta: {},
    finish_reason: index === 0 ? "tool_calls" : "length",
  }));
  const stream = chunkOf({}, null, { choices }) + chunkOf({}, null, { choices: ends }) + "data: [DONE]\n\n";
  await using upstream = startUpstream({ raw: { stream, body: "" } });
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url)));
  const answer = hear(await (await askChat(proxy.origin, { body: { tools, stream: true, n: 2 } })).text());
  assert.deepEqual(answer.choices.map((choice) => calls(choice)), [['f {"a":1}'], ['f {"a":1}']]);
  assert.deepEqual(answer.choices.map((choice) => choice.finishReasons), [["tool_calls"], ["length"]]);
});

const SYSTEM = `You are Roo, a coding agent.

# Tools

## write_to_file
Parameters:
- path: (required) The file
- content: (required) The text

## switch_mode
Parameters:
- mode_slug: (required) The mode

# Tool Use Guidelines
`;

async function askRoo(
  deltas: readonly unknown[],
  finish = "tool_calls",
): Promise<{ streamed: string; whole: string }> {
  const called = deltas.flatMap((delta) => (delta as { tool_calls?: unknown[] }).tool_calls ?? []);
  const content = deltas.map((delta) => (delta as { content?: string }).content ?? "").join("");
  const raw = { stream: streamOf(deltas, { finish }), body: bodyOf({ content, tool_calls: called }, finish) };
  await using upstream = startUpstream({ raw });
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url)));
  const messages = [{ role: "system", content: SYSTEM }, { role: "user", content: "Go" }];
  const request = (stream: boolean) =>
    askChat(proxy.origin, {
      body: { messages, stream, tools: undefined },
      headers: { "user-agent": "RooCode/3.30.0" },
    });
  const { choices: [choice] } = hear(await (await request(true)).text());
  const whole = await (await request(false)).json();
  assert.deepEqual([choice?.calls, whole.choices[0].message.tool_calls], [[], undefined]);
  return { streamed: choice?.content ?? "", whole: whole.choices[0].message.content };
}

Deno.test("an XML client gets a native call as XML, under the name of the offered tool", async () => {
  const given = { path: "src/a.ts", content: "if (a < b) {}\n" };
  const { streamed, whole } = await askRoo([
    { role: "assistant", content: "I'll write [it]." },
    native("x", "write_file", given),
    native("y", "write_to_file", given, 1),
  ]);
  const expected =
    "I'll write [it].\n<write_to_file>\n<path>src/a.ts</path>\n<content>\nif (a < b) {}\n\n</content>\n" +
    "</write_to_file>";
  assert.deepEqual([streamed, whole], [expected, expected]);
});

Deno.test("an XML client gets a native call of a tool that is not offered as text that it does not execute", async () => {
  for (const name of ["execute_command", "unheard_of"]) {
    const { streamed, whole } = await askRoo([
      { role: "assistant", content: "" },
      native("x", name, { command: "<write_to_file>" }),
    ]);
    assert.ok(streamed.includes(`"name": "${name}"`), streamed);
    assert.doesNotMatch(streamed, /<(execute_command|write_to_file)>/);
    assert.equal(whole, streamed);
  }
});

Deno.test("an XML client never sees an unclosed tool of a native call that was cut off", async () => {
  const json = JSON.stringify({ path: "a", content: "<content>" });
  for (let at = 0; at < json.length; at++) {
    const cut = head({}, { name: "write_to_file", arguments: json.slice(0, at) });
    const { streamed, whole } = await askRoo([{ role: "assistant", content: "A" }, cut], "length");
    for (const text of [streamed, whole]) assert.doesNotMatch(text, /<write_to_file>/);
  }
});
