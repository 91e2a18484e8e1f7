/**
 * The table of servers in `src/docs/guide/servers.md`: each cell is what happens in front of a server that answers byte for byte as
 * its source does. To write the table after a change:
 *
 *     WRITE_TABLE=1 deno test --config=tests/deno.json --allow-all tests/end_to_end/server_table_test.ts
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { ContentEvent } from "../../src/engine/event/event.ts";
import { mannerOf } from "../../src/proxy/upstream/manner.ts";
import { PROFILES, type ServerProfile } from "../../src/proxy/upstream/profiles/profiles.ts";
import { builtInService } from "../support/built_in.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { type Arrived, type Script, startUpstream } from "../support/scripted_upstream.ts";
import { functionCall, functionTool } from "../support/chat_tools.ts";

// deno-lint-ignore no-explicit-any
type Body = any;

/** What a server answers, to the letter, and who states that. */
interface Stated {
  readonly source: string;
  /** The part of the text by which a reader finds it again. */
  readonly shown: string;
  readonly script: Script;
}

interface Refusal extends Stated {
  /** What is added to the request. */
  readonly asks: Body;
  readonly refuses: (body: Body) => boolean;
}

interface Server {
  readonly refusal?: Refusal;
  readonly lost?: Stated;
}

const CALL = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
const TOOL = functionTool("read_file", { path: "string" });
const USER = { role: "user", content: "Go." };

function text(status: number, body: unknown): Script {
  return { error: { status, body: JSON.stringify(body) } };
}

const withMode = (mode: Body) => {
  const parameters = { type: "object", properties: { path: { type: "string" }, mode } };
  return { tools: [{ type: "function", function: { name: "read_file", parameters, strict: true } }] };
};
const modeOf = ({ tools }: Body) => tools[0].function.parameters.properties.mode;
const called = (id: string, json: string) => ({
  messages: [
    USER,
    {
      role: "assistant",
      content: "",
      tool_calls: [functionCall(id, "read_file", json)],
    },
    { role: "tool", tool_call_id: id, content: "found" },
  ],
});
const argumentsOf = ({ messages }: Body): string => messages[1].tool_calls[0].function.arguments;
const isJson = (json: string) => {
  try {
    return JSON.parse(json) !== undefined;
  } catch {
    return false;
  }
};

/** A call in the text of an error, as Rust's `{:?}` writes it. */
const RUST = JSON.stringify(CALL);

