/**
 * What every server gets, whoever it is: earlier arguments that are JSON, no null fields, words for `tool_choice` that all
 * know. A request that is right already stays byte for byte.
 *
 * @module
 */
import assert from "node:assert/strict";
import { readCall as callWith, readFile as fileReader, result, user } from "../support/chat_messages.ts";
import { askChat } from "../support/proxy.ts";
import { readResponseStream } from "../support/responses_order.ts";
import { startWireProxy, type WireProxy } from "../support/wire_proxy.ts";

const readFile = fileReader({ type: "object", properties: { path: { type: "string" } }, required: ["path"] });

const readCall = (id: string) => callWith(id, '{"path":"a.txt"}');

/** The body that a server gets for a request, and the status of the answer. */
async function send(pair: WireProxy, fields: Record<string, unknown>, isStreamed = false) {
  const body = { model: "m", messages: [user("Read.")], tools: [readFile], stream: isStreamed, ...fields };
  const before = pair.upstream.requests.length;
  const response = await askChat(pair.origin, { body });
  await response.text();
  // A server can be asked how its prompt ends before it gets the chat.
  const [asked] = pair.upstream.requests.slice(before).filter(({ method, path }) =>
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
    await using pair = await startWireProxy({ text: "Fine." }, { settings });
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
        const { status, sent } = await send(pair, { messages }, isStreamed);
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
  await using pair = await startWireProxy({ text: "Fine." });
  const messages = [user("Read."), { role: "assistant", content: null, tool_calls: [readCall("call_1")] }];
  for (const isStreamed of [false, true]) {
    const fields = { messages: [...messages, result("call_1")], tool_choice: "auto", temperature: 0.5 };
    const { status, text, body } = await send(pair, fields, isStreamed);
    assert.deepEqual([status, text], [200, JSON.stringify(body)]);
  }
});

