/**
 * Reads a hole that contains the arguments as one JSON object.
 *
 *     <read_file>{"path": "a.txt"}</read_file>
 *                ^^^^^^^^^^^^^^^^^ passed on while it arrives
 *
 * @module
 */
import type { JsonHandler } from "../../json/handler.ts";
import { JsonReader } from "../../json/reader.ts";
import { type ArgumentsWriter, noteRepairs } from "../arguments_writer.ts";
import { type BodyReader, type Failure, isFailure, type Progress, TRUNCATED } from "../body_reader.ts";
import type { Calls } from "../calls.ts";
import type { Cursor } from "../cursor.ts";
import type { RuleAutomata } from "../rule_automata.ts";
import { type CloserResult, Closing, NOT_JSON } from "./closing.ts";
import { Neighbor } from "./neighbor.ts";

export class JsonBody implements BodyReader {
  readonly #calls: Calls;
  readonly #writer: ArgumentsWriter;
  readonly #reader: JsonReader;
  readonly #context: JsonContext;

  /** @param options `stringMark`: a mark, besides quotes, that can enclose strings */
  constructor(
    calls: Calls,
    automata: RuleAutomata,
    { stringMark }: { readonly stringMark: string | undefined },
  ) {
    this.#calls = calls;
    const closing = new Closing(calls, automata);
    const isTorn = () => this.#writer.isInValue || !this.#writer.canEnd(false);
    this.#context = { calls, closing, neighbor: new Neighbor(automata), isTorn };
    this.#writer = calls.beginNamed();
    this.#reader = createReader(calls.fitted(this.#writer), { stringMark, closing });
  }

  read(cursor: Cursor): Progress {
    const closed = readJson(this.#reader, cursor, this.#context);
    if (this.#writer.isRefused) return NOT_AN_OBJECT;
    if (closed === "another") return { reason: "malformed" };
    if (isFailure(closed)) return afterBroken(closed, cursor, this.#context);
    if (closed !== "closed") return closed;
    if (isCutShort(this.#reader, this.#writer)) return NOT_WHOLE;
    noteRepairs(this.#calls, this.#reader);
    this.#calls.finish();
    return "closed";
  }
}

/** Creates a reader of JSON, or, with a mark for strings, of literals whose keys can be bare. */
export function createReader(
  handler: JsonHandler,
  { stringMark, closing }: { stringMark: string | undefined; closing: Closing },
): JsonReader {
  return new JsonReader(
    handler,
    stringMark === undefined ? { follower: closing } : { isPython: true, stringMark },
  );
}

/** What a value in JSON is read with, the same for all pieces of its text. */
export interface JsonContext {
  readonly calls: Calls;
  readonly closing: Closing;
  readonly neighbor: Neighbor;
  /** Whether another value can follow. */
  readonly mayRepeat?: boolean;
  /** Whether a value that is open when the model ends the answer is whole. */
  isOver?(): boolean;
  /** Whether more than brackets can be missing at the end: a parameter's value is open, or another parameter could follow. */
  isTorn(): boolean;
}

/** Reads one value and its closer, as far as they have arrived. */
export function readJson(reader: JsonReader, cursor: Cursor, context: JsonContext): CloserResult {
  const { calls, closing, neighbor } = context;
  const { offset } = cursor;
  reader.isLast = cursor.isEnd;
  const from = cursor.at;
  if (reader.state === "open") {
    cursor.at = reader.read(cursor.text, from);
    calls.sentTo = cursor.offset - reader.unsent;
  }
  neighbor.see(cursor.text.slice(from, cursor.at), offset);
  if (reader.state === "open") {
    if (!cursor.isEnd) return "more";
    if (!cursor.isTruncated && context.isOver?.()) return "closed";
    // If the model ended the answer, the last brackets of the call can be missing, but nothing else.
    if (cursor.isTruncated || !reader.finish() || context.isTorn() || endsEmpty(cursor)) return TORN;
  }
  switch (reader.state) {
    case "failed":
      return NOT_JSON;
    case "brace": {
      const closed = closing.read(cursor, "brace");
      if (closed === "closed") reader.close();
      return closed === "more" && cursor.isEnd ? TRUNCATED : closed;
    }
    default:
      return closing.read(cursor, context.mayRepeat ? "repeatable" : "value");
  }
}

const TORN: Failure = { reason: "truncated" };

/** Whether a text ends in an empty string: it can be the beginning of one in three quotation marks. */
function endsEmpty({ text }: Cursor): boolean {
  return text.trimEnd().endsWith('""');
}

/** Fails where the text isn't JSON, without losing the next call. */
export function afterBroken(
  failure: Failure,
  cursor: Cursor,
  { closing, neighbor }: JsonContext,
): Failure | "more" {
  if (failure !== TORN && failure !== NOT_JSON) return failure;
  const next = cursor.isTruncated || closing.isSkipping ? "none" : neighbor.restore(cursor);
  if (next === "ambiguous call") return { ...failure, mayHoldNext: true };
  return next === "call" || failure === TORN ? failure : closing.skip(cursor, failure);
}

export const NOT_AN_OBJECT: Failure = { reason: "invalid_arguments", detail: "not an object" };

/** Brackets and a parameter are missing, so more can be missing too. */
export const NOT_WHOLE: Failure = {
  reason: "invalid_arguments",
  detail: "brackets and a parameter are missing",
};

/**
 * Whether arguments whose last brackets are missing also lack a required parameter, or have a string whose end is
 * ambiguous: after the quote in it, they can end within a key.
 */
export function isCutShort(
  { repairs }: Pick<JsonReader, "repairs">,
  writer: ArgumentsWriter | undefined,
): boolean {
  if (!repairs.has("missing brace")) return false;
  if (repairs.has("unescaped quote")) return true;
  return !writer?.hasRequired;
}
