/** Thoughts that an agent leaves out or renames, on every wire: they come back where the server's model reads them. */
import assert from "node:assert/strict";
import type { Script } from "../support/scripted_upstream.ts";
import {
  askRow,
  onRows,
  TOOL,
  WIRE_TABLE,
  type WireQuestion,
  type WireRow,
  withCallId,
} from "../support/wire_table.ts";
import { postRaw, startWireProxy, type WireProxyOptions } from "../support/wire_proxy.ts";

const IDENTITY = { id: "chatcmpl-1", created: 1, model: "m" };
const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

/** An answer with thoughts and a call of the server's own. */
function called(id: string, thoughts: string, field = "reasoning_content"): Script {
  const call = { index: 0, id, type: "function", function: { name: "t", arguments: "{}" } };
  const chunk = (delta: unknown, reason: string | null = null) =>
    `data: ${
      JSON.stringify({
        ...IDENTITY,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, finish_reason: reason }],
      })
    }\n\n`;
  const stream = chunk({ role: "assistant", content: "" }) + chunk({ [field]: thoughts.slice(0, 3) }) +
    chunk({ [field]: thoughts.slice(3) }) + chunk({ tool_calls: [call] }) + chunk({}, "tool_calls") +
    "data: [DONE]\n\n";
  const message = { role: "assistant", content: null, [field]: thoughts, tool_calls: [call] };
  const body = JSON.stringify({
    ...IDENTITY,
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    usage: USAGE,
  });
  return { raw: { stream, body } };
}

/** A model that calls once and then answers. */
function connect(first: Script, options: WireProxyOptions = {}) {
  return startWireProxy(
    ({ body }) => body.includes('"role":"tool"') ? { text: "Done." } : first,
    {
      settings: { server: "vllm", tools: "native", model_names: { m: "deepseek-v4" }, ...options.settings },
      ...options.config && { config: options.config },
    },
  );
}

const THINKING = { task: "x", tool: TOOL };
const PAST = { name: "t", args: {}, result: "r" };

/** The message with calls that the model got last. */
function history(requests: readonly { readonly path: string; readonly body: string }[]) {
  const asked = requests.filter(({ path }) => path.endsWith("/chat/completions")).at(-1)!;
  return JSON.parse(asked.body).messages.find(({ role }: { role: string }) => role === "assistant");
}

/** Asks on, with the call and its result. */
async function askOn(origin: string, row: WireRow, question: WireQuestion) {
  const { path, body } = row.request(question);
  return row.read({ status: 200, ...await postRaw(origin + path, withCallId(body, "c1")) });
}

Deno.test("dropped thoughts come back on every wire, for models that read them", async () => {
  for (const field of ["reasoning_content", "reasoning"]) {
    for (const row of WIRE_TABLE) {
      await using model = await connect(called("c1", "I have to look", field));
      await askRow(model.origin, { row, question: THINKING });
      await askOn(model.origin, row, { ...THINKING, past: PAST });
      assert.equal(
        history(model.upstream.requests).reasoning_content,
        "I have to look",
        `${row.name}, ${field}`,
      );
    }
  }
});

/** Where nothing is put back → the setting and the model. */
const LEFT: Readonly<Record<string, WireProxyOptions>> = {
  "for other models": { settings: { model_names: { m: "llama-3" } } },
  "with `pass`": { config: { policy: { dropped_thoughts: "pass" } } },
  "with `heal: false`": { settings: { heal: false } },
};

for (const [where, options] of Object.entries(LEFT)) {
  Deno.test(`dropped thoughts stay dropped ${where}`, async () => {
    await using model = await connect(called("c1", "I have to look"), options);
    await onRows(WIRE_TABLE, async (row) => {
      await askRow(model.origin, { row, question: THINKING });
      await askOn(model.origin, row, { ...THINKING, past: PAST });
      assert.equal(history(model.upstream.requests).reasoning_content, undefined);
    });
  });
}

const tools = [{ type: "function", function: { name: "t", parameters: { type: "object" } } }];

function turns(more: Readonly<Record<string, unknown>>, id = "c1") {
  const call = { id, type: "function", function: { name: "t", arguments: "{}" } };
  return [
    { role: "user", content: "x" },
    { role: "assistant", content: null, tool_calls: [call], ...more },
    { role: "tool", tool_call_id: id, content: "r" },
  ];
}

Deno.test("renamed thoughts get the server's name, and the client's own come before remembered ones", async () => {
  await using model = await connect(called("c1", "remembered"));
  const url = `${model.origin}/v1/chat/completions`;
  const ask = async (messages: unknown) => {
    await postRaw(url, { model: "m", messages, tools });
    return history(model.upstream.requests);
  };
  await postRaw(url, { model: "m", messages: [{ role: "user", content: "x" }], tools });
  const renamed = await ask(turns({ reasoning: "own" }));
  assert.deepEqual([renamed.reasoning_content, renamed.reasoning], ["own", undefined]);
  assert.equal((await ask(turns({ reasoning_content: "own" }))).reasoning_content, "own");
  assert.equal((await ask(turns({ reasoning_content: "" }))).reasoning_content, "remembered");
  assert.equal((await ask(turns({}, "another"))).reasoning_content, undefined);
  const other = turns({}).map((message) => message.role === "user" ? { ...message, content: "y" } : message);
  assert.equal((await ask(other)).reasoning_content, undefined, "another conversation");
  assert.equal(
    (await ask([...turns({}), ...turns({})])).reasoning_content,
    undefined,
    "an id that comes twice",
  );
});

/** Server → its refusal of a message without its thoughts. */
const REFUSALS: Readonly<Record<string, string>> = {
  "DeepSeek": "Missing `reasoning_content` field in the assistant message at message index 2",
  "DeepSeek V4": "The `reasoning_content` in the thinking mode must be passed back to the API.",
  "Kimi": "thinking is enabled but reasoning_content is missing in assistant tool call message at index 7",
};

for (const [server, message] of Object.entries(REFUSALS)) {
  Deno.test(`dropped thoughts, every wire: ${server}'s refusal leads to them once, and is remembered`, async () => {
    const refusal: Script = { error: { status: 400, body: JSON.stringify({ error: { message } }) } };
    await onRows(WIRE_TABLE, async (row) => {
      await using model = await startWireProxy(({ body }) => {
        if (!body.includes('"role":"tool"')) return called("c1", "I have to look");
        return body.includes("I have to look") ? { text: "Done." } : refusal;
      }, { settings: { server: "none" } });
      await askRow(model.origin, { row, question: THINKING });
      for (const expected of [2, 1]) {
        const from = model.upstream.requests.length;
        const { text } = await askOn(model.origin, row, { ...THINKING, past: PAST });
        assert.deepEqual([text, model.upstream.requests.length - from], ["Done.", expected]);
      }
    });
  });
}

Deno.test("dropped thoughts: no one gets those of another client", async () => {
  await using model = await connect(called("c1", "a secret"));
  const ask = async (key: string, messages: unknown) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
    const body = JSON.stringify({ model: "m", messages, tools });
    await (await fetch(`${model.origin}/v1/chat/completions`, { method: "POST", headers, body })).text();
    return history(model.upstream.requests)?.reasoning_content;
  };
  await ask("key-of-one", [{ role: "user", content: "x" }]);
  assert.equal(await ask("key-of-another", turns({})), undefined);
  assert.equal(await ask("key-of-one", turns({})), "a secret");
});
