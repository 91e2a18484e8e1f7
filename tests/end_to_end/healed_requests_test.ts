/**
 * Requests that a server refuses or misreads, from servers that refuse as their sources do: a known server gets the request
 * in the form that it takes from the first one on, an unknown one after its refusal, and with `heal: false` the agent gets the
 * refusal.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { ContentEvent } from "../../src/engine/event/event.ts";
import { assistant, readCall, readFile, result, system, user } from "../support/chat_messages.ts";
import { askChat } from "../support/proxy.ts";
import type { Script } from "../support/scripted_upstream.ts";
import { bodyOf, streamOf } from "../support/native_answers.ts";
import { askRow, onRows, WIRE_TABLE, type WireQuestion } from "../support/wire_table.ts";
import { startWireProxy } from "../support/wire_proxy.ts";

// deno-lint-ignore no-explicit-any
type Body = any;

const CALL = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';

/** An error as each server writes it. */
const ERRORS: Readonly<Record<string, (message: string, status?: number) => Script>> = {
  "llama.cpp": (message, status = 400) =>
    error(status, { code: status, message, type: "invalid_request_error" }),
  vllm: (message, status = 400) =>
    error(status, { message, type: "BadRequestError", param: null, code: status }),
  sglang: (message, status = 400) => ({
    error: {
      status,
      body: JSON.stringify({ object: "error", message, type: "BadRequest", param: null, code: status }),
    },
  }),
  ollama: (message) => error(400, { message, type: "invalid_request_error", param: null, code: null }),
  lmstudio: (message) => ({ error: { status: 400, body: JSON.stringify({ error: message }) } }),
  "llama-cpp-python": (message, status = 500) =>
    error(status, { message, type: "internal_server_error", param: null, code: null }),
  mlx: (message) => ({ error: { status: 404, body: JSON.stringify({ error: message }) } }),
};

function error(status: number, value: unknown): Script {
  return { error: { status, body: JSON.stringify({ error: value }) } };
}

interface Setting {
  readonly server?: string;
  readonly heal?: boolean;
  readonly tools?: string;
  readonly dry_run?: boolean;
  readonly dialect?: string;
  readonly rules?: undefined;
  /** The upstream's name for the model. */
  readonly model?: string | undefined;
}

async function connect(script: (body: Body) => Script | undefined, { model, ...setting }: Setting) {
  const noted: ContentEvent[] = [];
  const pair = await startWireProxy(({ body }) => script(JSON.parse(body)) ?? { text: CALL }, {
    settings: {
      rules: ["hermes"],
      model_names: model === undefined ? {} : { m: model },
      // Else the server is asked where answers begin, too.
      begins_in_reasoning: false,
      ...setting,
    },
    server: { observe: (event) => void noted.push(event) },
  });
  return {
    origin: pair.origin,
    servers: pair.service.servers,
    get texts() {
      return pair.upstream.requests.map(({ body }) => body);
    },
    /** The bodies that the server got. */
    get asked(): Body[] {
      return this.texts.map((text) => JSON.parse(text));
    },
    /** The changes that were noted: `rule reason detail`. */
    get changes() {
      return noted.flatMap((event) =>
        event.kind === "note" && event.reason.startsWith("healed")
          ? [`${event.rule} ${event.reason} ${event.detail}`]
          : []
      );
    },
    [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose](),
  };
}

/** A request of any wire that a server refuses. */
interface WireCase {
  readonly name: string;
  readonly server: string;
  readonly question: Partial<WireQuestion>;
  /** The refusal of a body; undefined: it is taken. */
  readonly refuse: (body: Body) => string | undefined;
  readonly status?: number;
  /** A model whose name shows it, where the server's profile doesn't. */
  readonly model?: string;
}

const tool = (schema: Record<string, unknown>) => ({
  name: "read_file",
  schema: { type: "object", properties: { path: { type: "string" }, ...schema } },
});
const propertiesOf = (body: Body) => body.tools?.[0]?.function.parameters.properties ?? {};
const PAST = { name: "read_file", args: { path: "b.txt" }, result: "found" };
const idsOf = (body: Body): string[] =>
  body.messages.flatMap((message: Body) => [
    ...message.tool_call_id === undefined ? [] : [message.tool_call_id],
    ...(message.tool_calls ?? []).map((call: Body) => call.id),
  ]);

