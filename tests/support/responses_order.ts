/**
 * Checks the order of a streamed answer of OpenAI's Responses API, as its strictest readers do.
 *
 * @module
 */
import assert from "node:assert/strict";
import { typedData } from "./read_answer.ts";

/** An answer as a strict client puts it together. */
export interface ReadResponse {
  /** The items that are done: clients execute calls among them at once. */
  readonly items: Record<string, unknown>[];
  /** The last response object; undefined where the stream has no end. */
  readonly response: Record<string, unknown> | undefined;
  /** The text of a message that has no end. */
  readonly openText: string;
}

const ENDS = ["response.completed", "response.incomplete", "response.failed"];

/** Reads a stream; throws where it breaks a rule of the API. */
export function readResponseStream(stream: string): ReadResponse {
  const items: Record<string, unknown>[] = [];
  let response: Record<string, unknown> | undefined;
  let open: { item: Record<string, unknown>; text: string; parts: number; isTextDone: boolean } | undefined;
  let number = 0;
  let id: unknown;
  const ids = new Set<unknown>();
  for (const event of stream.split("\n\n").slice(0, -1)) {
    if (event.startsWith(":")) continue;
    const data = typedData(event);
    // Another thread ends a stream whose writer is lost, and doesn't know its numbers.
    if (data.type === "error" && response === undefined) {
      response = { status: "failed", error: data.error };
      continue;
    }
    assert.equal(data.sequence_number, number++);
    assert.equal(response, undefined, `${data.type} after the end`);
    // It also keeps the connection alive, at any time, but only for the response that began.
    if (number > 2 && data.type === "response.in_progress") {
      assert.equal(data.response.id, id);
      continue;
    }
    if (number <= 2) {
      id ??= data.response.id;
      assert.equal(data.response.id, id);
      assert.equal(data.type, number === 1 ? "response.created" : "response.in_progress");
      assert.equal(data.response.status, "in_progress");
      continue;
    }
    if (ENDS.includes(data.type)) {
      assert.equal(open, undefined, "an item is open at the end");
      assert.deepEqual(data.response.output, items);
      assert.equal(`response.${data.response.status}`, data.type);
      response = data.response;
      continue;
    }
    assert.equal(data.output_index, items.length, "items come one after the other");
    if (data.type === "response.output_item.added") {
      assert.equal(open, undefined, "two items are open");
      assert.ok(!ids.has(data.item.id), "an id comes twice");
      ids.add(data.item.id);
      open = { item: data.item, text: "", parts: 0, isTextDone: false };
      continue;
    }
    assert.ok(open !== undefined, `${data.type} without an item`);
    if (data.type === "response.output_item.done") {
      assert.equal(data.item.id, open.item["id"]);
      assert.equal(data.item.type, open.item["type"]);
      assert.ok(open.isTextDone || data.item.type === "compaction", "the item's content is done first");
      items.push(data.item);
      open = undefined;
      continue;
    }
    assert.equal(data.item_id, open.item["id"]);
    if (data.type.endsWith("_part.added")) open.parts++;
    else if (data.type.endsWith(".delta")) {
      const isCall = String(open.item["type"]).endsWith("_call");
      assert.ok(isCall || open.parts === 1, "a part comes before its text");
      assert.ok(!open.isTextDone, "a delta after the whole");
      open.text += data.delta;
    } else if (data.type.endsWith("_part.done")) assert.equal(data.part.text, open.text);
    else {
      assert.equal(data.text ?? data.arguments ?? data.input, open.text);
      open.isTextDone = true;
    }
  }
  return { items, response, openText: open?.item["type"] === "message" ? open.text : "" };
}
