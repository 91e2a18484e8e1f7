import type { AnswerEvent } from "../../../src/chat/event/event.ts";
import assert from "node:assert/strict";
import type { ChatChunk } from "../../../src/chat/message/chunk.ts";
import type { ChoiceOutcome } from "../../../src/chat/message/write.ts";
import { ChatWriter, ChoiceWriter } from "../../../src/chat/message/writer.ts";
import { IDENTITY } from "../../support/chunks.ts";

const TEXT: AnswerEvent = { kind: "text", text: "ab" };
const FINISH: AnswerEvent = { kind: "finish", reason: "stop", truncated: false, isAnswered: false };
const START: AnswerEvent = { kind: "call_start", call: 0, tool: "t", rule: "r", confidence: 1, id: "c" };
const JSON_PIECE: AnswerEvent = { kind: "arguments", call: 0, json: "{}" };
const HEAD = { index: 0, id: "c", type: "function", function: { name: "t", arguments: "" } };
const FRAGMENT = { index: 0, function: { arguments: "{}" } };

/** The outcome of a message with some events, when others arrive. */
function outcome(came: readonly AnswerEvent[], arrived: readonly AnswerEvent[], writer = new ChoiceWriter()) {
  arrived.forEach((event) => writer.push(event));
  return writer.end(came);
}

Deno.test("ChoiceWriter leaves a message as it came when its very events arrive, in order and complete", () => {
  const role: AnswerEvent = { kind: "role", role: "assistant" };
  const all = [role, TEXT, START, JSON_PIECE, FINISH];
  assert.equal(outcome(all, all), undefined);
  assert.equal(outcome([], []), undefined);
  assert.deepEqual(outcome([START], [{ ...START }])?.deltas, [{ tool_calls: [HEAD] }]);
  assert.deepEqual(outcome([TEXT, START], [START, TEXT])?.deltas, [{ tool_calls: [HEAD] }, {
    content: "ab",
  }]);
  assert.deepEqual(outcome([TEXT], [])?.deltas, []);
  assert.deepEqual(outcome([START], [START, JSON_PIECE])?.deltas, [{ tool_calls: [HEAD] }, {
    tool_calls: [FRAGMENT],
  }]);
});

Deno.test("ChoiceWriter takes pieces of a text for the text that came", () => {
  const [a, b] = ["a", "b"].map((text): AnswerEvent => ({ kind: "text", text }));
  assert.equal(outcome([TEXT, FINISH], [a!, b!, FINISH]), undefined);
  assert.deepEqual(outcome([TEXT], [a!])?.deltas, [{ content: "a" }]);
  assert.equal(
    outcome([TEXT, FINISH], [a!, b!, { ...FINISH, reason: "length" } as AnswerEvent])?.finishReason,
    "length",
  );
});

Deno.test("ChoiceWriter writes a new message when it has to", () => {
  const writer = new ChoiceWriter();
  writer.push(TEXT);
  assert.deepEqual(writer.end([TEXT], { mustWrite: true })?.deltas, [{ content: "ab" }]);
});

Deno.test("ChoiceWriter joins neighbors, and no arguments to a head", () => {
  const arrived = [TEXT, TEXT, START, JSON_PIECE, JSON_PIECE, TEXT];
  assert.deepEqual(outcome([], arrived)?.deltas, [
    { content: "abab" },
    { tool_calls: [HEAD] },
    { tool_calls: [{ index: 0, function: { arguments: "{}{}" } }] },
    { content: "ab" },
  ]);
});

Deno.test("ChoiceWriter gives the role to the first call that lacks it, never to text", () => {
  const writer = new ChoiceWriter();
  assert.equal(outcome([], [TEXT], writer)?.role, undefined);
  assert.equal(outcome([], [START], writer)?.role, "assistant");
  assert.equal(outcome([], [START], writer)?.role, undefined);
  assert.equal(outcome([{ kind: "role", role: "assistant" }], [START])?.role, undefined);
});

Deno.test("ChoiceWriter is silent after an early end", () => {
  const writer = new ChoiceWriter();
  const early: AnswerEvent = {
    kind: "finish",
    reason: "stop",
    truncated: false,
    isAnswered: false,
    isEarly: true,
  };
  assert.deepEqual(outcome([TEXT], [TEXT, early], writer), {
    deltas: [{ content: "ab" }],
    finishReason: "stop",
  });
  assert.deepEqual(outcome([TEXT], [], writer), { deltas: [], finishReason: null, isEndedEarly: true });
});

Deno.test("ChoiceWriter writes function_call for a client of functions", () => {
  const writer = new ChoiceWriter({ isLegacy: true });
  assert.deepEqual(outcome([], [START, JSON_PIECE], writer)?.deltas, [
    { function_call: { name: "t", arguments: "" } },
    { function_call: { arguments: "{}" } },
  ]);
});

Deno.test("ChatWriter adds the usage of the attempts before", () => {
  const writer = new ChatWriter({ spent: { total_tokens: 2 } });
  const chunk = { ...IDENTITY, choices: [], usage: { total_tokens: 3 } };
  assert.deepEqual(writer.writeUsage(), []);
  writer.push({ kind: "usage", usage: chunk.usage });
  assert.deepEqual(writer.write(chunk, [])?.map((text) => JSON.parse(text).usage), [{ total_tokens: 5 }]);
  assert.deepEqual(writer.writeUsage().map((text) => JSON.parse(text).usage), [{ total_tokens: 5 }]);
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
