/** Thoughts that are too long or repeat themselves, on every wire: they are ended, and the answer follows. */
import assert from "node:assert/strict";
import { hostedBudget } from "../../src/proxy/upstream/profiles/profiles.ts";
import type { Plugin } from "../../src/proxy/plugin/mod.ts";
import { budgetFields } from "../../src/proxy/exchange/thought_budget.ts";
import type { ChatRequest } from "../../src/chat/message/request.ts";
import { changeRequest } from "../../src/chat/message/request_changes.ts";
import { endsInRepetition } from "../../src/proxy/exchange/repetition.ts";
import { parallelCalls } from "../support/native_answers.ts";
import { testConfig } from "../support/proxy.ts";
import type { Script } from "../support/scripted_upstream.ts";
import { askRow, onRows, STREAMED_ROWS, TOOL, WIRE_TABLE } from "../support/wire_table.ts";
import { postRaw, startWireProxy, type WireProxyOptions } from "../support/wire_proxy.ts";

const WHOLE_ROWS = WIRE_TABLE.filter(({ isStreamed }) => !isStreamed);
const QUESTION = { task: "x", tool: TOOL };
const SENTENCE = "Wait, I have to read the file again before I can change it. ";
const NUMBERS = Array.from({ length: 2000 }, (_, at) => `step ${at}`).join(", ");

/** A model that thinks, and answers when it is asked again. */
function connect(script: Script, options: WireProxyOptions = {}) {
  const isSecond = (body: string) => /Now act on them|I have thought enough/.test(body);
  return startWireProxy(({ body }) => isSecond(body) ? { text: "Done." } : script, options);
}

const asked = ({ upstream }: Awaited<ReturnType<typeof connect>>) =>
  upstream.requests.filter(({ path }) => path.endsWith("/chat/completions")).map(({ body }) =>
    JSON.parse(body)
  );

/** What ends thoughts → the thoughts and the setting. */
const ENDED: Readonly<
  Record<string, { reasoning: string; settings?: Record<string, unknown>; config?: Record<string, unknown> }>
> = {
  "over the upstream's budget": { reasoning: NUMBERS, settings: { reasoning_budget: 100 } },
  "over it, although empty answers pass": {
    reasoning: NUMBERS,
    settings: { reasoning_budget: 100 },
    config: { policy: { empty_answer: "pass" } },
  },
  "the same again and again": { reasoning: `So. ${SENTENCE.repeat(40)}` },
};

for (const [what, { reasoning, ...options }] of Object.entries(ENDED)) {
  Deno.test(`thoughts, every wire's stream: ${what} are ended, and the answer follows`, async () => {
    const thinks: Script = { text: "", reasoning, fate: "pause", fateAt: 0, pieceLength: 40 };
    await using model = await connect(thinks, options);
    for (const row of STREAMED_ROWS) {
      const from = asked(model).length;
      const answer = await askRow(model.origin, { row, question: QUESTION });
      assert.deepEqual([answer.text, answer.end], ["Done.", "whole"], row.name);
      assert.ok(reasoning.startsWith(answer.reasoning) && answer.reasoning.length > 390, row.name);
      assert.ok(answer.reasoning.length < reasoning.length, row.name);
      assert.equal(asked(model).length - from, 2, row.name);
    }
  });
}

Deno.test("thoughts, every wire: they go on if a plugin wants that, and the answer that follows them arrives", async () => {
  const plugin: Plugin = {
    name: "patient",
    onAnswerJudged: ({ kind }) => kind === "endless_thoughts" ? { remedy: "pass" } : undefined,
  };
  await using model = await connect({ text: "At last.", reasoning: NUMBERS, pieceLength: 500 }, {
    settings: { reasoning_budget: 100 },
    plugins: [{ plugin, options: {} }],
  });
  for (const row of WIRE_TABLE) {
    const from = asked(model).length;
    const answer = await askRow(model.origin, { row, question: QUESTION });
    assert.deepEqual([answer.text, answer.reasoning, answer.end], ["At last.", NUMBERS, "whole"], row.name);
    assert.equal(asked(model).length - from, 1, row.name);
  }
});