const WIRE_CASES: readonly WireCase[] = [
  {
    name: "pattern",
    server: "llama.cpp",
    question: { tool: tool({ mode: { type: "string", pattern: "\\S" } }) },
    refuse: (body) =>
      propertiesOf(body).mode.pattern &&
      "Unable to generate parser for this template. Automatic parser generation failed: JSON schema conversion " +
        "failed:\nPattern must start with '^' and end with '$'",
  },
  {
    name: "a reference that leads nowhere",
    server: "llama.cpp",
    question: { tool: tool({ mode: { $ref: "#/$defs/Mode" } }) },
    refuse: (body) =>
      propertiesOf(body).mode.$ref &&
      "JSON schema conversion failed:\nError resolving ref #/$defs/Mode: $defs not in {}",
  },
  {
    name: "an unknown type",
    server: "llama.cpp",
    question: { tool: tool({ mode: { type: "any" } }) },
    refuse: (body) =>
      propertiesOf(body).mode.type === "any"
        ? 'JSON schema conversion failed:\nUnrecognized schema: {"type":"any"}'
        : undefined,
  },
  {
    name: "an unknown type, in the words of b11434",
    server: "llama.cpp",
    question: { tool: tool({ mode: { type: "any" } }) },
    refuse: (body) =>
      propertiesOf(body).mode.type === "any"
        ? 'JSON schema error at #/properties/mode: unrecognized type "any"'
        : undefined,
  },
  {
    name: "a reference that leads nowhere, in the words of b11434",
    server: "llama.cpp",
    question: { tool: tool({ mode: { $ref: "#/$defs/Mode" } }) },
    refuse: (body) =>
      propertiesOf(body).mode.$ref &&
      "JSON schema error at #/properties/mode: cannot resolve $ref #/$defs/Mode",
  },
  {
    name: "a schema that is true, in the words of b11434",
    server: "llama.cpp",
    question: { tool: tool({ mode: true }) },
    refuse: (body) =>
      propertiesOf(body).mode === true
        ? "JSON schema error at #/properties/mode: schema must be an object"
        : undefined,
  },
  {
    name: "a large repetition",
    server: "llama.cpp",
    question: { tool: tool({ mode: { type: "string", maxLength: 100_000 } }) },
    refuse: (body) =>
      propertiesOf(body).mode.maxLength > 500
        ? "Failed to initialize samplers: failed to parse grammar"
        : undefined,
  },
  {
    name: "ids of nine letters",
    server: "vllm",
    model: "Mistral-7B-Instruct",
    question: { past: PAST },
    refuse(body) {
      const wrong = idsOf(body).find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
      return wrong && `Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`;
    },
  },
  {
    name: "ids of nine letters, from mlx-lm",
    server: "mlx",
    model: "mlx-community/Devstral",
    question: { past: PAST },
    status: 404,
    refuse: (body) =>
      idsOf(body).every((id) => /^[a-zA-Z0-9]{9}$/.test(id))
        ? undefined
        : "Tool call IDs should be alphanumeric strings with length 9!",
  },
];

for (const { name, server, question, refuse, model, status } of WIRE_CASES) {
  const script = (body: Body) => {
    const message = refuse(body);
    return message ? ERRORS[server]!(message, status) : undefined;
  };
  const asks = { task: "Go.", tool: tool({}), ...question };

  Deno.test(`${server}, ${name}: every wire gets an answer, and a known server isn't asked in vain`, async () => {
    await using known = await connect(script, { server, model });
    await onRows(WIRE_TABLE, async (row) => {
      const got = await askRow(known.origin, { row, question: asks });
      assert.deepEqual(got.calls.map(([called]) => called), ["read_file"], String(got.error));
    });
    assert.equal(known.asked.length, WIRE_TABLE.length);
    assert.ok(known.changes.every((change) => change.startsWith(server)), known.changes.join("\n"));
  });

  Deno.test(`${server}, ${name}: an unknown server is asked once more, and later requests are changed at once`, async () => {
    await using unknown = await connect(script, { server: "none" });
    for (const [at, row] of WIRE_TABLE.entries()) {
      const got = await askRow(unknown.origin, { row, question: asks });
      assert.deepEqual(got.calls.map(([called]) => called), ["read_file"], `${row.name}: ${got.error}`);
      assert.equal(unknown.asked.length, at + 2);
    }
    assert.ok(unknown.changes.every((change) => change.startsWith("refused ")));
  });

  Deno.test(`${server}, ${name}: with heal: false, the client gets the refusal`, async () => {
    await using off = await connect(script, { server, model, heal: false });
    await onRows(WIRE_TABLE, async (row) => {
      const { path, body } = row.request(asks);
      const response = await fetch(off.origin + path, { method: "POST", body: JSON.stringify(body) });
      assert.equal(response.status, status ?? 400);
      await response.body?.cancel();
    });
    assert.equal(off.asked.length, WIRE_TABLE.length);
    assert.deepEqual(off.changes, []);
  });
}

