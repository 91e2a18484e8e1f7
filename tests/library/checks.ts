/**
 * What the library does, without a network and without a test runner: the same checks run from the sources, and from the
 * packed file in Node, Bun, Deno and Chromium.
 *
 * @module
 */
import type * as aiSdk from "../../src/library/connection/ai_sdk.ts";
import type * as compile from "../../src/library/compile.ts";
import type * as connection from "../../src/library/connection/fetch.ts";
import type * as engine from "../../src/library/mod.ts";
import type * as prompted from "../../src/library/prompted.ts";
import type * as shipped from "../../src/library/shipped.ts";
import type { Note, ReaderEvent } from "../../src/library/types.ts";

export type Library =
  & typeof engine
  & typeof shipped
  & typeof connection
  & typeof aiSdk
  & typeof prompted
  & Partial<typeof compile>;

/** A check; it throws if it fails. */
export type Check = readonly [name: string, run: () => Promise<void> | void];

/** A call in the notation of one dialect, and in another. */
export const XML =
  "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>";
const JSON_CALL = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';

const PARAMETERS = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const FUNCTION = { name: "read_file", description: "Reads a file", parameters: PARAMETERS };
const REQUEST = {
  model: "local",
  messages: [{ role: "user", content: "What is in it?" }],
  tools: [{ type: "function", function: FUNCTION }],
};
const URL_OF_CHAT = "http://localhost:8000/v1/chat/completions";

/** The error of a broken connection: Chromium has one text for all. */
const BROKEN = /terminated|Failed to fetch/;

/** Compares two values as JSON. */
function equal(actual: unknown, expected: unknown, what = ""): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${what} is ${one}, not ${other}`);
}

async function throws(run: () => unknown, message: RegExp): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (message.test(String(error))) return;
    throw new Error(`${error} doesn't match ${message}`);
  }
  throw new Error(`nothing was thrown that matches ${message}`);
}

/** A server's answer in pieces. */
interface Answer {
  readonly text?: string;
  readonly reason?: string;
  /** Whether the connection breaks instead of ending. */
  readonly isBroken?: boolean;
  readonly status?: number;
  readonly choices?: number;
}

/** A `fetch` that answers as a chat server does, and what it was asked. */
function serverOf({ text = "", reason = "stop", isBroken = false, status = 200, choices = 1 }: Answer) {
  const asked: { url: string; body: Record<string, unknown>; headers: Headers }[] = [];
  const state = { pulled: 0, isCanceled: false };
  const send = (async (url: unknown, init?: RequestInit) => {
    const body = JSON.parse(await new Response(init?.body).text());
    asked.push({ url: String(url), body, headers: new Headers(init?.headers) });
    const identity = { id: "c", created: 1, model: "local" };
    if (status !== 200) {
      const error = { error: { message: "too much", type: "rate_limit", code: "full" } };
      return Response.json(error, { status, headers: { "retry-after": "7" } });
    }
    const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
    if (!body.stream) {
      const whole = Array.from({ length: choices }, (_, index) => ({
        index,
        message: { role: "assistant", content: text },
        finish_reason: reason,
      }));
      return Response.json({ ...identity, object: "chat.completion", choices: whole, usage });
    }
    const chunk = (fields: object) =>
      `data: ${JSON.stringify({ ...identity, object: "chat.completion.chunk", ...fields })}\n\n`;
    const delta = (index: number, delta: object, finish: string | null = null) =>
      chunk({ choices: [{ index, delta, finish_reason: finish }] });
    const indexes = Array.from({ length: choices }, (_, index) => index);
    const messages = [
      ...indexes.map((index) => delta(index, { role: "assistant", content: "" })),
      ...text.match(/[\s\S]{1,3}/g)?.flatMap((content) =>
        indexes.map((index) => delta(index, { content }))
      ) ?? [],
      ...isBroken ? [] : [
        ...indexes.map((index) => delta(index, {}, reason)),
        chunk({ choices: [], usage }),
        "data: [DONE]\n\n",
      ],
    ];
    const stream = new ReadableStream<Uint8Array>({
      pull(out) {
        const message = messages[state.pulled++];
        if (message !== undefined) out.enqueue(new TextEncoder().encode(message));
        else if (isBroken) out.error(new TypeError("terminated"));
        else out.close();
      },
      cancel: () => void (state.isCanceled = true),
    }, { highWaterMark: 0 });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  }) as typeof globalThis.fetch;
  return { send, asked, state };
}