/** Answers that are read whole: what ends their thoughts → the model's answer and the setting. */
const ENDED_WHOLE: Readonly<Record<string, { script: Script; settings?: Record<string, unknown> }>> = {
  "over the upstream's budget": {
    script: { text: "", reasoning: NUMBERS, fate: "pause", fateAt: 0 },
    settings: { reasoning_budget: 100 },
  },
  "over it in the text": {
    script: { text: `<think>${NUMBERS}`, fate: "pause", fateAt: Infinity, pieceLength: 40 },
    settings: { reasoning_budget: 100 },
  },
  "the same again and again": {
    script: { text: "", reasoning: `So. ${SENTENCE.repeat(40)}`, finish: "length" },
  },
  "the same again and again, for long": {
    script: { text: "", reasoning: `So. ${SENTENCE.repeat(4000)}`, finish: "length" },
  },
  "the same again and again, in the text": {
    script: { text: `<think>So. ${SENTENCE.repeat(40)}`, finish: "length" },
  },
};

for (const [what, { script, settings }] of Object.entries(ENDED_WHOLE)) {
  Deno.test(`thoughts, every wire's whole answer: ${what} are ended, and the answer follows`, async () => {
    await using model = await connect(script, settings === undefined ? {} : { settings });
    for (const row of WHOLE_ROWS) {
      const from = asked(model).length;
      const answer = await askRow(model.origin, { row, question: QUESTION });
      assert.deepEqual([answer.text, answer.end, answer.reasoning], ["Done.", "whole", ""], row.name);
      const [first, second, ...others] = asked(model).slice(from);
      assert.deepEqual([first.stream === true, others.length], [settings !== undefined, 0], row.name);
      const { content } = second.messages.at(-1);
      assert.match(content, /^You have thought long enough\. [^]+\n\n(?:So\. Wait|step 0, step 1)/);
      assert.ok(content.length < 2000, row.name);
    }
  });
}

Deno.test("a budget: a whole answer that keeps to it has every field and every call of its stream", async () => {
  const [one, two] = [{ first: 1 }, { second: "ä\n" }];
  const calls = parallelCalls([one, two].map((given) => ({ name: TOOL.name, arguments: given })), "I look.");
  await using model = await startWireProxy(
    ({ body }) => JSON.parse(body).stream ? { raw: calls } : { text: "not a stream" },
    { settings: { reasoning_budget: 100 } },
  );
  for (const row of WHOLE_ROWS) {
    const answer = await askRow(model.origin, { row, question: QUESTION });
    assert.deepEqual(
      [answer.text, answer.calls],
      ["I look.", [[TOOL.name, one], [TOOL.name, two]]],
      row.name,
    );
  }
});

Deno.test("a budget: a server's own field has it, and a request's own value comes first", async () => {
  await using model = await startWireProxy({ text: "Done." }, {
    settings: { server: "llama.cpp", reasoning_budget: 100 },
    config: { models: { small: { reasoning_budget: 50 } } },
  });
  const ask = async (more: Readonly<Record<string, unknown>>) => {
    const body = { model: "m", messages: [{ role: "user", content: "x" }], ...more };
    await postRaw(`${model.origin}/v1/chat/completions`, body);
    return asked(model).at(-1);
  };
  const { thinking_budget_tokens: field, reasoning_budget_message: message } = await ask({});
  assert.deepEqual([field, message.trim()], [100, "I have thought enough. Now I act."]);
  assert.equal((await ask({ model: "small" })).thinking_budget_tokens, 50);
  assert.equal((await ask({ reasoning_budget: 7 })).thinking_budget_tokens, 7);
  assert.equal((await ask({ reasoning_budget: 700 })).thinking_budget_tokens, 100);
  assert.equal((await ask({ thinking_budget_tokens: 9 })).thinking_budget_tokens, 9);
});

/** Wire → the fields in which its clients ask for an effort, and for a number of tokens; undefined: it has none. */
const ASKED: Readonly<Record<string, readonly [(effort: string) => object, ((tokens: number) => object)?]>> =
  {
    chat: [(effort) => ({ reasoning_effort: effort }), (tokens) => ({ reasoning_budget: tokens })],
    responses: [(effort) => ({ reasoning: { effort } })],
    ollama: [(think) => ({ think })],
    anthropic: [
      (effort) => ({ output_config: { effort } }),
      (budget_tokens) => ({ thinking: { type: "enabled", budget_tokens } }),
    ],
    gemini: [
      (effort) => ({ generationConfig: { thinkingConfig: { thinkingLevel: effort.toUpperCase() } } }),
      (thinkingBudget) => ({ generationConfig: { thinkingConfig: { thinkingBudget } } }),
    ],
  };

