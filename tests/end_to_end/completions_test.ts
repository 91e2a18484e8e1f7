/**
 * An upstream that only completes prompts: the chat template writes the conversation with its tools, and the call in the
 * completion reaches the client, streamed and whole.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { ChatTemplate } from "../../src/analysis/derive/template.ts";
import { writeWith } from "../../src/proxy/upstream/completions.ts";
import { builtInService } from "../support/built_in.ts";
import { readChatAnswer } from "../support/chat_answer.ts";
import { startProgram } from "../support/program.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { functionTool } from "../support/chat_tools.ts";

/** As everywhere with chat templates, the line break after a block belongs to the block. */
const TEMPLATE = `{% if tools %}TOOLS {{ tools | tojson }}{% endif %}{% for m in messages %}
{% if m.role == "system" and not loop.first %}{{ raise_exception("System message must be at the beginning.") }}{% endif %}
<{{ m.role }}>{{ m.content }}{% if m.tool_calls %}CALL {{ m.tool_calls[0].function.arguments.path }}{% endif %}{% endfor %}
<assistant>`;
const CALL = '<tool_call>\n{"name": "write_file", "arguments": {"path": "a é"}}\n</tool_call>';
const TOOLS = [functionTool("write_file", { path: "string" })];

function serve(answer: (request: Request) => Promise<Response>) {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
}

