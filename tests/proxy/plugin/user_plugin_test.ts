import assert from "node:assert/strict";
import type { ContentEvent, NoteEvent } from "../../../src/engine/event/event.ts";
import { hear } from "../../support/chunks.ts";
import { pluginService } from "../../support/plugins.ts";
import { rooPrompt } from "../../support/prompts.ts";
import { askChat, startProxy } from "../../support/proxy.ts";
import { startUpstream } from "../../support/scripted_upstream.ts";
import { functionTool } from "../../support/chat_tools.ts";

const COMMAND = functionTool("run", { command: "string" });

const TEXT = (command: string) =>
  `Look.\n<tool_call>\n{"name": "run", "arguments": {"command": ${
    JSON.stringify(command)
  }, "n": 1.0}}\n</tool_call>`;

/** What the client gets of one answer, streamed and whole, and what was noted. */
async function answers(text: string, plugin: { text: string; options?: string; timeoutMs?: number }) {
  await using upstream = startUpstream({ text });
  const notes: NoteEvent[] = [];
  const service = await pluginService(upstream.url, {
    files: { "mine.ts": plugin.text },
    config: `plugins:\n  - use: ./mine.ts\n${plugin.options ?? ""}`,
    ...(plugin.timeoutMs === undefined ? {} : { timeoutMs: plugin.timeoutMs }),
  });
  const observe = (event: ContentEvent) => void (event.kind === "note" && notes.push(event));
  await using proxy = await startProxy(service, { observe });
  const body = { tools: [COMMAND] };
  const streamed = hear(await (await askChat(proxy.origin, { body: { ...body, stream: true } })).text());
  const whole = await (await askChat(proxy.origin, { body })).json();
  const [choice] = streamed.choices;
  const { message, finish_reason } = whole.choices[0];
  assert.equal(choice?.content, message.content ?? "");
  assert.deepEqual(
    choice?.calls.map((call) => [call.name, call.arguments]),
    (message.tool_calls ?? []).map((call: { function: { name: string; arguments: string } }) => [
      call.function.name,
      call.function.arguments,
    ]),
  );
  assert.deepEqual(choice?.finishReasons, [finish_reason]);
  const told = [...new Set(notes.map(({ reason, detail }) => `${reason}: ${detail}`))];
  return {
    content: choice?.content,
    calls: choice?.calls.map((call) => call.arguments),
    finish: finish_reason,
    notes: told.filter((note) => note.startsWith("plugin")),
  };
}

async function examplePlugin(): Promise<string> {
  const page = await Deno.readTextFile("plugins/README.md");
  const found = /```ts\n(\/\/ careful\.ts[^]*?)```/.exec(page)?.[1];
  assert(found);
  return found;
}

Deno.test("the example plugin takes a secret out of the arguments", async () => {
  const text = TEXT("curl -H 'key: sk-abcdefghijklmnopqrstuv' x");
  const { calls, finish, notes } = await answers(text, { text: await examplePlugin() });
  assert.deepEqual(calls?.map((json) => JSON.parse(json)), [{ command: "curl -H 'key: [secret]' x", n: 1 }]);
  assert.deepEqual([finish, notes], ["tool_calls", ["plugin_changed: changed the arguments"]]);
});

Deno.test("the example plugin refuses rm -rf: the call leaves as the text that it was", async () => {
  const text = TEXT("rm  -rf /");
  const { content, calls, finish, notes } = await answers(text, { text: await examplePlugin() });
  assert.deepEqual([content, calls, finish], [text, [], "stop"]);
  assert.deepEqual(notes, ["plugin_refused: careful: rm -rf is forbidden"]);
});

Deno.test("the example plugin takes its option from the configuration", async () => {
  const { calls } = await answers(TEXT("mkfs /dev/x"), {
    text: await examplePlugin(),
    options: "    forbidden: [mkfs]\n",
  });
  assert.deepEqual(calls, []);
});

Deno.test("a call that a plugin lets pass keeps its arguments to the last digit", async () => {
  const { calls } = await answers(TEXT("ls"), { text: await examplePlugin() });
  assert.deepEqual(calls, ['{"command":"ls","n":1.0}']);
});

const FAILING: readonly (readonly [string, string, string])[] = [
  ["throws", "onCall() { throw new TypeError('secret of the answer'); }", "onCall threw TypeError"],
  ["throws no error", "onCall() { throw 'x'; }", "onCall threw string"],
  [
    "throws what can't be read",
    "onCall() { throw new (class extends Error { get message() { throw 1; } get stack() { throw 2; } })(); }",
    "onCall threw Error",
  ],
  [
    "throws an error without words",
    "onCall() { throw Object.assign(new Error(), { message: 5, name: Symbol() }); }",
    "onCall threw Error",
  ],
  ["returns a number", "onCall() { return 5; }", "onCall returned an invalid result"],
  [
    "returns half a decision",
    "onCall() { return { replace: [{ tool: 'run' }] }; }",
    "onCall returned an invalid result",
  ],
  ["is async", "async onCall() { throw new Error(); }", "onCall must not be async"],
  [
    "makes a call of a tool that is not offered",
    "onCall() { return { replace: [{ tool: 'other', arguments: {} }] }; }",
    "onCall made a call to a tool that is not offered",
  ],
  ["gives wrong events", "onEvent() { return [{ kind: 'text' }]; }", "onEvent returned an invalid result"],
  [
    "fails at the end",
    "onAnswerEnd() { return { verdict: 'no' }; }",
    "onAnswerEnd returned an invalid result",
  ],
  ["fails at the request", "onRequest() { throw new Error(); }", "onRequest threw Error"],
  [
    "never answers the request",
    "onRequest() { return new Promise(() => {}); }",
    "onRequest took more than 20 ms; its result was not used",
  ],
  ["answers the request with nothing", "onRequest() { return { calls: [] }; }", "onRequest answered with"],
];

