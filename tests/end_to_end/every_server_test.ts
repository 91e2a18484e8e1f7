/**
 * What every server gets, whoever it is: earlier arguments that are JSON, no null fields, words for `tool_choice` that all
 * know. A request that is right already stays byte for byte.
 *
 * @module
 */
import assert from "node:assert/strict";
import { readCall as callWith, readFile as fileReader, result, user } from "../support/chat_messages.ts";
import { askChat } from "../support/proxy.ts";
import { startWireProxy } from "../support/wire_proxy.ts";

const readFile = fileReader({ type: "object", properties: { path: { type: "string" } }, required: ["path"] });

const readCall = (id: string) => callWith(id, '{"path":"a.txt"}');

/** The bodies that a server gets for a request, and the status of the answer. */
async function send(
  fields: Record<string, unknown>,
  { isStreamed = false, ...settings }: Record<string, unknown> & { readonly isStreamed?: boolean } = {},
) {
  await using pair = await startWireProxy({ text: "Fine." }, { settings });
  const body = { model: "m", messages: [user("Read.")], tools: [readFile], stream: isStreamed, ...fields };
  const response = await askChat(pair.origin, { body });
  await response.text();
  // A server can be asked how its prompt ends before it gets the chat.
  const [asked] = pair.upstream.requests.filter(({ method, path }) =>
    method === "POST" && !/apply-template|tokenize/.test(path)
  );
  return { status: response.status, sent: JSON.parse(asked?.body ?? "null"), text: asked?.body, body };
}

const SETTINGS: readonly Record<string, unknown>[] = [
  {},
  ...["native", "prompted", "raw"].map((tools) => ({ tools })),
  ...["hermes", "qwen_xml", "json_block", "mistral"].map((dialect) => ({ tools: "prompted", dialect })),
  ...["llama.cpp", "vllm", "mlx", "sglang", "ollama", "tgi"].map((server) => ({ server })),
];

Deno.test("arguments of earlier calls are JSON for every server in every mode, and never a refusal", async () => {
  for (const settings of SETTINGS) {
    for (const isStreamed of [false, true]) {
      for (const given of ['{"path":"a.t', "", "[1]", '{"path": 1,}', "null", "x"]) {
        const call = readCall("call_1");
        const broken = { ...call, function: { ...call.function, arguments: given } };
        const messages = [
          user("Read."),
          { role: "assistant", content: null, tool_calls: [broken] },
          result("call_1"),
          user("Again."),
        ];
        const { status, sent } = await send({ messages }, { ...settings, isStreamed });
        const name = JSON.stringify([settings, isStreamed, given]);
        assert.equal(status, 200, name);
        for (const message of sent.messages) {
          for (const { function: made } of message.tool_calls ?? []) {
            assert.equal(Object.prototype.toString.call(JSON.parse(made.arguments)), "[object Object]", name);
          }
        }
        const written = JSON.stringify(sent.messages);
        if (given === '{"path":"a.t') assert(written.includes("a.t"), `${name}: nothing is lost`);
      }
    }
  }
});

Deno.test("a request that is right reaches a server that knows tools byte for byte", async () => {
  const messages = [user("Read."), { role: "assistant", content: null, tool_calls: [readCall("call_1")] }];
  for (const isStreamed of [false, true]) {
    const fields = { messages: [...messages, result("call_1")], tool_choice: "auto", temperature: 0.5 };
    const { status, text, body } = await send(fields, { isStreamed });
    assert.deepEqual([status, text], [200, JSON.stringify(body)]);
  }
});

Deno.test("null fields aren't sent; a message's content stays", async () => {
  const { sent } = await send({
    temperature: null,
    stop: null,
    tool_choice: null,
    messages: [
      { ...user("Read."), name: null },
      { role: "assistant", content: null, refusal: null, tool_calls: [readCall("call_1")] },
      result("call_1"),
    ],
    tools: [{ type: "function", function: { ...readFile.function, strict: null, parameters: null } }],
  });
  assert.deepEqual(Object.keys(sent), ["model", "messages", "tools", "stream"]);
  assert.deepEqual(Object.keys(sent.messages[0]), ["role", "content"]);
  assert.deepEqual([sent.messages[1].content, "refusal" in sent.messages[1]], [null, false]);
  assert.deepEqual(Object.keys(sent.tools[0].function), ["name"]);
});

