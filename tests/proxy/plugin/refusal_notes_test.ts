import assert from "node:assert/strict";
import type { NoteEvent } from "../../../src/engine/event/event.ts";
import { RefusalNotes } from "../../../src/proxy/plugin/refusal_notes.ts";

const REFUSED: NoteEvent = {
  kind: "note",
  reason: "plugin_refused",
  rule: "r",
  call: 0,
  start: 0,
  end: 0,
  detail: "d",
};
const READ: NoteEvent = { kind: "note", reason: "transformed", rule: "r", call: 0, start: 10, end: 42 };

Deno.test("RefusalNotes turns the matcher's note about a refused call into the refusal", () => {
  const notes = new RefusalNotes();
  assert.equal(notes.refuse(REFUSED), undefined);
  assert.deepEqual(notes.pass(READ), { ...REFUSED, start: 10, end: 42 });
  assert.deepEqual(notes.end(), []);
});

Deno.test("RefusalNotes gives the refusal at once if the matcher's note is past, and at the end if there is none", () => {
  const notes = new RefusalNotes();
  assert.equal(notes.pass(READ), READ);
  assert.equal(notes.refuse(REFUSED), REFUSED);
  assert.equal(notes.refuse({ ...REFUSED, call: 1 }), undefined);
  assert.deepEqual(notes.end().map(({ call }) => call), [1]);
});

Deno.test("RefusalNotes leaves repairs and other calls alone", () => {
  const notes = new RefusalNotes();
  notes.refuse(REFUSED);
  const other: NoteEvent[] = [{ ...READ, reason: "json_repaired" }, { ...READ, call: 1 }];
  assert.deepEqual(other.map((note) => notes.pass(note)), other);
});
