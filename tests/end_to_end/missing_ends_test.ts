/**
 * Streams that end, or break, before their answer does: every wire reports a broken connection in its own way, so that its
 * agent asks again, and no client gets half an event or half a call.
 *
 * @module
 */
import assert from "node:assert/strict";
import { chunked, type RawRequest, STREAM_HEAD, textEvent } from "../support/raw_upstream.ts";
import { LAST_CHUNK, startStage, STREAM_END, wantsStream } from "../support/wire_stage.ts";
import { onRows, STREAMED_ROWS } from "../support/wire_table.ts";

/** The rows whose answers are written again. */
const OTHER_ROWS = STREAMED_ROWS.filter(({ wire }) => wire !== "chat");

/** A piece of a call that the upstream makes itself. */
function callEvent(json: string, head?: { readonly id: string; readonly name: string }): string {
  const called = { ...(head && { name: head.name }), arguments: json };
  const call = { index: 0, ...(head && { id: head.id, type: "function" }), function: called };
  return textEvent("", { delta: { role: "assistant", tool_calls: [call] } });
}

const HEAD = { id: "call_1", name: "t" };

/** Streams without an end, and the text that a client may have of them. */
const UNFINISHED: Readonly<Record<string, string>> = {
  "after text": textEvent("words"),
  "inside a call of the upstream": callEvent("", HEAD) + callEvent('{"a":"he'),
  "after the name of a call": callEvent("", HEAD),
  "inside a call in the text": textEvent('words [[t {"a":"he'),
  "inside an event": `${textEvent("words")}data: {"id":"c1","choices":[{"index":0,"delta":{"content":"half`,
  "inside the first event": 'data: {"id":"c1","cho',
};

for (const [where, sent] of Object.entries(UNFINISHED)) {
  for (const how of ["end", "break"] as const) {
    Deno.test(`a stream that ${how}s ${where} is a broken connection on every wire`, async () => {
      await using stage = await startStage((request: RawRequest) => {
        assert.ok(wantsStream(request));
        request.write(STREAM_HEAD + chunked(sent) + (how === "end" ? LAST_CHUNK : ""));
        if (how === "break") setTimeout(() => request.reset(), 20);
      });
      await onRows(STREAMED_ROWS, async (row) => {
        const { end, calls, text, logged } = await stage.ask(row);
        // Chat completions has an error event for this; the others have nothing after which every agent asks again.
        assert.deepEqual([end, calls], [row.wire === "chat" ? "error" : "broken", []]);
        assert.equal(logged, "upstream_broke_off");
        assert.ok(!text.includes("half"), text);
      });
    });
  }
}

/** Streams without `[DONE]`, or without a blank line, that are whole. */
const FINISHED: Readonly<Record<string, { readonly sent: string; readonly calls?: readonly unknown[] }>> = {
  "with a finish reason": { sent: textEvent("words") + textEvent("", { finish_reason: "stop" }) },
  "with a whole call": { sent: callEvent("", HEAD) + callEvent('{"a":1}'), calls: [["t", { a: 1 }]] },
  "with a whole call in the text": { sent: textEvent('[[t {"a":1}]]'), calls: [["t", { a: 1 }]] },
  "without a last blank line": { sent: textEvent("words") + STREAM_END.trimEnd() },
};

for (const [how, { sent, calls = [] }] of Object.entries(FINISHED)) {
  Deno.test(`a stream that ends ${how} is whole on every wire`, async () => {
    await using stage = await startStage((request) =>
      request.write(STREAM_HEAD + chunked(sent) + LAST_CHUNK)
    );
    // The chat route passes the bytes as they are.
    const rows = how === "without a last blank line" ? OTHER_ROWS : STREAMED_ROWS;
    await onRows(rows, async (row) => {
      const outcome = await stage.ask(row);
      const isOpen = row.wire === "chat" && how === "with a finish reason";
      assert.deepEqual([outcome.end, outcome.calls], [isOpen ? "open" : "whole", calls]);
      assert.equal(outcome.logged, undefined);
    });
  });
}

Deno.test("a request without tools takes the same path on a wire", async () => {
  await using stage = await startStage((request) =>
    request.write(STREAM_HEAD + chunked(UNFINISHED["inside an event"]!) + LAST_CHUNK)
  );
  await onRows(STREAMED_ROWS, async (row) => {
    const { end, text, logged } = await stage.ask(row, { tool: null });
    assert.equal(end, row.wire === "chat" ? "error" : "broken");
    assert.deepEqual([text, logged], ["words", "upstream_broke_off"]);
  });
});

Deno.test("a call in the text of a request without tools stays text on a wire", async () => {
  await using stage = await startStage((request) =>
    request.write(STREAM_HEAD + chunked(textEvent("[[t {}]]") + STREAM_END) + LAST_CHUNK)
  );
  await onRows(STREAMED_ROWS, async (row) => {
    const { end, text, calls } = await stage.ask(row, { tool: null });
    assert.deepEqual([end, text, calls], ["whole", "[[t {}]]", []]);
  });
});
