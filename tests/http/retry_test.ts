import assert from "node:assert/strict";
import { addUsage } from "../../src/chat/usage.ts";
import { ATTEMPTS_MAXIMUM, followInStream, followVerdict, withLesson } from "../../src/http/retry.ts";

const BODY = '{"model":"m","messages":[{"role":"user","content":"x"}]}';
const RETRY = { kind: "retry", code: "WRONG", message: "do it so" } as const;
const again = (body: string) => Promise.resolve(new Response(body));

Deno.test("withLesson adds what the model said and what was wrong, and nothing that it did not say", () => {
  const messages = (said: string) =>
    JSON.parse(withLesson(BODY, { said, lesson: "y" }) ?? "").messages.slice(1);
  assert.deepEqual(messages("s"), [{ role: "assistant", content: "s" }, { role: "user", content: "y" }]);
  assert.deepEqual(messages(""), [{ role: "user", content: "y" }]);
  assert.equal(withLesson('{"prompt":"x"}', { said: "", lesson: "y" }), undefined);
});

Deno.test("followVerdict asks again, up to a limit, and never where no model was asked", async () => {
  const stopped = { verdict: RETRY, body: BODY, said: "s", attempts: 1, again };
  assert.equal((await followVerdict(stopped)).status, 200);
  for (const more of [{ attempts: ATTEMPTS_MAXIMUM }, { body: undefined }]) {
    const response = await followVerdict({ ...stopped, ...more });
    assert.deepEqual([response.status, (await response.json()).error.code], [422, "WRONG"]);
  }
});

Deno.test("followInStream says an error as an event, that of a model server too", async () => {
  const stopped = {
    verdict: { ...RETRY, kind: "reject" } as const,
    body: BODY,
    said: "",
    attempts: 1,
    again,
  };
  const textOf = async (stream: ReadableStream<Uint8Array>) => await new Response(stream).text();
  assert.match(
    await textOf(await followInStream(stopped)),
    /^data: \{"error":\{"message":"do it so".*"code":"WRONG"\}\}\n\n$/,
  );
  const down = () => Promise.resolve(new Response('{"error":{"code":"down"}}', { status: 502 }));
  const told = await textOf(await followInStream({ ...stopped, verdict: RETRY, again: down }));
  assert.equal(told, 'data: {"error":{"code":"down"}}\n\n');
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