/** An answer with a call of the server's own. */
function ownCall(name: string): Script {
  const call = { id: "x", type: "function", function: { name, arguments: '{"path":"a.txt"}' } };
  const stream = streamOf([{ content: "I look." }, { tool_calls: [{ index: 0, ...call }] }]);
  return { raw: { stream, body: bodyOf({ content: "I look.", tool_calls: [call] }) } };
}

Deno.test("a call of the server's own that isn't the demanded one never reaches the client, on any wire", async () => {
  const rows = WIRE_TABLE.filter(({ wire }) => wire !== "ollama");
  const question = { task: "Go.", tool: tool({}), named: "read_file" };
  for (const server of ["llama.cpp", "ollama", "lmstudio"]) {
    await onRows(rows, async (row) => {
      for (const names of [["other", "read_file"], ["other", "other"]]) {
        const left = names.map(ownCall);
        await using chat = await connect(() => left.shift() ?? { text: "never asked" }, { server });
        const got = await askRow(chat.origin, { row, question });
        const calls = names.includes("read_file") ? [["read_file", { path: "a.txt" }]] : [];
        assert.deepEqual([got.calls, got.end, got.text, chat.asked.length], [calls, "whole", "I look.", 2]);
      }
    });
  }
});

/** A chat that a template refuses. */
interface ChatCase {
  readonly name: string;
  /** The server that writes the error, and those of which the profile or the model's name shows the change. */
  readonly server: string;
  readonly model?: string;
  readonly body: Body;
  readonly refuse: (body: Body) => string | undefined;
  readonly becomes: Body;
  readonly status?: number;
  /** Whether only a refusal shows it. */
  readonly isUnknown?: true;
  /** Whether every server gets it, an unknown one too. */
  readonly isForAll?: true;
}

const OTHER = { type: "function", function: { name: "other", parameters: { type: "object" } } };
const TOOLS = [readFile(tool({}).schema), OTHER];

const rolesOf = (body: Body): string[] => body.messages.map(({ role }: Body) => role);
const counted = (body: Body) =>
  body.messages.filter((message: Body) =>
    message.role === "user" || (message.role === "assistant" && !message.tool_calls)
  );