function post(body: unknown, more: RequestInit = {}): RequestInit {
  return {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
    ...more,
  };
}

/** A streamed answer of chat completions, put together. */
async function readStream(response: Response) {
  const text = await response.text();
  const found = {
    content: "",
    calls: [] as { id: string; name: string; json: string }[],
    finish: "",
    isDone: false,
  };
  for (const [, data = ""] of text.matchAll(/^data: (.*)$/gm)) {
    if (data === "[DONE]") found.isDone = true;
    else {for (const { delta, finish_reason } of JSON.parse(data).choices) {
        found.content += delta.content ?? "";
        found.finish = finish_reason ?? found.finish;
        for (const { index, id, function: { name, arguments: json } } of delta.tool_calls ?? []) {
          if (name !== undefined) found.calls[index] = { id, name, json: json ?? "" };
          else found.calls[index]!.json += json;
        }
      }}
  }
  return found;
}

export function checksOf(library: Library): Check[] {
  return [
    ...readerChecks(library),
    ...fetchChecks(library),
    ...wireChecks(library),
    ...middlewareChecks(library),
  ];
}

function readerChecks(library: Library): Check[] {
  const { createReader, readAnswer, loadRules, selectRules, compiledRules, shippedRules } = library;
  const tools = [{ name: "read_file", parameters: PARAMETERS }];
  const joined = (events: readonly ReaderEvent[]) =>
    events.map((event) =>
      event.kind === "text" ? event.text : event.kind === "arguments" ? event.json : ` ${event.kind} `
    ).join("");
  return [
    ["a call from pieces of one character", () => {
      for (const call of [XML, JSON_CALL]) {
        const reader = createReader({ rules: shippedRules, tools });
        const events = [...`Look.\n${call}`].flatMap((piece) => reader.push(piece));
        events.push(...reader.end());
        equal(joined(events), 'Look.\n call_start {"path":"a.txt"} call_end ');
      }
    }],
    ["a whole answer; a tool that isn't offered and an example in a fence stay text", () => {
      equal(readAnswer(XML, { rules: shippedRules, tools }).calls.map(({ json }) => json), [
        '{"path":"a.txt"}',
      ]);
      const other = XML.replace("read_file", "delete_all");
      equal(readAnswer(other, { rules: shippedRules, tools }), { text: other, reasoning: "", calls: [] });
      const fenced = `So:\n\`\`\`\n${XML}\n\`\`\`\nThat is how.`;
      equal(readAnswer(fenced, { rules: shippedRules, tools }).calls, []);
    }],
    ["rules: loaded from data, selected, joined, and refused by name", async () => {
      const again = loadRules(JSON.parse(JSON.stringify(compiledRules)));
      equal(readAnswer(XML, { rules: again, tools }).calls.length, 1);
      equal(readAnswer(XML, { rules: selectRules(again, ["hermes"]), tools }).calls.length, 0);
      equal(
        readAnswer(XML, { rules: loadRules(selectRules(again, ["hermes"]), again), tools }).calls.length,
        1,
      );
      await throws(
        () => loadRules({ ...compiledRules, v: 99 }),
        /CompiledRulesError: .*format 99, written by dragoman .*format 3/,
      );
    }],
    ["a TransformStream of readers", async () => {
      const reader = createReader({ rules: shippedRules, tools });
      const events: ReaderEvent[] = [];
      const calls = new TransformStream<string, ReaderEvent>({
        transform: (text, out) => reader.push(text).forEach((event) => out.enqueue(event)),
        flush: (out) => reader.end().forEach((event) => out.enqueue(event)),
      });
      const text = new ReadableStream<string>({
        start: (out) => {
          for (const character of XML) out.enqueue(character);
          out.close();
        },
      });
      const read = text.pipeThrough(calls).getReader();
      for (let step = await read.read(); !step.done; step = await read.read()) events.push(step.value);
      equal(joined(events), ' call_start {"path":"a.txt"} call_end ');
    }],
    ...library.compileRules === undefined ? [] : [compileCheck(library, library.compileRules)],
  ];
}

