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
import { twice } from "./hypothesis.ts";
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

const NO_OBJECT: Failure = malformed("no object");

/** The meaning of a member. */
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
    const isTorn = () => this.#handler.isTorn;
    this.#context = {
      calls: this.#calls,
      closing,
      neighbor: new Neighbor(this.#automata),
      mayRepeat: true,
      isOver,
      isTorn,
    };
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
    if (this.#handler.count === 0) return NO_OBJECT;
    if (isCutShort(this.#reader, this.#handler.lastArguments)) return NOT_WHOLE;
    noteRepairs(this.#calls, this.#reader);
    this.#calls.finish();
    if (closed === "closed") return "closed";
    this.#begin(this.#context.closing);
    return "checkpoint";
  }
}

/**
 * Finds the calls in one JSON value. The reader finishes the last one.
 *
 *     [ { "id": 1, "function": { "name": "f", "arguments": { "a": 1 } } } ]
 *     ^ list       nested ^                                 ^ the value of a member has a handler of its own
 *       ^ call
 */
class EnvelopeHandler implements JsonHandler {
  failure: Failure | undefined;
  count = 0;
  readonly #calls: Calls;
  readonly #envelope: Envelope;
  /** Whether a key that doesn't belong to a call shows that the object isn't one. */
  readonly #isStrict: boolean;
  #place: "outside" | "list" | "call" | "nested" = "outside";
  #isList = false;
  /** The last member: its key, its role and its text, if that decides its role. */
  #key = "";
  #role: Role = "ignored";
  #text = "";
  /** What handles the object or list that is the member's value, and the number of brackets that are open in it. */
  #value: JsonHandler | undefined;
  #depth = 0;
  #state = new EnvelopeState();

  constructor(calls: Calls, envelope: Envelope, isStrict: boolean) {
    this.#calls = calls;
    this.#envelope = envelope;
    this.#isStrict = isStrict;
  }

  /** Whether it is in a list, after a whole call. */
  get isBetween(): boolean {
    return this.#place === "list" && this.count > 0;
  }

  /** Whether a value is open, or the arguments could go on: they aren't closed, or didn't begin. */
  get isTorn(): boolean {
    const isOpen = this.#value !== undefined;
    if (isOpen && (this.#depth > 1 || this.#role !== "arguments")) return true;
    const { hasArguments, encoded, writer } = this.#state;
    const isClosed = !isOpen && (hasArguments || encoded !== undefined);
    return !isClosed && writer?.canEnd(false) === false;
  }

  get lastArguments(): ArgumentsWriter | undefined {
    return this.#state.hasArguments ? this.#state.writer : undefined;
  }

  /** The name of a call and each piece of its arguments. */
  get sent(): number {
    const { writer } = this.#state;
    return writer ? 1 + writer.sent : 0;
  }

  get isRefused(): boolean {
    return this.failure !== undefined || (this.#state.arguments ?? this.#state.writer)?.isRefused === true;
  }

  begin(kind: "object" | "array"): void {
    if (!this.#isInCall && kind === "object") this.#openCall();
    else if (this.#place === "outside") {
      this.#place = "list";
      this.#isList = true;
      this.#calls.waitForClose();
    } else if (this.#place === "list") this.#fail(malformed("a list of calls contains something else"));
    else if (!this.#value && this.#role === "nested" && kind === "object") {
      this.#place = "nested";
      // Earlier members, such as an id, aren't arguments.
      if (!this.#state.hasArguments) this.#state = new EnvelopeState();
    } else {
      this.#value ??= this.#openValue(kind);
      this.#depth++;
      this.#value.begin(kind);
    }
  }

  end(): void {
    if (this.#value) {
      this.#value.end();
      if (--this.#depth === 0) this.#value = undefined;
    } else if (this.#place === "nested") this.#place = "call";
    else if (this.#place === "call") this.#closeCall();
    else if (this.count === 0) this.#fail(malformed("an empty list"));
  }

  key(key: string): void {
    if (this.#value) return this.#value.key(key);
    this.#key = key;
    this.#text = "";
    if (this.#envelope.isKeyed) return this.#keyed(key);
    this.#role = this.#roleOf(key);
    if (this.#role !== "inline" || this.#mayBeInline) return;
    const isAgain = this.#envelope.arguments.includes(key);
    if (isAgain) this.#fail(twice(key));
    else if (this.#isStrict) this.#fail(malformed("unexpected keys"));
  }

  /** Reads the single key as the name; its value is the arguments. */
  #keyed(key: string): void {
    if (this.#state.nameKey !== undefined) this.#fail(malformed("more than one key"));
    else this.#named("", key);
    this.#role = "arguments";
  }

  stringBegin(): void {
    this.#value?.stringBegin();
  }

  stringPiece(escaped: string): void {
    if (this.#value) this.#value.stringPiece(escaped);
    else this.#text += escaped;
  }

  stringEnd(): void {
    if (this.#value) return this.#value.stringEnd();
    if (!this.#isInCall) return this.#fail(NO_OBJECT);
    const text = this.#text;
    if (this.#role === "name" || this.#role === "nested") return this.#named(this.#key, unescapeJson(text));
    const isObject = text.trimStart().startsWith("{") || text === "";
    // With an inline rule, "input": "some text" is a parameter; "arguments": "{…}" is JSON in JSON.
    if (this.#role === "arguments" && (isObject || !this.#mayBeInline)) this.#state.encoded = text;
    else if (this.#role !== "ignored") this.#inline().scalar(`"${text}"`);
  }

  scalar(json: string): void {
    if (this.#value) return this.#value.scalar(json);
    if (!this.#isInCall) this.#fail(NO_OBJECT);
    else if (this.#role === "arguments" && json === "null") this.#state.encoded ??= "";
    else if (this.#role === "name" || (this.#role === "arguments" && !this.#mayBeInline)) {
      this.#fail(NOT_AN_OBJECT);
    } else if (this.#role !== "ignored") this.#inline().scalar(json);
  }

  get #isInCall(): boolean {
    return this.#place === "call" || this.#place === "nested";
  }

  get #mayBeInline(): boolean {
    return this.#envelope.inline.length > 0 &&
      (this.#state.nameKey === undefined || this.#envelope.inline.includes(this.#state.nameKey));
  }

  #fail(failure: Failure): void {
    this.failure ??= failure;
  }

  #openCall(): void {
    this.#place = "call";
    // The previous call is whole. The last one waits for the frame's closer.
    if (this.count++ > 0) this.#calls.finish();
    this.#state = new EnvelopeState();
  }

  #roleOf(key: string): Role {
    const { name, nested, arguments: keys, ignore } = this.#envelope;
    if (this.#state.nameKey === undefined && name.includes(key)) return "name";
    if (this.#state.nameKey === undefined && this.#place === "call" && nested.includes(key)) return "nested";
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

  /** Opens an object or a list as the member's value. */
  #openValue(kind: "object" | "array"): JsonHandler {
    if (this.#role === "arguments" && kind === "object") return this.#openArguments();
    if (this.#role === "name") this.#fail(malformed("the name is not a string"));
    else if (this.#role === "arguments" && !this.#mayBeInline) this.#fail(NOT_AN_OBJECT);
    else if (this.#role !== "ignored") return this.#inline();
    return new JsonWriter(() => {});
  }

  /** Opens the arguments. They are passed on if the name is known; otherwise they wait for it. */
  #openArguments(): JsonHandler {
    this.#state.hasArguments = true;
    // {"name": …, "description": …, "parameters": {…}} is the definition of a tool, not a call.
    if (this.#state.inlineJson !== "" && !this.#mayBeInline) {
      this.#fail(malformed("other keys before the arguments"));
    }
    if (this.#state.arguments && this.#state.parameter === undefined) return this.#state.arguments;
    return new JsonWriter((piece) => this.#state.early += piece);
  }

  /** Writes the member's key among the inline arguments; its value follows. */
  #inline(): JsonWriter {
    const { inline } = this.#state;
    inline.key(this.#key);
    return inline;
  }

  #named(key: string, name: string): void {
    this.#state.nameKey = key;
    const prefix = this.#envelope.namePrefixes.find((prefix) => name.startsWith(prefix)) ?? "";
    const writer = this.#calls.begin(name.slice(prefix.length));
    if (isFailure(writer)) this.#fail(writer);
    else {
      this.#state.writer = writer;
      this.#state.arguments = this.#calls.fitted(writer);
    }
  }

  #closeCall(): void {
    this.#place = this.#isList ? "list" : "outside";
    const { writer, hasArguments, early, encoded, inlineJson, parameter } = this.#state;
    const handler = this.#state.arguments;
    if (this.failure) return;
    if (!writer || !handler) return this.#fail(malformed("no name"));
    if (hasArguments && parameter !== undefined && inlineJson !== "") {
      new JsonReader(handler).read(`{${inlineJson},${JSON.stringify(parameter)}:${early}}`, 0);
    } else if (hasArguments) {
      if (early !== "") new JsonReader(handler).read(early, 0);
    } else if (encoded !== undefined) {
      const lone = this.#calls.argumentsOf(encoded, writer);
      if (lone !== undefined) {
        this.#calls.repair("arguments_fitted", "one string for the only required parameter");
        return void new JsonReader(writer).read(lone, 0);
      }
      writer.stringBegin();
      writer.stringPiece(encoded);
      writer.stringEnd();
      if (writer.isRefused) this.#fail(NOT_AN_OBJECT);
    } else if (inlineJson === "" || this.#mayBeInline) {
      new JsonReader(handler).read(`{${inlineJson}}`, 0);
    } else {
      this.#fail(malformed("no arguments, but unexpected keys"));
    }
  }
}

/** What is known of one call. */
class EnvelopeState {
  nameKey: string | undefined;
  writer: ArgumentsWriter | undefined;
  /** What receives the arguments in JSON. */
  arguments: JsonHandler | undefined;
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