const CHAT_CASES: readonly ChatCase[] = [
  {
    name: "a system message later",
    server: "llama.cpp",
    model: "Qwen3.5-4B",
    body: { messages: [system("A"), user("Go."), system("B"), user("On.")] },
    refuse: (body) =>
      rolesOf(body).lastIndexOf("system") > 0 ? "System message must be at the beginning." : undefined,
    status: 500,
    becomes: { messages: [system("A"), user("Go."), user("<system>\nB\n</system>"), user("On.")] },
  },
  {
    name: "no message of the user",
    server: "vllm",
    model: "Qwen/Qwen3.5-4B",
    body: { messages: [system("A"), assistant("", "a"), result("a")] },
    refuse: (body) => rolesOf(body).includes("user") ? undefined : "No user query found in messages.",
    becomes: { messages: [system("A"), user("Continue."), assistant("", "a"), result("a")] },
  },
  {
    name: "the role developer",
    server: "vllm",
    body: { messages: [{ role: "developer", content: "A" }, user("Go.")] },
    refuse: (body) => rolesOf(body).includes("developer") ? "Unexpected message role." : undefined,
    becomes: { messages: [system("A"), user("Go.")] },
  },
  {
    name: "roles that alternate but for calls and results",
    server: "llama.cpp",
    model: "Mistral-Nemo",
    body: {
      messages: [
        user("A"),
        user("B"),
        assistant("", "aaaaaaaaa"),
        result("aaaaaaaaa"),
        user("C"),
        assistant("D"),
        assistant("E"),
        user("F"),
      ],
    },
    refuse: (body) =>
      counted(body).every((message: Body, at: number) => (message.role === "user") === (at % 2 === 0))
        ? undefined
        : "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
    becomes: {
      messages: [
        user("A\n\nB"),
        assistant("", "aaaaaaaaa"),
        result("aaaaaaaaa"),
        assistant("Done."),
        user("C"),
        assistant("D\n\nE"),
        user("F"),
      ],
    },
  },
  {
    name: "no role for the system",
    server: "llama.cpp",
    model: "gemma-2-2b-it",
    body: { messages: [system("A"), user("Go.")] },
    refuse: (body) => rolesOf(body)[0] === "system" ? "System role not supported" : undefined,
    becomes: { messages: [user("A\n\nGo.")] },
  },
  {
    name: "a result without its call",
    server: "llama.cpp",
    model: "gpt-oss-120b",
    body: { messages: [result("gone"), user("Go.")] },
    refuse: (body) =>
      rolesOf(body)[0] === "tool"
        ? "Message has tool role, but there was no previous assistant message with a tool call!"
        : undefined,
    becomes: { messages: [user("<tool_result>\nfound\n</tool_result>"), user("Go.")] },
  },
  {
    name: "several calls in a message",
    server: "vllm",
    model: "meta-llama/Llama-3.1-8B",
    body: { messages: [user("Go."), assistant("I look.", "a", "b"), result("a", "1"), result("b", "2")] },
    refuse: (body) =>
      body.messages.some((message: Body) => message.tool_calls?.length > 1)
        ? "This model only supports single tool-calls at once!"
        : undefined,
    becomes: {
      messages: [
        user("Go."),
        assistant("I look.", "a"),
        result("a", "1"),
        assistant("", "b"),
        result("b", "2"),
      ],
    },
  },
  {
    name: "arguments that are no JSON",
    server: "sglang",
    isForAll: true,
    body: {
      messages: [user("Go."), {
        ...assistant("", "a"),
        tool_calls: [readCall("a", '{"path": "b",}')],
      }, result("a")],
    },
    refuse: (body) =>
      body.messages[1].tool_calls[0].function.arguments.includes(",}")
        ? "Assistant message tool_call function.arguments must be valid JSON."
        : undefined,
    becomes: {
      messages: [user("Go."), {
        ...assistant("", "a"),
        tool_calls: [readCall("a", '{"path": "b"}')],
      }, result("a")],
    },
  },
  {
    name: "a text and thoughts with a call",
    server: "lmstudio",
    model: "openai/gpt-oss-20b",
    body: {
      messages: [user("Go."), { ...assistant("I look.", "a"), reasoning_content: "Hm." }, result("a")],
    },
    refuse: (body) =>
      body.messages[1].reasoning_content
        ? "Cannot pass both content and thinking in an assistant message with tool calls! Put the analysis message in one or the other, but not both."
        : undefined,
    becomes: { messages: [user("Go."), assistant("I look.", "a"), result("a")] },
  },
  {
    name: "an image",
    server: "llama.cpp",
    body: {
      messages: [
        user([{ type: "text", text: "Look." }, { type: "image_url", image_url: { url: "data:," } }]),
      ],
    },
    refuse: (body) =>
      Array.isArray(body.messages[0].content)
        ? "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"
        : undefined,
    status: 500,
    isUnknown: true,
    becomes: { messages: [user("Look.\n(an image, which this model can't see)")] },
  },
  {
    name: "two messages of the assistant at the end",
    server: "llama.cpp",
    body: { messages: [user("Go."), assistant("A"), assistant("B")] },
    refuse: (body) =>
      body.messages.length > 2
        ? "Cannot have 2 or more assistant messages at the end of the list."
        : undefined,
    becomes: { messages: [user("Go."), assistant("A\n\nB")] },
  },
  {
    name: "an object as tool_choice",
    server: "lmstudio",
    body: {
      messages: [user("Go.")],
      tool_choice: { type: "function", function: { name: "read_file" } },
    },
    refuse: (body) =>
      typeof body.tool_choice === "object"
        ? "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"
        : undefined,
    becomes: {
      messages: [system("Your next answer must contain a call to the tool `read_file`."), user("Go.")],
      tools: [TOOLS[0]],
      tool_choice: "auto",
    },
  },
  {
    name: "fields that demand nothing",
    server: "vllm",
    body: { messages: [user("Go.")], tools: [], tool_choice: "auto" },
    refuse: (body) => body.tools?.length === 0 ? "`tools` must not be an empty array." : undefined,
    becomes: { tools: undefined, tool_choice: undefined },
  },
  {
    name: "more tokens than the context has",
    server: "vllm",
    body: { messages: [user("Go.")], max_tokens: 32_000 },
    refuse: (body) =>
      body.max_tokens > 16_384
        ? "max_tokens=32000 cannot be greater than max_model_len=16384. Please request fewer output tokens."
        : undefined,
    isUnknown: true,
    becomes: { max_tokens: undefined },
  },
  {
    name: "logprobs next to tools",
    server: "llama.cpp",
    body: { messages: [user("Go.")], logprobs: true, top_logprobs: 2 },
    refuse: (body) => body.logprobs ? "logprobs is not supported with tools + stream" : undefined,
    isUnknown: true,
    becomes: { logprobs: undefined, top_logprobs: undefined },
  },
];