Deno.test("null fields aren't sent; a message's content stays", async () => {
  await using pair = await startWireProxy({ text: "Fine." });
  const { sent } = await send(pair, {
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

Deno.test("tools of other APIs are functions, and an empty stop isn't sent", async () => {
  await using pair = await startWireProxy({ text: "Fine." });
  const { parameters } = readFile.function;
  for (
    const own of [{ type: "function", name: "read_file", parameters }, {
      name: "read_file",
      input_schema: parameters,
    }]
  ) {
    const { sent } = await send(pair, { tools: [own], stop: "" });
    assert.deepEqual(sent.tools, [{ type: "function", function: { name: "read_file", parameters } }]);
    assert.equal(sent.stop, undefined);
  }
  assert.deepEqual((await send(pair, { stop: ["", "END"] })).sent.stop, ["END"]);
});

Deno.test("a choice in other APIs' words is one in chats' words, a result that is an object is a text, and calls have ids", async () => {
  await using pair = await startWireProxy({ text: "Fine." });
  const chosen = { type: "function", function: { name: "read_file" } };
  const allowed = {
    type: "allowed_tools",
    mode: "required",
    tools: [{ type: "function", name: "read_file" }],
  };
  for (
    const [choice, becomes] of [
      [{ type: "tool", name: "read_file" }, chosen],
      [{ type: "function", name: "read_file" }, chosen],
      [{ type: "any" }, "required"],
      [{ type: "auto" }, "auto"],
      [{ type: "none" }, "none"],
      [allowed, "required"],
      [chosen, chosen],
    ]
  ) {
    const { sent } = await send(pair, { tool_choice: choice });
    assert.deepEqual(sent.tool_choice, becomes);
  }
  const { id: _, ...bare } = readCall("");
  const messages = [
    user("Read."),
    { role: "assistant", content: null, tool_calls: [bare] },
    { role: "tool", content: { ok: true } },
  ];
  const { sent } = await send(pair, { messages });
  assert.deepEqual([sent.messages[1].tool_calls[0].id, sent.messages[2]], [
    "call_1",
    { role: "tool", tool_call_id: "call_1", content: '{"ok":true}' },
  ]);
});

Deno.test("numbers that a server wants as decimals, and a schema for the answer in its server's form", async () => {
  const schema = { type: "object", properties: { a: { type: "integer" } } };
  const format = { type: "json_schema", json_schema: { name: "x", schema } };
  for (
    const [server, bias, asked] of [
      ["transformers", '{"5":1.0,"7":-2.5}', format],
      ["llama-cpp-python", '{"5":1,"7":-2.5}', { type: "json_object", schema }],
    ] as const
  ) {
    await using pair = await startWireProxy({ text: "{}" }, { settings: { server, tools: "native" } });
    const fields = { logit_bias: { 5: 1, 7: -2.5 }, response_format: format, tools: undefined };
    const { sent, text } = await send(pair, fields);
    assert(text?.includes(`"logit_bias":${bias}`), `${server}: ${text}`);
    assert.deepEqual(sent.response_format, asked);
  }
});

Deno.test("a request without messages is refused on every wire before a server gets it", async () => {
  await using pair = await startWireProxy({ text: "Fine." });
  for (
    const [path, body] of [
      ["/v1/chat/completions", { messages: [] }],
      ["/v1/chat/completions", { messages: [], tools: [readFile], stream: true }],
      ["/v1/chat/completions", {}],
      ["/v1/messages", { messages: [], max_tokens: 9 }],
      ["/v1/responses", { input: [] }],
      ["/v1/responses", { stream: true }],
      ["/api/chat", { messages: [] }],
      ["/v1beta/models/m:generateContent", { contents: [] }],
      ["/v1beta/models/m:streamGenerateContent?alt=sse", { contents: [] }],
    ] as const
  ) {
    const before = pair.upstream.requests.filter(({ method }) => method === "POST").length;
    const response = await fetch(pair.origin + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", ...body }),
    });
    const text = await response.text();
    assert.deepEqual([response.status, /no messages/.test(text)], [400, true], `${path} ${text}`);
    assert.equal(pair.upstream.requests.filter(({ method }) => method === "POST").length, before, path);
  }
});

/** What a model prints. */
const printed = (name: string, args: unknown) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;

const GRAMMAR = { type: "grammar", syntax: "lark", definition: "G" };

const PATCHER = { name: "apply_patch", description: "Patches." };

interface Output {
  readonly text: string;
  /** The calls, each as its type, its tool and its text or arguments. */
  readonly calls: readonly (readonly unknown[])[];
}

/** Wire that has custom tools → a request with one and a call of it, and what its client makes of the answer. */
const CUSTOM: Readonly<
  Record<string, {
    readonly path: string;
    readonly body: Record<string, unknown>;
    read(text: string, isStreamed: boolean): Output;
  }>
> = {
  chat: {
    path: "/v1/chat/completions",
    body: {
      messages: [
        user("Patch."),
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "call_1", type: "custom", custom: { name: "apply_patch", input: "old" } }],
        },
        result("call_1"),
      ],
      tools: [
        {
          type: "custom",
          custom: { ...PATCHER, format: { type: "grammar", grammar: { syntax: "lark", definition: "G" } } },
        },
        readFile,
        { type: "web_search" },
      ],
    },
    read(text, isStreamed) {
      const events = text.split("\n").filter((line) => line.startsWith("data: {"));
      const parts = isStreamed
        ? events.map((line) => JSON.parse(line.slice(6)).choices[0]?.delta ?? {})
        : [JSON.parse(text).choices[0].message];
      return {
        text: parts.map(({ content }) => content ?? "").join(""),
        calls: parts.flatMap(({ tool_calls: calls = [] }) => calls).map(
          ({ type, custom = {}, function: made = {} }) => [
            type,
            custom.name ?? made.name,
            custom.input ?? made.arguments,
          ],
        ),
      };
    },
  },
  responses: {
    path: "/v1/responses",
    body: {
      input: [
        user("Patch."),
        { type: "custom_tool_call", call_id: "call_1", name: "apply_patch", input: "old" },
        { type: "custom_tool_call_output", call_id: "call_1", output: "done" },
      ],
      tools: [
        { type: "custom", ...PATCHER, format: GRAMMAR },
        { type: "function", ...readFile.function },
        { type: "web_search" },
      ],
    },
    read(text, isStreamed) {
      const items = isStreamed ? readResponseStream(text).items : JSON.parse(text).output;
      const typed = (type: string) => items.filter((item: { type: string }) => item.type === type);
      return {
        text: typed("message").map((item: { content: { text: string }[] }) =>
          item.content.map(({ text }) => text).join("")
        ).join(""),
        calls: [
          ...typed("custom_tool_call").map((
            { name, input }: Record<string, unknown>,
          ) => ["custom", name, input]),
          ...typed("function_call").map(({ name, arguments: made }: Record<string, unknown>) => [
            "function",
            name,
            made,
          ]),
        ],
      };
    },
  },
};

