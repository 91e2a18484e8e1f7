import assert from "node:assert/strict";
import { builtInService } from "../support/built_in.ts";
import { hear } from "../support/chunks.ts";
import { bodyOf, head, streamOf } from "../support/native_answers.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";

const functions = ["a", "b"].map((name) => ({ name, parameters: { type: "object", properties: { x: {} } } }));
const tools = functions.map((one) => ({ type: "function", function: one }));
const printed = (name: string) => `<tool_call>\n{"name": "${name}", "arguments": {"x": 1}}\n</tool_call>`;
const native = (index: number) =>
  head({ index, id: `id${index}` }, { name: "a", arguments: `{"x":${index}}` });

async function stream(script: Parameters<typeof startUpstream>[0], body: Record<string, unknown>) {
  await using upstream = startUpstream(script);
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url)));
  const text = await (await askChat(proxy.origin, { body: { tools, stream: true, ...body } })).text();
  return { text, ...hear(text) };
}

Deno.test("tool_choice none: nothing is converted", async () => {
  const { choices: [choice] } = await stream({ text: printed("a") }, { tool_choice: "none" });
  assert.deepEqual([choice?.calls, choice?.content], [[], printed("a")]);
});

Deno.test("tool_choice required: calls are made of every tool; a named one: of that alone", async () => {
  const text = `${printed("a")}\n${printed("b")}`;
  const names = async (tool_choice: unknown) =>
    (await stream({ text }, { tool_choice })).choices[0]?.calls.map((call) => call.name);
  assert.deepEqual(await names("required"), ["a", "b"]);
  assert.deepEqual(await names({ type: "function", function: { name: "b" } }), ["b"]);
});

Deno.test("allowed_tools with auto: a server's own call of another tool doesn't arrive", async () => {
  const other = { stream: streamOf([{ role: "assistant", content: "I look." }, native(0)]), body: "" };
  const names = async (name: string) => {
    const allowed = { mode: "auto", tools: [{ type: "function", function: { name } }] };
    const choice = { type: "allowed_tools", allowed_tools: allowed };
    return (await stream({ raw: other }, { tool_choice: choice })).choices[0]?.calls.map((call) => call.name);
  };
  assert.deepEqual(await names("b"), []);
  assert.deepEqual(await names("a"), ["a"]);
});

Deno.test("parallel_tool_calls false: one call, then the answer ends cleanly and the upstream is stopped", async () => {
  const one = { parallel_tool_calls: false };
  const texts = await stream({ text: `${printed("a")}\nmore ${printed("b")} and on `, isEndless: true }, one);
  assert.deepEqual(texts.choices[0]?.calls.map((call) => call.name), ["a"]);
  assert.deepEqual([texts.choices[0]?.finishReasons, texts.isDone], [["tool_calls"], true]);
  const raw = { stream: streamOf([{ role: "assistant" }, native(0), native(1)]), body: "" };
  const natives = await stream({ raw }, one);
  assert.deepEqual(natives.choices[0]?.calls.map((call) => call.arguments), ['{"x":0}']);
  assert.deepEqual([natives.choices[0]?.finishReasons, natives.isDone], [["tool_calls"], true]);
  const clean = { stream: streamOf([{ role: "assistant" }, native(0)]), body: "" };
  assert.equal((await stream({ raw: clean }, one)).text, clean.stream);
});

Deno.test("a client of legacy functions gets function_call, from text and from native calls alike", async () => {
  const legacy = { tools: undefined, functions };
  const own = [{ role: "assistant" }, { function_call: { name: "a", arguments: '{"x":' } }, {
    function_call: { arguments: "0}" },
  }];
  const clean = streamOf(own, { finish: "function_call" });
  const cases = [
    { text: printed("a") },
    { raw: { stream: streamOf([{ role: "assistant" }, native(0)]), body: "" } },
    { raw: { stream: clean, body: "" } },
  ];
  for (const script of cases) {
    const { chunks, choices: [choice], text } = await stream(script, legacy);
    const pieces = chunks.flatMap((chunk) => {
      const called = chunk.choices[0]?.delta?.function_call;
      return called == null ? [] : [called];
    });
    assert.equal(pieces.map((piece) => piece.name ?? "").join(""), "a");
    assert.match(pieces.map((piece) => piece.arguments ?? "").join(""), /^\{"x": ?[01]\}$/);
    assert.deepEqual([choice?.calls, choice?.finishReasons], [[], ["function_call"]]);
    if (script.raw?.stream === clean) assert.equal(text, clean);
  }
});

