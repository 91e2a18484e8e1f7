/** A client that reads calls in text and asked for the usage gets it, however its answer ends. */
import assert from "node:assert/strict";
import strictValidation from "../../plugins/strict_validation.ts";
import type { LoadedPlugin } from "../../src/proxy/plugin/hooks.ts";
import { builtInService } from "../support/built_in.ts";
import { hear } from "../support/chunks.ts";
import { rooPrompt } from "../support/prompts.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { IDENTITY, message } from "../support/chunks.ts";
import { type Script, startUpstream, USAGE } from "../support/scripted_upstream.ts";

const CALL = "<tool_call>\n<function=read_file>\n<parameter=path>a.ts</parameter>\n</function>\n</tool_call>";
const BODY = {
  messages: [
    { role: "system", content: rooPrompt({ hasArgs: true, hasLineCount: false }) },
    { role: "user", content: "Go" },
  ],
  stream: true,
  stream_options: { include_usage: true },
  tools: undefined,
};

async function usageOf(scripts: readonly Script[], plugins: readonly LoadedPlugin[] = []) {
  const left = [...scripts];
  await using upstream = startUpstream(() => left.shift() ?? { text: "Nothing." });
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url), plugins));
  const answer = hear(await (await askChat(proxy.origin, { body: BODY })).text());
  return { ...answer, content: answer.choices[0]?.content ?? "" };
}

Deno.test("the usage arrives when the answer ends at the call", async () => {
  for (const text of [CALL, `I read it.\n\n${CALL}\n\nAnd more.`]) {
    const { usage, content, isDone } = await usageOf([{ text }]);
    assert.match(content, /<path>a\.ts<\/path>/);
    assert.deepEqual([usage, isDone], [USAGE, true], text);
  }
});

Deno.test("the usage arrives after a call that left while it was written", async () => {
  const text = "<write_to_file>\n<path>a.ts</path>\n<content>\nx\n</content>\n</write_to_file>";
  const { usage, content, isDone } = await usageOf([{ text: `${text}\n\nAnd more.` }]);
  assert.deepEqual([usage, content, isDone], [USAGE, text, true]);
});

Deno.test("the usage arrives after a retry, for all attempts together", async () => {
  const defaults = Object.entries(strictValidation.options ?? {}).map((
    [name, field],
  ) => [name, field.default]);
  const strict = {
    plugin: strictValidation as LoadedPlugin["plugin"],
    options: { ...Object.fromEntries(defaults), mode: "retry", require_tool_use: true },
  };
  const { usage, content } = await usageOf([{ text: "Let me think." }, { text: CALL }], [strict]);
  assert.match(content, /<path>a\.ts<\/path>/);
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = USAGE;
  assert.deepEqual(usage, {
    prompt_tokens: 2 * prompt,
    completion_tokens: 2 * completion,
    total_tokens: 2 * total,
  });
});

Deno.test("the usage arrives with a call that the upstream made itself", async () => {
  const call = {
    index: 0,
    id: "c",
    type: "function",
    function: { name: "read_file", arguments: '{"path":"a.ts"}' },
  };
  const chunk = (delta: unknown, finish: string | null) =>
    message({ ...IDENTITY, choices: [{ index: 0, delta, finish_reason: finish }] });
  const stream = chunk({ role: "assistant", tool_calls: [call] }, null) + chunk({}, "tool_calls") +
    message({ ...IDENTITY, choices: [], usage: USAGE }) + message("[DONE]");
  const { usage, content, isDone } = await usageOf([{ raw: { stream, body: "" } }]);
  assert.match(content, /<path>a\.ts<\/path>/);
  assert.deepEqual([usage, isDone], [USAGE, true]);
});
