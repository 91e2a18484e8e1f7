import assert from "node:assert/strict";
import { Cursor } from "../../../src/engine/scan/cursor.ts";

Deno.test("Cursor drops what was consumed and keeps its offset in the answer", () => {
  const cursor = new Cursor();
  cursor.append("abc");
  assert.equal(cursor.take(2), "ab");
  assert.deepEqual([cursor.at, cursor.offset], [2, 2]);
  cursor.append("de");
  assert.deepEqual([cursor.text, cursor.at, cursor.base, cursor.offset], ["cde", 0, 2, 2]);
});

Deno.test("Cursor passes text that is consumed immediately", () => {
  const cursor = new Cursor();
  cursor.append("ab");
  cursor.take(2);
  cursor.pass("c\n ");
  assert.deepEqual([cursor.text, cursor.at, cursor.base, cursor.offset], ["c\n ", 3, 2, 5]);
  cursor.append("d");
  assert.equal(cursor.isLineStart(0), true);
  assert.equal(cursor.isLineStart(1), false);
});

Deno.test("Cursor recognizes the start of a line across dropped text", () => {
  const cursor = new Cursor();
  assert.equal(cursor.isLineStart(0), true, "an answer begins a line");
  cursor.append("a\n");
  cursor.take(2);
  cursor.append(" b");
  assert.equal(cursor.isLineStart(1), true);
  cursor.take(2);
  cursor.append("c");
  assert.equal(cursor.isLineStart(0), false);
});

Deno.test("Cursor moves back to restore text that is still available", () => {
  const cursor = new Cursor();
  cursor.append("abcdef");
  cursor.take(4);
  const { text } = cursor;
  cursor.restore("bcd", { offset: 1, atLineStart: false });
  assert.deepEqual([cursor.text, cursor.at, cursor.offset], [text, 1, 1]);
});

Deno.test("Cursor restores dropped text before the available text", () => {
  const cursor = new Cursor();
  cursor.append("\nabc");
  cursor.take(4);
  cursor.append("def");
  cursor.take(1);
  cursor.restore("abcd", { offset: 1, atLineStart: true });
  assert.deepEqual([cursor.text, cursor.at, cursor.base, cursor.offset], ["abcdef", 0, 1, 1]);
  assert.equal(cursor.isLineStart(0), true);
});

Deno.test("Cursor finds the end of the whitespace at its position", () => {
  const cursor = new Cursor();
  cursor.append("a \n\u00a0b ");
  assert.equal(cursor.spaceEnd, 0);
  cursor.take(1);
  assert.equal(cursor.spaceEnd, 4);
  cursor.take(5);
  assert.equal(cursor.spaceEnd, 6);
});

Deno.test("Cursor keeps consumed text from a position on, whatever is dropped or restored", () => {
  const cursor = new Cursor();
  cursor.append("abc");
  cursor.take(1);
  cursor.keep();
  cursor.take(3);
  cursor.append("def");
  cursor.take(2);
  cursor.append("g");
  // "cde" is returned, so it is no longer consumed.
  cursor.restore("cde", { offset: 2, atLineStart: false });
  cursor.take(2);
  assert.equal(cursor.takeKept(), "bcd");
  assert.deepEqual([cursor.text.slice(cursor.at), cursor.offset], ["efg", 4]);
  cursor.restore("bcd", { offset: 1, atLineStart: false });
  assert.deepEqual([cursor.text.slice(cursor.at), cursor.offset], ["bcdefg", 1]);
});

Deno.test("Cursor is exhausted when its text was read again 4 times and 32 Ki characters", () => {
  const cursor = new Cursor();
  const text = "x".repeat(1000);
  const readAgain = (length: number) => {
    cursor.take(1000);
    cursor.restore(text.slice(1000 - length), { offset: 1000 - length, atLineStart: false });
    return cursor.isExhausted;
  };
  cursor.append(text);
  for (let count = 0; count < 36; count++) assert.equal(readAgain(1000), false);
  assert.equal(readAgain(768), false);
  assert.equal(readAgain(1), true);
});

Deno.test("Cursor counts what is read again against all that was read, also right after its beginning came back", () => {
  const cursor = new Cursor();
  const text = "x".repeat(100_000);
  cursor.append(text);
  cursor.take(text.length);
  cursor.restore(text, { offset: 0, atLineStart: true });
  cursor.take(10);
  cursor.restore(text.slice(0, 10), { offset: 0, atLineStart: true });
  assert.equal(cursor.isExhausted, false);
});