const SERVERS: Readonly<Record<string, Server>> = {
  "llama.cpp": {
    refusal: {
      source: "chat.cpp, b10547",
      shown: "Unrecognized schema",
      script: text(400, {
        error: {
          code: 400,
          message:
            'Unable to generate parser for this template. Automatic parser generation failed: JSON schema conversion failed:\nUnrecognized schema: {"type":"any"}',
          type: "invalid_request_error",
        },
      }),
      asks: withMode({ type: "any" }),
      refuses: (body) => modeOf(body).type === "any",
    },
    lost: {
      source: "#24329, b10547",
      shown: "`does not match the expected peg-native format`",
      script: text(500, {
        error: {
          code: 500,
          message: "The model produced output that does not match the expected peg-native format",
          type: "server_error",
        },
      }),
    },
  },
  vllm: {
    refusal: {
      source: "backend_xgrammar.py",
      shown: "features not supported by xgrammar",
      script: text(400, {
        error: {
          message: "The provided JSON schema contains features not supported by xgrammar.",
          type: "BadRequestError",
          param: null,
          code: 400,
        },
      }),
      asks: withMode({ type: "number", multipleOf: 2 }),
      refuses: (body) => modeOf(body).multipleOf !== undefined,
    },
    lost: {
      source: "serving chat, `JSONDecodeError`",
      shown: "`Expecting ',' delimiter`",
      script: text(400, {
        error: {
          message: "Expecting ',' delimiter: line 1 column 28 (char 27)",
          type: "BadRequestError",
          param: null,
          code: 400,
        },
      }),
    },
  },
  sglang: {
    refusal: {
      source: "serving_chat 002897c",
      shown: "must be valid JSON",
      script: text(400, {
        object: "error",
        message: "Assistant message tool_call function.arguments must be valid JSON.",
        type: "BadRequest",
        param: null,
        code: 400,
      }),
      asks: called("a", '{"path": "b",}'),
      refuses: (body) => !isJson(argumentsOf(body)),
    },
    lost: {
      source: "serving_chat 002897c",
      shown: "the answer ends with `tool_calls` but contains no call",
      script: { text: "I look.", finish: "tool_calls" },
    },
  },
  ollama: {
    refusal: {
      source: "openai.go, fb3076099",
      shown: "invalid tool call arguments",
      script: text(400, {
        error: {
          message: "invalid tool call arguments",
          type: "invalid_request_error",
          param: null,
          code: null,
        },
      }),
      asks: called("a", '{"path": "b",}'),
      refuses: (body) => !isJson(argumentsOf(body)),
    },
    lost: {
      source: "#14834",
      shown: "`XML syntax error`",
      script: text(500, {
        error: {
          message: "XML syntax error on line 4: element <parameter> closed by </function>",
          type: "api_error",
          param: null,
          code: null,
        },
      }),
    },
  },
  lmstudio: {
    refusal: {
      source: "#670",
      shown: "Invalid tool_choice type",
      script: text(400, {
        error: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
      }),
      asks: { tool_choice: { type: "function", function: { name: "read_file" } } },
      refuses: ({ tool_choice: choice }) => typeof choice === "object",
    },
    lost: {
      source: "#942, #1528",
      shown: "status 200, but the call is missing",
      script: { text: "I look." },
    },
  },
  tgi: {
    refusal: {
      source: "db931fc",
      shown: "Grammar and tools are mutually exclusive",
      script: text(422, {
        error: "Tool error: Grammar and tools are mutually exclusive",
        error_type: "tool_error",
      }),
      asks: { response_format: { type: "json_object" } },
      refuses: ({ response_format: format }) => format !== undefined,
    },
    lost: {
      source: "db931fc",
      shown: "`Failed to parse generated text`",
      script: text(422, {
        error:
          `Tool error: Failed to parse generated text: EOF while parsing a string at line 1 column 9: ${RUST}`,
        error_type: "tool_error",
      }),
    },
  },
  mlx: {
    refusal: {
      source: "#1375",
      shown: "Tool call IDs should be alphanumeric strings with length 9!",
      script: text(404, { error: "Tool call IDs should be alphanumeric strings with length 9!" }),
      asks: called("call_1", "{}"),
      refuses: ({ messages }) => messages[1].tool_calls[0].id.length !== 9,
    },
    lost: {
      source: "ToolCallFormatter, d78bf58",
      shown: "the answer ends with `tool_calls` but contains no call",
      script: { text: "I look.", finish: "tool_calls" },
    },
  },
  transformers: {
    refusal: {
      source: "5.19",
      shown: "Expecting property name",
      asks: called("a", '{"path": "b",}'),
      refuses: (body) => body.messages.at(-2)?.tool_calls[0].function.arguments.includes(",}"),
      script: text(500, { detail: "Expecting property name enclosed in double quotes: line 1" }),
    },
  },
  "llama-cpp-python": {
    refusal: {
      source: "0.3.36",
      shown: "Input should be a valid string",
      asks: { messages: [USER, { role: "assistant", content: null }] },
      refuses: (body) => body.messages.at(-1)?.content === null,
      script: text(500, { error: { message: "1 validation error: Input should be a valid string" } }),
    },
  },
  tabby: {
    lost: {
      source: "e632af4",
      shown: "the answer ends with `tool_calls` but contains no call",
      script: { text: "", finish: "tool_calls" },
    },
  },
  localai: {
    lost: {
      source: "chat.go, 82c191a",
      shown: "`rpc error: code = InvalidArgument`",
      script: text(500, { error: { code: 500, message: "rpc error: code = InvalidArgument desc = bad" } }),
    },
  },
  "mistral.rs": {},
};