for (const { name, server, model = "m", body, refuse, becomes, status, isUnknown, isForAll } of CHAT_CASES) {
  const script = (asked: Body) => {
    const message = refuse(asked);
    return message ? ERRORS[server]!(message, status) : undefined;
  };
  for (const stream of [false, true]) {
    Deno.test(`${server}, ${name}: ${stream ? "a stream" : "a whole answer"} arrives`, async () => {
      const request = { model, stream, tools: TOOLS, ...body };
      for (const setting of [{ server }, { server: "none" }]) {
        await using chat = await connect(script, setting);
        const isRefused = isUnknown === true || (setting.server === "none" && isForAll !== true);
        for (const times of [1, 2]) {
          const got = await (await askChat(chat.origin, { body: request })).text();
          // Without tools, the model's text passes in its own pieces.
          assert.match(
            got,
            request.tools.length === 0 ? /"finish_reason":\s*"stop"/ : /"name":\s*"read_file"/,
            got,
          );
          assert.equal(chat.asked.length, times + (isRefused ? 1 : 0), "the refusal is remembered");
          assert.deepEqual(chat.asked.at(-1), JSON.parse(JSON.stringify({ ...request, ...becomes })));
        }
        if (isRefused) assert.deepEqual(chat.asked[0], request);
        assert.equal(new Set(chat.texts.slice(isRefused ? 1 : 0)).size, 1, "always the same bytes");
      }
      await using off = await connect(script, { server, heal: false });
      const refused = await askChat(off.origin, { body: request });
      assert.deepEqual([refused.status, off.asked], [status ?? 400, [request]]);
      await refused.body?.cancel();
    });
  }
}