Deno.test("tool_choice is sent in words that every server knows", async () => {
  const other = { type: "function", function: { name: "other", parameters: { type: "object" } } };
  const allowed = (mode: string) => ({
    type: "allowed_tools",
    allowed_tools: { mode, tools: [{ type: "function", function: { name: "read_file" } }] },
  });
  const named = { type: "function", function: { name: "read_file" } };
  const cases: [given: unknown, sent: unknown, tools: number][] = [
    ["any", "required", 2],
    ["required", "required", 2],
    ["auto", "auto", 2],
    [allowed("auto"), "auto", 1],
    [allowed("required"), "required", 1],
    [named, named, 2],
  ];
  for (const [given, choice, count] of cases) {
    const { sent } = await send({ tool_choice: given, tools: [readFile, other] });
    assert.deepEqual([sent.tool_choice, sent.tools.length], [choice, count], JSON.stringify(given));
  }
});

/** What a model prints. */
const printed = (name: string, args: unknown) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;

const APPLY_PATCH = {
  type: "custom",
  custom: {
    name: "apply_patch",
    description: "Patches.",
    format: { type: "grammar", grammar: { definition: "G" } },
  },
};

/** The message of an answer, whole or gathered from a stream. */
async function messageOf(response: Response, isStreamed: boolean) {
  if (!isStreamed) return (await response.json()).choices[0].message;
  const events = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
  const deltas = events.map((line) => JSON.parse(line.slice(6)).choices[0]?.delta ?? {});
  return {
    content: deltas.map(({ content }) => content ?? "").join(""),
    tool_calls: deltas.flatMap(({ tool_calls: calls = [] }) => calls),
  };
}

Deno.test("custom tools are functions for the server, and custom calls for the client", async () => {
  for (const tools of ["native", "prompted"]) {
    for (const isStreamed of [false, true]) {
      const patch = '*** Begin\n+"a"';
      await using pair = await startWireProxy({
        text: `I patch.\n${printed("apply_patch", { input: patch })}`,
      }, {
        settings: { tools, ...tools === "prompted" ? { dialect: "hermes" } : {} },
      });
      const past = { id: "call_1", type: "custom", custom: { name: "apply_patch", input: "old" } };
      const messages = [
        user("Patch."),
        { role: "assistant", content: null, tool_calls: [past] },
        result("call_1"),
      ];
      const body = {
        model: "m",
        stream: isStreamed,
        messages,
        tools: [APPLY_PATCH, readFile, { type: "web_search" }],
      };
      const message = await messageOf(await askChat(pair.origin, { body }), isStreamed);
      const name = `${tools} ${isStreamed}`;
      const [call, ...more] = message.tool_calls;
      assert.deepEqual([call.type, call.custom, more.length], [
        "custom",
        { name: "apply_patch", input: patch },
        0,
      ], name);
      assert.equal(message.content.trim(), "I patch.", name);
      const sent = JSON.parse(pair.upstream.requests.at(-1)!.body);
      if (tools === "prompted") {
        assert(JSON.stringify(sent.messages).includes("apply_patch") && !("tools" in sent));
        continue;
      }
      assert.deepEqual(
        sent.tools.map((tool: { type: string; function: { name: string } }) => [
          tool.type,
          tool.function.name,
        ]),
        [["function", "apply_patch"], ["function", "read_file"]],
      );
      assert.match(sent.tools[0].function.description, /Patches\.[^]*grammar:\nG$/);
      assert.deepEqual(sent.messages[1].tool_calls[0], {
        id: "call_1",
        type: "function",
        function: { name: "apply_patch", arguments: '{"input":"old"}' },
      });
    }
  }
});

Deno.test("a custom call that was cut off isn't sent", async () => {
  const text = printed("apply_patch", { input: "*** Begin" }).slice(0, -30);
  for (const isStreamed of [false, true]) {
    await using pair = await startWireProxy({ text, finish: "length" });
    const body = { model: "m", stream: isStreamed, messages: [user("Patch.")], tools: [APPLY_PATCH] };
    const { tool_calls: calls = [] } = await messageOf(await askChat(pair.origin, { body }), isStreamed);
    assert(calls.every((call: { type: string }) => call.type !== "custom"), String(isStreamed));
  }
});

Deno.test("a tool of an API's own servers is left out, or refused if there is no other", async () => {
  const search = { type: "web_search" };
  assert.deepEqual((await send({ tools: [readFile, search] })).sent.tools.length, 1);
  assert.equal((await send({ tools: [search] })).status, 400);
});

const SCHEMA = { type: "object", properties: { path: { type: "string" } } };

const [FIRST, SECOND] = ["read_file", "other"];

