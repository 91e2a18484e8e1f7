/**
 * Nothing is asked twice after something was shown: however an answer begins, is cut into messages and ends, a client that got
 * a text or a call of it gets nothing of another one, on every wire, streamed and whole, with all that asks again or asks
 * the next upstream. A client that got nothing of it gets one whole answer.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { builtInService } from "../support/built_in.ts";
import { runs, tell } from "../support/fuzz.ts";
import { chunkOf, fragment, head } from "../support/native_answers.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import { type Arrived, type Script, startUpstream } from "../support/scripted_upstream.ts";
import { askRow, TOOL, WIRE_TABLE } from "../support/wire_table.ts";

/** What messages of a stream can have. `first` is in no other answer. */
const DELTAS: Readonly<Record<string, readonly unknown[]>> = {
  role: [{ role: "assistant", content: "" }],
  space: [{ content: " \n" }],
  thought: [{ reasoning_content: "I think of it. " }],
  loop: [{ reasoning_content: "Wait, I have to read it again. ".repeat(40) }],
  "thought in the text": [{ content: "<think>so</think>" }],
  text: [{ content: "first " }],
  call: [head({}, { name: TOOL.name }), fragment('{"first":'), fragment("1}")],
  "half a call": [head({}, { name: TOOL.name }), fragment('{"first":')],
  "printed call": [{ content: '<tool_call>\n{"name": "t", "argu' }, {
    content: 'ments": {"first": 1}}\n</tool_call>',
  }],
  "unreadable call": [{ content: '<tool_call>\n{"name": "t", "arguments": {fir' }, {
    content: "st}}\n</tool_call>",
  }],
};

const DONE = "data: [DONE]\n\n";

const ENDS: Readonly<Record<string, { readonly text: string; readonly fate?: "break" }>> = {
  stop: { text: chunkOf({}, "stop") + DONE },
  tool_calls: { text: chunkOf({}, "tool_calls") + DONE },
  length: { text: chunkOf({}, "length") + DONE },
  filtered: { text: chunkOf({}, "content_filter") + DONE },
  "without a reason": { text: DONE },
  nothing: { text: "" },
  broken: { text: "", fate: "break" },
  error: { text: 'data: {"error":{"message":"out of memory"}}\n\n' },
};

const ANSWER = fc.record({
  parts: fc.array(fc.constantFrom(...Object.keys(DELTAS)), { maxLength: 4 }),
  end: fc.constantFrom(...Object.keys(ENDS)),
  row: fc.constantFrom(...WIRE_TABLE.keys()),
});

type Answer = typeof ANSWER extends fc.Arbitrary<infer T> ? T : never;

/** The first answer, streamed; a client that wants it whole gets the parts that a whole one can have. */
function scriptOf({ parts, end }: Answer): Script {
  const deltas = parts.flatMap((part) => DELTAS[part]!);
  const { text, fate } = ENDS[end]!;
  const content = deltas.map((delta) => (delta as { content?: string }).content ?? "").join("");
  const reasoning = deltas.map((delta) => (delta as { reasoning_content?: string }).reasoning_content ?? "");
  const message = { role: "assistant", content, reasoning_content: reasoning.join("") };
  const choices = [{ index: 0, message, finish_reason: end === "length" ? "length" : "stop" }];
  const body = JSON.stringify({ id: "1", object: "chat.completion", created: 1, model: "m", choices });
  return {
    raw: { stream: deltas.map((delta) => chunkOf(delta)).join("") + text, body },
    ...fate && { fate },
  };
}

const isChat = ({ path }: Arrived) => path.endsWith("/chat/completions");

for (const unreadable of ["pass", "ask_again"]) {
  Deno.test(`nothing is asked twice after something was shown, unreadable calls: ${unreadable}`, async () => {
    let answer: Answer | undefined;
    let asked = 0;
    const script = (request: Arrived): Script => {
      if (!isChat(request)) return { text: "" };
      return asked++ === 0 ? scriptOf(answer!) : { text: "second" };
    };
    await using one = startUpstream(script);
    await using two = startUpstream(script);
    const config = testConfig(undefined, {
      upstreams: [one, two].map(({ url }, at) => ({ name: `u${at}`, url, server: "none" })),
      routing: { strategy: "order", cooldown_ms: 1 },
      policy: { unreadable_call: unreadable },
    });
    await using proxy = await startProxy(await builtInService(config));
    const figures = { shown: 0, again: 0 };
    await fc.assert(
      fc.asyncProperty(ANSWER, async (given) => {
        [answer, asked] = [given, 0];
        const row = WIRE_TABLE[given.row]!;
        const got = await askRow(proxy.origin, { row, question: { task: "x", tool: TOOL } });
        const hasFirst = /first/.test(got.text + JSON.stringify(got.calls));
        const hasSecond = got.text.includes("second");
        assert.ok(!(hasFirst && hasSecond), "one answer");
        if (hasFirst) assert.equal(asked, 1, "asked once");
        if (hasSecond) assert.deepEqual([asked > 1, got.text.trim(), got.calls], [true, "second", []]);
        assert.ok(asked <= 4);
        figures.shown += Number(hasFirst);
        figures.again += Number(asked > 1);
      }),
      // An error after thoughts was sent, and then the model was asked again.
      { ...runs(600), examples: [[{ parts: ["thought"], end: "error", row: 0 }]] },
    );
    assert.ok(figures.shown > 5 && figures.again > 5, JSON.stringify(figures));
    tell("asked once", figures);
  });
}
