/**
 * Checks the order of a streamed answer of Anthropic's Messages API: the SDKs accept almost anything, so they prove
 * nothing.
 *
 * @module
 */
import assert from "node:assert/strict";
import { typedData } from "./read_answer.ts";

/** A block as a strict client puts it together. */
export interface ReadBlock {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  /** The text, the reasoning, or the arguments as JSON text. */
  content: string;
  /** Whether the block was stopped: clients execute a call only then. */
  isStopped: boolean;
}

/** An answer as a strict client puts it together. */
export interface ReadMessage {
  readonly blocks: ReadBlock[];
  readonly stopReason: string | undefined;
  readonly usage: Record<string, number> | undefined;
  /** The message of an error event. */
  readonly error: string | undefined;
  /** Whether the answer has its end. */
  readonly isWhole: boolean;
}

const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text: ["text_delta"],
  thinking: ["thinking_delta", "signature_delta"],
  tool_use: ["input_json_delta"],
};

/** Reads a stream; throws where it breaks a rule of the API. */
export function readMessageStream(stream: string): ReadMessage {
  assert.ok(stream === "" || stream.endsWith("\n\n"), "the stream ends inside an event");
  const blocks: ReadBlock[] = [];
  let open: ReadBlock | undefined;
  let [isStarted, isSigned, isWhole] = [false, false, false];
  let stopReason: string | undefined;
  let usage: Record<string, number> | undefined;
  let error: string | undefined;
  for (const event of stream.split("\n\n").slice(0, -1)) {
    const data = typedData(event);
    assert.ok(!isWhole && error === undefined, `${data.type} after the end`);
    if (data.type === "ping") continue;
    assert.equal(
      data.type === "message_start",
      !isStarted,
      "message_start is the first event, and comes once",
    );
    switch (data.type) {
      case "message_start":
        isStarted = true;
        assert.deepEqual(data.message.content, []);
        break;
      case "content_block_start":
        assert.equal(open, undefined, "two blocks are open");
        assert.equal(data.index, blocks.length, "the index has a hole");
        if (data.content_block.type === "tool_use") assert.deepEqual(data.content_block.input, {});
        open = { ...data.content_block, content: "", isStopped: false };
        isSigned = false;
        blocks.push(open!);
        break;
      case "content_block_delta": {
        assert.equal(data.index, blocks.length - 1);
        assert.ok(
          open !== undefined && DELTAS[open.type]!.includes(data.delta.type),
          "a delta fits its block",
        );
        assert.ok(!isSigned, "a signature is the last delta");
        isSigned = data.delta.type === "signature_delta";
        open.content += data.delta.text ?? data.delta.thinking ?? data.delta.partial_json ?? "";
        break;
      }
      case "content_block_stop":
        assert.equal(data.index, blocks.length - 1);
        assert.ok(open !== undefined, "only an open block stops");
        assert.equal(open.type === "thinking", isSigned, "reasoning is signed");
        assert.ok(open.type === "tool_use" || open.content !== "", "a block of text is not empty");
        if (open.type === "tool_use") assert.equal(typeof JSON.parse(open.content || "{}"), "object");
        open.isStopped = true;
        open = undefined;
        break;
      case "message_delta":
        assert.equal(open, undefined, "every block stops before the end");
        stopReason = data.delta.stop_reason;
        usage = data.usage;
        break;
      case "message_stop":
        assert.ok(stopReason !== undefined, "message_delta comes before message_stop");
        isWhole = true;
        break;
      case "error":
        error = data.error.message;
        break;
      default:
        assert.fail(`an unknown event: ${data.type}`);
    }
  }
  return { blocks, stopReason, usage, error, isWhole };
}