for (const stream of [false, true]) {
  const kind = stream ? "a stream" : "a whole answer";

  Deno.test(`${kind}: a server that ignores tool_choice gets only that tool, and the call is demanded`, async () => {
    for (const server of ["llama.cpp", "ollama"]) {
      const texts = ["I would rather not.", CALL];
      await using chat = await connect(() => ({ text: texts.shift() ?? "" }), { server });
      const choice = { type: "function", function: { name: "read_file" } };
      const got = await (await askChat(chat.origin, { body: { tools: TOOLS, stream, tool_choice: choice } }))
        .text();
      assert.match(got, /"name":\s*"read_file"/);
      assert.ok(!got.includes("rather"), "the first answer has no call");
      const becomes = server === "ollama" ? "auto" : "required";
      assert.deepEqual(chat.asked.map(({ tool_choice, tools }) => [tool_choice, tools.length]), [
        [becomes, 1],
        [becomes, 1],
      ]);
    }
  });

  Deno.test(`${kind}: a server without a profile, or one that takes the request, gets the client's bytes`, async () => {
    const sent = {
      model: "Qwen3.5-mistral-kimi-k2",
      stream,
      seed: 1.0,
      tool_choice: "auto",
      tools: [readFile({ pattern: "\\S", $ref: "x" })],
      messages: [
        user("A"),
        { role: "developer", content: "B" },
        system("C"),
        assistant(null, "x", "y"),
        assistant("D"),
      ],
    };
    const text = JSON.stringify(sent).replace('"seed":1', '"seed": 1.0');
    for (const setting of [{ server: "none" }, { server: "auto" }, { server: "localai", heal: false }]) {
      await using chat = await connect(() => ({ text: CALL }), setting);
      const response = await fetch(`${chat.origin}/v1/chat/completions`, { method: "POST", body: text });
      await response.text();
      assert.deepEqual(chat.texts, [text]);
    }
  });

  Deno.test(`${kind}: an error that no change answers reaches the client as it is`, async () => {
    const message = "the request failed for a reason that nothing knows";
    // An unknown server is asked once more, with the tools in the prompt.
    for (const [server, asked] of [["none", 2], ["llama.cpp", 1]] as const) {
      await using chat = await connect(() => ERRORS["llama.cpp"]!(message), { server });
      const response = await askChat(chat.origin, { body: { tools: TOOLS, stream } });
      assert.deepEqual(
        [response.status, await response.text(), chat.asked.length],
        [400, ERRORS["llama.cpp"]!(message).error!.body, asked],
      );
    }
  });

  Deno.test(`${kind}: a change that doesn't help isn't remembered; it is tried once in each form, for three requests`, async () => {
    await using chat = await connect(() => ERRORS.vllm!("Unexpected message role."), { server: "none" });
    const body = { tools: TOOLS, stream, messages: [{ role: "developer", content: "A" }] };
    for (const times of [4, 8, 12, 13, 14]) {
      const response = await askChat(chat.origin, { body });
      assert.equal(response.status, 400);
      await response.body?.cancel();
      assert.equal(chat.asked.length, times);
    }
    // Another server can be there after it was away.
    chat.servers?.lose("local");
    await (await askChat(chat.origin, { body })).body?.cancel();
    assert.equal(chat.asked.length, 18);
  });

  Deno.test(`${kind}: tools: auto learns nothing from a refusal that a change answers`, async () => {
    const refuse = (body: Body) =>
      typeof body.tool_choice === "object"
        ? ERRORS.lmstudio!(
          "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
        )
        : undefined;
    await using chat = await connect(refuse, { server: "none", tools: "auto" });
    const choice = { type: "function", function: { name: "read_file" } };
    for (const tool_choice of [choice, undefined]) {
      const body = { tools: TOOLS, stream, ...tool_choice && { tool_choice } };
      assert.match(await (await askChat(chat.origin, { body })).text(), /read_file/);
    }
    assert.deepEqual(chat.asked.map(({ tools }) => tools?.length), [2, 1, 2], "native all the time");
  });

  Deno.test(`${kind}: in a dry run, the server gets what the client sends`, async () => {
    await using chat = await connect(() => undefined, { server: "vllm", dry_run: true });
    const body = { tools: TOOLS, stream, messages: [{ role: "developer", content: "A" }, user("B")] };
    await (await askChat(chat.origin, { body })).text();
    assert.deepEqual([chat.asked, chat.changes], [[{ model: "m", ...body }], []]);
  });

  Deno.test(`${kind}: a refusal after another one is answered, too`, async () => {
    await using chat = await connect((body) => {
      if (propertiesOf(body).path?.pattern) return ERRORS["llama.cpp"]!("Pattern must start with '^'");
      return rolesOf(body).includes("developer") ? ERRORS.vllm!("Unexpected message role.") : undefined;
    }, { server: "none" });
    const tools = [readFile({ type: "object", properties: { path: { type: "string", pattern: "a" } } })];
    const body = { tools, stream, messages: [{ role: "developer", content: "A" }, user("B")] };
    for (const times of [3, 4]) {
      assert.match(await (await askChat(chat.origin, { body })).text(), /read_file/);
      assert.equal(chat.asked.length, times);
    }
  });
}

for (const stream of [false, true]) {
  Deno.test(`tools in the prompt of a server that eats the model's own calls: ${stream ? "a stream" : "a whole answer"}`, async () => {
    const fenced = '```json\n{"tool": "read_file", "arguments": {"path": "a.txt"}}\n```';
    // The parser runs unless it is off, and takes the model's own calls out of the answer.
    const eats = (body: Body): Script => {
      const isFenced = body.messages[0].content.includes("fenced block");
      const isOff = body.tool_choice === "none" || (body.stream && body.skip_special_tokens === false);
      return { text: isFenced ? fenced : isOff ? CALL : "" };
    };
    for (
      const [server, tool_choice] of [["ollama", undefined], ["mlx", undefined], ["tabby", "none"], [
        "vllm",
        undefined,
      ]] as const
    ) {
      await using chat = await connect(eats, {
        server,
        tools: "prompted",
        rules: undefined,
        model: "qwen2.5-coder",
      });
      const got = await (await askChat(chat.origin, { body: { tools: TOOLS, stream } })).text();
      assert.match(got, /"name":\s*"read_file"/, server);
      assert.deepEqual([chat.asked[0].tools, chat.asked[0].tool_choice], [undefined, tool_choice]);
    }
    const named = { server: "ollama", tools: "prompted", dialect: "hermes", rules: undefined };
    await using chat = await connect(eats, named);
    await (await askChat(chat.origin, { body: { tools: TOOLS, stream } })).text();
    assert.ok(chat.asked[0].messages[0].content.includes("<tool_call>"), "the configuration decides");
  });
}