const chatTool = (name: string) => ({ type: "function", function: { name, parameters: SCHEMA } });
const responsesTool = (name: string) => ({ type: "function", name, parameters: SCHEMA });
const anthropicTool = (name: string) => ({ name, input_schema: SCHEMA });
const geminiTool = (name: string) => ({ name, parametersJsonSchema: SCHEMA });
const allowedIn = (mode: string) => ({
  type: "allowed_tools",
  mode,
  tools: [{ type: "function", name: FIRST }],
});
const geminiChoice = (mode: string, names?: readonly string[]) => ({
  toolConfig: { functionCallingConfig: { mode, ...names && { allowedFunctionNames: names } } },
});

/** Wire → its path, its request, tools that only another API's servers run, and its words for choices with what is sent. */
const FORMS: Readonly<
  Record<string, {
    path: string;
    body: Record<string, unknown>;
    tools: (name: string) => unknown;
    others: readonly unknown[];
    choices: readonly [Record<string, unknown>, choice: unknown, tools: readonly string[]][];
  }>
> = {
  chat: {
    path: "/v1/chat/completions",
    body: { messages: [user("Go.")] },
    tools: chatTool,
    others: [{ type: "web_search" }, { type: "openrouter:fetch" }],
    choices: [
      [{ tool_choice: "any" }, "required", [FIRST, SECOND]],
      [
        {
          tool_choice: {
            type: "allowed_tools",
            allowed_tools: { mode: "required", tools: [chatTool(FIRST)] },
          },
        },
        "required",
        [FIRST],
      ],
    ],
  },
  anthropic: {
    path: "/v1/messages",
    body: { max_tokens: 100, messages: [user("Go.")] },
    tools: anthropicTool,
    others: [{ type: "web_search_20250305", name: "web_search" }],
    choices: [
      [{ tool_choice: { type: "any" } }, "required", [FIRST, SECOND]],
      [{ tool_choice: { type: "auto" } }, "auto", [FIRST, SECOND]],
    ],
  },
  responses: {
    path: "/v1/responses",
    body: { input: "Go." },
    tools: responsesTool,
    others: [{ type: "web_search" }, { type: "code_interpreter", container: { type: "auto" } }],
    choices: [
      [{ tool_choice: "any" }, "required", [FIRST, SECOND]],
      [{ tool_choice: allowedIn("auto") }, "auto", [FIRST]],
      [{ tool_choice: allowedIn("required") }, "required", [FIRST]],
    ],
  },
  gemini: {
    path: "/v1beta/models/m:generateContent",
    body: { contents: [{ role: "user", parts: [{ text: "Go." }] }] },
    tools: (name) => ({ functionDeclarations: [geminiTool(name)] }),
    others: [{ googleSearch: {} }],
    choices: [
      [geminiChoice("ANY"), "required", [FIRST, SECOND]],
      [geminiChoice("ANY", [FIRST, "absent"]), "required", [FIRST]],
      [geminiChoice("AUTO", [FIRST]), "auto", [FIRST]],
      [geminiChoice("NONE", [FIRST]), "none", [FIRST, SECOND]],
    ],
  },
  ollama: {
    path: "/api/chat",
    body: { messages: [user("Go.")], stream: false },
    tools: chatTool,
    others: [{ type: "web_search" }],
    choices: [],
  },
};

Deno.test("on every wire, its words for a choice are those that all servers know, and only functions are sent", async () => {
  for (const [wire, { path, body, tools, others, choices }] of Object.entries(FORMS)) {
    await using pair = await startWireProxy({ text: "Fine." });
    const offered = [tools(FIRST), tools(SECOND), ...others];
    for (const [fields, choice, names] of [[{}, undefined, [FIRST, SECOND]] as const, ...choices]) {
      const response = await fetch(`${pair.origin}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "m", ...body, tools: offered, ...fields }),
      });
      const name = `${wire} ${JSON.stringify(fields)}`;
      const text = await response.text();
      assert.equal(response.status, 200, `${name}: ${text}`);
      const posted = pair.upstream.requests.filter(({ method }) => method === "POST");
      const sent = posted.map((request) => JSON.parse(request.body));
      const own = sent.findLast((each) => each.tools?.length === names.length);
      assert(own !== undefined, `${name}: ${JSON.stringify(sent.at(-1)?.tools)}`);
      assert.deepEqual(
        own.tools.map((tool: Record<string, { name: string }>) => tool.function?.name),
        names,
        name,
      );
      if (choice !== undefined) assert(sent.some((each) => each.tool_choice === choice), name);
    }
  }
});
