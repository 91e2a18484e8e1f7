/**
 * Reads a hole that contains a call, or a list of calls, in Python notation. The arguments are in parentheses.
 *
 *     [get_weather(city="Paris"), list_files()]
 *      ^^^^^^^^^^^^^^^^^^^^^^^^^ the first call; it counts only if the whole list can be read
 *
 * @module
 */
import type { JsonHandler } from "../../json/handler.ts";
import {
  type BodyReader,
  type Failure,
  isFailure,
  malformed,
  type Progress,
  TRUNCATED,
} from "../body_reader.ts";
import type { Calls } from "../calls.ts";
import type { Cursor } from "../cursor.ts";
import type { RuleAutomata } from "../rule_automata.ts";
import { type CallListHandler, CallListReader } from "./call_list_reader.ts";
import { Closing } from "./closing.ts";

export class CallListBody implements BodyReader, CallListHandler {
  readonly beginsWithName = true;
  readonly #calls: Calls;
  readonly #closing: Closing;
  #reader = new CallListReader(this);
  #count = 0;
  #failure: Failure | undefined;

  constructor(calls: Calls, automata: RuleAutomata) {
    this.#calls = calls;
    this.#closing = new Closing(calls, automata);
  }

  read(cursor: Cursor): Progress | "checkpoint" {
    const reader = this.#reader;
    if (reader.state === "open") {
      cursor.at = reader.read(cursor.text, cursor.at);
      this.#calls.sentTo = cursor.offset - reader.unsent;
    }
    if (reader.state === "failed") return this.#failure ?? malformed("not a call");
    if (reader.state === "open") return cursor.isEnd ? TRUNCATED : "more";
    if (this.#count === 0) return malformed("an empty list");
    const closed = this.#closing.read(cursor, "repeatable");
    if (closed !== "closed" && closed !== "another") return closed;
    this.#calls.finish();
    if (closed === "closed") return "closed";
    this.#reader = new CallListReader(this);
    this.#count = 0;
    return "checkpoint";
  }

  listBegin(): void {
    this.#calls.waitForClose();
  }

  callBegin(name: string): JsonHandler | undefined {
    // The previous call is whole. The last one waits for the frame's closer.
    if (this.#count++ > 0) this.#calls.finish();
    const writer = this.#calls.begin(name);
    if (!isFailure(writer)) return writer;
    this.#failure = writer;
    return undefined;
  }
}
