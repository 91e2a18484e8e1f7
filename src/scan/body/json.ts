/**
 * The hole is the arguments: one JSON object.
 *
 *     <read_file>{"path": "a.txt"}</read_file>
 *                ^^^^^^^^^^^^^^^^^ passed on as it comes
 *
 * @module
 */
import type { JsonHandler, JsonRepair } from "../../json/handler.ts";
import { LiteralReader } from "../../json/literal_reader.ts";
import { JsonReader, type JsonState } from "../../json/reader.ts";
import { requiredParameters } from "../../tool/schema.ts";
import type { ArgumentsWriter } from "../arguments_writer.ts";
import type { Automata, Texts } from "../automata.ts";
import type { BodyReader, CallSink, Failure, Progress } from "../call_sink.ts";
import type { Cursor } from "../cursor.ts";
import type { CompiledRule } from "../program.ts";
import { type CloserResult, Closing } from "./closing.ts";

/** Reads arguments that are JSON. */
export class JsonBody implements BodyReader {
  readonly #sink: CallSink;
  readonly #writer: ArgumentsWriter;
  readonly #reader: ValueReader;
  readonly #closing: Closing;

  /** @param options `stringMark`: what strings may stand between, besides quotes */
  constructor(
    sink: CallSink,
    options: { rule: CompiledRule; automata: Automata; texts: Texts; stringMark: string | undefined },
  ) {
    this.#sink = sink;
    this.#closing = new Closing(sink, options);
    this.#writer = sink.beginNamed();
    this.#reader = createReader(this.#writer, { stringMark: options.stringMark, closing: this.#closing });
  }

  read(cursor: Cursor): Progress {
    const closed = readJson(this.#reader, { cursor, closing: this.#closing });
    if (this.#writer.isRefused) return { reason: "invalid_arguments", detail: "not an object" };
    if (closed === "another") return { reason: "malformed" };
    if (closed !== "closed") return closed;
    if (isCutShort(this.#reader, this.#writer)) return NOT_WHOLE;
    noteRepairs(this.#sink, this.#reader);
    this.#sink.finish();
    return "closed";
  }
}

/** What reads one value of JSON, or of what a dialect has in its place. */
export interface ValueReader {
  readonly state: JsonState;
  readonly repairs: ReadonlySet<JsonRepair>;
  /** Whether no text follows what is read. */
  isLast?: boolean;
  read(text: string, at: number): number;
  /** The text is over. Whether nothing but closing brackets can be missing. */
  finish?(): boolean;
  /** The last brace was missing and its place is certain. */
  close?(): void;
}

/** A reader of JSON; with a mark for strings, one of literals in which keys may be bare. */
export function createReader(
  handler: JsonHandler,
  { stringMark, closing }: { stringMark: string | undefined; closing: Closing },
): ValueReader {
  return stringMark === undefined ? new JsonReader(handler, closing) : new LiteralReader(handler, stringMark);
}

/** Reads one value and what closes it, as far as they have come. */
export function readJson(
  reader: ValueReader,
  options: { cursor: Cursor; closing: Closing; mayRepeat?: boolean },
): CloserResult {
  const { cursor, closing } = options;
  reader.isLast = cursor.isEnd;
  cursor.at = reader.read(cursor.text, cursor.at);
  if (reader.state === "open") {
    if (!cursor.isEnd) return "more";
    // The model ended by itself: brackets may be missing, a string or a key may not.
    if (cursor.isTruncated || !reader.finish?.()) return { reason: "truncated" };
  }
  switch (reader.state) {
    case "failed":
      return { reason: "invalid_arguments", detail: "not JSON" };
    case "brace": {
      const closed = closing.read(cursor, "brace");
      if (closed === "closed") reader.close?.();
      return closed === "more" && cursor.isEnd ? { reason: "truncated" } : closed;
    }
    default:
      return closing.read(cursor, options.mayRepeat ? "repeatable" : "value");
  }
}

/** Brackets were missing, and so is a parameter: nobody can tell what else is. */
export const NOT_WHOLE: Failure = {
  reason: "invalid_arguments",
  detail: "brackets and a parameter are missing",
};

/** Whether arguments whose last brackets were missing lack a parameter that the tool requires. */
export function isCutShort(
  { repairs }: Pick<ValueReader, "repairs">,
  writer: ArgumentsWriter | undefined,
): boolean {
  if (!repairs.has("missing brace")) return false;
  return !writer || requiredParameters(writer.tool.schema).some((name) => !writer.has(name));
}

/** One note that names everything that was mended. */
export function noteRepairs(sink: CallSink, reader: Pick<ValueReader, "repairs">): void {
  if (reader.repairs.size > 0) sink.repair("json_repaired", [...reader.repairs].join(", "));
}
