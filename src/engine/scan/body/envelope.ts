/**
 * Reads a hole that contains an object with the tool's name and its arguments, in any order of keys, or a list of them.
 *
 *     {"name": "write_file", "arguments": {"path": "a.txt", "content": "…"}}
 *                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ passed on while it arrives
 *     {"tool": "write_file", "path": "a.txt", "content": "…"}
 *                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inline, if the rule allows it
 *
 * @module
 */
import type { JsonHandler } from "../../json/handler.ts";
import { JsonReader } from "../../json/reader.ts";
import { JsonWriter, unescapeJson } from "../../json/writer.ts";
import { parameterSchema } from "../../tool/schema.ts";
import { type ArgumentsWriter, noteRepairs } from "../arguments_writer.ts";
import { type BodyReader, type Failure, isFailure, malformed, type Progress } from "../body_reader.ts";
import type { Calls } from "../calls.ts";
import type { Cursor } from "../cursor.ts";
import type { Body } from "../compiled_rule.ts";
import type { RuleAutomata } from "../rule_automata.ts";
import { Closing } from "./closing.ts";
import { Neighbor } from "./neighbor.ts";
import { twice } from "./suspicion.ts";
import {
  afterBroken,
  createReader,
  isCutShort,
  type JsonContext,
  NOT_AN_OBJECT,
  NOT_WHOLE,
  readJson,
} from "./json.ts";

type Envelope = Extract<Body, { kind: "envelope" }>;

type Role = "name" | "nested" | "arguments" | "inline" | "ignored";

export class EnvelopeBody implements BodyReader {
  readonly #calls: Calls;
  readonly #automata: RuleAutomata;
  readonly #envelope: Envelope;
  #context!: JsonContext;
  #handler!: EnvelopeHandler;
  #reader!: JsonReader;

  constructor(calls: Calls, automata: RuleAutomata, envelope: Envelope) {
    this.#calls = calls;
    this.#automata = automata;
    this.#envelope = envelope;
    this.#begin(new Closing(calls, automata));
  }