/** Answers as a server whose parser is off, on every route that shows a prompt or takes one. */
function answerRaw({ path, body }: Arrived): Script | undefined {
  const request = JSON.parse(body);
  const completion = {
    id: "c",
    object: "text_completion",
    choices: [{ index: 0, text: CALL, finish_reason: "stop" }],
  };
  if (path === "/tokenize") return text(200, { tokens: [7], count: 1, max_model_len: 4096 });
  if (path.endsWith("/render")) return text(200, { token_ids: [7] });
  if (path === "/detokenize") return text(200, { prompt: "x" });
  if (path === "/v1/completions") return text(200, completion);
  if (path === "/api/generate") {
    return text(200, { model: "m", response: CALL, done: true, done_reason: "stop" });
  }
  if (request.top_logprobs === 1) {
    const tokens = [...CALL.replaceAll(" ", "Ġ").replaceAll("\n", "Ċ"), "<|im_end|>"];
    const logprobs = { content: tokens.map((token) => ({ token, logprob: 0 })) };
    const message = { role: "assistant", content: null };
    return text(200, { choices: [{ index: 0, message, logprobs, finish_reason: "tool_calls" }] });
  }
  if (request._debug_render_only === true) return text(200, { _debug_info: { rendered_template: "x" } });
  return request.tool_choice === "none" ? { text: CALL } : undefined;
}

async function ask(server: string, { asks = {}, tools = "native", answer }: {
  readonly asks?: Body;
  readonly tools?: string;
  readonly answer: (arrived: Arrived) => Script;
}) {
  await using upstream = startUpstream(answer);
  // Where an answer begins is known, so the server is not asked for it.
  const own = {
    name: "local",
    url: upstream.url,
    server,
    tools,
    rules: ["hermes"],
    begins_in_reasoning: false,
  };
  const noted = new Set<string>();
  await using proxy = await startProxy(await builtInService(testConfig(undefined, { upstreams: [own] })), {
    observe: (event: ContentEvent) => {
      if (event.kind === "note") noted.add(event.reason);
    },
  });
  const response = await askChat(proxy.origin, {
    body: { model: "m", messages: [USER], tools: [TOOL], ...asks },
  });
  const { choices, error } = await response.json();
  return {
    isCalled: choices?.[0].message.tool_calls?.length > 0,
    error,
    noted,
    requests: upstream.requests.map(({ path, body }) => ({ path, body: JSON.parse(body) })),
  };
}

/** Each cell's words for what happened. */
const CELLS = {
  async refusal(server: string) {
    const { refusal } = SERVERS[server]!;
    if (refusal === undefined) return "–";
    const got = await ask(server, {
      asks: refusal.asks,
      answer: ({ body }) => refusal.refuses(JSON.parse(body)) ? refusal.script : { text: CALL },
    });
    const outcome = !got.isCalled
      ? "the agent gets the error"
      : got.requests.length === 1
      ? "adapted from the first request"
      : "adapted after the first refusal";
    return `\`${refusal.shown}\` (${refusal.source}): ${outcome}`;
  },
  async lost(server: string) {
    const { lost } = SERVERS[server]!;
    if (lost === undefined) return "–";
    const got = await ask(server, { answer: (arrived) => answerRaw(arrived) ?? lost.script });
    const outcome = got.noted.has("asked_raw")
      ? "retried in raw mode"
      : got.noted.has("parser_error_read")
      ? "Dragoman reads the call from the error"
      : got.error === undefined
      ? "Dragoman can't recover the call; use `tools: prompted`"
      : "the agent gets the error";
    assert.equal(got.isCalled, got.noted.has("asked_raw") || got.noted.has("parser_error_read"), server);
    return `${lost.shown} (${lost.source}): ${outcome}`;
  },
  async raw(server: string) {
    if (PROFILES[server]!.raw === undefined) return "no";
    const got = await ask(server, {
      tools: "raw",
      answer: (arrived) => answerRaw(arrived) ?? { text: "not raw" },
    });
    assert.ok(got.isCalled, server);
    return got.requests.map(({ path, body }) =>
      body._debug_render_only === true
        ? "`_debug_render_only`"
        : body.top_logprobs !== undefined
        ? "`logprobs`"
        : path !== "/v1/chat/completions"
        ? `\`${path}\``
        : `\`tool_choice: ${body.tool_choice}\``
    ).filter((step) => step !== "`/detokenize`").join(", then ");
  },
  async heal(server: string) {
    const parameters = {
      type: "object",
      properties: { path: { $ref: "#/$defs/Gone", format: "uri" }, n: { type: "any" } },
    };
    const got = await ask(server, {
      asks: {
        messages: [{ role: "developer", content: "A" }, ...called("a", '{"path": "b",}').messages, {
          role: "assistant",
          content: "C",
        }, { role: "assistant", content: "D" }],
        tools: [{ type: "function", function: { name: "read_file", parameters } }],
        tool_choice: { type: "function", function: { name: "read_file" } },
      },
      answer: () => ({ text: CALL }),
    });
    const { body } = got.requests[0]!;
    const roles = body.messages.map(({ role }: Body) => role);
    const changes = [
      ...JSON.stringify(body.tools[0].function.parameters) === JSON.stringify(parameters) ? [] : ["schemas"],
      ...roles.includes("developer") ? [] : ["`developer`"],
      ...isJson(body.messages.find((message: Body) => message.tool_calls).tool_calls[0].function.arguments)
        ? ["arguments"]
        : [],
      ...roles.slice(-2).join() === "assistant,assistant" ? [] : ["the last messages"],
      ...body.continue_final_message === true ? ["`continue_final_message`"] : [],
      ...typeof body.tool_choice === "object" ? [] : ["`tool_choice`"],
    ];
    return changes.join(", ") || "–";
  },
};