/** Server, or the host of an API → where it gets the budget. */
const FIELDS: Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => unknown>> = {
  "llama.cpp": ({ thinking_budget_tokens: tokens }) => tokens,
  vllm: ({ thinking_token_budget: tokens }) => tokens,
  sglang: ({ custom_params: params }) => (params as Record<string, unknown> | undefined)?.["thinking_budget"],
};

Deno.test("a budget, every wire: the client's effort and its number are in each server's own field", async () => {
  const table = { low: 100, high: 900 };
  for (const [server, fieldOf] of Object.entries(FIELDS)) {
    await using model = await startWireProxy({ text: "Done." }, {
      settings: { server, reasoning_budget: table },
    });
    await onRows(WIRE_TABLE, async (row) => {
      const [effort, number] = ASKED[row.wire]!;
      const rows: [object, unknown][] = [
        [effort("low"), 100],
        [effort("high"), 900],
        [effort("max"), undefined],
        [{}, undefined],
        ...number === undefined ? [] : [[number(70), 70] as [object, unknown]],
      ];
      for (const [at, [fields, expected]] of rows.entries()) {
        const name = `${row.wire}_${row.isStreamed}_${at}`;
        const { path, body } = row.request({ ...QUESTION, model: name });
        await postRaw(model.origin + path, { ...body, ...fields });
        const sent = asked(model).find((body) => body.model === name);
        assert.equal(fieldOf(sent), expected, `${server}: ${JSON.stringify(fields)}`);
        assert.equal(sent.reasoning_budget, row.wire === "chat" && expected === 70 ? 70 : undefined);
      }
    });
  }
});

/** What a client of chat completions sends → what OpenRouter's API gets of it: an effort or a number, never both. */
const OPENROUTER: readonly (readonly [ChatRequest, ChatRequest])[] = [
  [{ reasoning_effort: "low" }, { reasoning: { max_tokens: 100 } }],
  [{ reasoning: { effort: "high", exclude: true } }, { reasoning: { exclude: true, max_tokens: 900 } }],
  [{ reasoning_effort: "max" }, { reasoning_effort: "max" }],
  [{ reasoning: { max_tokens: 7 }, reasoning_effort: "low" }, {
    reasoning: { max_tokens: 7 },
    reasoning_effort: "low",
  }],
];

Deno.test("a budget: an API that takes an effort or a number gets one of them", () => {
  const own = {
    name: "router",
    url: "https://openrouter.ai/api/v1",
    reasoning_budget: { low: 100, high: 900 },
  };
  const config = testConfig(undefined, { upstreams: [own] });
  const [upstream] = config.upstreams;
  for (const [request, expected] of OPENROUTER) {
    const fields = budgetFields({ request, upstream: upstream!, config, profile: undefined });
    const changed = changeRequest(request, { modelNames: {}, defaults: {}, fields });
    assert.deepEqual(changed ?? request, expected);
  }
});

Deno.test("a budget: hosted APIs have their own fields, and a server that refuses the field gets none", async () => {
  assert.equal(hostedBudget("https://openrouter.ai/api/v1")?.field, "reasoning.max_tokens");
  assert.equal(hostedBudget("http://127.0.0.1:1/v1"), undefined);
  const message =
    "thinking_token_budget is set but reasoning_config is not configured. Please set --reasoning-parser and/or --reasoning-config to use thinking_token_budget.";
  const refusal: Script = { error: { status: 400, body: JSON.stringify({ error: { message, code: 400 } }) } };
  await using model = await startWireProxy(
    ({ body }) => body.includes("thinking_token_budget") ? refusal : { text: "Done." },
    { settings: { server: "vllm", reasoning_budget: 100 } },
  );
  await onRows(WIRE_TABLE, async (row) => {
    assert.equal((await askRow(model.origin, { row, question: QUESTION })).text, "Done.");
  });
});

Deno.test("a repetition is text that follows itself four times without a change", () => {
  const repeated: readonly [boolean, string][] = [
    [true, SENTENCE.repeat(20)],
    [true, `Before it. ${"-".repeat(900)}`],
    [true, NUMBERS.slice(0, 1500).repeat(4)],
    [false, SENTENCE.repeat(8)],
    [false, NUMBERS],
    [false, NUMBERS.slice(0, 1500).repeat(2)],
    [false, Array.from({ length: 40 }, (_, at) => `${SENTENCE}${at} `).join("")],
  ];
  for (const [expected, text] of repeated) assert.equal(endsInRepetition(text), expected, text.slice(0, 40));
});
