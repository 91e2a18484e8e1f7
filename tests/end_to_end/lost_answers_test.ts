/**
 * Answers that a server's own parser lost, from servers that answer byte for byte as their sources do: the agent gets what the
 * model wrote, or an error, and never an error that looks like a good end.
 *
 * @module
 */
import assert from "node:assert/strict";
import { madeCalls, readChatAnswer } from "../support/chat_answer.ts";
import { askChat } from "../support/proxy.ts";
import type { Arrived, Script } from "../support/scripted_upstream.ts";
import { askRow, onRows, STREAMED_ROWS, WIRE_TABLE } from "../support/wire_table.ts";
import { startWireProxy } from "../support/wire_proxy.ts";
import { functionCall, functionTool } from "../support/chat_tools.ts";

const LOST = "The model produced output that does not match the expected peg-native format";
const READ = functionTool("read_file", { path: "string" });
const TOOLS = [READ];
const CALL = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
const USAGE = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 };

/** A chunk as llama.cpp writes it. */
function chunk(delta: unknown, finish: string | null = null): string {
  const rest = {
    created: 1,
    id: "chatcmpl-a",
    model: "m",
    system_fingerprint: "b10547-749f688fc",
    object: "chat.completion.chunk",
  };
  return `data: ${JSON.stringify({ choices: [{ finish_reason: finish, index: 0, delta }], ...rest })}\n\n`;
}

const ROLE = chunk({ role: "assistant", content: null });

function errorEvent(message: string): string {
  return `data: ${JSON.stringify({ error: { code: 500, message, type: "server_error" } })}\n\n`;
}

function failure(message: string, status = 500): Script {
  return {
    error: { status, body: JSON.stringify({ error: { code: status, message, type: "server_error" } }) },
  };
}

/** A server whose parser fails, and which prints `text` with the parser off. */
function failing(first: Script, text: string) {
  return (request: Arrived): Script => {
    if (!request.path.endsWith("/chat/completions")) return { text: "" };
    if (JSON.parse(request.body).tool_choice !== "none") return first;
    return { text, extra: { usage: USAGE } };
  };
}

const isChat = ({ path }: Arrived) => path.endsWith("/chat/completions");

interface Setting {
  readonly server?: string;
  readonly tools?: string;
  readonly heal?: boolean;
}

async function connect(script: (request: Arrived) => Script, setting: Setting = {}) {
  const settings = { server: "llama.cpp", rules: ["hermes"], ...setting };
  // Routes that show prompts are absent.
  const absent = failure("Not Found", 404);
  const pair = await startWireProxy((request) => isChat(request) ? script(request) : absent, { settings });
  return {
    origin: pair.origin,
    get requests() {
      return pair.upstream.requests.filter(isChat);
    },
    /** The fields of the requests that differ. */
    get asked() {
      return this.requests.map(({ body }) => JSON.parse(body)).map(({ tool_choice, stream, tools }) => ({
        ...tool_choice === undefined ? {} : { tool_choice },
        stream: stream === true,
        tools: tools?.length,
      }));
    },
    [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose](),
  };
}

/** What a client of chat completions gets. */
async function ask(origin: string, { stream, ...body }: Record<string, unknown> = {}) {
  const response = await askChat(origin, { body: { tools: TOOLS, stream: stream === true, ...body } });
  const text = await response.text();
  const isStreamed = response.headers.get("content-type")?.includes("event-stream") === true;
  const answer = readChatAnswer(text, isStreamed);
  return { ...answer, calls: madeCalls(answer), text };
}

const MADE = [["read_file", { path: "a.txt" }]];