Deno.test("a client of legacy functions gets function_call in a whole answer", async () => {
  const call = { id: "a", type: "function", function: { name: "a", arguments: "{}" } };
  await using upstream = startUpstream({
    raw: { stream: "", body: bodyOf({ content: null, tool_calls: [call] }) },
  });
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url)));
  const answer = await (await askChat(proxy.origin, { body: { tools: undefined, functions } })).json();
  const [{ message, finish_reason }] = answer.choices;
  assert.deepEqual(
    [message.function_call, message.tool_calls, finish_reason],
    [{ name: "a", arguments: "{}" }, undefined, "function_call"],
  );
});

Deno.test("an id of the conversation is not given again", async () => {
  const messages = [
    { role: "user", content: "x" },
    {
      role: "assistant",
      tool_calls: [{ id: "id0", type: "function", function: { name: "a", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "id0", content: "y" },
  ];
  const raw = { stream: streamOf([{ role: "assistant" }, native(0)]), body: "" };
  const { choices: [choice] } = await stream({ raw }, { messages });
  assert.ok(choice?.calls[0]?.id && choice.calls[0].id !== "id0");
  assert.equal(choice.calls[0].arguments, '{"x":0}');
});

Deno.test("the conversation is passed on as it is, but for arguments that aren't JSON and results without an id, and not even so without heal", async () => {
  const messages = [
    { role: "user", content: "x" },
    {
      role: "assistant",
      tool_calls: [{ id: "i", type: "function", function: { name: "a", arguments: '{"x": 1,}' } }],
    },
    { role: "tool", content: "y" },
  ];
  const repaired = structuredClone(messages);
  repaired[1]!.tool_calls![0]!.function.arguments = '{"x": 1}';
  const named = repaired.map((message) =>
    message.role === "tool" ? { ...message, tool_call_id: "i" } : message
  );
  const settings = [
    { heal: false, repair_history: false, sent: messages },
    { heal: true, repair_history: false, sent: named },
    { heal: true, repair_history: true, sent: named },
  ];
  for (const { heal, repair_history, sent } of settings) {
    await using upstream = startUpstream({ text: "Done." });
    const upstreams = [{ name: "local", url: upstream.url, heal }];
    await using proxy = await startProxy(
      await builtInService(testConfig(undefined, { policy: { repair_history }, upstreams })),
    );
    await (await askChat(proxy.origin, { body: { messages, tools } })).text();
    assert.deepEqual(JSON.parse(upstream.requests[0]?.body ?? "").messages, sent);
  }
});

Deno.test("printed calls leave earlier answers where the policy says so, unless heal is off", async () => {
  const call = '<tool_call>\n{"name": "a", "arguments": {"x": 1}}\n</tool_call>';
  const quoted = "You wrote this:\n```\n" + call + "\n```";
  const messages = [
    { role: "user", content: "x" },
    { role: "assistant", content: `I look.\n${call}` },
    { role: "user", content: "Go on." },
    { role: "assistant", content: `Again.\n${call}` },
    { role: "tool", tool_call_id: "i", content: "y" },
    { role: "assistant", content: quoted },
    { role: "user", content: "Yes." },
  ];
  for (
    const setting of [{ repair_history: false }, { repair_history: true }, {
      repair_history: true,
      heal: false,
    }]
  ) {
    const { heal = true, ...policy } = setting;
    await using upstream = startUpstream({ text: "Done." });
    const own = { name: "local", url: upstream.url, heal };
    await using proxy = await startProxy(
      await builtInService(testConfig(undefined, { policy, upstreams: [own] })),
    );
    await (await askChat(proxy.origin, { body: { messages, tools } })).text();
    const sent = JSON.parse(upstream.requests[0]?.body ?? "").messages;
    if (!policy.repair_history || !heal) {
      assert.deepEqual(sent, messages);
      continue;
    }
    assert.deepEqual(
      sent.map(({ content }: { content: string }) => content.trim()),
      ["x", "I look.", "Go on.", "Again.", "y", quoted, "Yes."],
    );
    assert.deepEqual(sent[3].tool_calls, [
      { id: "i", type: "function", function: { name: "a", arguments: '{"x":1}' } },
    ]);
  }
});