/** Completes a prompt: a call, and after its result a sentence. */
async function complete(request: Request, prompts: string[]): Promise<Response> {
  if (new URL(request.url).pathname !== "/v1/completions") {
    return new Response("no such path", { status: 404 });
  }
  const { prompt, stream, messages, tools } = await request.json();
  assert.deepEqual([messages, tools], [undefined, undefined]);
  prompts.push(prompt);
  const text = prompt.includes("CALL") ? "Done." : CALL;
  const choice = (text: string, finish: string | null) => ({
    choices: [{ index: 0, text, finish_reason: finish }],
  });
  if (stream !== true) return Response.json(choice(text, "stop"));
  const pieces = [...text].map((piece) => `data: ${JSON.stringify(choice(piece, null))}\n\n`);
  const body = `${pieces.join("")}data: ${JSON.stringify(choice("", "stop"))}\n\ndata: [DONE]\n\n`;
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

Deno.test("chat_template: an agent works with an upstream that only completes prompts", async () => {
  const folder = await temporaryFolder();
  const prompts: string[] = [];
  await using server = serve((request) => complete(request, prompts));
  await Deno.writeTextFile(join(folder, "chat.jinja"), TEMPLATE);
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `upstreams: [{ name: local, url: "http://127.0.0.1:${server.addr.port}/v1", chat_template: chat.jinja }]`,
  );
  await using program = startProgram(folder, ["serve", "--port", "0"]);
  const url = await program.until(/http:\S+\/v1(?=\n)/);
  const ask = (messages: readonly unknown[], stream: boolean) =>
    askChat(url, { path: "/chat/completions", body: { messages, tools: TOOLS, stream } });
  const user = { role: "user", content: "hi" };
  const first = await (await ask([user], false)).json();
  const [{ message }] = first.choices;
  assert.equal(message.tool_calls[0].function.arguments, '{"path":"a é"}');
  assert.match(prompts[0] ?? "", /^TOOLS \[\{"type": "function".*\]<user>hi<assistant>$/);
  const result = { role: "tool", tool_call_id: message.tool_calls[0].id, content: "RESULT" };
  const second = await (await ask([user, message, result], false)).json();
  assert.equal(second.choices[0].message.content, "Done.");
  assert.match(prompts[1] ?? "", /<assistant>CALL a é<tool>RESULT<assistant>$/);
  await (await ask([user, { role: "system", content: "Later." }], false)).text();
  assert.match(prompts[2] ?? "", /<user>hi<user><system>\nLater\.\n<\/system><assistant>$/);
  const streamed = await (await ask([user], true)).text();
  assert.match(streamed, /"tool_calls":\[\{"index":0/);
  assert.match(streamed, /"finish_reason":"tool_calls"/);
});

Deno.test("chat_template: a server writes the prompts with its own template", async () => {
  const prompts: string[] = [];
  let fails = false;
  const server = serve(async (request) => {
    if (new URL(request.url).pathname !== "/apply-template") return await complete(request, prompts);
    const { messages, tools } = await request.json();
    const names = tools.map((tool: typeof TOOLS[number]) => tool.function.name);
    return fails
      ? Response.json({ error: { message: "tools param requires --jinja flag" } }, { status: 500 })
      : Response.json({
        prompt: `${request.headers.get("authorization")} ${names}: ${messages.at(-1).content}`,
      });
  });
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const upstream = { name: "local", url: `${origin}/v1`, chat_template: `${origin}/apply-template` };
  await using proxy = await startProxy(
    await builtInService(testConfig(undefined, { upstreams: [upstream] })),
  );
  const headers = { authorization: "Bearer key" };
  for (const stream of [false, true]) {
    const text = await (await askChat(proxy.origin, { headers, body: { tools: TOOLS, stream } })).text();
    assert.match(text, /"tool_calls":\[.*"name":"write_file"/);
  }
  assert.deepEqual(prompts, Array(2).fill("Bearer key write_file: hi"));
  const owed = { tools: TOOLS, tool_choice: "required", messages: [{ role: "user", content: "CALL" }] };
  assert.match(await (await askChat(proxy.origin, { body: owed })).text(), /"tool_calls":/);
  assert.match(prompts.at(-1) ?? "", /Your answer contains no tool call\./);
  fails = true;
  const failed = await askChat(proxy.origin, { body: { tools: TOOLS } });
  assert.equal(failed.status, 500);
  assert.match(await failed.text(), /requires --jinja/);
  await server.shutdown();
});

/** A server that completes every prompt with one text, and writes prompts as llama.cpp's /apply-template does. */
function startCompleter(options: {
  readonly text: string;
  readonly opener?: string;
  readonly logprobs?: unknown;
  /** Why it writes no prompt; undefined if it does. */
  readonly refuses?: (request: Record<string, unknown>) => string | undefined;
}) {
  const asked: Record<string, unknown>[] = [];
  const templated: Record<string, unknown>[] = [];
  const headers = { server: "llama.cpp" };
  const server = serve(async (request) => {
    const body = await request.json();
    if (new URL(request.url).pathname === "/apply-template") {
      templated.push(body);
      const refused = options.refuses?.(body);
      if (refused !== undefined) {
        const error = { code: 400, message: refused, type: "invalid_request_error" };
        return Response.json({ error }, { status: 400, headers });
      }
      const prompt = `<|im_start|>assistant\n${options.opener ?? ""}`;
      return Response.json({ prompt }, { headers });
    }
    asked.push(body);
    const choice = (text: string, finish: string | null) => ({
      choices: [{ index: 0, text, finish_reason: finish, logprobs: options.logprobs ?? null }],
    });
    if (body.stream !== true) return Response.json(choice(options.text, "stop"), { headers });
    const pieces = [...options.text].map((piece) => `data: ${JSON.stringify(choice(piece, null))}\n\n`);
    const stream = `${pieces.join("")}data: ${JSON.stringify(choice("", "stop"))}\n\ndata: [DONE]\n\n`;
    return new Response(stream, { headers: { ...headers, "content-type": "text/event-stream" } });
  });
  const origin = `http://127.0.0.1:${server.addr.port}`;
  return {
    asked,
    templated,
    upstream: { name: "local", url: `${origin}/v1`, chat_template: `${origin}/apply-template` },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** What a client gets through a proxy whose upstream completes prompts. */
async function askCompleted(upstream: Record<string, unknown>, body: Record<string, unknown>) {
  await using proxy = await startProxy(
    await builtInService(testConfig(undefined, { upstreams: [upstream] })),
  );
  const response = await askChat(proxy.origin, { body });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const answer = readChatAnswer(text, body.stream === true);
  assert.equal(answer.error, undefined);
  return { ...answer, calls: answer.calls.map(({ tool, json }) => tool + json).join("") };
}

for (const stream of [true, false]) {
  const kind = stream ? "streamed" : "whole";

  Deno.test(`chat_template, ${kind}: a prompt that opens the reasoning: thoughts arrive as such, and the call is made`, async () => {
    const marks = [["<think>\n", "</think>"], ["[THINK]", "[/THINK]"], ["<seed:think>", "</seed:think>"]];
    for (const [opener = "", closer] of marks) {
      const text = `I think of ${CALL}.\n${closer}\n\nI look.\n${CALL}`;
      await using model = startCompleter({ opener, text });
      const got = await askCompleted(model.upstream, { tools: TOOLS, stream });
      assert.deepEqual([got.reasoning, got.content.trim(), got.calls], [
        `I think of ${CALL}.`,
        "I look.",
        'write_file{"path":"a é"}',
      ]);
    }
  });

  Deno.test(`chat_template, ${kind}: a prompt that closes the reasoning: a call is made, whatever the configuration states`, async () => {
    for (const opener of ["<think>\n\n</think>\n\n", ""]) {
      await using model = startCompleter({ opener, text: CALL });
      const got = await askCompleted({ ...model.upstream, begins_in_reasoning: true }, {
        tools: TOOLS,
        stream,
      });
      assert.deepEqual([got.reasoning, got.content.trim(), got.calls], ["", "", 'write_file{"path":"a é"}']);
    }
  });

  Deno.test(`chat_template, ${kind}: reasoning that isn't closed stays reasoning`, async () => {
    await using model = startCompleter({ opener: "<think>\n", text: "I think of </thin" });
    const got = await askCompleted(model.upstream, { tools: TOOLS, stream });
    // The model is asked once more, and does the same; in a stream, the first thoughts were shown.
    const thoughts = "I think of </thin";
    assert.deepEqual([got.reasoning, got.content], [stream ? thoughts + thoughts : thoughts, ""]);
    assert.equal(model.asked.length, 2);
  });

  Deno.test(`chat_template, ${kind}: a format of the answer is demanded, unless it would forbid calls`, async () => {
    const schema = { type: "object", properties: { a: { type: "integer" } } };
    const format = { type: "json_schema", json_schema: { name: "x", schema } };
    await using model = startCompleter({ opener: "<think>\n", text: '{"a": 1}' });
    const got = await askCompleted(model.upstream, { tools: undefined, response_format: format, stream });
    assert.deepEqual([got.content, got.reasoning], ['{"a": 1}', ""]);
    await askCompleted(model.upstream, {
      tools: TOOLS,
      tool_choice: "none",
      response_format: format,
      stream,
    });
    await askCompleted(model.upstream, {
      tools: undefined,
      response_format: { type: "json_object" },
      stream,
    });
    await askCompleted(model.upstream, { tools: TOOLS, response_format: format, stream });
    await askCompleted({ ...model.upstream, server: "vllm" }, {
      tools: undefined,
      response_format: format,
      stream,
    });
    assert.deepEqual(
      model.asked.map(({ json_schema, response_format }) => json_schema ?? response_format),
      // The JSON of the fourth answer is in open thoughts, and calls are possible: the model is asked once more.
      [schema, schema, { type: "object" }, undefined, undefined, format],
    );
  });

  Deno.test(`chat_template, ${kind}: probabilities arrive as a chat has them`, async () => {
    const token = { id: 7, token: "Do", bytes: [68, 111], logprob: -0.5 };
    const likeliest = [{ ...token }, { ...token, token: "It" }];
    const table = [
      { content: [{ ...token, top_logprobs: likeliest }] },
      { tokens: ["Do"], token_logprobs: [-0.5], top_logprobs: [{ Do: -0.5, It: -2 }], text_offset: [0] },
    ];
    for (const logprobs of table) {
      await using model = startCompleter({ text: "D", logprobs });
      const got = await askCompleted(model.upstream, {
        tools: undefined,
        logprobs: true,
        top_logprobs: 2,
        stream,
      });
      assert.deepEqual(model.asked[0]?.logprobs, 2);
      const [first] = got.logprobs as (typeof token & { top_logprobs: typeof likeliest })[];
      assert.deepEqual([first?.token, first?.logprob, first?.bytes], ["Do", -0.5, [68, 111]]);
      assert.deepEqual(first?.top_logprobs.map(({ token }) => token), ["Do", "It"]);
      await askCompleted(model.upstream, { tools: undefined, logprobs: true, stream });
      await askCompleted(model.upstream, { tools: undefined, stream });
      assert.deepEqual(model.asked.map(({ logprobs }) => logprobs), [2, 1, undefined]);
    }
  });
}

Deno.test("chat_template: tools that the server can't turn into a grammar, and a grammar, don't keep it from writing the prompt", async () => {
  const refuses = ({ tools, tool_choice: choice, grammar }: Record<string, unknown>) => {
    if (tools === undefined || choice === "none") return undefined;
    return grammar === undefined
      ? 'JSON schema conversion failed:\nUnrecognized schema: {"type":"weird"}'
      : "Cannot use custom grammar constraints with tools.";
  };
  await using model = startCompleter({ text: CALL, refuses });
  const got = await askCompleted(model.upstream, { tools: TOOLS });
  assert.equal(got.calls, 'write_file{"path":"a é"}');
  assert.deepEqual(model.templated.map(({ tool_choice }) => tool_choice), [undefined, "none"]);
  await askCompleted({ ...model.upstream, server: "llama.cpp" }, { tools: TOOLS, grammar: 'root ::= "x"' });
  assert.deepEqual(model.templated.slice(2).map(({ tool_choice, grammar }) => [tool_choice, grammar]), [[
    "none",
    undefined,
  ]]);
  assert.equal(model.asked.at(-1)?.grammar, 'root ::= "x"');
});

Deno.test("chat_template: a file's template has the tools with tool_choice none, and knows chat_template_kwargs", async () => {
  const template = new ChatTemplate(
    "{{ tools | length }} {{ 'open' if enable_thinking is not defined or enable_thinking else 'closed' }}",
  );
  const write = writeWith(template);
  const messages = [{ role: "user", content: "hi" }];
  assert.equal(await write({ messages, tools: TOOLS }), "1 open");
  assert.equal(await write({ messages, tools: TOOLS, tool_choice: "none" }), "1 open");
  const kwargs = { enable_thinking: false };
  assert.equal(await write({ messages, tools: TOOLS, chat_template_kwargs: kwargs }), "1 closed");
});