for (const stream of [false, true]) {
  const kind = stream ? "a stream" : "a whole answer";

  Deno.test(`${kind} whose error has no text is asked for once more with the parser off`, async () => {
    await using chat = await connect(failing(failure(LOST), `I look.\n${CALL}`), { tools: "auto" });
    const got = await ask(chat.origin, {
      stream,
      stream_options: stream ? { include_usage: true } : undefined,
    });
    assert.deepEqual(
      [got.content.trim(), got.calls, got.finish, got.error],
      ["I look.", MADE, "tool_calls", undefined],
    );
    // A whole answer of the scripted server states `extra`, a stream its own.
    assert.equal((got.usage as typeof USAGE).completion_tokens, stream ? 7 : 9);
    assert.deepEqual(chat.asked, [{ stream, tools: 1 }, { tool_choice: "none", stream, tools: 1 }]);
    const again = await ask(chat.origin, { stream });
    assert.deepEqual(again.calls, MADE);
    assert.deepEqual(
      chat.asked.slice(2),
      [{ tool_choice: "none", stream, tools: 1 }],
      "read raw from then on",
    );
  });

  Deno.test(`${kind} of an unknown server, or without heal, stays an error`, async () => {
    for (const setting of [{ server: "none" }, { heal: false }, { server: "sglang" }]) {
      await using chat = await connect(failing(failure(LOST), CALL), setting);
      assert.equal((await ask(chat.origin, { stream })).error, LOST);
      assert.equal(chat.requests.length, 1);
    }
  });

  Deno.test(`${kind}: tools: raw keeps the request but for the parser`, async () => {
    await using chat = await connect(failing(failure(LOST), CALL), { tools: "raw" });
    assert.deepEqual((await ask(chat.origin, { stream })).calls, MADE);
    const sent = chat.requests.map(({ body }) => JSON.parse(body)).at(-1);
    assert.deepEqual(sent, {
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      tools: TOOLS,
      stream,
      tool_choice: "none",
    });
  });

  Deno.test(`${kind}: tools: raw demands a call if the client does`, async () => {
    const texts = ["Just text.", CALL];
    await using chat = await connect(() => ({ text: texts.shift() ?? "" }), { tools: "raw" });
    const got = await ask(chat.origin, { stream, tool_choice: "required" });
    assert.deepEqual([got.content, got.calls], ["", MADE]);
    assert.deepEqual(chat.asked.map(({ tool_choice }) => tool_choice), ["none", "none"]);
  });

  Deno.test(`${kind}: tools: raw makes no call if the client wants none`, async () => {
    await using chat = await connect(() => ({ text: CALL }), { tools: "raw" });
    const got = await ask(chat.origin, { stream, tool_choice: "none" });
    assert.deepEqual([got.content, got.calls], [CALL, []]);
  });

  Deno.test(`${kind}: a server that answers raw in streams only is asked for a stream`, async () => {
    await using chat = await connect(() => ({ text: `Well.\n${CALL}`, reasoning: "Hm." }), {
      tools: "raw",
      server: "vllm",
    });
    const got = await ask(chat.origin, { stream });
    assert.deepEqual([got.content.trim(), got.calls, got.finish], ["Well.", MADE, "tool_calls"]);
    assert.ok(got.text.includes("Hm."));
    const sent = chat.requests.map(({ body }) => JSON.parse(body)).at(-1);
    assert.deepEqual(
      [sent.tool_choice, sent.skip_special_tokens, sent.stream, sent.tools.length],
      ["none", false, true, 1],
    );
  });

  Deno.test(`${kind}: tools that the server can't turn into a grammar are sent once more with the parser off`, async () => {
    const messages = [
      "Unable to generate parser for this template. Automatic parser generation failed: " +
      "JSON schema conversion failed:\nPattern must start with '^' and end with '$'",
      "JSON schema error at #/properties/a: invalid pattern",
    ];
    for (const message of messages) {
      await using chat = await connect(failing(failure(message, 400), CALL), { tools: "auto" });
      assert.deepEqual((await ask(chat.origin, { stream })).calls, MADE);
      assert.deepEqual((await ask(chat.origin, { stream })).calls, MADE);
      assert.deepEqual(chat.asked.map(({ tool_choice }) => tool_choice), [undefined, "none", "none"]);
    }
  });

  Deno.test(`${kind}: a demanded call stays demanded after the parser failed`, async () => {
    const texts = ["Just text.", CALL];
    const script = (request: Arrived): Script =>
      JSON.parse(request.body).tool_choice === "none" ? { text: texts.shift() ?? "" } : failure(LOST);
    await using chat = await connect(script, { tools: "auto" });
    const got = await ask(chat.origin, { stream, tool_choice: "required" });
    assert.deepEqual([got.content, got.calls], ["", MADE]);
    assert.deepEqual(chat.asked.map(({ tool_choice }) => tool_choice), ["required", "none", "none"]);
  });

  Deno.test(`${kind}: a text in the error that is a call is read`, async () => {
    const text = JSON.stringify(CALL).slice(1, -1);
    const message =
      `Tool error: Failed to parse generated text: EOF while parsing a string at line 1 column 9: "${text}"`;
    const error = { status: 422, body: JSON.stringify({ error: message, error_type: "tool_error" }) };
    await using chat = await connect(() => ({ error }), { server: "tgi" });
    const got = await ask(chat.origin, { stream });
    assert.deepEqual([got.calls, got.finish, got.error], [MADE, "tool_calls", undefined]);
    assert.equal(chat.requests.length, 1);
  });
}

