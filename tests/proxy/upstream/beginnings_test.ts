import assert from "node:assert/strict";
import { MemoryTexts } from "../../../src/proxy/store/text.ts";
import {
  AnswerBeginning,
  type Beginning,
  beginningKey,
  Beginnings,
  promptBegins,
} from "../../../src/proxy/upstream/beginnings.ts";

const UPSTREAM = { upstream: "local", url: "http://127.0.0.1:1/v1", model: "m" };
const KEY = beginningKey({ messages: [] }, UPSTREAM);

function open(beginnings: Beginnings, options: { stated?: boolean; answer?: boolean | undefined } = {}) {
  return new AnswerBeginning({
    key: KEY,
    beginnings,
    stated: options.stated,
    question: "answer" in options ? () => Promise.resolve(options.answer) : undefined,
  });
}

async function isInside(beginning: AnswerBeginning): Promise<boolean> {
  await beginning.ready;
  return beginning.beginsInReasoning;
}

Deno.test("what is stated comes before what answers showed, and that before what the server shows", async () => {
  const beginnings = new Beginnings();
  assert.equal(await isInside(open(beginnings)), false);
  assert.equal(await isInside(open(beginnings, { answer: true })), true);
  open(beginnings).see("reasoning_not_closed");
  assert.equal(await isInside(open(beginnings, { answer: true })), false);
  open(beginnings).see("reasoning_not_opened");
  assert.equal(await isInside(open(beginnings)), true);
  assert.equal(await isInside(open(beginnings, { stated: false })), false);
  open(beginnings, { stated: true }).see("reasoning_not_closed");
  open(beginnings).see("transformed");
  assert.equal(await isInside(open(beginnings)), true);
  open(beginnings).see("reasoning_separated");
  assert.equal(await isInside(open(beginnings)), false);
});

Deno.test("the server is asked once for each model and switch, whatever it answers", async () => {
  const beginnings = new Beginnings();
  let count = 0;
  const ask = (key: typeof KEY, answer: boolean | undefined) =>
    new AnswerBeginning({
      key,
      beginnings,
      stated: undefined,
      question() {
        count++;
        return answer === undefined ? Promise.reject(new Error("no")) : Promise.resolve(answer);
      },
    });
  const off = beginningKey({ messages: [], chat_template_kwargs: { enable_thinking: false } }, UPSTREAM);
  for (const _ of [1, 2]) {
    assert.equal(await isInside(ask(KEY, true)), true);
    assert.equal(await isInside(ask(off, undefined)), false);
  }
  assert.equal(count, 2);
});

Deno.test("replicas share what they know, the latest finding counts, and the number is bounded", async () => {
  const texts = new MemoryTexts(() => 0);
  const reported: Beginning[] = [];
  const [one, other] = [
    new Beginnings({ texts, report: (each) => reported.push(each) }),
    new Beginnings({ texts }),
  ];
  open(one).see("reasoning_not_opened");
  assert.equal(await isInside(open(other)), true);
  open(other).see("reasoning_not_closed");
  assert.equal(await isInside(open(one)), false);
  assert.deepEqual(one.entries(), [{ ...KEY, beginsInReasoning: false, shownBy: "answer" }]);
  assert.equal(reported.length, 1);
  for (let at = 0; at < 1100; at++) {
    one.learn({ ...KEY, model: `m${at}`, beginsInReasoning: true, shownBy: "answer" });
  }
  assert.equal(one.entries().length, 1000);
  const long = beginningKey({ messages: [], think: "x".repeat(5000) }, UPSTREAM);
  one.learn({ ...long, beginsInReasoning: true, shownBy: "answer" });
  assert.ok(!one.entries().some(({ switches }) => switches.includes("xxx")));
});

Deno.test("promptBegins reads the end of a prompt, as text or as tokens, and gets the switches of the request", async () => {
  const asked: [path: string, body: unknown][] = [];
  const answers = (given: Readonly<Record<string, unknown>>) => (path: string, body: string) => {
    asked.push([path, JSON.parse(body)]);
    return Promise.resolve(path in given ? JSON.stringify(given[path]) : undefined);
  };
  const request = { messages: [{ role: "user", content: "long" }], chat_template_kwargs: { a: 1 } };
  const text = { path: "/apply", prompt: ["prompt"], source: "" };
  const tokens = {
    ...text,
    path: "/tokens",
    prompt: ["tokens"],
    detokenize: { path: "/text", text: "prompt" },
  };
  const begins = (route: typeof text, given: Readonly<Record<string, unknown>>) =>
    promptBegins(request, { route, model: "m", send: answers(given) });
  assert.equal(await begins(text, { "/apply": { prompt: "<|im_start|>assistant\n<think>\n" } }), true);
  assert.equal(
    await begins(text, { "/apply": { prompt: "<|im_start|>assistant\n<think>\n\n</think>\n\n" } }),
    false,
  );
  assert.equal(await begins(text, {}), undefined);
  assert.equal(await begins(text, { "/apply": { other: 1 } }), undefined);
  const list = Array.from({ length: 100 }, (_, at) => at);
  assert.equal(await begins(tokens, { "/tokens": { tokens: list }, "/text": { prompt: "x[THINK]" } }), true);
  assert.equal(await begins(tokens, { "/tokens": { tokens: list } }), undefined);
  assert.deepEqual(asked[0], ["/apply", {
    model: "m",
    messages: [{ role: "user", content: "Hi" }],
    chat_template_kwargs: { a: 1 },
  }]);
  assert.deepEqual(asked.at(-1), ["/text", { model: "m", tokens: list.slice(-24) }]);
});
