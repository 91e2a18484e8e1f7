import assert from "node:assert/strict";
import { Deadline } from "../../../src/proxy/exchange/deadline.ts";
import { translateStream, type TranslationOptions } from "../../../src/proxy/exchange/translation.ts";
import { StreamedAnswer } from "../../../src/chat/pipeline/streamed.ts";
import { DONE } from "../../../src/chat/sse/encode.ts";
import { ToolCallRenderer } from "../../../src/chat/render/tool_calls.ts";
import { BracketSource } from "../../support/bracket_source.ts";
import { chunkMessage, hear } from "../../support/chunks.ts";

const error = (code: string) => ({ status: 504, type: "timeout", code, message: code });

function optionsFor(deadline = new Deadline()): TranslationOptions {
  return {
    pipeline: new StreamedAnswer({
      createMatcher: () => new BracketSource(),
      createRenderer: () => new ToolCallRenderer(() => "call_1"),
    }),
    deadline,
    limits: { firstMs: 60_000, silenceMs: 60_000, slow: error("slow"), silent: error("silent") },
    broken: error("broken"),
    json: { bytesMax: 1000, tooLarge: error("too_large") },
  };
}

function translate(body: ReadableStream<Uint8Array>, deadline?: Deadline): ReadableStream<Uint8Array> {
  return translateStream(body, optionsFor(deadline));
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

Deno.test("translateStream reads the upstream only as fast as the client reads", async () => {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++;
      controller.enqueue(bytesOf(chunkMessage({ content: "text" })));
    },
  }, { highWaterMark: 0 });
  const reader = translate(body).getReader();
  let read = 0;
  for (let round = 0; round < 5; round++) read += (await reader.read()).value?.length ?? 0;
  const ahead = pulled * chunkMessage({ content: "text" }).length - read;
  assert.ok(ahead < 64 * 1024, `${ahead} bytes were read ahead`);
  await reader.cancel();
});

Deno.test("translateStream goes on reading while everything that came is held", async () => {
  const pieces = ["[", "[", "t ", "{}", "]]"].map((content) => bytesOf(chunkMessage({ content })));
  const text = await new Response(translate(ReadableStream.from(pieces))).text();
  assert.equal(hear(text).choices[0]?.calls[0]?.arguments, "{}");
});

Deno.test("translateStream reuses one buffer without mixing up what came before", async () => {
  const text = chunkMessage({ content: "漢😀".repeat(9000) }) +
    chunkMessage({ content: "[[t {}]]x" }, { finish: "stop" });
  const body = new Response(text).body;
  assert.ok(body);
  const answer = hear(await new Response(translate(body)).text());
  assert.equal(answer.choices[0]?.content, `${"漢😀".repeat(9000)}x`);
});

Deno.test("translateStream cancels the upstream when the client leaves", async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytesOf(chunkMessage({ content: "text" }))),
    cancel: () => void (isCancelled = true),
  });
  const reader = translate(body).getReader();
  await reader.read();
  await reader.cancel();
  assert.equal(isCancelled, true);
});

Deno.test("translateStream tells the client that the connection broke, after what had come", async () => {
  const body = ReadableStream.from(async function* () {
    yield bytesOf(chunkMessage({ content: "a[" }));
    await Promise.reject(new Error("reset"));
  }());
  const answer = hear(await new Response(translate(body)).text());
  assert.equal(answer.choices[0]?.content, "a[");
  assert.deepEqual(answer.errors.map((each) => each.code), ["broken"]);
});

Deno.test("translateStream ends with the deadline's error, whether it waits for the upstream or for the client", async () => {
  for (const isWaiting of [true, false]) {
    const deadline = new Deadline();
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytesOf(chunkMessage({ content: "text" }))),
      cancel: () => void (isCancelled = true),
    });
    const stream = translate(body, deadline) as ReadableStream<Uint8Array<ArrayBuffer>>;
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader.read()).value ?? "";
    const next = isWaiting ? reader.read() : undefined;
    deadline.fail(error("stopped"));
    assert.equal(isCancelled, true);
    for (let read = await (next ?? reader.read()); !read.done; read = await reader.read()) text += read.value;
    assert.deepEqual(hear(text).errors.map((each) => each.code), ["stopped"]);
  }
});

Deno.test("translateStream gives JSON as an event, and an error if it is too long", async () => {
  const answer = '{"choices":[{"index":0,"message":{"content":"[[t {}]]"},"finish_reason":"stop"}]}';
  const whole = hear(await new Response(translate(ReadableStream.from([bytesOf(answer)]))).text());
  assert.equal(whole.choices[0]?.calls[0]?.arguments, "{}");
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytesOf("{".repeat(400))),
    cancel: () => void (isCancelled = true),
  }, { highWaterMark: 0 });
  const answered = hear(await new Response(translate(endless)).text());
  assert.deepEqual([answered.errors.map((each) => each.code), isCancelled], [["too_large"], true]);
});

Deno.test("translateStream gives what follows a stopped answer, and the end after it", async () => {
  const body = ReadableStream.from([bytesOf(`${chunkMessage({ content: "a" }, { finish: "stop" })}${DONE}`)]);
  const ended: (string | undefined)[] = [];
  const stream = translateStream(body, {
    ...optionsFor(),
    ended: (code) => ended.push(code),
    sequel: () => Promise.resolve(new Response("the rest").body ?? undefined),
  });
  assert.match(await new Response(stream).text(), /the rest$/);
  // What follows ends for itself.
  assert.deepEqual(ended, []);
});

Deno.test("translateStream breaks if the pipeline fails twice", async () => {
  const ended: (string | undefined)[] = [];
  const fail = () => {
    throw new Error("a defect");
  };
  const createMatcher = () => ({ push: fail });
  const pipeline = new StreamedAnswer({
    createMatcher,
    createRenderer: () => new ToolCallRenderer(() => ""),
  });
  const body = ReadableStream.from([bytesOf(chunkMessage({ content: "a" }))]);
  const stream = translateStream(body, { ...optionsFor(), pipeline, ended: (code) => ended.push(code) });
  await assert.rejects(new Response(stream).text(), /a defect/);
  assert.deepEqual(ended, ["broken"]);
});