/** Asks with a custom tool on each wire that has them, streamed and whole. */
async function onCustom(
  pair: WireProxy,
  check: (name: string, output: Output) => void,
): Promise<void> {
  for (const [wire, { path, body, read }] of Object.entries(CUSTOM)) {
    for (const stream of [false, true]) {
      const response = await fetch(pair.origin + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "m", stream, ...body }),
      });
      const text = await response.text();
      assert.equal(response.status, 200, `${wire}: ${text}`);
      check(`${wire}, ${stream ? "streamed" : "whole"}`, read(text, stream));
    }
  }
}

Deno.test("custom tools are functions for the server, and custom calls for the client, on each wire that has them", async () => {
  const patch = '*** Begin\n+"a"';
  for (const tools of ["native", "prompted"]) {
    const settings = { tools, ...tools === "prompted" ? { dialect: "hermes" } : {} };
    const text = `I patch.\n${printed("apply_patch", { input: patch })}`;
    await using pair = await startWireProxy({ text }, { settings });
    await onCustom(pair, (wire, output) => {
      const name = `${tools}, ${wire}`;
      assert.deepEqual(output.calls, [["custom", "apply_patch", patch]], name);
      assert.equal(output.text.trim(), "I patch.", name);
      const sent = JSON.parse(pair.upstream.requests.at(-1)!.body);
      if (tools === "prompted") {
        assert(JSON.stringify(sent.messages).includes("apply_patch") && !("tools" in sent), name);
        return;
      }
      assert.deepEqual(
        sent.tools.map((tool: { type: string; function: { name: string } }) => [
          tool.type,
          tool.function.name,
        ]),
        [["function", "apply_patch"], ["function", "read_file"]],
        name,
      );
      assert.match(sent.tools[0].function.description, /Patches\.[^]*G$/, name);
      const [past] = sent.messages.find((message: { tool_calls?: unknown }) => message.tool_calls).tool_calls;
      assert.deepEqual([past.type, past.function], [
        "function",
        { name: "apply_patch", arguments: '{"input":"old"}' },
      ], name);
    });
  }
});

Deno.test("a custom call that was cut off isn't sent, on each wire that has them", async () => {
  const text = printed("apply_patch", { input: "*** Begin" }).slice(0, -30);
  await using pair = await startWireProxy({ text, finish: "length" });
  await onCustom(pair, (name, { calls }) => assert(calls.every(([type]) => type !== "custom"), name));
});

Deno.test("a tool of an API's own servers is left out, or refused if there is no other", async () => {
  const search = { type: "web_search" };
  await using pair = await startWireProxy({ text: "Fine." });
  assert.deepEqual((await send(pair, { tools: [readFile, search] })).sent.tools.length, 1);
  assert.equal((await send(pair, { tools: [search] })).status, 400);
});

const SCHEMA = { type: "object", properties: { path: { type: "string" } } };

const [FIRST, SECOND] = ["read_file", "other"];

const CHOSEN = { type: "function", function: { name: FIRST } };

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

/**
 * Wire → its path, its request, its optional fields, tools that only another API's servers run, and its words for choices with
 * what is sent.
 */
const FORMS: Readonly<
  Record<string, {
    path: string;
    /** Where a stream is asked for; absent: the field `stream` does it. */
    streamPath?: string;
    body: Record<string, unknown>;
    optional: readonly string[];
    tools: (name: string) => unknown;
    others: readonly unknown[];
    choices: readonly (readonly [Record<string, unknown>, choice: unknown, tools: readonly string[]])[];
  }>
