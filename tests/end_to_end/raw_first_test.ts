/**
 * `tools: auto` on a server where raw is known to be better: from the first request on, unless the request, the template, the
 * version or the rules don't allow it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { recognizeServer } from "../../src/proxy/upstream/recognize_server.ts";
import { builtInService } from "../support/built_in.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { type Arrived, type Script, startUpstream } from "../support/scripted_upstream.ts";

const CALL = '<tool_call>\n{"name": "dig", "arguments": {"depth": 3}}\n</tool_call>';
const TEMPLATE = "{% if tools %}<tool_call>{% endif %}";
const tools = ["dig", "fill"].map((name) => ({ type: "function", function: { name } }));
const named = { type: "function", function: { name: "dig" } };
const made = { id: "a", type: "function", function: { name: "dig", arguments: '{"depth":3}' } };
const native = { choices: [{ index: 0, message: { tool_calls: [made] }, finish_reason: "tool_calls" }] };

/** A server as the facts of build b10547 describe it: with `none`, the model's own text arrives. */
interface Server {
  readonly build?: string;
  readonly template?: string;
  readonly models?: number;
  readonly refusal?: string;
  /** What the model writes. */
  readonly wrote?: string;
}

/** What is in front of its calls, in the reasoning that its template opens. */
const THOUGHTS = `<think>\nI could ${CALL} but no.\n</think>\n\n`;

const json = (value: unknown, status = 200): Script => ({ error: { status, body: JSON.stringify(value) } });

function answer(
  { path, body }: Arrived,
  { build = "b10547-749f688fc", template = TEMPLATE, models = 1, refusal, wrote = CALL }: Server,
): Script {
  if (path === "/v1/models") {
    return json({ data: Array.from({ length: models }, (_, id) => ({ id, owned_by: "llamacpp" })) });
  }
  if (path === "/props") return json({ build_info: build, chat_template: template });
  const { tool_choice: choice, tools: offered, reasoning_format: format } = JSON.parse(body);
  if (offered !== undefined && refusal !== undefined) return json({ error: { message: refusal } }, 500);
  if (choice !== "none" && offered !== undefined) return json(native);
  // It ends the reasoning at a call in it (b11434, run), unless the reasoning stays in the text.
  return { text: format === "none" ? wrote : wrote.replace(/^<think>[^]*?(?=<tool_call>)/, "") };
}

/** Asks once; returns what the server got, and the names of the calls that arrived. */
async function ask(
  fields: Record<string, unknown> = {},
  { server = {}, upstream: settings = {} }: { server?: Server; upstream?: Record<string, unknown> } = {},
) {
  await using upstream = startUpstream((arrived) => answer(arrived, server));
  const own = { name: "local", url: upstream.url, tools: "auto", ...settings };
  const config = testConfig(undefined, { upstreams: [own] });
  const service = await builtInService(config);
  const listed = await fetch(`${upstream.url}/models`);
  const found = await recognizeServer(config.upstreams[0]!, {
    key: undefined,
    send: fetch,
    timeoutMs: 1000,
    models: { headers: listed.headers, body: await listed.text() },
  });
  assert.equal(found?.server, "llama.cpp");
  service.servers?.learn(found);
  await using proxy = await startProxy(service);
  const response = await askChat(proxy.origin, { body: { tools, ...fields } });
  const { choices } = await response.json();
  const sent = upstream.requests.filter(({ path }) => path.endsWith("/completions")).map(({ body }) =>
    JSON.parse(body)
  );
  const calls = choices[0].message.tool_calls ?? [];
  return { sent, calls: calls.map(({ function: { name } }: typeof made) => name) };
}

Deno.test("auto reads a model raw from the first request where its server's profile prefers it", async () => {
  for (const choice of [undefined, "auto", "none"]) {
    const { sent, calls } = await ask({ tool_choice: choice });
    assert.deepEqual(sent.map(({ tool_choice: one }) => one), ["none"], String(choice));
    assert.deepEqual(sent[0].tools, tools);
    assert.deepEqual(calls, choice === "none" ? [] : ["dig"]);
  }
});

Deno.test("where the template writes thoughts, they stay in the text, so that a call in them isn't made", async () => {
  const fill = CALL.replace("dig", "fill");
  for (
    const [template, format] of [[`${TEMPLATE}{{ "</think>" }}`, "none"], [TEMPLATE, undefined]] as const
  ) {
    const wrote = format === undefined ? fill : `${THOUGHTS}${fill}`;
    const { sent, calls } = await ask({}, { server: { template, wrote } });
    assert.deepEqual(sent.map(({ reasoning_format }) => reasoning_format), [format]);
    assert.deepEqual(calls, ["fill"]);
  }
});

Deno.test("auto stays native for what the client demands, so that the server's grammar holds", async () => {
  const allowed = (mode: string) => ({ type: "allowed_tools", allowed_tools: { mode, tools: [named] } });
  const table: readonly [fields: Record<string, unknown>, choice: unknown][] = [
    [{ tool_choice: "required" }, "required"],
    [{ tool_choice: named }, "required"],
    [{ tool_choice: allowed("auto") }, "auto"],
    [{ tool_choice: allowed("required") }, "required"],
    [{ response_format: { type: "json_object" } }, undefined],
    [{ grammar: "root ::= [a-z]" }, undefined],
  ];
  for (const [fields, choice] of table) {
    const { sent, calls } = await ask(fields);
    assert.deepEqual(sent.map(({ tool_choice: one }) => one), [choice], JSON.stringify(fields));
    assert.deepEqual(calls, ["dig"]);
  }
});

Deno.test("auto stays native where raw isn't certain, and native and raw mean what they are", async () => {
  const native: readonly Parameters<typeof ask>[1][] = [
    { server: { build: "b10546-1" } },
    { server: { template: "{% if tools %}<|channel|>{% endif %}" } },
    { server: { models: 2 } },
    { upstream: { rules: ["react"] } },
    { upstream: { tools: "native" } },
  ];
  for (const options of native) {
    const { sent } = await ask({}, options);
    assert.deepEqual(sent.map(({ tool_choice: choice }) => choice), [undefined]);
  }
  const { sent } = await ask({ tool_choice: "required" }, { upstream: { tools: "raw" } });
  assert.deepEqual(sent.map(({ tool_choice: choice }) => choice), ["none"]);
});

Deno.test("auto still puts the tools into the prompt of a server that refuses them", async () => {
  const { sent, calls } = await ask({}, { server: { refusal: "tools param requires --jinja flag" } });
  assert.deepEqual(sent.map(({ tool_choice: choice }) => choice), ["none", undefined]);
  assert.equal(sent[1].tools, undefined);
  assert.deepEqual(calls, ["dig"]);
});
