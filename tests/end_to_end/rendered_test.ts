/**
 * `tools: raw` with servers that show their prompt of a chat and complete it without their parser. The servers answer byte for
 * byte as their sources do:
 *
 * - vLLM 1c608d6 (2026): entrypoints/serve/render/api_router.py and serving.py (`GenerateRequest`); 0.17: a list of the
 *   conversation and the prompts; entrypoints/serve/tokenize (`/detokenize`).
 * - Ollama fb3076099 (0.33.0-rc2): server/routes.go (`DebugRenderOnly`, `GenerateHandler`), api/types.go, openai/openai.go.
 *
 * @module
 */
import assert from "node:assert/strict";
import { recognizeServer } from "../../src/proxy/upstream/recognize_server.ts";
import { builtInService } from "../support/built_in.ts";
import { readChatAnswer } from "../support/chat_answer.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";

const CALL = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
const PARAMETERS = { type: "object", properties: { path: { type: "string" } } };
const TOOLS = [{ type: "function", function: { name: "read_file", parameters: PARAMETERS } }];
const PROMPT = "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n";
const MADE = 'read_file{"path":"a.txt"}';
const COUNTS = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 };

interface Asked {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

type Answering<Answer = Response> = (asked: Asked) => Answer;

/** A server that answers each path as a function states. */
function start(answer: Answering<Response | Promise<Response>>) {
  const asked: Asked[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const one = {
      path: new URL(request.url).pathname,
      body: request.method === "POST" ? await request.json() : {},
    };
    asked.push(one);
    return await answer(one);
  });
  return {
    asked,
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const NOT_FOUND = () => Response.json({ detail: "Not Found" }, { status: 404 });
const EVENTS = { "content-type": "text/event-stream" };

function vllmCompletion({ body }: Asked, text: string): Response {
  const identity = { id: "cmpl-8f1", created: 1795422209, model: "m" };
  const choice = (piece: string, finish: string | null) => ({
    index: 0,
    text: piece,
    logprobs: null,
    finish_reason: finish,
    stop_reason: null,
  });
  if (body.stream !== true) {
    return Response.json({
      ...identity,
      object: "text_completion",
      choices: [{ ...choice(text, "stop"), prompt_logprobs: null }],
      usage: COUNTS,
    });
  }
  const chunk = (value: unknown) =>
    `data: ${JSON.stringify({ ...identity, object: "text_completion", ...value as object })}\n\n`;
  const pieces = text.match(/[^]{1,5}/g)?.map((piece) => chunk({ choices: [choice(piece, null)] })) ?? [];
  const usage = chunk({ choices: [], usage: COUNTS });
  return new Response(
    pieces.join("") + chunk({ choices: [choice("", "stop")] }) + usage + "data: [DONE]\n\n",
    { headers: EVENTS },
  );
}

interface Printing {
  readonly text: string;
  readonly end?: string;
}

/** vLLM as it starts: `text` is what the model writes after a prompt that ends with `end`. */
function vllm(printing: Printing): Answering {
  const others = scaled(printing);
  return (asked) =>
    asked.path === "/tokenize"
      ? Response.json({ count: 3, max_model_len: 4096, tokens: [1, 2, 3], token_strs: null })
      : asked.path === "/v1/chat/completions/render"
      ? Response.json({ detail: "Scale-out endpoints are disabled." }, { status: 403 })
      : others(asked);
}

/** vLLM with `--enable-scale-out`, and without the route for tokens. */
function scaled({ text, end = "", render }: Printing & { readonly render?: Answering }): Answering {
  return (asked) => {
    switch (asked.path) {
      case "/v1/chat/completions/render":
        return render?.(asked) ?? Response.json({
          request_id: "chatcmpl-9b2",
          token_ids: [1, 2, 3],
          features: null,
          sampling_params: { n: 1, max_tokens: 4093, temperature: 1.0 },
          model: "m",
          stream: false,
          stream_options: null,
          cache_salt: null,
          priority: 0,
        });
      case "/detokenize":
        return Response.json({ prompt: PROMPT + end });
      case "/v1/completions":
        return vllmCompletion(asked, text);
      default:
        return NOT_FOUND();
    }
  };
}

/** Ollama: `text` is what the model writes after a prompt that ends with `end`. */
function ollama({ text, end = "", error }: { text: string; end?: string; error?: string }): Answering {
  return ({ path, body }) => {
    if (path === "/v1/chat/completions") {
      if (body._debug_render_only !== true) {
        return Response.json({
          error: { message: "XML syntax error on line 4", type: "api_error", param: null, code: null },
        }, { status: 500 });
      }
      return Response.json({
        id: "chatcmpl-12",
        object: "chat.completion",
        created: 1795422209,
        model: "m",
        system_fingerprint: "fp_ollama",
        choices: [{ index: 0, message: { role: "", content: "" }, finish_reason: null }],
        usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
        _debug_info: { rendered_template: PROMPT + end },
      });
    }
    if (path !== "/api/generate") return NOT_FOUND();
    const line = (fields: Record<string, unknown>) =>
      JSON.stringify({ model: "m", created_at: "2026-11-23T08:00:00.1Z", ...fields });
    const last = { done: true, done_reason: "stop", total_duration: 9, prompt_eval_count: 20, eval_count: 9 };
    if (body.stream === false) {
      return error === undefined
        ? new Response(line({ response: text, ...last }), {
          headers: { "content-type": "application/json; charset=utf-8" },
        })
        : Response.json({ error }, { status: 500 });
    }
    const pieces = text.match(/[^]{1,5}/g) ?? [];
    const lines = pieces.map((response) => line({ response, done: false }));
    const ended = error === undefined ? line({ response: "", ...last }) : JSON.stringify({ error });
    return new Response([...lines, ended].map((each) => each + "\n").join(""), {
      headers: { "content-type": "application/x-ndjson" },
    });
  };
}

/** What a client gets through a proxy. */
/** An upstream whose server isn't asked where answers begin, besides. */
const OWN = { name: "local", rules: ["hermes"], begins_in_reasoning: false };

async function ask(
  { url, server, tools = "raw", body = {} }: {
    url: string;
    server: string;
    tools?: string;
    body?: Record<string, unknown>;
  },
) {
  const own = { ...OWN, url, server, tools };
  const config = testConfig(undefined, { upstreams: [own] });
  let addedMs = 0;
  await using proxy = await startProxy(await builtInService(config), {
    watches: [() => ({ observe() {}, end: (outcome) => void (addedMs = outcome.addedMs) })],
  });
  const response = await askChat(proxy.origin, { body: { tools: TOOLS, ...body } });
  const answer = readChatAnswer(await response.text(), body.stream === true && response.status === 200);
  return { ...answer, addedMs, calls: answer.calls.map(({ tool, json }) => tool + json).join("") };
}

const SERVERS = { vllm, "vllm with /render": scaled, ollama };

for (const [name, script] of Object.entries(SERVERS)) {
  const [server = ""] = name.split(" ");
  for (const stream of [true, false]) {
    const kind = `${name}, ${stream ? "streamed" : "whole"}`;
    const options = stream ? { stream, stream_options: { include_usage: true } } : { stream };

    Deno.test(`${kind}: tools: raw completes the prompt that the server renders`, async () => {
      await using model = start(script({ text: `I look.\n${CALL}` }));
      const got = await ask({ url: model.url, server, body: options });
      assert.deepEqual(
        [got.content.trim(), got.calls, got.finish, got.error],
        ["I look.", MADE, "tool_calls", undefined],
      );
      assert.deepEqual(got.usage, COUNTS);
      assert.equal(got.isDone, stream);
    });

    Deno.test(`${kind}: tools: raw sees that the prompt opens the reasoning`, async () => {
      await using model = start(script({ end: "<think>\n", text: `I think.\n</think>\n\n${CALL}` }));
      const got = await ask({ url: model.url, server, body: options });
      assert.deepEqual([got.reasoning, got.content.trim(), got.calls], ["I think.", "", MADE]);
    });

    Deno.test(`${kind}: tools: raw keeps a demanded call demanded`, async () => {
      const texts = ["Just text.", CALL];
      let count = 0;
      await using model = start((asked) => {
        const isAnswer = ["/v1/completions", "/api/generate"].includes(asked.path);
        return script({ text: texts[isAnswer ? count++ : 0] ?? "" })(asked);
      });
      const got = await ask({ url: model.url, server, body: { ...options, tool_choice: "required" } });
      assert.deepEqual([got.content, got.calls, count], ["", MADE, 2]);
    });
  }
}

Deno.test("vllm: the prompt's tokens, all special tokens and the server's own limit go into the completion", async () => {
  for (const [script, path] of [[vllm, "/tokenize"], [scaled, "/v1/chat/completions/render"]] as const) {
    await using model = start(script({ text: CALL }));
    const body = { seed: 7, reasoning_effort: "low", chat_template_kwargs: { enable_thinking: false } };
    await ask({ url: model.url, server: "vllm", body });
    const asked = model.asked.filter(({ path: one }) => script === vllm || one !== "/tokenize");
    assert.deepEqual(asked.map(({ path: one }) => one), [path, "/detokenize", "/v1/completions"]);
    const [rendered, , completed] = asked.map(({ body }) => body);
    assert.deepEqual([rendered?.tools, rendered?.messages], [TOOLS, [{ role: "user", content: "hi" }]]);
    if (script === vllm) {
      const { tools: _, messages: __, ...others } = rendered!;
      const terms = { reasoning_effort: "low", enable_thinking: false };
      assert.deepEqual(others, { model: "m", add_generation_prompt: true, chat_template_kwargs: terms });
    } else assert.equal(rendered?.tool_choice, "none");
    assert.deepEqual(completed, {
      model: "m",
      seed: 7,
      reasoning_effort: "low",
      prompt: [1, 2, 3],
      max_tokens: 4093,
      skip_special_tokens: false,
    });
  }
});

Deno.test("vllm: the wait for the prompt is time that Dragoman adds", async () => {
  const waitMs = 60;
  for (const stream of [true, false]) {
    await using model = start(async (asked) => {
      if (asked.path === "/tokenize") await new Promise((resolve) => setTimeout(resolve, waitMs));
      return vllm({ text: CALL })(asked);
    });
    const { calls, addedMs } = await ask({ url: model.url, server: "vllm", body: { stream } });
    assert.equal(calls, MADE);
    assert(addedMs >= waitMs - 5, `${addedMs} ms`);
  }
});

Deno.test("vllm: a request for more tokens than the context has left gets those that are left, by both routes", async () => {
  for (const script of [vllm, scaled]) {
    for (const field of ["max_tokens", "max_completion_tokens"]) {
      for (const [asked, sent] of [[32_000, 4093], [100, 100]]) {
        await using model = start(script({ text: CALL }));
        await ask({ url: model.url, server: "vllm", body: { [field]: asked } });
        assert.equal(model.asked.at(-1)?.body.max_tokens, sent);
      }
    }
  }
});

Deno.test("vllm: a closed route is asked once, and its answer never reaches the client", async () => {
  for (const status of [403, 404, 405, 501]) {
    const closed = () => Response.json({ detail: "Closed" }, { status });
    await using model = start((asked) =>
      asked.path === "/v1/chat/completions"
        ? Response.json({
          choices: [{ index: 0, message: { role: "assistant", content: CALL }, finish_reason: "stop" }],
        })
        : closed()
    );
    const own = { ...OWN, url: model.url, server: "vllm", tools: "raw" };
    await using proxy = await startProxy(await builtInService(testConfig(undefined, { upstreams: [own] })));
    for (const stream of [false, true, false]) {
      const response = await askChat(proxy.origin, { body: { tools: TOOLS, stream } });
      assert.equal(response.status, 200);
      await response.body?.cancel();
    }
    const others = model.asked.map(({ path }) => path).filter((path) => path !== "/v1/chat/completions");
    assert.deepEqual(others, ["/tokenize", "/v1/chat/completions/render"]);
  }
});

Deno.test("vllm: a template that refuses a chat without tools leaves its route open", async () => {
  const none = {
    error: { message: "'NoneType' object is not iterable", type: "BadRequestError", code: 400 },
  };
  for (const [status, open] of [[400, ["/tokenize"]], [422, ["/tokenize"]], [403, []], [500, []]] as const) {
    await using model = start(({ path }) =>
      path === "/tokenize" ? Response.json(none, { status }) : Response.json({}, { status: 404 })
    );
    const { config } = await builtInService(
      testConfig(undefined, { upstreams: [{ name: "local", url: model.url, server: "vllm" }] }),
    );
    const asked = { key: undefined, send: fetch, timeoutMs: 2000, models: undefined };
    assert.deepEqual((await recognizeServer(config.upstreams[0]!, asked))?.open, open, String(status));
  }
});

Deno.test("vllm: tools: auto begins raw where a route shows prompts, and asks natively for what it can't do", async () => {
  const models = {
    object: "list",
    data: [{ id: "m", object: "model", owned_by: "vllm", max_model_len: 4096 }],
  };
  await using model = start((asked) =>
    asked.path === "/v1/models" ? Response.json(models) : vllm({ text: CALL })(asked)
  );
  const own = { name: "local", url: model.url, server: "vllm", rules: ["hermes"] };
  const service = await builtInService(testConfig(undefined, { upstreams: [own] }));
  const recognized = await recognizeServer(service.config.upstreams[0]!, {
    key: undefined,
    send: fetch,
    timeoutMs: 2000,
    models: { headers: new Headers(), body: JSON.stringify(models) },
  });
  assert.deepEqual(recognized?.open, ["/tokenize"]);
  service.servers?.learn(recognized!);
  await using proxy = await startProxy(service);
  const named = { type: "function", function: { name: "read_file" } };
  const image = [{ type: "image_url", image_url: { url: "data:image/png;base64,AA" } }];
  const cases: [Record<string, unknown>, last: string][] = [
    [{}, "/v1/completions"],
    [{ response_format: { type: "text" } }, "/v1/completions"],
    [{ tool_choice: "auto" }, "/v1/completions"],
    [{ tool_choice: named }, "/v1/chat/completions"],
    [{ response_format: { type: "json_object" } }, "/v1/chat/completions"],
    [{ structured_outputs: { regex: "a" } }, "/v1/chat/completions"],
    [{ messages: [{ role: "user", content: image }] }, "/v1/chat/completions"],
  ];
  for (const [body, last] of cases) {
    await (await askChat(proxy.origin, { body: { tools: TOOLS, ...body } })).body?.cancel();
    assert.equal(model.asked.at(-1)?.path, last, JSON.stringify(body));
  }
});

Deno.test("vllm: tools: prompted completes a plain prompt, which no parser of the server reads", async () => {
  await using model = start(vllm({ text: CALL }));
  for (const stream of [false, true]) {
    const got = await ask({ url: model.url, server: "vllm", tools: "prompted", body: { stream } });
    assert.equal(got.calls, MADE);
    const [tokenized] = model.asked.filter(({ path }) => path === "/tokenize").slice(-1);
    assert.equal(tokenized?.body.tools, undefined);
    assert(JSON.stringify(tokenized?.body.messages).includes("read_file"));
    assert.equal(model.asked.at(-1)?.path, "/v1/completions");
  }
});

Deno.test("vllm 0.17: a list of the conversation and the prompts has the tokens, too", async () => {
  const render = () =>
    Response.json([[{ role: "user", content: "hi" }], [{ prompt_token_ids: [4, 5], prompt: PROMPT }]]);
  await using model = start(scaled({ text: CALL, render }));
  assert.equal((await ask({ url: model.url, server: "vllm" })).calls, MADE);
  assert.deepEqual(model.asked.at(-1)?.body.prompt, [4, 5]);
});

Deno.test("vllm without a render route, and a conversation with an image: the parser is switched off by fields", async () => {
  const image = [{ type: "image_url", image_url: { url: "data:image/png;base64,AA" } }];
  for (const messages of [undefined, [{ role: "user", content: image }]]) {
    const text = `Well.\n${CALL}`;
    await using model = start((asked) => {
      if (asked.path !== "/v1/chat/completions") return NOT_FOUND();
      const chunk = (delta: unknown, finish: string | null) =>
        `data: ${
          JSON.stringify({
            id: "c",
            object: "chat.completion.chunk",
            choices: [{ index: 0, delta, finish_reason: finish }],
          })
        }\n\n`;
      return new Response(chunk({ content: text }, null) + chunk({}, "stop") + "data: [DONE]\n\n", {
        headers: EVENTS,
      });
    });
    const got = await ask({
      url: model.url,
      server: "vllm",
      body: messages === undefined ? {} : { messages },
    });
    assert.deepEqual([got.content.trim(), got.calls], ["Well.", MADE]);
    const { tool_choice, skip_special_tokens, stream } = model.asked.at(-1)!.body;
    assert.deepEqual([tool_choice, skip_special_tokens, stream], ["none", false, true]);
    assert.equal(model.asked.length, messages === undefined ? 3 : 1);
  }
});

Deno.test("ollama: the options of a chat go into the generation, with the presets of its chat route", async () => {
  await using model = start(ollama({ text: CALL }));
  await ask({
    url: model.url,
    server: "ollama",
    body: { max_tokens: 50, seed: 7, stop: "END", temperature: 0.2 },
  });
  const [rendered, generated] = model.asked;
  assert.deepEqual(
    [rendered?.path, rendered?.body._debug_render_only, rendered?.body.tools],
    ["/v1/chat/completions", true, TOOLS],
  );
  assert.deepEqual([generated?.path, generated?.body], ["/api/generate", {
    model: "m",
    prompt: PROMPT,
    raw: true,
    stream: false,
    options: { temperature: 0.2, top_p: 1, seed: 7, num_predict: 50, stop: ["END"] },
  }]);
});

Deno.test("ollama: an error of the raw route reaches the client as one, streamed and whole", async () => {
  for (const stream of [true, false]) {
    await using model = start(ollama({ text: "I look", error: "llama runner process has terminated" }));
    const got = await ask({ url: model.url, server: "ollama", body: { stream } });
    assert.deepEqual(
      [got.error, got.isDone, got.finish],
      ["llama runner process has terminated", false, undefined],
    );
  }
});

Deno.test("ollama: an answer that its own parser lost is asked for raw with tools: auto", async () => {
  for (const stream of [true, false]) {
    await using model = start(ollama({ text: CALL }));
    const got = await ask({ url: model.url, server: "ollama", tools: "auto", body: { stream } });
    assert.deepEqual([got.calls, got.error], [MADE, undefined]);
    assert.deepEqual(
      model.asked.map(({ path, body }) => [path, body._debug_render_only === true]),
      [["/v1/chat/completions", false], ["/v1/chat/completions", true], ["/api/generate", false]],
    );
  }
});

Deno.test("vllm: the chat is rendered in the form that the server takes, and the completion gets the tag of strict calls", async () => {
  await using model = start(vllm({ text: CALL }));
  const own = { ...OWN, url: model.url, server: "vllm", tools: "raw" };
  const config = testConfig(undefined, { upstreams: [own], tools: { strict: "add" } });
  await using proxy = await startProxy(await builtInService(config));
  const messages = [{ role: "developer", content: "Be brief." }, { role: "user", content: "hi" }];
  const response = await askChat(proxy.origin, { body: { tools: TOOLS, messages } });
  assert.match(await response.text(), /"name":"read_file"/);
  const [rendered] = model.asked;
  assert.deepEqual((rendered?.body.messages as { role: string }[]).map(({ role }) => role), [
    "system",
    "user",
  ]);
  assert.equal((model.asked.at(-1)?.body.response_format as { type?: string }).type, "structural_tag");
});
