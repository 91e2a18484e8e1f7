import assert from "node:assert/strict";
import { Deadline } from "../../src/http/deadline.ts";
import { translateStream } from "../../src/http/stream.ts";
import { StreamedAnswer } from "../../src/pipeline/streamed.ts";
import { ToolCallRenderer } from "../../src/render/tool_calls.ts";
import { BracketSource } from "../support/bracket_source.ts";
import { chunkMessage, hear } from "../support/chunks.ts";

const error = (code: string) => ({ status: 504, type: "timeout", code, message: code });

function translate(body: ReadableStream<Uint8Array>, deadline = new Deadline()): ReadableStream<Uint8Array> {
  return translateStream(body, {
    pipeline: new StreamedAnswer({
      createMatcher: () => new BracketSource(),
      createRenderer: () => new ToolCallRenderer(() => "call_1"),
    }),
    deadline,
    limits: { firstMs: 60_000, silenceMs: 60_000, slow: error("slow"), silent: error("silent") },
    broken: error("broken"),
    json: { bytesMax: 1000, tooLarge: error("too_large") },
  });
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
