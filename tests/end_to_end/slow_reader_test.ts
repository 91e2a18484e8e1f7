/**
 * A client that reads slowly makes the model wait, on every wire: the proxy holds little of an answer that no one reads.
 *
 * @module
 */
import assert from "node:assert/strict";
import { startProcessStage } from "../support/process_stage.ts";
import { connectRaw, postText } from "../support/raw_client.ts";
import { chunked, type Poured, type RawRequest, STREAM_HEAD, textEvent } from "../support/raw_upstream.ts";
import { onRows, STREAMED_ROWS, TOOL } from "../support/wire_table.ts";

/** What the buffers of four sockets hold at most, whoever fills them. */
const POURED_MAXIMUM = 32_000_000;
/** What the process may keep of an answer that no one reads, in bytes: the translated text, in several copies. */
const KEPT_MAXIMUM = 48_000_000;
/** What may be left when every client is gone. */
const LEFT_MAXIMUM = 12_000_000;

/** Waits until no more bytes are taken; gives how many were. */
async function settled(poured: Poured): Promise<number> {
  for (let before = -1;;) {
    if (poured.bytes === before) return before;
    before = poured.bytes;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

Deno.test("a client that does not read makes the model wait, and costs little memory, on all wires", async () => {
  const pouring = new Map<string, Poured>();
  const answer = (request: RawRequest) => {
    const task = /row (\d+ \w+)/.exec(request.text)?.[1];
    if (task === undefined) return;
    request.write(STREAM_HEAD + chunked(textEvent("words ")));
    pouring.set(task, request.pour(chunked(textEvent("some more words ".repeat(60)))));
  };
  await using stage = await startProcessStage(answer, { isProbed: true });
  const before = await stage.keptBytes();
  for (const tool of [TOOL, undefined]) {
    await onRows(STREAMED_ROWS, async (row) => {
      const task = `${STREAMED_ROWS.indexOf(row)} ${tool === undefined ? "plain" : "tools"}`;
      using client = await connectRaw(stage.server.url);
      const { path, body } = row.request({ task: `row ${task}`, tool });
      client.send(postText(path, JSON.stringify(body)));
      await client.until(/words/);
      client.pause();
      const taken = await settled(pouring.get(task)!);
      assert.ok(
        taken < POURED_MAXIMUM,
        `${(taken / 1e6).toFixed(1)} MB went on to a client that does not read`,
      );
      await stage.assertAlive();
      const kept = await stage.keptBytes() - before;
      assert.ok(kept < KEPT_MAXIMUM, `the process keeps ${(kept / 1e6).toFixed(0)} MB`);
      client.resume();
      while (pouring.get(task)!.bytes < taken + 1_000_000) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
  }
  // The last client's answer ends a moment after the client.
  let left = Infinity;
  for (let turn = 0; turn < 50 && left >= LEFT_MAXIMUM; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    left = await stage.keptBytes() - before;
  }
  assert.ok(left < LEFT_MAXIMUM, `${(left / 1e6).toFixed(0)} MB are left of answers that are gone`);
  await stage.assertIdle();
});
