import assert from "node:assert/strict";
import { Deadline } from "../../../src/proxy/exchange/deadline.ts";
import { passStream } from "../../../src/proxy/transport/pass_stream.ts";

const error = (code: string) => ({ status: 504, type: "timeout", code, message: code });

/** A body of these pieces that breaks after them if it has to. */
function bodyOf(pieces: readonly string[], isBroken: boolean): ReadableStream<Uint8Array> {
  return ReadableStream.from(async function* () {
    for (const piece of pieces) yield new TextEncoder().encode(piece);
    if (isBroken) await Promise.reject(new Error("reset"));
  }());
}

/** A body of Latin-1 bytes in pieces of a size. */
function latin1Body(
  text: string,
  { size, isBroken = false }: { readonly size: number; readonly isBroken?: boolean },
): ReadableStream<Uint8Array> {
  return ReadableStream.from(async function* () {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
    if (isBroken) await Promise.reject(new Error("reset"));
  }());
}

function pass(body: ReadableStream<Uint8Array>, areEvents: boolean) {
  const observed: (string | undefined)[] = [];
  const stream = passStream(body, {
    deadline: new Deadline(),
    limits: { firstMs: 60_000, silenceMs: 60_000, slow: error("slow"), silent: error("silent") },
    broken: error("broken"),
    areEvents,
    began: () => observed.push("began"),
    ended: (code) => observed.push(`ended ${code}`),
  });
  return { stream, observed };
}

Deno.test("passStream passes bytes on unchanged", async () => {
  const { stream, observed } = pass(bodyOf(["a\r", "\nb"], false), true);
  assert.equal(await new Response(stream).text(), "a\r\nb");
  assert.deepEqual([observed[0], observed.at(-1)], ["began", "ended undefined"]);
});

/** What an upstream sends → what of it reaches the client when the upstream breaks off after it. */
const BROKEN: readonly (readonly [sent: string, passed: string])[] = [
  ["", ""],
  ["data: a\n\n", "data: a\n\n"],
  ["data: a\r\n\r\n", "data: a\r\n\r\n"],
  ["data: a\r\r", "data: a\r\r"],
  ["data: a", ""],
  ["data: a\n", ""],
  ["data: {}\n\ndata: {", "data: {}\n\n"],
  ["data: {}\n\nevent: x\ndata: {}\n", "data: {}\n\n"],
  [": ping\n", ": ping\n"],
  ["data: \xff\xfe\n\ndata: \xff", "data: \xff\xfe\n\n"],
];

Deno.test("passStream ends events that break off with an error event after the last whole one, however they are cut", async () => {
  for (const [sent, passed] of BROKEN) {
    for (const size of [1, 2, 3, 100]) {
      const { stream, observed } = pass(latin1Body(sent, { size, isBroken: true }), true);
      const text = new TextDecoder("latin1").decode(await new Response(stream).bytes());
      assert.equal(text.slice(0, passed.length), passed);
      assert.match(
        text.slice(passed.length),
        /^data: \{[^\n]*"code":"broken"[^\n]*\}\n\n$/,
        JSON.stringify(sent),
      );
      assert.equal(observed.at(-1), "ended broken");
    }
  }
});

Deno.test("passStream takes an end inside an event for a broken connection, and passes every other end", async () => {
  for (const half of ['data: {"a', "data: [DO", 'data: {"a":1}\n\nevent: x\ndata: [1,']) {
    for (const size of [1, 100]) {
      const { stream, observed } = pass(latin1Body(half, { size }), true);
      const text = await new Response(stream).text();
      assert.match(
        text.slice(half.lastIndexOf("\n\n") + 1 && half.lastIndexOf("\n\n") + 2),
        /^data: .*"broken"/,
      );
      assert.equal(observed.at(-1), "ended broken");
    }
  }
  for (
    const whole of [
      "data: [DONE]",
      'data: {"a":1}\n',
      "data: a",
      "da",
      ": c",
      '{"error":1}',
      "data: \xff",
      "",
    ]
  ) {
    const { stream, observed } = pass(latin1Body(whole, { size: 1 }), true);
    assert.equal(new TextDecoder("latin1").decode(await new Response(stream).bytes()), whole);
    assert.equal(observed.at(-1), "ended undefined");
  }
});

Deno.test("passStream holds nothing of a whole event or a comment", async () => {
  const sent = Promise.withResolvers<void>();
  const { stream } = pass(
    ReadableStream.from(async function* () {
      yield new TextEncoder().encode("data: a\n\n: ping\nda");
      await sent.promise;
    }()),
    true,
  );
  const reader = stream.getReader();
  const { value } = await reader.read();
  assert.equal(new TextDecoder().decode(value), "data: a\n\n: ping\n");
  sent.resolve();
  await reader.cancel();
});

Deno.test("passStream breaks other bytes that break off", async () => {
  const { stream } = pass(bodyOf(["half"], true), false);
  await assert.rejects(new Response(stream).text(), /reset/);
});