> = {
  chat: {
    path: "/v1/chat/completions",
    body: { messages: [user("Go.")] },
    optional: [
      "temperature",
      "top_p",
      "stop",
      "seed",
      "tool_choice",
      "response_format",
      "stream_options",
      "user",
    ],
    tools: chatTool,
    others: [{ type: "web_search" }, { type: "openrouter:fetch" }],
    choices: [
      [{ tool_choice: "any" }, "required", [FIRST, SECOND]],
      [{ tool_choice: "required" }, "required", [FIRST, SECOND]],
      [{ tool_choice: "auto" }, "auto", [FIRST, SECOND]],
      [{ tool_choice: CHOSEN }, CHOSEN, [FIRST, SECOND]],
      ...["auto", "required"].map((mode) =>
        [
          { tool_choice: { type: "allowed_tools", allowed_tools: { mode, tools: [chatTool(FIRST)] } } },
          mode,
          [FIRST],
        ] as const
      ),
    ],
  },
  anthropic: {
    path: "/v1/messages",
    body: { max_tokens: 100, messages: [user("Go.")] },
    optional: [
      "temperature",
      "top_p",
      "top_k",
      "stop_sequences",
      "system",
      "tool_choice",
      "thinking",
      "metadata",
    ],
    tools: anthropicTool,
    others: [{ type: "web_search_20250305", name: "web_search" }],
    choices: [
      [{ tool_choice: { type: "any" } }, "required", [FIRST, SECOND]],
      [{ tool_choice: { type: "auto" } }, "auto", [FIRST, SECOND]],
      [{ tool_choice: { type: "tool", name: FIRST } }, CHOSEN, [FIRST, SECOND]],
    ],
  },
  responses: {
    path: "/v1/responses",
    body: { input: "Go." },
    optional: [
      "temperature",
      "top_p",
      "instructions",
      "tool_choice",
      "reasoning",
      "text",
      "metadata",
      "truncation",
    ],
    tools: responsesTool,
    others: [{ type: "web_search" }, { type: "code_interpreter", container: { type: "auto" } }],
    choices: [
      [{ tool_choice: "any" }, "required", [FIRST, SECOND]],
      [{ tool_choice: { type: "function", name: FIRST } }, CHOSEN, [FIRST, SECOND]],
      [{ tool_choice: allowedIn("auto") }, "auto", [FIRST]],
      [{ tool_choice: allowedIn("required") }, "required", [FIRST]],
    ],
  },
  gemini: {
    path: "/v1beta/models/m:generateContent",
    streamPath: "/v1beta/models/m:streamGenerateContent?alt=sse",
    body: { contents: [{ role: "user", parts: [{ text: "Go." }] }] },
    optional: ["systemInstruction", "toolConfig", "generationConfig", "safetySettings", "cachedContent"],
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
    body: { messages: [user("Go.")] },
    optional: ["options", "format", "think", "keep_alive", "template"],
    tools: chatTool,
    others: [{ type: "web_search" }],
    choices: [],
  },
};

Deno.test("on every wire, its words for a choice are those that all servers know, null is absent, and only functions are sent", async () => {
  for (const [wire, { path, streamPath, body, optional, tools, others, choices }] of Object.entries(FORMS)) {
    await using pair = await startWireProxy({ text: "Fine." });
    const offered = [tools(FIRST), tools(SECOND), ...others];
    const nulls = Object.fromEntries(optional.map((field) => [field, null]));
    const cases = [
      [{}, undefined, [FIRST, SECOND]],
      [nulls, undefined, [FIRST, SECOND]],
      ...choices,
    ] as const;
    for (const [fields, choice, names] of cases) {
      for (const isStreamed of [false, true]) {
        const before = pair.upstream.requests.length;
        const streamed = streamPath === undefined ? { stream: isStreamed } : {};
        const response = await fetch(pair.origin + (isStreamed ? streamPath ?? path : path), {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ model: "m", ...body, ...streamed, tools: offered, ...fields }),
        });
        const name = `${wire}, ${isStreamed ? "streamed" : "whole"}, ${JSON.stringify(fields)}`;
        const text = await response.text();
        assert.equal(response.status, 200, `${name}: ${text}`);
        // A call that is demanded and missing is asked for once more.
        const sent = pair.upstream.requests.slice(before).map((request) => JSON.parse(request.body));
        const [first] = sent;
        assert.deepEqual(
          first.tools.map((tool: Record<string, { name: string }>) => tool.function?.name),
          names,
          name,
        );
        assert(!JSON.stringify(first).includes("null"), `${name}: ${JSON.stringify(first)}`);
        if (choice !== undefined) assert.deepEqual(first.tool_choice, choice, name);
      }
    }
  }
});