for (const [what, hook, note] of FAILING) {
  Deno.test(`a plugin that ${what} leaves the answer intact and is reported`, async () => {
    const text = `export default { name: "mine", ${hook} };`;
    const { content, calls, finish, notes } = await answers(TEXT("ls"), { text, timeoutMs: 20 });
    assert.deepEqual([content, calls, finish], ["Look.\n", ['{"command":"ls","n":1.0}'], "tool_calls"]);
    assert.equal(notes.length > 0 && notes.every((told) => told.startsWith("plugin_failed")), true);
    assert.match(notes[0] ?? "", new RegExp(`^plugin_failed: ${note}`));
  });
}

const SLOW = "const end = performance.now() + 30; while (performance.now() < end);";

/** Each hook that isn't async and what it decides: a busy machine must not skip what a guard wants. */
const SLOW_HOOKS: readonly (readonly [string, string])[] = [
  ["onCall", `onCall() { ${SLOW} return { refuse: "no" }; }`],
  ["onEvent", `onEvent(event) { if (/call|arguments/.test(event.kind)) { ${SLOW} return []; } }`],
  ["onAnswerEnd", `onAnswerEnd() { ${SLOW} return { events: [{ kind: "text", text: "!" }] }; }`],
];

for (const [hook, code] of SLOW_HOOKS) {
  Deno.test(`a slow ${hook} is reported, and its result is used`, async () => {
    const text = `export default { name: "mine", ${code} };`;
    const { calls, content, notes } = await answers(TEXT("ls"), { text, timeoutMs: 20 });
    assert.ok(calls?.length === 0 || content === "Look.\n!");
    assert.match(notes.join("\n"), new RegExp(`plugin_failed: ${hook} took \\d+ ms, .* its result was used`));
  });
}

Deno.test("a plugin without a hook over calls leaves the arguments flowing", async () => {
  const text = `export default { name: "mine", onEvent: (event) =>
    event.kind === "text" ? [{ ...event, text: event.text.replaceAll("o", "0") }] : undefined };`;
  const { content, calls } = await answers(TEXT("ls"), { text });
  assert.deepEqual([content, calls], ["L00k.\n", ['{"command":"ls","n":1.0}']]);
});

Deno.test("a plugin may make other calls instead of one", async () => {
  const text = `export default { name: "mine", onCall: (call) => ({ replace: [
    { tool: "run", arguments: { command: "a" } }, { tool: "run", arguments: { command: "b" } }] }) };`;
  const { calls } = await answers(TEXT("ls"), { text });
  assert.deepEqual(calls, ['{"command":"a"}', '{"command":"b"}']);
});

Deno.test("a plugin changes a request, and what it did not touch keeps its spelling", async () => {
  await using upstream = startUpstream({ text: "Hi" });
  const service = await pluginService(upstream.url, {
    files: {
      "mine.ts": `export default { name: "mine", onRequest: (request) => ({ body: { ...request,
        messages: [{ role: "system", content: "S" }, ...request.messages] } }) };`,
    },
    config: "plugins: [./mine.ts]",
  });
  await using proxy = await startProxy(service);
  const tools = JSON.stringify([COMMAND]);
  const body =
    `{"model":"m","seed":1.0,"messages":[{"role":"user","content":"x","at":1e3}],"tools":${tools}}`;
  const response = await fetch(`${proxy.origin}/v1/chat/completions`, { method: "POST", body });
  await response.text();
  const expected = body.replace('"messages":[', '"messages":[{"role":"system","content":"S"},');
  assert.equal(upstream.requests[0]?.body, expected);
});

Deno.test("a plugin answers a request without the model, streamed and whole", async () => {
  await using upstream = startUpstream({ text: "Hi" });
  const service = await pluginService(upstream.url, {
    files: {
      "mine.ts":
        `export default { name: "mine", onRequest: () => ({ calls: [{ tool: "run", arguments: { command: "x" } }] }) };`,
    },
    config: "plugins: [./mine.ts]",
  });
  await using proxy = await startProxy(service);
  const body = { tools: [COMMAND] };
  const streamed = hear(await (await askChat(proxy.origin, { body: { ...body, stream: true } })).text());
  const whole = await (await askChat(proxy.origin, { body })).json();
  assert.deepEqual(streamed.choices[0]?.calls.map((call) => call.arguments), ['{"command":"x"}']);
  assert.deepEqual(streamed.choices[0]?.finishReasons, ["tool_calls"]);
  assert.equal(whole.choices[0].message.tool_calls[0].function.arguments, '{"command":"x"}');
  assert.equal(upstream.requests.length, 0);
});

Deno.test("a secret that is taken out does not reach an XML client in the model's own text", async () => {
  await using upstream = startUpstream({
    text: "<execute_command>\n<command>curl sk-abcdefghijklmnopqrstuv</command>\n</execute_command>",
  });
  const service = await pluginService(upstream.url, {
    files: { "careful.ts": await examplePlugin() },
    config: "plugins: [./careful.ts]",
  });
  await using proxy = await startProxy(service);
  const response = await fetch(`${proxy.origin}/v1/chat/completions`, {
    method: "POST",
    headers: { "user-agent": "RooCode/3.30.0" },
    body: JSON.stringify({
      model: "m",
      stream: true,
      messages: [
        { role: "system", content: rooPrompt({ hasArgs: false, hasLineCount: false }) },
        { role: "user", content: "Go" },
      ],
    }),
  });
  const content = hear(await response.text()).choices[0]?.content ?? "";
  assert.match(content, /^<execute_command>\n<command>curl \[secret\]<\/command>/);
});
