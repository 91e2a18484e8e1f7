import assert from "node:assert/strict";
import type { WatchRequest } from "../../../src/proxy/exchange/watch.ts";
import { builtInService } from "../../support/built_in.ts";
import { startProxy, testConfig } from "../../support/proxy.ts";
import { startUpstream } from "../../support/scripted_upstream.ts";
import { type SettledChat, settleServerTools } from "../../../src/proxy/exchange/server_tools.ts";
import type { ServerTool, WireChat, WireRefusal } from "../../../src/wires/wire.ts";

const NAME = "look";
const SCHEMA = { type: "object", properties: {} };
const MESSAGES = [{ role: "user", content: "hi" }];

/** Path → a request of its wire with one tool. */
const REQUESTS: Readonly<Record<string, Record<string, unknown>>> = {
  "/v1/chat/completions": {
    model: "m",
    messages: MESSAGES,
    tools: [{ type: "function", function: { name: NAME, parameters: SCHEMA } }],
  },
  "/v1/messages": {
    model: "m",
    max_tokens: 10,
    messages: MESSAGES,
    tools: [{ name: NAME, input_schema: SCHEMA }],
  },
  "/v1/responses": { model: "m", input: "hi", tools: [{ type: "function", name: NAME, parameters: SCHEMA }] },
  "/v1beta/models/m:generateContent": {
    contents: [{ role: "user", parts: [{ text: "hi" }] }],
    tools: [{ functionDeclarations: [{ name: NAME, parameters: SCHEMA }] }],
  },
};

/** Client → headers that it sends. */
const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  claude_code: { "user-agent": "claude-cli/2.1.330 (external, cli)" },
  codex: { "user-agent": "codex_exec/0.169.0" },
  gemini_cli: { "user-agent": "GeminiCLI/0.61.0/m (linux; x64)" },
  copilot_cli: { "user-agent": "Anthropic/JS 0.94.0", "x-initiator": "user" },
  openai: { "user-agent": "OpenAI/JS 6.49.0", "x-stainless-os": "Linux" },
};

for (const [path, body] of Object.entries(REQUESTS)) {
  Deno.test(`answerWire recognizes every client on ${path}`, async () => {
    const clients: (string | undefined)[] = [];
    const watch: WatchRequest = ({ client }) => {
      clients.push(client);
      return { observe() {}, end() {} };
    };
    await using upstream = startUpstream({ text: "ok" });
    await using proxy = await startProxy(await builtInService(testConfig(upstream.url)), {
      watches: [watch],
    });
    for (const headers of Object.values(HEADERS)) {
      const response = await fetch(proxy.origin + path, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      assert.equal(response.status, 200, text);
    }
    assert.deepEqual(clients, Object.keys(HEADERS));
  });
}

Deno.test("answerWire keeps headers that name no client, and keys of other wires, from the upstream", async () => {
  await using upstream = startUpstream({ text: "ok" });
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url)));
  const headers = {
    "x-api-key": "secret",
    "anthropic-version": "2023-06-01",
    "x-stainless-os": "Linux",
    "x-initiator": "agent",
    "content-type": "application/json",
  };
  const body = JSON.stringify(REQUESTS["/v1/messages"]);
  const response = await fetch(`${proxy.origin}/v1/messages`, { method: "POST", headers, body });
  await response.text();
  const sent = upstream.requests[0]!.headers;
  assert.deepEqual(
    Object.keys(headers).map((name) => sent.get(name)),
    [null, null, null, "agent", "application/json"],
  );
  assert.equal(sent.get("authorization"), "Bearer secret");
});

type Setting = "leave_out" | "refuse" | "pass_on";

const LOOK = { type: "function", function: { name: "look" } };
const SEARCH: ServerTool = { name: "search", entry: { type: "search" } };

function settle(
  { setting = "leave_out", tools = [LOOK], serverTools = [SEARCH] }: {
    readonly setting?: Setting;
    readonly tools?: readonly unknown[];
    readonly serverTools?: readonly ServerTool[];
  },
): SettledChat | WireRefusal {
  const body = { model: "m", stream: false, ...(tools.length > 0 ? { tools } : {}) };
  const chat: WireChat = {
    body,
    serverTools,
    contentType: "",
    createWriter: () => assert.fail(),
    writeWhole: () => assert.fail(),
  };
  const config = testConfig(undefined, { tools: { server_tools: setting } });
  const noted = new Set<string>();
  const isNews = (remark: string) => noted.size < noted.add(remark).size;
  return settleServerTools(chat, { service: { config, isNews }, wire: "w" });
}

function toolsOf(settled: SettledChat | WireRefusal): unknown {
  return "refusal" in settled ? settled.refusal.message.split(" ", 3).at(-1) : settled.body["tools"];
}