  #begin(closing: Closing): void {
    const { rule } = this.#automata;
    const isOver = () => this.#isOverInList();
    this.#handler = new EnvelopeHandler(this.#calls, this.#envelope, rule.needsDeclaredKeys);
    this.#reader = createReader(this.#handler, { stringMark: this.#envelope.stringMark, closing });
    this.#context = { closing, neighbor: new Neighbor(this.#automata), mayRepeat: true, isOver };
  }

  /** Whether the answer ends between the calls of a list, so that only its bracket is missing. */
  #isOverInList(): boolean {
    if (this.#handler.isBetween) this.#calls.repair("json_repaired", "missing bracket");
    return this.#handler.isBetween;
  }

  read(cursor: Cursor): Progress | "checkpoint" {
    const closed = readJson(this.#reader, cursor, this.#context);
    if (this.#handler.failure) return this.#handler.failure;
    if (isFailure(closed)) return afterBroken(closed, cursor, this.#context);
    if (closed !== "closed" && closed !== "another") return closed;
    if (this.#handler.count === 0) return malformed("no object");
    if (isCutShort(this.#reader, this.#handler.lastArguments)) return NOT_WHOLE;
    noteRepairs(this.#calls, this.#reader);
    this.#calls.finish();
    if (closed === "closed") return "closed";
    this.#begin(this.#context.closing);
    return "checkpoint";
  }
}

/** Finds the calls in one JSON value. The reader finishes the last one. */
class EnvelopeHandler implements JsonHandler {
  failure: Failure | undefined;
  count = 0;
  readonly #calls: Calls;
  readonly #envelope: Envelope;
  /** Whether a key that doesn't belong to a call shows that the object isn't one. */
  readonly #isStrict: boolean;
  #depth = 0;
  /** The depth inside the envelope: 1, or 2 if envelopes are in a list. */
  #level = 1;
  #isList = false;
  /** Whether it is inside an object that contains the name and the arguments: `{"function": {…}}`. */
  #isNested = false;
  #role: Role = "ignored";
  /** The key of the member, while its value is a string that decides its role. */
  #text: { key: string; escaped: string } | undefined;
  /** The handler of the member's value. */
  #target: JsonHandler | undefined;
  #state = new EnvelopeState();

  constructor(calls: Calls, envelope: Envelope, isStrict: boolean) {
    this.#calls = calls;
    this.#envelope = envelope;
    this.#isStrict = isStrict;
  }

  /** Whether it is in a list, after a whole call. */
  get isBetween(): boolean {
    return this.#isList && this.#depth === 1 && this.count > 0;
  }

  get lastArguments(): ArgumentsWriter | undefined {
    return this.#state.hasArguments ? this.#state.writer : undefined;
  }

  get isRefused(): boolean {
    return this.failure !== undefined || this.#state.writer?.isRefused === true;
  }

  begin(kind: "object" | "array"): void {
    const depth = this.#depth++;
    if (depth === 0 && kind === "array") {
      this.#isList = true;
      this.#level = 2;
      this.#calls.waitForClose();
    } else if (depth < this.#level) {
      if (depth === this.#level - 1 && kind === "object") this.#openEnvelope();
      else this.#fail(malformed("a list of calls holds something else"));
    } else if (depth === this.#level && this.#role === "nested" && kind === "object") {
      this.#isNested = true;
      this.#level++;
      // Earlier members, such as an id, aren't arguments.
      if (!this.#state.hasArguments) this.#state = new EnvelopeState();
    } else {
      if (depth === this.#level) this.#openValue(kind);
      this.#target?.begin(kind);
    }
  }

  end(): void {
    const depth = --this.#depth;
    if (depth > this.#level - 1) {
      this.#target?.end();
      if (depth === this.#level) this.#target = undefined;
    } else if (this.#isNested) {
      this.#isNested = false;
      this.#level--;
    } else if (depth === this.#level - 1) {
      this.#closeEnvelope();
    } else if (this.#isList && this.count === 0) {
      this.#fail(malformed("an empty list"));
    }
  }

  key(key: string): void {
    if (this.#depth > this.#level) return this.#target?.key(key);
    this.#text = { key, escaped: "" };
    if (this.#envelope.isKeyed) return this.#keyed(key);
    this.#role = this.#roleOf(key);
    if (this.#role !== "inline" || this.#mayBeInline) return;
    const isAgain = this.#envelope.arguments.includes(key);
    if (isAgain) this.#fail(twice(key));
    else if (this.#isStrict) this.#fail(malformed("other keys than those of a call"));
  }

  /** Reads the single key as the name; its value is the arguments. */
  #keyed(key: string): void {
    if (this.#state.nameKey !== undefined) this.#fail(malformed("more than one key"));
    else this.#named("", key);
    this.#role = "arguments";
  }

  stringBegin(): void {
    if (this.#depth > this.#level) this.#target?.stringBegin();
  }

  stringPiece(escaped: string): void {
    if (this.#depth > this.#level) this.#target?.stringPiece(escaped);
    else if (this.#text) this.#text.escaped += escaped;
  }

  stringEnd(): void {
    if (this.#depth > this.#level) return this.#target?.stringEnd();
    const { key, escaped } = this.#text ?? { key: "", escaped: "" };
    if (this.#role === "name" || this.#role === "nested") {
      return this.#named(key, unescapeJson(escaped));
    }
    const isObject = escaped.trimStart().startsWith("{") || escaped === "";
    // With an inline rule, "input": "some text" is a parameter; "arguments": "{…}" is JSON in JSON.
    if (this.#role === "arguments" && (isObject || !this.#mayBeInline)) this.#state.encoded = escaped;
    else if (this.#role !== "ignored") this.#inline(key, (writer) => writer.scalar(`"${escaped}"`));
  }

  scalar(json: string): void {
    if (this.#depth > this.#level) return this.#target?.scalar(json);
    const key = this.#text?.key ?? "";
    if (this.#depth < this.#level) this.#fail(malformed("no object"));
    else if (this.#role === "arguments" && json === "null") this.#state.encoded ??= "";
    else if (this.#role === "name" || (this.#role === "arguments" && !this.#mayBeInline)) {
      this.#fail(NOT_AN_OBJECT);
    } else if (this.#role !== "ignored") this.#inline(key, (writer) => writer.scalar(json));
  }

  get #mayBeInline(): boolean {
    return this.#envelope.inline.length > 0 &&
      (this.#state.nameKey === undefined || this.#envelope.inline.includes(this.#state.nameKey));
  }

  #fail(failure: Failure): void {
    this.failure ??= failure;
  }

  #openEnvelope(): void {
    // The previous call is whole. The last one waits for the frame's closer.
    if (this.count++ > 0) this.#calls.finish();
    this.#state = new EnvelopeState();
  }

  #roleOf(key: string): Role {
    const { name, nested, arguments: keys, ignore } = this.#envelope;
    if (this.#state.nameKey === undefined && name.includes(key)) return "name";
    if (this.#state.nameKey === undefined && !this.#isNested && nested.includes(key)) return "nested";
    if (!this.#state.hasArguments && this.#state.encoded === undefined && keys.includes(key)) {
      if (!this.#isParameter(key)) return "arguments";
      // Members next to the name show that this one is a parameter, too.
      if (this.#state.inlineJson !== "") return "inline";
      this.#state.parameter = key;
      return "arguments";
    }
    return ignore.includes(key) && !this.#mayBeInline ? "ignored" : "inline";
  }

  /** Whether a key of the arguments is also a parameter of the tool, which can be next to the name. */
  #isParameter(key: string): boolean {
    const schema = this.#state.writer?.tool.schema;
    return this.#mayBeInline && parameterSchema(schema, key) !== undefined;
  }

  /** Opens an object or a list as a member's value. */
  #openValue(kind: "object" | "array"): void {
    const key = this.#text?.key ?? "";
    if (this.#role === "name") this.#fail(malformed("the name is not a string"));
    else if (this.#role === "arguments" && kind === "object") this.#target = this.#openArguments();
    else if (this.#role === "arguments" && !this.#mayBeInline) {
      this.#fail(NOT_AN_OBJECT);
    } else if (this.#role !== "ignored") this.#inline(key, (writer) => this.#target = writer);
  }

  /** Opens the arguments. They are passed on if the name is known; otherwise they wait for it. */
  #openArguments(): JsonHandler {
    this.#state.hasArguments = true;
    // {"name": …, "description": …, "parameters": {…}} is the definition of a tool, not a call.
    if (this.#state.inlineJson !== "" && !this.#mayBeInline) {
      this.#fail(malformed("other keys before the arguments"));
    }
    if (this.#state.writer && this.#state.parameter === undefined) return this.#state.writer;
    return new JsonWriter((piece) => this.#state.early += piece);
  }

  #inline(key: string, write: (writer: JsonWriter) => void): void {
    this.#state.inline.key(key);
    write(this.#state.inline);
  }

  #named(key: string, name: string): void {
    this.#state.nameKey = key;
    const prefix = this.#envelope.namePrefixes.find((prefix) => name.startsWith(prefix)) ?? "";
    const writer = this.#calls.begin(name.slice(prefix.length));
    if (isFailure(writer)) this.#fail(writer);
    else this.#state.writer = writer;
  }

  #closeEnvelope(): void {
    const { writer, hasArguments, early, encoded, inlineJson, parameter } = this.#state;
    if (this.failure) return;
    if (!writer) return this.#fail(malformed("no name"));
    if (hasArguments && parameter !== undefined && inlineJson !== "") {
      new JsonReader(writer).read(`{${inlineJson},${JSON.stringify(parameter)}:${early}}`, 0);
    } else if (hasArguments) {
      if (early !== "") new JsonReader(writer).read(early, 0);
    } else if (encoded !== undefined) {
      writer.stringBegin();
      writer.stringPiece(encoded);
      writer.stringEnd();
      if (writer.isRefused) this.#fail(NOT_AN_OBJECT);
    } else if (inlineJson === "" || this.#mayBeInline) {
      new JsonReader(writer).read(`{${inlineJson}}`, 0);
    } else {
      this.#fail(malformed("no arguments, but other keys"));
    }
  }
}

class EnvelopeState {
  nameKey: string | undefined;
  writer: ArgumentsWriter | undefined;
  hasArguments = false;
  /** Arguments before the name. */
  early = "";
  /** The key of the arguments, if it is also a parameter of the tool. */
  parameter: string | undefined;
  /** Arguments in a JSON string, still escaped. */
  encoded: string | undefined;
  inlineJson = "";
  readonly inline = new JsonWriter((piece) => this.inlineJson += piece);
}
