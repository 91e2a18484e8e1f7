import assert from "node:assert/strict";
import { pluginService } from "../support/plugins.ts";
import { startProxy } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { functionTool } from "../support/chat_tools.ts";
import { type Answered, askRow, onRows, WIRE_TABLE } from "../support/wire_table.ts";

const TOOLS = [functionTool("read_file", { path: "string" }, { required: ["path"] })];

const GROUP = `<multi_tool_use mode="parallel">
<read_file><toolId>x</toolId><path>a</path><dependsOn>y</dependsOn></read_file>
<read_file><toolId>y</toolId><path>b</path></read_file>
<read_file><toolId>z</toolId><path>c</path></read_file>
</multi_tool_use>`;

interface Call {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Executes what it gets until the model has no more calls; gives the paths of each answer. */
async function execute(
  config: string,
  options: { text?: string; body?: Record<string, unknown>; result?: string } = {},
): Promise<{ answers: string[][]; asked: number }> {
  const texts = [options.text ?? GROUP];
  await using upstream = startUpstream(() => ({ text: texts.shift() ?? "Done." }));
  await using proxy = await startProxy(await pluginService(upstream.url, { config }));
  const messages: unknown[] = [{ role: "user", content: "Read" }];
  const answers: string[][] = [];
  for (let turn = 0; turn < 10; turn++) {
    const response = await fetch(`${proxy.origin}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: "m", messages, tools: TOOLS, ...options.body }),
    });
    const { message } = (await response.json()).choices[0];
    const calls: Call[] = message.tool_calls ?? [];
    if (calls.length === 0) break;
    for (const call of calls) assert.deepEqual(Object.keys(JSON.parse(call.function.arguments)), ["path"]);
    answers.push(calls.map((call) => JSON.parse(call.function.arguments).path));
    messages.push(message);
    for (const { id } of calls) {
      messages.push({ role: "tool", tool_call_id: id, content: options.result ?? "ok" });
    }
  }
  return { answers, asked: upstream.requests.length };
}

Deno.test("without waves, a client that takes any number of calls gets them together, in order", async () => {
  const config = "plugins: [{ use: dependency_chain, waves: false }]";
  assert.deepEqual(await execute(config), { answers: [["b", "a", "c"]], asked: 2 });
});

Deno.test("on every wire, by default, an answer holds what does not depend on each other", () =>
  onRows(WIRE_TABLE, async (row) => {
    await using upstream = startUpstream({ text: GROUP });
    await using proxy = await startProxy(
      await pluginService(upstream.url, { config: "plugins: [dependency_chain]" }),
    );
    const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
    const tool = { name: "read_file", schema };
    const past: Answered[] = [];
    for (const wave of [["b", "c"], ["a"]]) {
      const { calls } = await askRow(proxy.origin, { row, question: { task: "Read", tool, past } });
      assert.deepEqual(calls, wave.map((path) => ["read_file", { path }]));
      past.push(...calls.map(([name, args]) => ({ name, args, result: "ok" })));
    }
    assert.equal(upstream.requests.length, 1);
  }));

Deno.test("a client without parallel calls gets them one by one", async () => {
  const body = { parallel_tool_calls: false };
  assert.deepEqual(await execute("plugins: [dependency_chain]", { body }), {
    answers: [["b"], ["a"], ["c"]],
    asked: 2,
  });
});

Deno.test("a failed result drops the waves that wait", async () => {
  const result = "Error: no such file";
  assert.deepEqual(await execute("plugins: [dependency_chain]", { result }), {
    answers: [["b", "c"]],
    asked: 2,
  });
});

Deno.test("the older wrappers are read too", async () => {
  const text =
    "<sequential><read_file><path>a</path></read_file><read_file><path>b</path></read_file></sequential>";
  assert.deepEqual(await execute("plugins: [dependency_chain]", { text }), {
    answers: [["a"], ["b"]],
    asked: 2,
  });
});

Deno.test("an object with several calls is a group too", async () => {
  const use = (path: string) => ({ recipient_name: "functions.read_file", parameters: { path } });
  const text = JSON.stringify({ tool_uses: [use("a"), use("b")] });
  assert.deepEqual(await execute("plugins: [dependency_chain]", { text }), {
    answers: [["a", "b"]],
    asked: 2,
  });
  const body = { parallel_tool_calls: false };
  assert.deepEqual(await execute("plugins: [dependency_chain]", { text, body }), {
    answers: [["a"], ["b"]],
    asked: 2,
  });
});