Deno.test("a stream that the parser ends goes on with the second answer's rest", async () => {
  const begun = chunk({ content: "Here it is:\n" }) + chunk({ content: "```js" });
  const text = 'Here it is:\n```json\n{"a": 1}\n```\n' + CALL;
  await using chat = await connect(
    failing({ raw: { stream: ROLE + begun + errorEvent(LOST), body: "" } }, text.replace("json", "js")),
  );
  const got = await ask(chat.origin, { stream: true, stream_options: { include_usage: true } });
  assert.equal(got.content.trimEnd(), 'Here it is:\n```js\n{"a": 1}\n```');
  assert.deepEqual(
    [got.calls, got.finish, got.error, got.isDone, got.usage],
    [MADE, "tool_calls", undefined, true, USAGE],
  );
  assert.deepEqual(chat.asked, [{ stream: true, tools: 1 }, {
    tool_choice: "none",
    stream: false,
    tools: 1,
  }]);
});

/** The server's own call, in pieces. */
const OWN = chunk({
  tool_calls: [{ index: 0, id: "x", type: "function", function: { name: "read_file", arguments: "{" } }],
}) +
  chunk({ tool_calls: [{ index: 0, function: { arguments: '"path":"a.txt"}' } }] });

Deno.test("a stream with a call goes on after the call, which is made once", async () => {
  await using chat = await connect(
    failing({ raw: { stream: ROLE + OWN + errorEvent(LOST), body: "" } }, `${CALL}\nDone.`),
  );
  const got = await ask(chat.origin, { stream: true });
  assert.deepEqual(
    [got.content.trim(), got.calls, got.finish, got.error],
    ["Done.", MADE, "tool_calls", undefined],
  );
});

