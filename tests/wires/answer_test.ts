import assert from "node:assert/strict";
import { StreamedWireAnswer } from "../../src/wires/answer.ts";
import { MessagesWriter } from "../../src/wires/anthropic/writer.ts";

const ERROR = { message: "gone", type: "upstream_error", code: "upstream_sent_error" };

Deno.test("StreamedWireAnswer ends with an error, or breaks the connection of an answer that broke off", () => {
  for (const [code, isBroken] of [[ERROR.code, false], ["upstream_broke_off", true]] as const) {
    const answer = new StreamedWireAnswer(new MessagesWriter("m", { id: "1", created: 0 }));
    answer.push({ kind: "text", text: "hm" });
    answer.fail({ ...ERROR, code });
    assert.equal(answer.take().includes("event: error"), !isBroken);
    assert.deepEqual([answer.mustBreak, answer.errorCode, answer.isOver], [isBroken, code, true]);
  }
});