Deno.test("settleServerTools leaves server tools out, refuses them, or passes them on", () => {
  const chosen = { ...SEARCH, isChosen: true };
  const cases = [
    [{}, [LOOK]],
    [{ serverTools: [] }, [LOOK]],
    [{ tools: [], serverTools: [] }, undefined],
    [{ tools: [] }, "search"],
    [{ serverTools: [{ ...SEARCH, name: "fetch" }, chosen] }, "search"],
    [{ setting: "refuse" }, "search"],
    [{ setting: "refuse", serverTools: [] }, [LOOK]],
    [{ setting: "pass_on" }, [LOOK, { type: "search" }]],
    [{ setting: "pass_on", tools: [], serverTools: [chosen] }, [{ type: "search" }]],
    [{ setting: "pass_on", tools: [], serverTools: [] }, undefined],
  ] as const;
  for (const [given, expected] of cases) {
    assert.deepEqual(toolsOf(settle(given)), expected, JSON.stringify(given));
  }
});

Deno.test("settleServerTools notes each tool once, and bounds names that a client chooses", () => {
  const long = { ...SEARCH, name: "x".repeat(10_000) };
  const settled = settle({ serverTools: [SEARCH, SEARCH, long] });
  assert.ok(!("refusal" in settled));
  assert.deepEqual(settled.notes.map(({ reason, rule, tool }) => [reason, rule, tool?.length]), [
    ["server_tool", "w", 6],
    ["server_tool", "w", 64],
  ]);
  const refused = settle({ tools: [], serverTools: [long] });
  assert.ok("refusal" in refused && refused.refusal.message.length < 400);
});

/** A wire's path → a request, its function, and its server tools in each spelling. */
const WIRES = {
  "/v1/messages": {
    body: { model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] },
    own: { name: "look", input_schema: SCHEMA },
    servers: [{ type: "web_search_20250305", name: "web_search" }, { type: "mcp_toolset" }],
    choice: { tool_choice: { type: "tool", name: "web_search" } },
  },
  "/v1/responses": {
    body: { model: "m", input: "hi" },
    own: { type: "function", name: "look", parameters: SCHEMA },
    servers: [{ type: "web_search", external_web_access: true }, { type: "code_interpreter" }],
    choice: { tool_choice: { type: "web_search" } },
  },
  "/v1beta/models/m:generateContent": {
    body: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
    own: { functionDeclarations: [{ name: "look", parameters: SCHEMA }] },
    servers: [{ googleSearch: {} }, { urlContext: {} }],
    choice: undefined,
  },
} as const;

for (const [path, { body, own, servers, choice }] of Object.entries(WIRES)) {
  Deno.test(`answerWire applies tools.server_tools on ${path}`, async () => {
    const notes: unknown[] = [];
    const watch: WatchRequest = () => ({
      observe: (event) => void (event.kind === "note" && notes.push(event.tool)),
      end() {},
    });
    await using upstream = startUpstream({ text: "ok" });
    const send = async (setting: Setting, request: unknown) => {
      const config = testConfig(upstream.url, { tools: { server_tools: setting } });
      await using proxy = await startProxy(await builtInService(config), { watches: [watch] });
      const headers = { "content-type": "application/json" };
      const options = { method: "POST", headers, body: JSON.stringify(request) };
      // The second request brings no second note.
      await (await fetch(proxy.origin + path, options)).text();
      const response = await fetch(proxy.origin + path, options);
      const sent = JSON.parse(upstream.requests.at(-1)?.body ?? "{}").tools;
      return { status: response.status, text: await response.text(), sent };
    };
    const left = await send("leave_out", { ...body, tools: [own, ...servers] });
    assert.deepEqual([left.status, left.sent.length, left.sent[0].function.name], [200, 1, "look"]);
    assert.equal(notes.length, 2);
    const alone = await send("leave_out", { ...body, tools: servers });
    assert.equal(alone.status, 400);
    assert.match(
      alone.text,
      /The tool (?:web_search_20250305|web_search|googleSearch) runs on this API's own servers/,
    );
    const refused = await send("refuse", { ...body, tools: [own, ...servers] });
    assert.equal(refused.status, 400);
    const passed = await send("pass_on", { ...body, tools: [own, ...servers] });
    assert.deepEqual([passed.status, passed.sent.slice(1)], [200, servers]);
    if (choice === undefined) return;
    const forced = await send("leave_out", { ...body, ...choice, tools: [own, ...servers] });
    assert.equal(forced.status, 400);
  });
}

Deno.test("answerWire drops server tools that allowed_tools leaves out", async () => {
  await using upstream = startUpstream({ text: "ok" });
  const config = testConfig(upstream.url, { tools: { server_tools: "pass_on" } });
  await using proxy = await startProxy(await builtInService(config));
  const { body, own, servers } = WIRES["/v1/responses"];
  const allowed = { type: "allowed_tools", mode: "auto", tools: [{ type: "web_search" }] };
  const response = await fetch(`${proxy.origin}/v1/responses`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...body, tools: [own, ...servers], tool_choice: allowed }),
  });
  await response.text();
  assert.deepEqual(JSON.parse(upstream.requests[0]!.body).tools, [servers[0]]);
});
