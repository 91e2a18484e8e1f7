/** The same call with the same result again and again, on every wire: the model is warned, and the agent sees nothing of it. */
import assert from "node:assert/strict";
import { TOOL, WIRE_TABLE } from "../support/wire_table.ts";
import { postRaw, startWireProxy } from "../support/wire_proxy.ts";

interface Round {
  readonly args?: string;
  readonly result?: string;
  readonly user?: string;
}

/** A conversation of the chat wire with rounds of one call and its result. */
function conversation(rounds: readonly Round[]): Record<string, unknown>[] {
  return [
    { role: "user", content: "x" },
    ...rounds.flatMap(({ args = '{"a": 1, "b": 2}', result = "same", user }, at) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: `c${at}`, type: "function", function: { name: "t", arguments: args } }],
      },
      { role: "tool", tool_call_id: `c${at}`, content: result },
      ...user === undefined ? [] : [{ role: "user", content: user }],
    ]),
  ];
}

const again = (count: number, round: Round = {}) => Array.from({ length: count }, () => round);
const tools = [{ type: "function", function: { name: TOOL.name, parameters: TOOL.schema } }];
const SENTENCE = /^same\n\n\(You have made this call 4 times in a row/;

/** The messages that the model gets for a conversation. */
async function sent(model: Awaited<ReturnType<typeof startWireProxy>>, messages: unknown, more = {}) {
  const body = { model: "m", messages, tools, ...more };
  const { text } = await postRaw(`${model.origin}/v1/chat/completions`, body);
  const asked = model.upstream.requests.filter(({ path }) => path.endsWith("/chat/completions")).at(-1);
  return { text, messages: asked === undefined ? [] : JSON.parse(asked.body).messages };
}

/** What is a loop → whether the model is warned. */
const LOOPS: Readonly<Record<string, readonly [warned: boolean, rounds: readonly Round[]]>> = {
  "three times": [false, again(3)],
  "four times": [true, again(4)],
  "other spellings of the arguments": [true, [...again(3), { args: '{"b":2,"a":1}' }]],
  "a file that changes": [false, [...again(3), { result: "other" }]],
  "other arguments": [false, [...again(3), { args: '{"a": 2}' }]],
  "a user in between": [false, [{}, {}, { user: "go on" }, ...again(3)]],
  "another call in between": [false, [{}, {}, {}, { args: "{}" }, {}]],
};

Deno.test("loops: which calls are warned to the model, and where", async () => {
  await using model = await startWireProxy({ text: "ok" });
  for (const [what, [isWarned, rounds]] of Object.entries(LOOPS)) {
    const { messages } = await sent(model, conversation(rounds));
    assert.equal(SENTENCE.test(messages.at(-1).content), isWarned, what);
    assert.equal(JSON.stringify(messages).match(/You have made/g)?.length ?? 0, isWarned ? 1 : 0, what);
  }
});

Deno.test("loops: Codex's results are equal although each has its time, and a text client's loops are its own", async () => {
  await using model = await startWireProxy({ text: "ok" });
  const timed = (at: number) =>
    `Chunk ID: ${at}f3\nWall time: 0.${at} seconds\nProcess exited with code 0\nOutput:\nsame`;
  const input = [
    { role: "user", content: "x" },
    ...Array.from({ length: 4 }, (_, at) => [
      { type: "function_call", call_id: `c${at}`, name: "t", arguments: "{}" },
      { type: "function_call_output", call_id: `c${at}`, output: timed(at) },
    ]).flat(),
  ];
  const responsesTools = [{ type: "function", name: "t", parameters: TOOL.schema }];
  for (const [agent, isWarned] of [["codex_exec/0.169.0", true], ["another", false]] as const) {
    const headers = { "content-type": "application/json", "user-agent": agent };
    const body = JSON.stringify({ model: "m", input, tools: responsesTools });
    await (await fetch(`${model.origin}/v1/responses`, { method: "POST", headers, body })).text();
    const { messages } = JSON.parse(model.upstream.requests.at(-1)!.body);
    assert.equal(/You have made/.test(messages.at(-1).content), isWarned, agent);
  }
  const call = "<read_file>\n<path>a.ts</path>\n</read_file>";
  for (const [agent, title] of [["RooCode/3.41.3", "Roo Code"], ["Cline/4.0.12", "Cline"]] as const) {
    const messages = [
      { role: "system", content: `You are ${title}.\n\n# Tools\n\n## read_file\n\n# Tool Use Guidelines\n` },
      { role: "user", content: "x" },
      ...Array.from({ length: 7 }, () => [
        { role: "assistant", content: call },
        { role: "user", content: "[read_file for 'a.ts'] Result:\nsame" },
      ]).flat(),
    ];
    const headers = { "content-type": "application/json", "user-agent": agent };
    const body = JSON.stringify({ model: "m", messages });
    await (await fetch(`${model.origin}/v1/chat/completions`, { method: "POST", headers, body })).text();
    assert.equal(model.upstream.requests.at(-1)!.body, body, title);
  }
});

Deno.test("loops: each request begins with the one before, and a run is warned once", async () => {
  await using model = await startWireProxy({ text: "ok" });
  let before: unknown[] = [];
  const all = [...again(7), { result: "other" }, ...again(5)];
  for (let count = 1; count <= all.length; count++) {
    const { messages } = await sent(model, conversation(all.slice(0, count)));
    assert.deepEqual(messages.slice(0, before.length), before, `after ${count} calls`);
    before = messages;
  }
  assert.equal(JSON.stringify(before).match(/You have made/g)?.length, 2);
});

Deno.test("loops: the numbers of a request keep their spelling, and a clean conversation stays", async () => {
  await using model = await startWireProxy({ text: "ok" });
  for (const count of [3, 4]) {
    const body = JSON.stringify({ model: "m", messages: conversation(again(count)), tools })
      .replace('"model"', '"temperature":1.0,"model"');
    const headers = { "content-type": "application/json" };
    await (await fetch(`${model.origin}/v1/chat/completions`, { method: "POST", headers, body })).text();
    const asked = model.upstream.requests.at(-1)!;
    assert.ok(asked.body.includes('"temperature":1.0'));
    if (count === 3) assert.equal(asked.body, body);
  }
});

/** Wire → its request with as many equal rounds. */
const REQUESTS: Readonly<Record<string, (body: Record<string, unknown>, count: number) => unknown>> = {
  chat: (body, count) => ({ ...body, messages: conversation(again(count)) }),
  ollama: (body, count) => ({ ...body, messages: repeat(body.messages, 1, count) }),
  anthropic: (body, count) => ({ ...body, messages: repeat(body.messages, 1, count) }),
  responses: (body, count) => ({ ...body, input: repeat(body.input, 1, count) }),
  gemini: (body, count) => ({ ...body, contents: repeat(body.contents, 1, count) }),
};

/** A list whose entries from one on come again. */
function repeat(list: unknown, from: number, count: number): unknown[] {
  const all = list as unknown[];
  return [...all.slice(0, from), ...Array.from({ length: count }, () => all.slice(from)).flat()];
}

for (const policy of ["warn", "stop", "pass"]) {
  Deno.test(`loops, every wire: six times, with \`${policy}\``, async () => {
    await using model = await startWireProxy({ text: "ok" }, { config: { policy: { loop: policy } } });
    for (const row of WIRE_TABLE) {
      const { path, body } = row.request({
        task: "x",
        tool: TOOL,
        past: { name: "t", args: {}, result: "r" },
      });
      const from = model.upstream.requests.length;
      const { text } = await postRaw(model.origin + path, REQUESTS[row.wire]!(body, 6));
      const answer = row.read({ status: 200, text, isBroken: false });
      const asked = model.upstream.requests.slice(from).filter(({ path: at }) =>
        at.endsWith("/chat/completions")
      );
      assert.equal(asked.length, policy === "stop" ? 0 : 1, row.name);
      assert.match(answer.text, policy === "stop" ? /^I made the same call 6 times/ : /^ok$/, row.name);
      const warned = asked[0]?.body.match(/You have made this call 4 times/g)?.length ?? 0;
      assert.equal(warned, policy === "warn" ? 1 : 0, row.name);
    }
  });
}