Deno.test("a second answer that doesn't begin with what was sent is not mixed with it", async () => {
  const table: [string, string][] = [
    [chunk({ content: "I look." }), `I don't look.\n${CALL}`],
    [OWN, CALL.replace("a.txt", "b.txt")],
    [OWN, "Nothing to do."],
    [
      chunk({
        tool_calls: [{
          index: 0,
          id: "x",
          type: "function",
          function: { name: "read_file", arguments: '{"path":"a' },
        }],
      }),
      CALL,
    ],
  ];
  for (const [begun, text] of table) {
    await using chat = await connect(
      failing({ raw: { stream: ROLE + begun + errorEvent(LOST), body: "" } }, text),
    );
    const { text: received } = await askChat(chat.origin, { body: { tools: TOOLS, stream: true } })
      .then(async (response) => ({ text: await response.text() }));
    assert.ok(received.includes(LOST), received);
    assert.ok(!received.includes("[DONE]") && !/"finish_reason":"/.test(received), received);
    assert.ok(!received.includes("b.txt"), "one answer's call");
  }
});

Deno.test("nothing after an error looks like a good end, for any server", async () => {
  for (const ends of ["", "data: [DONE]\n\n", chunk({}, "tool_calls") + "data: [DONE]\n\n"]) {
    await using chat = await connect(
      () => ({ raw: { stream: ROLE + OWN + errorEvent("The GPU is on fire") + ends, body: "" } }),
      { server: "none" },
    );
    const received = await (await askChat(chat.origin, { body: { tools: TOOLS, stream: true } }))
      .text();
    assert.ok(received.trimEnd().endsWith('"type":"server_error"}}'), received);
    assert.ok(!/"finish_reason":"/.test(received), received);
  }
});

Deno.test("the rest of the text in a stream's error follows what was streamed", async () => {
  const rest = `look.\n${CALL}`;
  const stream = ROLE + chunk({ content: "I " }) + errorEvent(`Failed to parse input at pos 24: ${rest}`);
  await using chat = await connect(failing({ raw: { stream, body: "" } }, "never asked"));
  const got = await ask(chat.origin, { stream: true });
  assert.deepEqual(
    [got.content.trim(), got.calls, got.finish, got.error],
    ["I look.", MADE, "tool_calls", undefined],
  );
  assert.equal(chat.requests.length, 1);
});

Deno.test("the rest of a whole answer is not read alone: what was before it is unknown", async () => {
  await using chat = await connect(
    failing(failure(`Failed to parse input at pos 60: ${CALL}`), `I look.\n${CALL}`),
  );
  const got = await ask(chat.origin);
  assert.deepEqual([got.content.trim(), got.calls], ["I look.", MADE]);
  assert.equal(chat.requests.length, 2);
});

Deno.test("an empty chunk in the place of an error becomes an error", async () => {
  const swallowed = `data: ${
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "",
      system_fingerprint: "fp_ollama",
      choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }],
    })
  }\n\n`;
  await using chat = await connect(
    () => ({ raw: { stream: chunk({ content: "I look." }) + swallowed, body: "" } }),
    { server: "ollama" },
  );
  const got = await ask(chat.origin, { stream: true });
  assert.match(got.error ?? "", /parser failed/);
  assert.deepEqual([got.content, got.finish, got.isDone], ["I look.", undefined, false]);
});

/** How the parser of each server that can be asked raw loses an answer, and how that server is asked raw. */
interface Losing {
  readonly first: readonly Script[];
  readonly asksRaw: (request: Arrived) => boolean;
  /** What the server answers then, if it isn't the text. */
  readonly inTokens?: (text: string) => Script;
}

const LOSING: Readonly<Record<string, Losing>> = {
  "llama.cpp": {
    first: [failure(LOST)],
    asksRaw: ({ body }) => JSON.parse(body).tool_choice === "none",
  },
  vllm: {
    first: [{
      error: {
        status: 400,
        body: JSON.stringify({
          error: {
            message: "Expecting ',' delimiter: line 1 column 28 (char 27)",
            type: "BadRequestError",
            param: null,
            code: 400,
          },
        }),
      },
    }, { text: "", finish: "tool_calls" }],
    asksRaw: ({ body }) => JSON.parse(body).tool_choice === "none",
  },
  tabby: {
    first: [{ text: "", finish: "tool_calls" }, { text: "I look.\n", finish: "tool_calls" }],
    asksRaw: ({ body }) => JSON.parse(body).tool_choice === "none",
  },
  mlx: {
    first: [
      { text: "", finish: "tool_calls" },
      { text: "I look.\n", finish: "tool_calls" },
      // The last text before what the parser took comes with the end.
      {
        text: "I look.\n",
        raw: {
          stream: `${ROLE}${chunk({ content: "I look." })}${
            chunk({ content: "\n" }, "tool_calls")
          }data: [DONE]\n\n`,
          body: JSON.stringify({
            choices: [{ index: 0, message: { content: "I look.\n" }, finish_reason: "tool_calls" }],
          }),
        },
      },
    ],
    asksRaw: ({ body }) => JSON.parse(body).top_logprobs === 1,
    inTokens: tokenAnswer,
  },
};

/** A whole answer as mlx-lm gives it: the parser took the call, and the tokens show it. */
function tokenAnswer(text: string): Script {
  const tokens = [...text.replaceAll(" ", "Ġ").replaceAll("\n", "Ċ"), "<|im_end|>"];
  const choice = {
    index: 0,
    finish_reason: "tool_calls",
    logprobs: { content: tokens.map((token, id) => ({ id, token, logprob: 0 })) },
    message: { role: "assistant", content: text.replace(CALL, "") || null },
  };
  return { error: { status: 200, body: JSON.stringify({ choices: [choice], usage: USAGE }) } };
}

for (const [server, { first, asksRaw, inTokens }] of Object.entries(LOSING)) {
  for (const [index, lost] of first.entries()) {
    for (const stream of [true, false]) {
      const then = inTokens === undefined ? "asks raw from then on" : "streams natively again";
      Deno.test(`${server}, loss ${index + 1}, ${stream ? "streamed" : "whole"}: tools: auto recovers the call, and ${then}`, async () => {
        const begun = typeof lost.text === "string" ? lost.text : "";
        const script = (request: Arrived): Script =>
          !asksRaw(request)
            ? lost
            : inTokens?.(begun + CALL) ?? { text: begun + CALL, extra: { usage: USAGE } };
        await using chat = await connect(script, { tools: "auto", server });
        for (let count = 0; count < 2; count++) {
          const got = await ask(chat.origin, { stream });
          assert.deepEqual(
            [got.content, got.calls, got.finish, got.error],
            [begun, MADE, "tool_calls", undefined],
          );
        }
        const chats = chat.requests.filter(({ path }) => path.endsWith("/chat/completions"));
        const again = inTokens === undefined ? [true] : [false, true];
        assert.deepEqual(chats.map(asksRaw), [false, true, ...again]);
      });
    }
  }
}

for (const [server, { first, asksRaw, inTokens }] of Object.entries(LOSING)) {
  for (const [index, lost] of first.entries()) {
    Deno.test(`${server}, loss ${index + 1}: every wire gets the call, and what was lost stays so if it is lost again`, async () => {
      const begun = typeof lost.text === "string" ? lost.text : "";
      const tool = { name: READ.function.name, schema: READ.function.parameters };
      await onRows(WIRE_TABLE, async (row) => {
        for (const isFound of [true, false]) {
          const printed = inTokens?.(begun + CALL) ?? { text: begun + CALL };
          const found = isFound ? printed : failure("out of memory");
          await using chat = await connect((request) => asksRaw(request) ? found : lost, { server });
          const got = await askRow(chat.origin, { row, question: { task: "Go.", tool } });
          const isStated = lost.error !== undefined;
          assert.deepEqual([got.calls, got.end], [
            isFound ? MADE : [],
            isFound || !isStated ? "whole" : "error",
          ], String(got.error));
          if (isFound || !isStated) assert.equal(got.text.trim(), begun.trim());
          assert.equal(chat.requests.filter((request) => !asksRaw(request)).length, 1);
          assert.ok(chat.requests.some(asksRaw));
        }
      });
    });
  }
}

Deno.test("every streamed wire gets the rest of an answer that broke off, and an error if the second one begins otherwise", async () => {
  const tool = { name: READ.function.name, schema: READ.function.parameters };
  const begun = { raw: { stream: ROLE + chunk({ content: "I look." }) + errorEvent(LOST), body: "" } };
  await onRows(STREAMED_ROWS, async (row) => {
    for (
      const [second, calls, end] of [[`I look.\n${CALL}`, MADE, "whole"], [
        "Other text.",
        [],
        "error",
      ]] as const
    ) {
      await using chat = await connect(failing(begun, second));
      const got = await askRow(chat.origin, { row, question: { task: "Go.", tool } });
      assert.deepEqual([got.calls, got.end], [calls, end], String(got.error));
    }
  });
});

/** Calls that the parser of mlx-lm makes of an answer to a request without tools; `sent` is what the client has by then. */
const TAKEN: Script = {
  raw: {
    stream: `${ROLE}${chunk({ content: "Like this:\n```\n" })}${
      chunk({ tool_calls: [{ index: 0, ...functionCall("a", "read_file", '{"path": "a.txt"}') }] })
    }${chunk({ content: "\n```" }, "tool_calls")}data: [DONE]\n\n`,
    body: JSON.stringify({
      choices: [{
        index: 0,
        message: {
          content: "Like this:\n```\n\n```",
          tool_calls: [functionCall("a", "read_file", '{"path": "a.txt"}')],
        },
        finish_reason: "tool_calls",
      }],
    }),
  },
};

for (const stream of [true, false]) {
  Deno.test(`tools: prompted, ${stream ? "streamed" : "whole"}: a call that the server made although no tool was offered is text again`, async () => {
    const { asksRaw } = LOSING.mlx!;
    const fenced = `Like this:\n\`\`\`\n${CALL}\n\`\`\``;
    await using chat = await connect((request) => asksRaw(request) ? tokenAnswer(fenced) : TAKEN, {
      tools: "prompted",
      server: "mlx",
    });
    const got = await ask(chat.origin, { stream });
    assert.deepEqual([got.content, got.calls, got.finish], [fenced, [], "stop"]);
    assert.deepEqual(chat.asked.map(({ tools }) => tools), [undefined, undefined]);
    const messages = chat.requests.map(({ body }) => JSON.stringify(JSON.parse(body).messages));
    assert.equal(messages[0], messages[1], "the prompt is the same");
  });
}

Deno.test("an answer that ends with calls and has them is not asked for again", async () => {
  for (const stream of [true, false]) {
    await using chat = await connect(() => ({ text: CALL, finish: "tool_calls" }), {
      tools: "auto",
      server: "tabby",
    });
    assert.deepEqual((await ask(chat.origin, { stream })).calls, MADE);
    assert.equal(chat.requests.length, 1);
  }
});

Deno.test("an answer that ends with calls and has none stays, where no raw answer can be had", async () => {
  for (const server of ["none", "sglang"]) {
    for (const stream of [true, false]) {
      await using chat = await connect(() => ({ text: "I look.", finish: "tool_calls" }), { server });
      const got = await ask(chat.origin, { stream });
      assert.deepEqual([got.content, got.calls, got.finish, got.error], ["I look.", [], "stop", undefined]);
      assert.equal(chat.requests.length, 1);
    }
  }
});
