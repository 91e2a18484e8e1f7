/** What can be undone in the editor. The browser's own history ends whenever a script writes into the field. @module */
import type { Selected } from "./editor_commands.ts";

const STEPS_MAX = 200;

/** Changes that follow each other this fast are one step, in milliseconds. */
const STEP_MS = 500;

export class EditHistory {
  readonly #past: Selected[] = [];
  #now: Selected;
  #future: Selected[] = [];
  #changedAt = -Infinity;

  constructor(now: Selected) {
    this.#now = now;
  }

  /** Takes the text after a change; a change that isn't typed is a step of its own. */
  add(next: Selected, { time, isTyped }: { readonly time: number; readonly isTyped: boolean }): void {
    if (next.text === this.#now.text) return;
    if (!isTyped || time - this.#changedAt > STEP_MS) this.#past.push(this.#now);
    if (this.#past.length > STEPS_MAX) this.#past.shift();
    this.#future = [];
    this.#now = next;
    this.#changedAt = isTyped ? time : -Infinity;
  }

  /** The text before the last step; undefined if there is none. */
  undo(): Selected | undefined {
    return this.#go(this.#past, this.#future);
  }

  redo(): Selected | undefined {
    return this.#go(this.#future, this.#past);
  }

  #go(from: Selected[], to: Selected[]): Selected | undefined {
    const next = from.pop();
    if (next === undefined) return undefined;
    to.push(this.#now);
    this.#changedAt = -Infinity;
    return this.#now = next;
  }
}