function compileCheck({ loadRules, readAnswer }: Library, compileRules: typeof compile.compileRules): Check {
  return ["own rules are compiled with diagnostics, and loaded", () => {
    const text = "rule: mine\npattern: '<<{tool}>>(?<body>…)<</>>'\nbody: json\n";
    const { compiled, diagnostics } = compileRules([{ file: "mine.yaml", text }]);
    equal(diagnostics, []);
    const rules = loadRules(JSON.parse(JSON.stringify(compiled)));
    equal(readAnswer('<<f>>{"a":1}<</>>', { rules }).calls.map(({ tool, json }) => [tool, json]), [[
      "f",
      '{"a":1}',
    ]]);
    const wrong = compileRules([{ file: "mine.yaml", text: text.replace("body: json", "bdy: json") }]);
    equal([wrong.compiled.rules, wrong.diagnostics[0]?.severity, wrong.diagnostics[0]?.location?.line], [
      [],
      "error",
      3,
    ]);
  }];
}

function fetchChecks({ dragomanFetch }: Library): Check[] {
  const ask = async (server: ReturnType<typeof serverOf>, body: object, options: object = {}) =>
    await dragomanFetch({ fetch: server.send, ...options })(URL_OF_CHAT, post(body));
  return [
    ["fetch: a streamed answer has a call, its finish reason and the usage", async () => {
      const response = await ask(serverOf({ text: `Look.\n${XML}` }), { ...REQUEST, stream: true });
      const { content, calls, finish, isDone } = await readStream(response);
      equal([content, calls.map(({ name, json }) => [name, json]), finish, isDone], [
        "Look.\n",
        [["read_file", '{"path":"a.txt"}']],
        "tool_calls",
        true,
      ]);
      if (!/^call_[a-z0-9]{24}$/.test(calls[0]!.id)) throw new Error(calls[0]!.id);
    }],
    ["fetch: a whole answer, several choices, legacy functions", async () => {
      const whole = await (await ask(serverOf({ text: XML, choices: 2 }), { ...REQUEST, n: 2 })).json();
      for (const { message, finish_reason } of whole.choices) {
        equal([message.content || "", message.tool_calls[0].function.arguments, finish_reason], [
          "",
          '{"path":"a.txt"}',
          "tool_calls",
        ]);
      }
      equal(whole.usage.total_tokens, 7);
      const { tools: _, ...legacy } = { ...REQUEST, functions: [FUNCTION] };
      const old = await (await ask(serverOf({ text: XML }), legacy)).json();
      equal([old.choices[0].message.function_call.name, old.choices[0].finish_reason], [
        "read_file",
        "function_call",
      ]);
    }],
    [
      "fetch: without tools, with `tool_choice: none`, another path or an error, all passes unchanged",
      async () => {
        const { tools: _, ...bare } = REQUEST;
        for (const body of [bare, { ...REQUEST, tool_choice: "none" }]) {
          equal((await (await ask(serverOf({ text: XML }), body)).json()).choices[0].message.content, XML);
        }
        const server = serverOf({ text: XML });
        await dragomanFetch({ fetch: server.send })(
          "http://localhost:8000/v1/embeddings",
          post({ input: "x" }),
        );
        equal(server.asked[0]!.body, { input: "x" });
        const failed = await ask(serverOf({ status: 429 }), REQUEST);
        equal([failed.status, failed.headers.get("retry-after"), (await failed.json()).error.code], [
          429,
          "7",
          "full",
        ]);
      },
    ],
    ["fetch: a Request object, and a body in bytes", async () => {
      const server = serverOf({ text: XML });
      const fetch = dragomanFetch({ fetch: server.send });
      const bytes = new TextEncoder().encode(JSON.stringify(REQUEST));
      const whole = await (await fetch(URL_OF_CHAT, { method: "POST", body: bytes })).json();
      equal(whole.choices[0].finish_reason, "tool_calls");
      const direct = (async (input: Request) => {
        equal(JSON.parse(await input.text()), REQUEST);
        return await server.send(URL_OF_CHAT, post(REQUEST));
      }) as typeof globalThis.fetch;
      const read = await (await dragomanFetch({ fetch: direct })(new Request(URL_OF_CHAT, post(REQUEST))))
        .json();
      equal(read.choices[0].finish_reason, "tool_calls");
    }],
    ["fetch: a broken connection breaks, and its call stays unfinished", async () => {
      const text = XML.slice(0, XML.indexOf("txt"));
      const response = await ask(serverOf({ text, isBroken: true }), { ...REQUEST, stream: true });
      await throws(() => response.text(), BROKEN);
    }],
    ["fetch: a call that the limit cut ends with `length`", async () => {
      const text = XML.slice(0, XML.indexOf("txt"));
      const { finish, calls } = await readStream(
        await ask(serverOf({ text, reason: "length" }), { ...REQUEST, stream: true }),
      );
      equal(finish, "length");
      for (const { json } of calls) if (json.endsWith("}")) throw new Error(`${json} looks whole`);
    }],
    ["fetch: the upstream is read only as far as the client wants, and canceled with it", async () => {
      const server = serverOf({ text: "a".repeat(30_000) });
      const response = await ask(server, { ...REQUEST, stream: true });
      const reader = response.body!.getReader();
      for (let count = 0; count < 5; count++) await reader.read();
      if (server.state.pulled > 20) throw new Error(`${server.state.pulled} messages were read for 5`);
      await reader.cancel();
      equal(server.state.isCanceled, true);
    }],
    [
      "fetch: a body that isn't a web stream is passed on with a note, and notes have no contents",
      async () => {
        const notes: Note[] = [];
        const foreign = {
          ok: true,
          status: 200,
          headers: new Headers({ "content-type": "text/event-stream" }),
          body: { pipe() {} },
        };
        const send = (() => Promise.resolve(foreign)) as unknown as typeof globalThis.fetch;
        const response = await dragomanFetch({ fetch: send, onNote: (note) => notes.push(note) })(
          URL_OF_CHAT,
          post(REQUEST),
        );
        equal(response === (foreign as unknown), true);
        equal(notes.map(({ reason }) => reason), ["passed_on"]);
        const decided: Note[] = [];
        await (await ask(serverOf({ text: XML }), REQUEST, { onNote: (note: Note) => decided.push(note) }))
          .text();
        equal(decided.map(({ reason, rule }) => [reason, rule]), [["transformed", "qwen_xml"]]);
        if (JSON.stringify(decided).includes("a.txt")) throw new Error("a note has contents");
      },
    ],
    ["fetch: a text that the user wrote is not a call", async () => {
      const messages = [{ role: "user", content: `A page: ${XML}` }];
      const whole = await (await ask(serverOf({ text: XML }), { ...REQUEST, messages })).json();
      equal([whole.choices[0].message.content, whole.choices[0].finish_reason], [XML, "stop"]);
    }],
    ["fetch: prompted, the server sees neither tools nor results as messages of a tool", async () => {
      const server = serverOf({ text: JSON_CALL });
      const call = {
        id: "call_1",
        type: "function",
        function: { name: "read_file", arguments: '{"path":"b"}' },
      };
      const messages = [
        ...REQUEST.messages,
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "call_1", content: "empty" },
      ];
      const response = await ask(server, { ...REQUEST, messages }, { prompt: { dialect: "hermes" } });
      equal((await response.json()).choices[0].finish_reason, "tool_calls");
      const { body } = server.asked[0]!;
      equal([body["tools"], (body["messages"] as { role: string }[]).map(({ role }) => role)], [
        undefined,
        ["system", "user", "assistant", "user"],
      ]);
      await throws(() => ask(serverOf({}), REQUEST, { prompt: { dialect: "nope" } }), /No rule speaks/);
    }],
  ];
}

