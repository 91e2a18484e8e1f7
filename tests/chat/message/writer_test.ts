import type { AnswerEvent } from "../../../src/chat/event/event.ts";
import assert from "node:assert/strict";
import type { ChatChunk } from "../../../src/chat/message/chunk.ts";
import type { ChoiceOutcome } from "../../../src/chat/message/write.ts";
import { ChatWriter, ChoiceWriter } from "../../../src/chat/message/writer.ts";
import { IDENTITY } from "../../support/chunks.ts";

const TEXT: AnswerEvent = { kind: "text", text: "ab" };
const START: AnswerEvent = { kind: "call_start", call: 0, tool: "t", rule: "r", confidence: 1, id: "c" };
const HEAD = { index: 0, id: "c", type: "function", function: { name: "t", arguments: "" } };

/** The outcome of a message with some events, when others arrive. */
function outcome(came: readonly AnswerEvent[], arrived: readonly AnswerEvent[], writer = new ChoiceWriter()) {
  arrived.forEach((event) => writer.push(event));
  return writer.end(came);
}

Deno.test("ChoiceWriter gives the role to the first call that lacks it, never to text", () => {
  const writer = new ChoiceWriter();
  assert.equal(outcome([], [TEXT], writer)?.role, undefined);
  assert.equal(outcome([], [START], writer)?.role, "assistant");
  assert.equal(outcome([], [START], writer)?.role, undefined);
  assert.equal(outcome([{ kind: "role", role: "assistant" }], [START])?.role, undefined);
});

Deno.test("ChatWriter leaves a chunk whose choices all stay, and continues with the name of the last one", () => {
  const writer = new ChatWriter();
  assert.equal(writer.write({ ...IDENTITY, choices: [{ index: 1 }] }, [undefined]), undefined);
  const [text] = writer.continue(1, { deltas: [], finishReason: "length" });
  assert.deepEqual(JSON.parse(text ?? ""), {
    ...IDENTITY,
    choices: [{ index: 1, delta: {}, finish_reason: "length" }],
  });
  assert.deepEqual(writer.continue(1, undefined), []);
});

Deno.test("ChoiceWriter writes reasoning of the text, and not again the upstream's own", () => {
  const own: AnswerEvent = { kind: "reasoning", text: "own" };
  const found: AnswerEvent = { kind: "reasoning", text: "found" };
  assert.equal(outcome([own, TEXT], [own, TEXT]), undefined);
  assert.deepEqual(outcome([own, TEXT], [own, found, { ...found }])?.deltas, [
    { reasoning_content: "foundfound" },
  ]);
  assert.deepEqual(outcome([TEXT], [found, { kind: "text", text: "b" }])?.deltas, [
    { reasoning_content: "found" },
    { content: "b" },
  ]);
});

function piece(json: string, call = 0): ChoiceOutcome {
  const delta = { tool_calls: [{ index: call, function: { arguments: json } }] };
  return { deltas: [delta], finishReason: null };
}

function textChunk(fields: Readonly<Record<string, unknown>> = {}, index = 0): ChatChunk {
  return { ...IDENTITY, ...fields, choices: [{ index, delta: { content: "x" }, finish_reason: null }] };
}

Deno.test("ChatWriter joins the arguments of one call of one choice, until something else follows", () => {
  const writer = new ChatWriter();
  assert.deepEqual(writer.flush(), []);
  assert.equal(writer.join(textChunk(), [piece('{"a"')]), true);
  assert.equal(writer.join(textChunk(), [piece(": 1}")]), true);
  assert.equal(writer.join(textChunk(), [piece("{}", 1)]), false);
  assert.equal(writer.join(textChunk({}, 1), [piece("{}")]), false);
  assert.deepEqual(writer.flush().map((text) => JSON.parse(text)), [
    { ...IDENTITY, choices: [{ index: 0, delta: piece('{"a": 1}').deltas[0], finish_reason: null }] },
  ]);
  assert.deepEqual(writer.flush(), []);
});

Deno.test("ChatWriter joins nothing but arguments, and no chunk that contains more than text", () => {
  const writer = new ChatWriter();
  const outcomes: (ChoiceOutcome | undefined)[] = [
    undefined,
    { deltas: [], finishReason: null },
    { deltas: [{ content: "a" }], finishReason: null },
    { deltas: [{ tool_calls: [HEAD] }], finishReason: null },
    { ...piece("{}"), finishReason: "stop" },
    { ...piece("{}"), role: "assistant" },
  ];
  for (const outcome of outcomes) assert.equal(writer.join(textChunk(), [outcome]), false);
  assert.equal(writer.join(textChunk(), [piece("{}"), piece("{}")]), false);
  const { choices: [choice] } = textChunk();
  const chunks: ChatChunk[] = [
    textChunk({ usage: { total_tokens: 1 } }),
    textChunk({ odd: 1 }),
    { ...IDENTITY, choices: [{ ...choice, logprobs: {} }] },
    { ...IDENTITY, choices: [{ ...choice, delta: { content: "x", reasoning_content: "r" } }] },
    { ...IDENTITY, choices: [{ ...choice, delta: { content: [] } }] },
    { ...IDENTITY, choices: [] },
  ];
  for (const chunk of chunks) assert.equal(writer.join(chunk, [piece("{}")]), false, JSON.stringify(chunk));
  assert.deepEqual(writer.flush(), []);
});
