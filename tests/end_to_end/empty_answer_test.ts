/**
 * Answers that have nothing, on every wire, streamed and whole: the model is asked once more, and the client gets one
 * answer, with the tokens of both. Nothing is asked twice after something was shown.
 */
import assert from "node:assert/strict";
import { builtInService } from "../support/built_in.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import { type Arrived, type Script, startUpstream, USAGE } from "../support/scripted_upstream.ts";
import { askRow, onRows, STREAMED_ROWS, WIRE_TABLE, type WireTool } from "../support/wire_table.ts";
import { postRaw, startWireProxy, type WireProxyOptions } from "../support/wire_proxy.ts";

const TOOL: WireTool = {
  name: "read_file",
  schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};
const PAST = { name: "read_file", args: { path: "b.txt" }, result: "b" };
const QUESTION = { task: "Read it", tool: TOOL, past: PAST };
const GOOD: Script = {
  text: 'Now.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>',
};
const CALLS = [["read_file", { path: "a.txt" }]];

const CHUNK = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m" };

/** What an answer is → such an answer. */
const NOTHING: Readonly<Record<string, Script>> = {
  empty: { text: "" },
  "whitespace": { text: " \n\n  \n" },
  "thoughts only": { text: "", reasoning: "first, I have to read it" },
  "nothing at the limit": { text: "", finish: "length" },
  "thoughts in the text": { text: "<think>\nfirst, I have to read it\n</think>\n\n" },
  "thoughts in the text, without their closer": { text: "<think>\nfirst, I have to read it" },
  "marks of thoughts": { text: "<think>\n\n</think>\n\n" },
  "unseen characters": { text: "\u200b\n" },
  "an end with another name": { text: "", finish: "end_turn" },
  "no choice": {
    raw: {
      stream: `data: ${JSON.stringify({ ...CHUNK, choices: [] })}\n\ndata: [DONE]\n\n`,
      body: JSON.stringify({ ...CHUNK, choices: [] }),
    },
  },
  lost: { text: "", usage: { prompt_tokens: 11, completion_tokens: 70, total_tokens: 81 } },
};

/** A model that gives its answers in order, the last one again and again. */
async function connect(answers: readonly Script[], options: WireProxyOptions = {}) {
  let count = 0;
  const script = ({ path }: Arrived): Script =>
    path.endsWith("/chat/completions") ? answers[Math.min(count++, answers.length - 1)]! : { text: "" };
  const pair = await startWireProxy(script, options);
  return Object.assign(pair, {
    restart: () => void (count = 0, pair.upstream.requests.length),
    /** The bodies of the questions since `from`. */
    asked: (from = 0) =>
      pair.upstream.requests.slice(from).filter(({ path }) => path.endsWith("/chat/completions"))
        .map(({ body }) => JSON.parse(body)),
  });
}

for (const [kind, nothing] of Object.entries(NOTHING)) {
  Deno.test(`empty answers, every wire: ${kind} is asked for again, once, and one answer arrives`, async () => {
    await using model = await connect([nothing, GOOD]);
    for (const row of WIRE_TABLE) {
      const from = model.upstream.requests.length;
      model.restart();
      const answer = await askRow(model.origin, { row, question: QUESTION });
      assert.deepEqual([answer.end, answer.calls], ["whole", CALLS], row.name);
      assert.equal(answer.text.trim(), "Now.", row.name);
      const asked = model.asked(from);
      assert.equal(asked.length, 2, row.name);
      const [before, after] = asked.map(({ messages }) => messages);
      assert.deepEqual(after.slice(0, before.length), before, "the prompt's beginning stays");
      assert.equal(after.at(-1).role, "user");
      assert.match(after.at(-1).content, /call a tool, or answer the user/);
      if (kind.startsWith("thoughts")) assert.match(after.at(-1).content, /first, I have to/);
    }
  });
}

Deno.test("empty answers, every wire: a second one is passed on as it is, with the tokens of both", async () => {
  for (const [kind, nothing] of Object.entries(NOTHING)) {
    await using model = await connect([nothing, nothing, GOOD]);
    await onRows(WIRE_TABLE, async (row) => {
      const from = model.upstream.requests.length;
      const answer = await askRow(model.origin, { row, question: QUESTION });
      assert.ok(["whole", "cut"].includes(answer.end), `${kind}: ${answer.end}`);
      assert.equal(answer.calls.length === 0 || answer.calls.length === 1, true);
      assert.ok(model.upstream.requests.length > from);
    });
  }
  await using model = await connect([NOTHING.empty!]);
  for (const stream of [true, false]) {
    const body = chatBody({ stream, ...stream ? { stream_options: { include_usage: true } } : {} });
    const { text } = await postRaw(`${model.origin}/v1/chat/completions`, body);
    assert.equal(Number(/"total_tokens":(\d+)/.exec(text)?.[1]), USAGE.total_tokens * 2, text);
  }
  assert.equal(model.asked().length, 4);
});