function wireChecks({ dragomanFetch }: Library): Check[] {
  const tool = { name: "read_file", description: "Reads a file", input_schema: PARAMETERS };
  const message = {
    model: "local",
    max_tokens: 99,
    messages: [{ role: "user", content: "Hi" }],
    tools: [tool],
  };
  const response = { model: "local", input: "Hi", tools: [{ type: "function", ...FUNCTION, strict: false }] };
  const base = "https://server.example/some/v1";
  return [
    ["fetch: the Anthropic API, whole and streamed, from chat completions", async () => {
      const server = serverOf({ text: `Look.\n${XML}` });
      const fetch = dragomanFetch({ fetch: server.send });
      const headers = { "x-api-key": "secret", "anthropic-version": "2023-06-01" };
      const whole = await (await fetch(`${base}/messages`, post(message, { headers }))).json();
      equal(
        whole.content.map((
          { type, text, name, input }: Record<string, unknown>,
        ) => [type, text ?? name, input]),
        [
          ["text", "Look.\n", undefined],
          ["tool_use", "read_file", { path: "a.txt" }],
        ],
      );
      equal([whole.stop_reason, server.asked[0]!.url, server.asked[0]!.headers.get("authorization")], [
        "tool_use",
        `${base}/chat/completions`,
        "Bearer secret",
      ]);
      const text = await (await fetch(`${base}/messages`, post({ ...message, stream: true }, { headers })))
        .text();
      const kinds = [...text.matchAll(/^event: (.*)$/gm)].map(([, kind]) => kind);
      equal([kinds[0], kinds.at(-1), text.includes('"stop_reason":"tool_use"')], [
        "message_start",
        "message_stop",
        true,
      ]);
    }],
    ["fetch: the Responses API, whole and streamed, and items that a later request names", async () => {
      const server = serverOf({ text: `Look.\n${XML}` });
      const fetch = dragomanFetch({ fetch: server.send });
      const whole = await (await fetch(`${base}/responses`, post(response))).json();
      equal(
        whole.output.map(({ type, name, arguments: json }: Record<string, unknown>) => [type, name, json]),
        [
          ["message", undefined, undefined],
          ["function_call", "read_file", '{"path":"a.txt"}'],
        ],
      );
      const call = whole.output[1];
      const input = [
        { role: "user", content: "Hi" },
        { type: "item_reference", id: call.id },
        { type: "function_call_output", call_id: call.call_id, output: "empty" },
      ];
      await (await fetch(`${base}/responses`, post({ ...response, input }))).text();
      const { messages } = server.asked[1]!.body as { messages: { role: string }[] };
      equal(messages.map(({ role }) => role), ["user", "assistant", "tool"]);
      const text = await (await fetch(`${base}/responses`, post({ ...response, stream: true }))).text();
      const kinds = [...text.matchAll(/^event: (.*)$/gm)].map(([, kind]) => kind);
      equal([kinds[0], kinds.at(-1)], ["response.created", "response.completed"]);
    }],
    ["fetch: errors of other APIs, in their own form", async () => {
      const failing = dragomanFetch({ fetch: serverOf({ status: 429 }).send });
      const refused = await failing(`${base}/messages`, post(message));
      equal([refused.status, refused.headers.get("retry-after"), (await refused.json()).error.type], [
        429,
        "7",
        "rate_limit_error",
      ]);
      const wrong = await failing(`${base}/messages`, post({ ...message, messages: "Hi" }));
      equal([wrong.status, (await wrong.json()).type], [400, "error"]);
      const cut = dragomanFetch({ fetch: serverOf({ text: "Look", isBroken: true }).send });
      const broken = await cut(`${base}/responses`, post({ ...response, stream: true }));
      await throws(() => broken.text(), BROKEN);
      const count = await failing(`${base}/messages/count_tokens`, post(message));
      equal(typeof (await count.json()).input_tokens, "number");
    }],
  ];
}

