import assert from "node:assert/strict";
import { readChunk } from "../../../src/chat/message/read.ts";
import type { ChoiceOutcome } from "../../../src/chat/message/write.ts";
import type { Choice } from "../../../src/chat/pipeline/choice.ts";
import { createChoice } from "../../../src/chat/pipeline/pipeline.ts";
import { Shortcut } from "../../../src/chat/pipeline/shortcut.ts";
import { finish } from "../../../src/chat/pipeline/work.ts";
import { ToolCallRenderer } from "../../../src/chat/render/tool_calls.ts";
import { BracketSource } from "../../support/bracket_source.ts";
import { chunkMessage } from "../../support/chunks.ts";

function open(): Choice {
  return createChoice({
    createMatcher: () => new BracketSource(),
    createRenderer: () => new ToolCallRenderer(() => "call_1"),
  }, 0);
}

const write = ({ deltas }: ChoiceOutcome) => deltas.map((delta) => JSON.stringify(delta)).join("");

function learn(shortcut: Shortcut, raw: string, choice = open()): Choice {
  const data = raw.slice("data: ".length, -2);
  const chunk = readChunk(data);
  assert.ok(chunk);
  const { content, role } = chunk.choices[0]?.delta ?? {};
  const reason = chunk.choices[0]?.finish_reason ?? null;
  const input = { text: String(content), role, reason };
  shortcut.learn({ message: { raw, data }, chunk, input, choice, write });
  return choice;
}

const message = (content: string) => chunkMessage({ content });

Deno.test("Shortcut takes messages of the shape that it has learned, and no others", () => {
  const shortcut = new Shortcut();
  const stream = message("one") + message("two") + ": ping\n\n";
  const { length } = message("one");
  assert.equal(shortcut.take(stream, 0), undefined);
  learn(shortcut, message("zero"));
  assert.deepEqual(shortcut.take(stream, 0), { end: length, written: undefined });
  assert.equal(shortcut.take(stream, length)?.end, length * 2);
  assert.equal(shortcut.take(stream, length * 2), undefined);
  assert.equal(shortcut.count, 2);
});

Deno.test("Shortcut gives what takes the place of a message that changes", () => {
  const shortcut = new Shortcut();
  learn(shortcut, message("zero"));
  assert.equal(shortcut.take(message("a["), 0)?.written, '{"content":"a"}');
  assert.equal(shortcut.take(message("b"), 0)?.written, '{"content":"[b"}');
});

Deno.test("Shortcut learns nothing from a message that holds more than text", () => {
  for (
    const raw of [
      chunkMessage({ role: "assistant", content: "zero" }),
      chunkMessage({ content: "zero" }, { finish: "stop" }),
    ]
  ) {
    const shortcut = new Shortcut();
    learn(shortcut, raw);
    assert.equal(shortcut.take(raw, 0), undefined);
  }
});

Deno.test("Shortcut leaves a choice alone that is over", () => {
  const shortcut = new Shortcut();
  const choice = learn(shortcut, message("zero"));
  finish(choice.end({ truncated: false, end: undefined }));
  assert.equal(shortcut.take(message("one"), 0), undefined);
});

Deno.test("Shortcut learns more and more seldom while no shape lasts", () => {
  const shortcut = new Shortcut();
  const odd = (number: number, text: string) => message(text).replace("chatcmpl-1", `id-${number}`);
  const learned: number[] = [];
  for (let number = 0; number < 20; number++) {
    learn(shortcut, odd(number, "zero"));
    const isKnown = shortcut.take(odd(number, "one"), 0) !== undefined;
    // Otherwise the shape would have lasted.
    if (isKnown) learned.push(number);
    if (isKnown) shortcut.count--;
  }
  assert.deepEqual(learned, [0, 2, 6, 14]);
});
