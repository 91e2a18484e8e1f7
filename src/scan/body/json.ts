/**
 * The hole is the arguments: one JSON object.
 *
 *     <read_file>{"path": "a.txt"}</read_file>
 *                ^^^^^^^^^^^^^^^^^ passed on as it comes
 *
 * @module
 */
import { JsonReader } from "../../json/reader.ts";
import type { ArgumentsWriter } from "../arguments_writer.ts";
import type { Automata, Texts } from "../automata.ts";
import type { BodyReader, CallSink, Progress } from "../call_sink.ts";
import type { Cursor } from "../cursor.ts";
import type { CompiledRule } from "../program.ts";
import { type Closed, Closing } from "./closing.ts";

/** Reads arguments that are JSON. */
export class JsonBody implements BodyReader {
  readonly #sink: CallSink;
  readonly #writer: ArgumentsWriter;
  readonly #reader: JsonReader;
  readonly #closing: Closing;

  constructor(sink: CallSink, options: { rule: CompiledRule; automata: Automata; texts: Texts }) {
    this.#sink = sink;
    this.#closing = new Closing(sink, options);
    this.#writer = sink.beginNamed();
    this.#reader = new JsonReader(this.#writer);
  }

  read(cursor: Cursor): Progress {
    const closed = readJson(this.#reader, { cursor, closing: this.#closing });
    if (this.#writer.isRefused) return { reason: "invalid_arguments", detail: "not an object" };
    if (closed === "another") return { reason: "malformed" };
    if (closed !== "closed") return closed;
    noteRepairs(this.#sink, this.#reader);
    this.#sink.finish();
    return "closed";
  }
}

/** Reads one value and what closes it, as far as they have come. */
export function readJson(
  reader: JsonReader,
  options: { cursor: Cursor; closing: Closing; mayRepeat?: boolean },
): Closed {
  const { cursor, closing } = options;
  cursor.at = reader.read(cursor.text, cursor.at);
  switch (reader.state) {
    case "open":
      return cursor.isEnd ? { reason: "truncated" } : "more";
    case "failed":
      return { reason: "invalid_arguments", detail: "not JSON" };
    case "brace": {
      const closed = closing.read(cursor, "brace");
      if (closed === "closed") reader.close();
      return closed === "more" && cursor.isEnd ? { reason: "truncated" } : closed;
    }
    default:
      return closing.read(cursor, options.mayRepeat ? "repeatable" : "value");
  }
}

/** One note that names everything that was mended. */
export function noteRepairs(sink: CallSink, reader: JsonReader): void {
  if (reader.repairs.size > 0) sink.repair("json_repaired", [...reader.repairs].join(", "));
}