/** Whether a server was run, and in which version, or else what was read. */
function knownFrom({ measured, source }: ServerProfile): string {
  const [why] = Object.values(measured ?? {});
  return why === undefined ? `from ${source.split(/[;:]/)[0]}` : `measured ${/\(b?[\d.]+\)$/.exec(why)![0]}`;
}

Deno.test("the table of servers in the documentation is what happens", async () => {
  assert.deepEqual(Object.keys(SERVERS), Object.keys(PROFILES));
  const rows = [];
  for (const server of Object.keys(SERVERS)) {
    const cells = [];
    for (const cell of Object.values(CELLS)) cells.push(await cell(server));
    rows.push([server, ...cells, knownFrom(PROFILES[server]!)]);
  }
  await checkTable("servers", [
    [
      "server",
      "refused request",
      "lost answer",
      "`tools: raw`",
      "changed in every request",
      "source of the last two columns",
    ],
    ...rows,
  ]);
});

Deno.test("the table of how requests begin is what the profiles state, and each reason has its version", async () => {
  const upstream = { ...testConfig("http://127.0.0.1:1/v1").upstreams[0]!, tools: "auto" as const };
  const rows = Object.entries(PROFILES).flatMap(([server, profile]) => {
    const [state] = Object.keys(profile.measured ?? {});
    if (state === undefined) return [];
    const known = { server, profile, rawRules: [["hermes"]].slice(0, state === "raw" ? 1 : 0) };
    const open = mannerOf(upstream, { ...known, opensRoute: profile.prefers_raw?.routes === true })!;
    assert.match(open.why ?? "", /\(b?[\d.]+\)$/, server);
    const rows = [[server, open.begins, open.why]];
    if (profile.closed_routes === undefined) return rows;
    const closed = mannerOf(upstream, { ...known, rawRules: [], closesRoutes: true })!;
    return [...rows, [`${server}, both routes closed`, `${closed.begins}, with a warning`, closed.warning]];
  });
  await checkTable("manners", [["server", "begins", "why"], ...rows]);
});

/** Compares a table of the page, or writes it. */
async function checkTable(
  name: string,
  [head = [], ...rows]: readonly (readonly unknown[])[],
): Promise<void> {
  const table = [head, head.map(() => "---"), ...rows].map((cells, at) =>
    at === 1 ? `|${cells.join("|")}|` : `| ${cells.join(" | ")} |`
  ).join("\n");
  const page = join(import.meta.dirname!, "../../src/docs/guide/servers.md");
  const written = await Deno.readTextFile(page);
  const [before = "", rest = ""] = written.split(`<!-- ${name} -->\n`);
  const [shown, after] = rest.split(`\n<!-- /${name} -->`);
  if (Deno.env.get("WRITE_TABLE") !== "1") return assert.equal(shown, table);
  await Deno.writeTextFile(page, `${before}<!-- ${name} -->\n${table}\n<!-- /${name} -->${after}`);
}
