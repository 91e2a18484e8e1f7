/**
 * Checks the order of a streamed answer of Gemini's streamGenerateContent with `alt=sse`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { checkCall, type ReadAnswer, unreadAnswer } from "./read_answer.ts";

const REASONS = ["STOP", "MAX_TOKENS", "SAFETY", "MALFORMED_FUNCTION_CALL"];

const COUNTS = [
  "promptTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount",
  "cachedContentTokenCount",
  "totalTokenCount",
];

/** Reads a stream; throws where it breaks a rule of the API. */
export function readGeminiStream(stream: string): ReadAnswer {
  assert.ok(stream === "" || stream.endsWith("\n"), "the stream ends inside an event");
  const answer = unreadAnswer();
  let id: unknown;
  const ids = new Set<unknown>();
  let isOver = false;
  for (const line of stream.split("\n").filter((line) => line !== "")) {
    assert.ok(line.startsWith("data: "), "every line is an event's data");
    assert.ok(!isOver, "an event after the end");
    const { error, candidates, usageMetadata: usage, modelVersion, responseId, ...others } = JSON.parse(
      line.slice("data: ".length),
    );
    assert.deepEqual(others, {});
    if (error !== undefined) {
      assert.deepEqual(
        [typeof error.code, typeof error.message, typeof error.status],
        ["number", "string", "string"],
      );
      isOver = true;
      answer.error = error.message;
      continue;
    }
    id ??= responseId;
    assert.deepEqual([modelVersion, responseId, candidates.length, candidates[0].index], ["m", id, 1, 0]);
    assert.ok(typeof id === "string" && id !== "");
    const { content, finishReason } = candidates[0];
    assert.equal(content.role, "model");
    for (const { text, thought, functionCall: call, ...more } of content.parts) {
      assert.deepEqual(more, {});
      assert.equal(text === undefined, call !== undefined, "a part is a text or a call");
      if (call !== undefined) {
        const { id, name, args, ...rest } = call;
        assert.deepEqual([rest, thought], [{}, undefined]);
        checkCall({ id, name, args }, ids);
        answer.calls.push([name, args]);
      } else if (thought) answer.reasoning += text;
      else answer.text += text;
      assert.ok(text !== "" || finishReason !== undefined, "only the last text may be empty");
    }
    assert.ok(content.parts.length > 0, "a chunk without a part is invalid for Google's SDK");
    if (finishReason !== undefined) {
      assert.ok(REASONS.includes(finishReason), finishReason);
      isOver = answer.isWhole = true;
      answer.isCut = finishReason !== "STOP";
    } else assert.equal(usage, undefined, "usage comes at the end");
    for (const name of usage === undefined ? [] : COUNTS) assert.ok(Number.isInteger(usage[name]), name);
  }
  return answer;
}
