/**
 * Reads an empty hole: the call has no arguments, only the tag that names it.
 *
 *     <invoke name="submit"/>
 *
 * @module
 */
import type { BodyReader, Progress } from "../body_reader.ts";
import type { Calls } from "../calls.ts";
import type { Cursor } from "../cursor.ts";
import { needsCloser } from "../ending.ts";
import type { RuleAutomata } from "../rule_automata.ts";
import { Closing } from "./closing.ts";

export class NoArgumentsBody implements BodyReader {
  readonly #calls: Calls;
  readonly #closing: Closing;
  /** Only the closer makes the end certain, unless the rule doesn't require one. */
  readonly #after: "brace" | "value";

  constructor(calls: Calls, automata: RuleAutomata) {
    this.#calls = calls;
    this.#closing = new Closing(calls, automata);
    this.#after = needsCloser(automata.rule) ? "brace" : "value";
    const writer = calls.beginNamed();
    writer.begin("object");
    writer.end();
  }

  read(cursor: Cursor): Progress {
    const closed = this.#closing.read(cursor, this.#after);
    if (closed === "another") return { reason: "malformed" };
    if (closed === "closed") this.#calls.finish();
    return closed;
  }
}
