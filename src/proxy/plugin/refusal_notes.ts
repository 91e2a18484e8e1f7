/**
 * Gives a refused call one decision instead of two. The matcher's note that it read the call usually follows the call; it
 * then becomes the note of the refusal:
 *
 *     call_end      a plugin refuses the call         nothing yet
 *     note          transformed, 10..42               plugin_refused, 10..42
 *
 * @module
 */
import type { NoteEvent } from "../../engine/event/event.ts";
import { isDecision } from "../../engine/event/reason.ts";

export class RefusalNotes {
  readonly #noted = new Set<number>();
  readonly #waiting = new Map<number, NoteEvent>();

  /** The note to send for a refused call; undefined if the matcher's note is still to come. */
  refuse(note: NoteEvent): NoteEvent | undefined {
    const { call } = note;
    if (call === undefined || this.#noted.has(call)) return note;
    this.#waiting.set(call, note);
    return undefined;
  }

  /** The note to send instead of one that passes. */
  pass(note: NoteEvent): NoteEvent {
    const { call } = note;
    if (call === undefined || !isDecision(note.reason)) return note;
    this.#noted.add(call);
    const refusal = this.#waiting.get(call);
    if (refusal === undefined) return note;
    this.#waiting.delete(call);
    return { ...refusal, start: note.start, end: note.end };
  }

  /** The notes about calls that the matcher doesn't note, such as those of the upstream. */
  end(): readonly NoteEvent[] {
    const notes = [...this.#waiting.values()];
    this.#waiting.clear();
    return notes;
  }
}
