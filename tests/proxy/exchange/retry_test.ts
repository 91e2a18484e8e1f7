import assert from "node:assert/strict";
import { ATTEMPTS_MAXIMUM } from "../../../src/proxy/exchange/remedies.ts";
import { addUsage } from "../../../src/chat/message/usage.ts";
import { errorResponse } from "../../../src/proxy/transport/respond.ts";
import { nextQuestion, rejection, streamOf, withLesson } from "../../../src/proxy/exchange/retry.ts";

const BODY = '{"model":"m","messages":[{"role":"user","content":"x"}]}';
const RETRY = { kind: "retry", code: "WRONG", message: "do it so" } as const;

Deno.test("withLesson adds the model's answer if it has one, and what was wrong", () => {
  const messages = (answer: string) =>
    JSON.parse(withLesson(BODY, { answer: answer, lesson: "y" }) ?? "").messages.slice(1);
  assert.deepEqual(messages("s"), [{ role: "assistant", content: "s" }, { role: "user", content: "y" }]);
  assert.deepEqual(messages(""), [{ role: "user", content: "y" }]);
  const exact = withLesson('{"seed":12345678901234567890,"messages":[]}', { answer: "", lesson: "y" });
  assert.match(exact ?? "", /"seed":12345678901234567890,/);
  assert.equal(withLesson('{"prompt":"x"}', { answer: "", lesson: "y" }), undefined);
});

Deno.test("nextQuestion asks again, up to a limit, and never when no model was asked", () => {
  const stopped = { question: { body: BODY }, verdict: RETRY, answer: "s", usage: { total_tokens: 2 } };
  const next = nextQuestion(stopped);
  assert.deepEqual([next?.attempts, next?.spent], [2, { total_tokens: 2 }]);
  assert.equal(JSON.parse(String(next?.body)).messages.length, 3);
  const bytes = {
    ...stopped,
    question: { body: new TextEncoder().encode(BODY), spent: { total_tokens: 1 } },
  };
  assert.deepEqual(nextQuestion(bytes)?.spent, { total_tokens: 3 });
  for (
    const other of [
      { ...stopped, question: { body: BODY, attempts: ATTEMPTS_MAXIMUM } },
      { ...stopped, question: { body: null } },
      { ...stopped, verdict: { ...RETRY, kind: "reject" as const } },
    ]
  ) assert.equal(nextQuestion(other), undefined);
});

Deno.test("streamOf sends an error as an event, that of a model server too", async () => {
  const textOf = async (response: Response) =>
    await new Response(await streamOf(response, rejection(RETRY))).text();
  assert.match(
    await textOf(errorResponse(rejection(RETRY))),
    /^data: \{"error":\{"message":"do it so".*"code":"WRONG"\}\}\n\n$/,
  );
  const down = new Response('{"error":{"code":"down"}}', { status: 502 });
  assert.equal(await textOf(down), 'data: {"error":{"code":"down"}}\n\n');
  assert.match(await textOf(new Response("<html>")), /"code":"WRONG"/);
  const stream = new Response("data: x\n\n", { headers: { "content-type": "text/event-stream" } });
  assert.equal(await textOf(stream), "data: x\n\n");
});

Deno.test("addUsage adds numbers however deep they stand", () => {
  const one = { total_tokens: 5, details: { cached: 1 }, tier: "a" };
  assert.deepEqual(addUsage(one, { total_tokens: 7, details: { cached: 2 }, tier: "b", more: 1 }), {
    total_tokens: 12,
    details: { cached: 3 },
    tier: "b",
    more: 1,
  });
  assert.deepEqual([addUsage(undefined, one), addUsage(one, undefined)], [one, one]);
});