type Part = Record<string, unknown>;

function middlewareChecks({ dragomanMiddleware }: Library): Check[] {
  const params = {
    prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
    tools: [{ type: "function", name: "read_file", inputSchema: PARAMETERS }],
  };
  const finish = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: {} };
  const stream = async (parts: readonly Part[], more: object = {}, options: object = {}) => {
    const given = new ReadableStream<Part>({
      start(out) {
        for (const part of parts) out.enqueue(part);
        out.close();
      },
    });
    const middleware = dragomanMiddleware(options);
    const result = await middleware.wrapStream({
      doStream: () => Promise.resolve({ stream: given, request: {} }),
      params: { ...params, ...more },
    });
    const found: Part[] = [];
    const reader = result.stream.getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) found.push(step.value);
    return found;
  };
  const texts = (text: string, id = "1") => [
    { type: "text-start", id },
    ...text.match(/[\s\S]{1,4}/g)?.map((delta) => ({ type: "text-delta", id, delta })) ?? [],
    { type: "text-end", id, providerMetadata: { own: { citations: 1 } } },
  ];
  return [
    ["ai-sdk: a call between two texts, with balanced blocks", async () => {
      const parts = await stream([...texts(`Look.\n${XML}\nDone.`), finish]);
      const kinds = parts.filter(({ type }) => type !== "text-delta" && type !== "tool-input-delta")
        .map(({ type, id }) => type === "text-start" || type === "text-end" ? `${type} ${id}` : type);
      equal(kinds, [
        "text-start 1",
        "text-end 1",
        "tool-input-start",
        "tool-input-end",
        "tool-call",
        "text-start 1_1",
        "text-end 1_1",
        "finish",
      ]);
      const call = parts.find(({ type }) => type === "tool-call")!;
      equal([call["toolName"], call["input"], parts.at(-1)!["finishReason"]], [
        "read_file",
        '{"path":"a.txt"}',
        { unified: "tool-calls", raw: "stop" },
      ]);
      equal(parts.find(({ type }) => type === "tool-input-start")!["id"], call["toolCallId"]);
    }],
    ["ai-sdk: an answer without a call keeps its parts, ids and citations", async () => {
      const given = [...texts("Only text, and < signs."), finish];
      const parts = await stream(given);
      const text = (all: readonly Part[]) => all.map(({ delta }) => delta ?? "").join("");
      equal(text(parts), text(given));
      equal(
        parts.filter(({ type }) => type !== "text-delta"),
        given.filter(({ type }) => type !== "text-delta"),
      );
    }],
    ["ai-sdk: a call that was cut isn't made; reasoning, no tools and the provider's own calls", async () => {
      const cut = await stream([...texts(XML.slice(0, 60)), {
        ...finish,
        finishReason: { unified: "length", raw: "x" },
      }]);
      equal([cut.some(({ type }) => type === "tool-call"), cut.at(-1)!["finishReason"]], [false, {
        unified: "length",
        raw: "x",
      }]);
      const thought = [
        { type: "reasoning-start", id: "r" },
        { type: "reasoning-delta", id: "r", delta: XML },
        { type: "reasoning-end", id: "r" },
        finish,
      ];
      equal((await stream(thought)).filter(({ type }) => type === "tool-call").length, 1);
      equal(await stream(thought, {}, { reasoning: "ignore" }), thought);
      equal(await stream([...texts(XML), finish], { toolChoice: { type: "none" } }), [...texts(XML), finish]);
      const own = { type: "tool-call", toolCallId: "x", toolName: "read_file", input: "{}" };
      const both = await stream([...texts("Look."), own, finish]);
      equal(both.filter(({ type }) => type === "tool-call"), [own]);
      equal(
        both.findIndex(({ type }) => type === "text-end") < both.indexOf(
          both.find((part) => part["toolCallId"] === "x")!,
        ),
        true,
      );
    }],
    ["ai-sdk: a whole answer", async () => {
      const middleware = dragomanMiddleware();
      const generate = async (
        content: readonly Part[],
        finishReason: unknown = { unified: "stop", raw: "stop" },
      ) =>
        await middleware.wrapGenerate({
          doGenerate: () => Promise.resolve({ content, finishReason, usage: 1 }),
          params,
        });
      const { content, finishReason, usage } = await generate([{ type: "text", text: `Look.\n${XML}` }]);
      equal(content.map(({ type, text, toolName, input }) => [type, text ?? toolName, input]), [
        ["text", "Look.\n", undefined],
        ["tool-call", "read_file", '{"path":"a.txt"}'],
      ]);
      equal([finishReason, usage], [{ unified: "tool-calls", raw: "stop" }, 1]);
      const plain = [{ type: "text", text: "Only text.", providerMetadata: { a: 1 } }, {
        type: "source",
        url: "u",
      }];
      equal((await generate(plain)).content, plain);
      const cut = await generate([{ type: "text", text: XML.slice(0, 60) }], {
        unified: "length",
        raw: "length",
      });
      equal([cut.content, cut.finishReason], [[{ type: "text", text: XML.slice(0, 60) }], {
        unified: "length",
        raw: "length",
      }]);
    }],
    ["ai-sdk: prompted, the model gets no tools and its answer is read with them", async () => {
      const middleware = dragomanMiddleware({ prompt: true });
      const model = { modelId: "hermes-3" };
      const earlier = [
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "1", toolName: "read_file", input: { path: "b" } }],
        },
        {
          role: "tool",
          content: [{
            type: "tool-result",
            toolCallId: "1",
            toolName: "read_file",
            output: { type: "text", value: "empty" },
          }],
        },
      ];
      const given = { ...params, prompt: [...params.prompt, ...earlier], temperature: 0 };
      const changed: Part = await middleware.transformParams({ params: given, model });
      equal(
        [changed["tools"], (changed["prompt"] as Part[]).map(({ role }) => role), changed["temperature"]],
        [
          undefined,
          ["system", "user", "assistant", "user"],
          0,
        ],
      );
      const { content } = await middleware.wrapGenerate({
        doGenerate: () =>
          Promise.resolve({ content: [{ type: "text", text: JSON_CALL }] as Part[], finishReason: "stop" }),
        params: changed,
      });
      equal(content.map(({ type }) => type), ["tool-call"]);
    }],
  ];
}