const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
const recording = { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } };
const file = { type: "file", file: { filename: "a.pdf", file_data: "data:," } };
const video = { type: "video_url", video_url: { url: "http://h/a.mp4" } };

/** Server, what it refuses and how → what it still gets. */
const MEDIA: readonly (readonly [server: string, refused: Body, message: string, taken: readonly Body[]])[] =
  [
    ["llama.cpp", image, "image input is not supported - hint: you may need to provide the mmproj", [
      recording,
    ]],
    ["llama.cpp", recording, "audio input is not supported - hint: you may need to provide the mmproj", [
      image,
    ]],
    ["llama.cpp", file, "unsupported content[].type", [image, recording]],
    ["vllm", file, "Unsupported chat content part type: 'file'", [image, recording, video]],
    ["vllm", video, "m is not a multimodal model", [file]],
    ["ollama", image, "this model is missing data required for image input", [recording]],
    ["ollama", image, "this model does not support image input (ref: b8bd630e)", [recording]],
    ["lmstudio", image, "Model does not support images. Please use a model that does.", [recording]],
    ["none", image, "No endpoints found that support image input", [recording]],
    [
      "none",
      image,
      "Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, " +
      "expected `text` at line 1 column 53929",
      [recording],
    ],
  ];

const partsOf = ({ messages }: Body): Body[] => messages.flatMap(({ content }: Body) => content);

