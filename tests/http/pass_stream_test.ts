import assert from "node:assert/strict";
import { Deadline } from "../../src/http/deadline.ts";
import { passStream } from "../../src/http/pass_stream.ts";

const error = (code: string) => ({ status: 504, type: "timeout", code, message: code });

/** A body of these pieces that breaks after them if it has to. */
function bodyOf(pieces: readonly string[], isBroken: boolean): ReadableStream<Uint8Array> {
  return ReadableStream.from(async function* () {
    for (const piece of pieces) yield new TextEncoder().encode(piece);
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

Deno.test("passStream ends events that break off with an error event of its own", async () => {
  for (
    const [pieces, expected] of [
      [["data: a\n\n"], "data: a\n\ndata: {"],
      [["data: a\r\n\r", "\n"], "data: a\r\n\r\ndata: {"],
      [["data: a"], "data: a\n\ndata: {"],
      [[], "data: {"],
    ] as const
  ) {
    const { stream, observed } = pass(bodyOf(pieces, true), true);
    const text = await new Response(stream).text();
    assert.ok(text.startsWith(expected) && text.includes('"code":"broken"'), text);
    assert.equal(observed.at(-1), "ended broken");
  }
});

Deno.test("passStream breaks other bytes that break off", async () => {
  const { stream } = pass(bodyOf(["half"], true), false);
  await assert.rejects(new Response(stream).text(), /reset/);
});
