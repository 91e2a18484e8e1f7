/**
 * Reading a long text pauses, so that other requests get their turn. Pauses never change an answer: one that pauses
 * wherever it can is compared with one that never does.
 */
import assert from "node:assert/strict";
import { readAnswer, translateWhole } from "../../src/chat/pipeline/whole.ts";
import type { AnswerOptions } from "../../src/chat/pipeline/pipeline.ts";
import { StreamedAnswer } from "../../src/chat/pipeline/streamed.ts";
import type { Work } from "../../src/chat/pipeline/work.ts";
import { ToolCallRenderer } from "../../src/chat/render/tool_calls.ts";
import { Matcher, type MatcherOptions } from "../../src/engine/scan/matcher.ts";
import { ADVERSARIAL, adversarial } from "../support/adversarial.ts";
import { OFFERED } from "../support/dialect_text.ts";
import { shippedProgram } from "../support/matcher_events.ts";
import { sampled } from "../support/fuzz.ts";

const LENGTH = 12_000;
const program = shippedProgram();
const OPTIONS: MatcherOptions = { offered: OFFERED, minimumConfidence: 0, wholeCalls: false };

/** Whether reading pauses wherever it can, or never. */
type Pausing = "pausing" | "at once";

function answerOptions(pausing: Pausing, options: Partial<MatcherOptions> = {}): AnswerOptions {
  let count = 0;
  return {
    createMatcher: () => new Matcher(program, { ...OPTIONS, ...options }),
    createRenderer: () => new ToolCallRenderer(() => `call_${++count}`),
    isPauseDue: () => pausing === "pausing",
  };
}

function drive<Result>(work: Work<Result>): { result: Result; pauses: number } {
  for (let pauses = 0;; pauses++) {
    const step = work.next();
    if (step.done) return { result: step.value, pauses };
  }
}

const PLAIN = "A line of text with `code` in it, and a < b.\n".repeat(3000);
const CALL = `<function=write_file>${
  Array.from({ length: 400 }, (_, index) => `<parameter=k${index}>v</parameter>`).join("")
}</function>`;

function chunk(delta: unknown, finish: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

/** What the client gets of a stream, and how often reading it paused. */
function stream(
  text: string,
  pausing: Pausing,
  options: Partial<MatcherOptions> = {},
): { result: string; pauses: number } {
  const pipeline = new StreamedAnswer(answerOptions(pausing, options));
  const first = drive(pipeline.read(new TextEncoder().encode(text)));
  if (pipeline.isOver) return first;
  const last = drive(pipeline.readEnd());
  return { result: first.result + last.result, pauses: first.pauses + last.pauses };
}

/** The arguments of the calls in a stream or a whole answer. */
function argumentsIn(text: string): string {
  const pieces = [...text.matchAll(/"arguments":("(?:[^"\\]|\\.)*")/g)];
  return pieces.map(([_, json]) => JSON.parse(json!) as string).join("");
}

Deno.test("StreamedAnswer passes a long message byte for byte though reading it pauses", () => {
  const text = chunk({ content: PLAIN }, "stop") + "data: [DONE]\n\n";
  const { result, pauses } = stream(text, "pausing");
  assert.equal(result, text);
  assert.ok(pauses > 10, `${pauses}`);
});

Deno.test("StreamedAnswer pauses between the short messages of a burst", () => {
  const text = PLAIN.split("\n").map((line) => chunk({ content: `${line}\n` })).join("") + "data: [DONE]\n\n";
  const { result, pauses } = stream(text, "pausing");
  assert.equal(result.slice(0, 1000), text.slice(0, 1000));
  assert.ok(pauses > text.length / 4096, `${pauses}`);
});

Deno.test("StreamedAnswer finds the same call in a long message though reading it pauses", () => {
  const cases = [
    chunk({ content: CALL }, "stop"),
    chunk({ content: "a" }) + chunk({ content: "b" }) + chunk({ content: CALL }) + chunk({}, "stop"),
    // Text that is given back is read again, too: at the end, and in a short message.
    chunk({ content: "a" }) + chunk({ content: "b" }) + chunk({ content: CALL.slice(0, 5000) + "<" }) +
    chunk({ content: "no" }) + chunk({ content: "more" }) + chunk({}, "stop"),
    chunk({ content: CALL.slice(0, -3) }),
  ];
  for (const text of cases) {
    const paused = stream(`${text}data: [DONE]\n\n`, "pausing");
    const plain = stream(`${text}data: [DONE]\n\n`, "at once");
    assert.equal(argumentsIn(paused.result), argumentsIn(plain.result));
    assert.deepEqual([textIn(paused.result), paused.result.match(/"finish_reason":"\w+"/g)], [
      textIn(plain.result),
      plain.result.match(/"finish_reason":"\w+"/g),
    ]);
    assert.ok(paused.pauses > 1);
  }
});

function textIn(stream: string): string {
  const pieces = [...stream.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)];
  return pieces.map(([_, json]) => JSON.parse(json!) as string).join("");
}

Deno.test("readAnswer translates a long answer as translateWhole does, with pauses", () => {
  for (const content of [PLAIN, CALL, CALL.slice(0, -3)]) {
    const message = { role: "assistant", content };
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] });
    const { result, pauses } = drive(readAnswer(body, answerOptions("pausing")));
    assert.equal(result, translateWhole(body, answerOptions("at once")));
    assert.ok(pauses > 1);
  }
});

Deno.test("StreamedAnswer gives the same answer of hostile text whether it pauses or not", () => {
  for (const name of sampled(ADVERSARIAL, 3)) {
    const text = chunk({ content: adversarial(name, LENGTH) }, "stop") + "data: [DONE]\n\n";
    const paused = stream(text, "pausing");
    assert.equal(paused.result, stream(text, "at once").result, name);
    assert.ok(paused.pauses >= 5, `${name}: ${paused.pauses} pauses`);
  }
});

Deno.test("StreamedAnswer recovers the same calls of long reasoning whether it pauses or not", () => {
  const call = "<tool_call>\n<function=read_file>\n<parameter=path>a</parameter>\n</function>\n</tool_call>";
  for (const reasoning of [`${"I think. 😀".repeat(1000)}${call}`, `<tool_call>{"a": "${"x".repeat(9000)}`]) {
    const text = chunk({ reasoning_content: reasoning }) + chunk({}, "stop") + "data: [DONE]\n\n";
    const paused = stream(text, "pausing", { reasoning: "recover" });
    assert.equal(paused.result, stream(text, "at once", { reasoning: "recover" }).result);
    assert.equal(paused.result.includes("tool_calls"), reasoning.endsWith(call));
    assert.ok(paused.pauses >= 4);
  }
});