Deno.test("a model that takes no media of one kind still gets the others, and a note states what it doesn't get", async () => {
  for (const stream of [false, true]) {
    for (const [server, refused, message, taken] of MEDIA) {
      const refuses = (body: Body) => partsOf(body).some(({ type }) => type === refused.type);
      await using chat = await connect(
        (body) => refuses(body) ? (ERRORS[server] ?? ERRORS.vllm)!(message) : undefined,
        { server, tools: "native" },
      );
      const send = async (part: Body) => {
        const messages = [user([{ type: "text", text: "Look." }, part])];
        const got = await askChat(chat.origin, { body: { stream, messages, tools: TOOLS } });
        assert.match(await got.text(), /"name":\s*"read_file"/, `${server}: ${message}`);
        return chat.asked.at(-1);
      };
      for (let times = 0; times < 2; times++) {
        assert.match((await send(refused)).messages[0].content, /^Look\.\n\(.* this model can't /);
      }
      assert.equal(chat.changes.filter((change) => change.includes("replaced with text")).length, 2);
      for (const part of taken) assert.deepEqual(partsOf(await send(part)).at(-1), part);
    }
  }
});

Deno.test("a server that takes images for a model that can't see is asked once whether it can, whatever its name is", async () => {
  const isQuestion = (body: Body) => body.max_tokens === 1;
  const write = ERRORS["llama-cpp-python"]!;
  for (const stream of [false, true]) {
    for (
      const [server, error, sees, asked] of [
        ["llama-cpp-python", write("Failed to create bitmap from image bytes"), true, 1],
        ["llama-cpp-python", write('can only concatenate str (not "list") to str'), false, 1],
        ["llama-cpp-python", undefined, false, 1],
        ["transformers", LOOPS.transformers, true, 1],
        ["transformers", undefined, false, 1],
        // Nothing is known, so the server decides.
        ["llama-cpp-python", ERRORS.vllm!("try later", 429), true, 2],
      ] as const
    ) {
      await using chat = await connect(
        (body) => isQuestion(body) ? error : undefined,
        { server, dialect: "hermes" },
      );
      const send = async (parts: readonly Body[]) => {
        const messages = [user([{ type: "text", text: "Look." }, ...parts])];
        const got = await askChat(chat.origin, { body: { stream, messages, tools: TOOLS } });
        assert.match(await got.text(), /"name":\s*"read_file"/);
        return chat.asked.at(-1).messages.at(-1).content;
      };
      await send([]);
      assert.equal(chat.asked.filter(isQuestion).length, 0, "not asked without an image");
      for (let times = 0; times < 2; times++) {
        const content = await send([image]);
        if (sees) assert.deepEqual(content.at(-1), image);
        else assert.equal(content, "Look.\n(an image, which this model can't see)");
      }
      assert.equal(chat.asked.filter(isQuestion).length, asked);
      const notes = chat.changes.filter((change) => change.includes("images were replaced with text"));
      assert.equal(notes.length, sees ? 0 : 2);
    }
  }
});

/** Server → its error for a template that loops over the tools of a request without any. */
const LOOPS: Readonly<Record<string, Script>> = {
  "llama-cpp-python": ERRORS["llama-cpp-python"]!("'NoneType' object is not iterable"),
  transformers: {
    error: { status: 500, body: "Internal Server Error", headers: { "content-type": "text/plain" } },
  },
};

Deno.test("tools in the prompt of a server whose template loops over tools: later requests have an empty list", async () => {
  for (
    const [server, stream] of Object.keys(LOOPS).flatMap((name) => [[name, true], [name, false]] as const)
  ) {
    const looped = ({ tools }: Body) => tools === undefined ? LOOPS[server] : undefined;
    await using chat = await connect(looped, { server, tools: "prompted", dialect: "hermes" });
    for (let count = 0; count < 2; count++) {
      const got = await (await askChat(chat.origin, { body: { tools: TOOLS, stream } })).text();
      assert.match(got, /"name":\s*"read_file"/);
    }
    assert.deepEqual(chat.asked.map(({ tools }: Body) => tools), [undefined, [], []]);
  }
});

/** What a server ignores or loses without an error. */
const MISREAD: readonly { server: string; model?: string; body: Body; becomes: Body }[] = [
  {
    server: "ollama",
    body: {
      messages: [user("Go.")],
      tools: [readFile({
        ...tool({
          path: { $ref: "#/$defs/P" },
          mode: { const: "r" },
          at: { type: "string", format: "date" },
        }).schema,
        $defs: { P: { type: "string", pattern: "^/" } },
      })],
    },
    becomes: {
      tools: [readFile(
        tool({
          path: { type: "string", description: 'pattern: "^/"' },
          mode: { enum: ["r"] },
          at: { type: "string", description: 'format: "date"' },
        }).schema,
      )],
    },
  },
  {
    server: "tgi",
    body: {
      messages: [user("Go.")],
      tools: [
        readFile({ ...tool({ path: { $ref: "#/$defs/P" } }).schema, $defs: { P: { type: "string" } } }),
      ],
    },
    becomes: { tools: [readFile(tool({}).schema)] },
  },
  {
    server: "vllm",
    body: {
      messages: [user("Go.")],
      tools: [
        readFile(tool({ n: { multipleOf: 2 } }).schema, { strict: true }),
        { type: "function", function: { name: "other", parameters: { type: "object", uniqueItems: true } } },
      ],
    },
    becomes: {
      tools: [
        readFile(tool({ n: { description: "multipleOf: 2" } }).schema, { strict: true }),
        { type: "function", function: { name: "other", parameters: { type: "object", uniqueItems: true } } },
      ],
    },
  },
  {
    server: "sglang",
    body: { messages: [user("Go."), assistant("The file")] },
    becomes: { continue_final_message: true },
  },
  {
    server: "vllm",
    model: "moonshotai/Kimi-K2-Instruct",
    body: {
      messages: [
        user("Go."),
        assistant("", "call_7", "call_8"),
        result("call_8"),
        result("call_7"),
        user("On."),
      ],
    },
    becomes: {
      messages: [
        user("Go."),
        assistant("", "functions.read_file:0", "functions.read_file:1"),
        result("functions.read_file:1"),
        result("functions.read_file:0"),
        user("On."),
      ],
    },
  },
  { server: "transformers", body: { messages: [user("Go.")], stop: [] }, becomes: { stop: undefined } },
];

Deno.test("what a server misreads, or refuses without a reason, is changed if the server is known, and only then", async () => {
  for (const { server, model, body, becomes } of MISREAD) {
    const request = { model: "m", tools: TOOLS, ...body };
    for (const setting of [{ server }, { server: "none" }, { server, heal: false }]) {
      await using chat = await connect(() => ({ text: CALL }), { model, ...setting });
      const got = await (await askChat(chat.origin, { body: request })).text();
      assert.match(got, /"name":\s*"read_file"/);
      const named = model === undefined ? request : { ...request, model };
      const isChanged = setting.server === server && !("heal" in setting);
      assert.deepEqual(chat.asked, [
        JSON.parse(JSON.stringify(isChanged ? { ...named, ...becomes } : named)),
      ]);
    }
  }
});