function chatBody(more: Readonly<Record<string, unknown>>) {
  const tools = [{ type: "function", function: { name: TOOL.name, parameters: TOOL.schema } }];
  return { model: "m", messages: [{ role: "user", content: "x" }], tools, ...more };
}

Deno.test("empty answers, every wire: thoughts that the client's limit cuts are sent as they are", async () => {
  for (const cut of [{ text: "", reasoning: "first, I have" }, { text: "<think>\nfirst, I have" }]) {
    await using model = await connect([{ ...cut, finish: "length" }]);
    await onRows(WIRE_TABLE, async (row) => {
      const answer = await askRow(model.origin, { row, question: QUESTION });
      assert.deepEqual([answer.end, answer.calls], ["cut", []]);
    });
    assert.equal(model.asked().length, WIRE_TABLE.length);
  }
});

Deno.test("empty answers, chat: thoughts are shown at once, and one message continues them", async () => {
  await using model = await connect([NOTHING["thoughts only"]!, { ...GOOD, reasoning: "then I read" }]);
  const body = chatBody({ stream: true, stream_options: { include_usage: true } });
  const { text, isBroken } = await postRaw(`${model.origin}/v1/chat/completions`, body);
  assert.equal(isBroken, false);
  assert.equal(text.match(/"role":"assistant"/g)?.length, 1, "one role");
  assert.equal(new Set(text.match(/"id":"chatcmpl[^"]*"/g)).size, 1, "one id");
  assert.equal(text.match(/data: \[DONE\]/g)?.length, 1);
  assert.equal(text.match(/"finish_reason":"[^"]+"/g)?.join(), '"finish_reason":"tool_calls"');
  const thoughts = [...text.matchAll(/"reasoning_content":"([^"]*)"/g)].map(([_, piece]) => piece).join("");
  assert.equal(thoughts, "first, I have to read itthen I read");
  assert.equal(Number(/"total_tokens":(\d+)/.exec(text)?.[1]), USAGE.total_tokens * 2);
});

/** How a stream of thoughts ends → its last messages. Each ends with thoughts that are shown only there. */
const THOUGHT_ENDS: Readonly<Record<string, (chunk: typeof chunkOf) => string>> = {
  "with thoughts beside its finish reason": (chunk) =>
    chunk({ reasoning_content: "and </thin" }, "stop", { usage: USAGE }) + "data: [DONE]\n\n",
  "with a beginning of a mark": (chunk) =>
    chunk({ content: "<think>and </thin" }) + chunk({}, "stop", { usage: USAGE }) + "data: [DONE]\n\n",
  "without a finish reason": (chunk) => chunk({ content: "<think>and </thin" }) + "data: [DONE]\n\n",
  "without any end": (chunk) => chunk({ content: "<think>and </thin" }),
};

function chunkOf(delta: unknown, reason: string | null = null, more: object = {}): string {
  const choices = [{ index: 0, delta, finish_reason: reason, matched_stop: reason }];
  return `data: ${
    JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, choices, ...more })
  }\n\n`;
}

for (const [how, end] of Object.entries(THOUGHT_ENDS)) {
  Deno.test(`empty answers, every wire's stream: no thought is lost of one that ends ${how}`, async () => {
    const stream = chunkOf({ role: "assistant", content: "" }) + end(chunkOf);
    for (const next of [GOOD, { error: { status: 500, body: '{"error":{"message":"no"}}' } }]) {
      await using model = await connect([{ raw: { stream, body: "{}" } }, next], {
        settings: { heal: false },
      });
      for (const row of STREAMED_ROWS) {
        model.restart();
        const answer = await askRow(model.origin, { row, question: QUESTION });
        assert.deepEqual(
          [answer.reasoning, answer.calls],
          ["and </thin", next === GOOD ? CALLS : []],
          `${row.name} ${answer.end}`,
        );
      }
      const { text } = await postRaw(
        `${model.origin}/v1/chat/completions`,
        chatBody({ stream: true, stream_options: { include_usage: true } }),
      );
      assert.ok((text.match(/"finish_reason":"/g)?.length ?? 0) <= 1, text);
      assert.ok((text.match(/"usage":\{/g)?.length ?? 0) <= 1, text);
    }
  });
}

Deno.test("empty answers: if the question fails, the answer ends as it did", async () => {
  const failed = { error: { status: 500, body: '{"error":{"message":"no"}}' } };
  for (const [kind, nothing] of Object.entries(NOTHING)) {
    await using model = await connect([nothing, failed], { settings: { server: "none", heal: false } });
    // The rows take turns: the model counts the questions of one.
    for (const row of WIRE_TABLE) {
      model.restart();
      if (kind === "no choice" && row.name === "chat, whole") {
        const { path, body } = row.request(QUESTION);
        const { text, isBroken } = await postRaw(model.origin + path, body);
        assert.deepEqual([isBroken, JSON.parse(text).choices], [false, []]);
        continue;
      }
      const answer = await askRow(model.origin, { row, question: QUESTION });
      assert.equal(answer.status, answer.end === "error" ? 500 : 200, `${kind}, ${row.name}`);
    }
  }
});

/** What isn't asked again → the answer, and the setting. */
const PASSED: Readonly<Record<string, { answer: Script; config?: Record<string, unknown>; noTool?: true }>> =
  {
    "with `pass`": { answer: NOTHING.empty!, config: { policy: { empty_answer: "pass" } } },
    "in a dry run": { answer: NOTHING.empty!, config: { policy: { dry_run: true } } },
    "without tools": { answer: NOTHING.empty!, noTool: true },
    "after a text": { answer: { text: "Done.", reasoning: "so" } },
    "after one letter": { answer: { text: "." } },
    "after a text and a cut": { answer: { text: "I", finish: "length" } },
    "after a call": { answer: GOOD },
    "that was filtered": { answer: { text: "", finish: "content_filter" } },
  };

for (const [what, { answer, config, noTool }] of Object.entries(PASSED)) {
  Deno.test(`empty answers, every wire: nothing is asked again ${what}`, async () => {
    await using model = await connect([answer], config === undefined ? {} : { config });
    const question = noTool ? { task: "x" } : QUESTION;
    await onRows(WIRE_TABLE, async (row) => void await askRow(model.origin, { row, question }));
    assert.equal(model.asked().length, WIRE_TABLE.length);
  });
}

Deno.test("empty answers: where the server continues thoughts, they are the block that it continues", async () => {
  await using model = await connect([NOTHING["thoughts only"]!, GOOD], { settings: { server: "llama.cpp" } });
  for (const row of WIRE_TABLE.filter(({ wire }) => wire === "chat")) {
    model.restart();
    assert.deepEqual((await askRow(model.origin, { row, question: QUESTION })).calls, CALLS);
    const { messages, continue_final_message: field, add_generation_prompt: adds } = model.asked().at(-1);
    assert.deepEqual([messages.at(-1).role, messages.at(-1).content, field, adds], [
      "assistant",
      "",
      "content",
      false,
    ]);
    assert.match(messages.at(-1).reasoning_content, /^first, I have to read it\n/);
  }
});

Deno.test("empty answers, every wire: after the question, the next upstream answers, and the first answer if it can't", async () => {
  const failed: Script = { error: { status: 503, body: '{"error":{"message":"down"}}' } };
  for (const [second, calls] of [[GOOD, CALLS], [failed, []]] as const) {
    await using one = startUpstream(({ path }) =>
      path.endsWith("completions") ? NOTHING.empty! : { text: "" }
    );
    await using two = startUpstream(({ path }) => path.endsWith("completions") ? second : { text: "" });
    const upstreams = [one, two].map(({ url }, index) => ({ name: `u${index}`, url, server: "none" }));
    const config = testConfig(undefined, { upstreams, routing: { strategy: "order" } });
    await using proxy = await startProxy(await builtInService(config));
    await onRows(WIRE_TABLE, async (row) => {
      const answer = await askRow(proxy.origin, { row, question: QUESTION });
      assert.deepEqual([answer.status, answer.end, answer.calls], [200, "whole", calls]);
    });
    assert.equal(one.requests.length, WIRE_TABLE.length * 2, "one question each");
  }
});
