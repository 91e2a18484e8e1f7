/**
 * One call of the client's own dialect, written while the model still writes it. A value that spans lines leaves piece
 * by piece as the model wrote it; every other value leaves when it is whole.
 *
 *     {"path":"a.ts","content":"impo   →   <write_to_file>
 *                                          <path>a.ts</path>
 *                                          <content>
 *                                          impo
 *
 * @module
 */
import type { JsonHandler } from "../../engine/json/handler.ts";
import { JsonReader } from "../../engine/json/reader.ts";
import { JsonWriter } from "../../engine/json/writer.ts";
import { parseJson } from "../../engine/object/parse.ts";
import type { Client, Parameter, ToolForm } from "../client/schema.ts";
import { mapArguments, type Value } from "./argument.ts";
import { isFlowing } from "./call_streaming.ts";
import { isRaw, writeElement } from "./write.ts";

interface FlowingCallOptions {
  readonly tool: string;
  readonly form: ToolForm;
  readonly client: Client;
  readonly model: string;
  readonly documented: ReadonlySet<string>;
}

export class FlowingCall implements JsonHandler {
  readonly #options: FlowingCallOptions;
  readonly #reader = new JsonReader(this);
  readonly #values = new Map<string, Value>();
  readonly #leftOut: string[] = [];
  readonly #seen = new Set<string>();
  readonly #lineCounts = new Map<string, number>();
  #written: string;
  #problem: string | undefined;
  #key = "";
  #depth = 0;
  /** The value that leaves as it comes. */
  #flowing: FlowingValue | undefined;
  /** The value that leaves when it is whole, as JSON text. */
  #kept = "";
  #keeper = new JsonWriter((json) => this.#kept += json);

  constructor(options: FlowingCallOptions) {
    this.#options = options;
    this.#written = `<${options.tool}>`;
  }

  /** Why the call must not end: one short phrase, without contents of it. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get leftOut(): readonly string[] {
    return this.#leftOut;
  }

  /** Takes a piece of the arguments; returns the text that can leave. */
  take(json: string): string {
    this.#reader.read(json, 0);
    return this.#takeWritten();
  }

  finish(): string {
    const { form: { parameters }, tool } = this.#options;
    for (const [name, { required, default: instead, lines_of }] of Object.entries(parameters)) {
      if (this.#seen.has(name)) continue;
      if (lines_of !== undefined || (required && instead !== undefined)) this.#writeWhole(name, instead);
    }
    this.#write(`\n</${tool}>`);
    return this.#takeWritten();
  }

  begin(kind: "object" | "array"): void {
    if (this.#depth++ > 0) this.#keeper.begin(kind);
  }

  end(): void {
    if (--this.#depth === 0) return;
    this.#keeper.end();
    this.#endKept();
  }

  key(key: string): void {
    if (this.#depth > 1) return this.#keeper.key(key);
    this.#key = key;
    this.#seen.add(key);
  }

  stringBegin(): void {
    const parameter = this.#parameter;
    if (this.#depth > 1 || parameter === undefined || !isFlowing(parameter)) {
      return this.#keeper.stringBegin();
    }
    const { client, form, model, tool } = this.#options;
    this.#flowing = new FlowingValue({
      client,
      parameter,
      closer: `</${this.#key}>`,
      isRaw: isRaw(parameter, { tool, form, values: this.#values, client, model }),
    });
    this.#write(`\n<${this.#key}>\n`);
  }

  stringPiece(escaped: string): void {
    if (this.#flowing === undefined) return this.#keeper.stringPiece(escaped);
    this.#write(this.#flowing.take(JSON.parse(`"${escaped}"`)));
    this.#problem ??= this.#flowing.problem;
  }

  stringEnd(): void {
    if (this.#flowing === undefined) {
      this.#keeper.stringEnd();
      return this.#endKept();
    }
    this.#write(this.#flowing.end());
    this.#problem ??= this.#flowing.problem;
    this.#write(`\n</${this.#key}>`);
    this.#lineCounts.set(this.#key, this.#flowing.lineCount);
    this.#flowing = undefined;
  }

  scalar(json: string): void {
    this.#keeper.scalar(json);
    this.#endKept();
  }

  get #parameter(): Parameter | undefined {
    const { parameters } = this.#options.form;
    return Object.hasOwn(parameters, this.#key) ? parameters[this.#key] : undefined;
  }

  #endKept(): void {
    if (this.#depth > 1) return;
    const value = parseJson(this.#kept);
    this.#kept = "";
    this.#keeper = new JsonWriter((json) => this.#kept += json);
    if (this.#parameter === undefined) this.#leftOut.push(this.#key);
    else this.#writeWhole(this.#key, value);
  }

  #writeWhole(name: string, given: unknown): void {
    const { documented, form: { parameters } } = this.#options;
    const { lines_of: counted, only_if_documented, ...parameter } = parameters[name]!;
    const value = counted === undefined ? given : this.#lineCounts.get(counted);
    // What the model writes in the client's own dialect stays, even if the prompt doesn't ask for it.
    const isOptional = only_if_documented && !this.#seen.has(name);
    const form = {
      parameters: { [name]: { ...parameter, lines_of: undefined, only_if_documented: isOptional } },
    };
    const mapped = mapArguments({ [name]: value }, { form, documented });
    if ("reason" in mapped) return void (this.#problem ??= mapped.detail);
    const found = mapped.values.get(name);
    if (found === undefined) return;
    this.#values.set(name, found);
    const written = writeElement(name, { ...this.#options, values: this.#values });
    if ("reason" in written) this.#problem ??= written.detail;
    else this.#write(`\n${written.text}`);
  }

  /** Nothing is written after the first problem, however the call is cut. */
  #write(text: string): void {
    if (this.#problem === undefined) this.#written += text;
  }

  #takeWritten(): string {
    const written = this.#written;
    this.#written = "";
    return written;
  }
}

export interface FlowingPlace {
  readonly client: Pick<Client, "value_limit">;
  readonly parameter: Pick<Parameter, "escape" | "over_limit">;
  /** What ends the value: `</content>`. */
  readonly closer: string;
  /** Whether the client decodes nothing here. */
  readonly isRaw: boolean;
}

/**
 * Passes a value that spans lines on in pieces. Only what would end it too early changes: its own closing tag, and a tag
 * past the length that the client reads.
 *
 *     It ends with </content> and goes on.   →   It ends with &lt;/content> and goes on.
 */
export class FlowingValue {
  readonly #place: FlowingPlace;
  readonly #decodes: boolean;
  #held = "";
  #length = 0;
  lineCount = 1;
  /** Why the client would read another value. */
  problem: string | undefined;

  constructor(place: FlowingPlace) {
    this.#place = place;
    this.#decodes = !place.isRaw &&
      (place.parameter.escape === "entities" || place.parameter.escape === "markup");
  }

  take(text: string): string {
    const { closer } = this.#place;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.lineCount++;
    const all = this.#held + text;
    const tag = all.lastIndexOf("<");
    const isOpen = tag !== -1 && closer.startsWith(all.slice(tag)) && all.length - tag < closer.length;
    this.#held = isOpen ? all.slice(tag) : "";
    return this.#send(isOpen ? all.slice(0, tag) : all);
  }

  end(): string {
    const held = this.#held;
    this.#held = "";
    return this.#send(held);
  }

  #send(text: string): string {
    if (this.problem !== undefined) return "";
    const { closer, client, parameter } = this.#place;
    const end = this.#decodes ? -1 : text.indexOf(closer);
    if (end !== -1) this.problem = "the value contains its own closing tag";
    const sent = this.#decodes
      ? text.replaceAll(closer, () => `&lt;${closer.slice(1)}`)
      : text.slice(0, end === -1 ? text.length : end);
    const room = Math.max((client.value_limit ?? Infinity) - this.#length, 0);
    this.#length += sent.length;
    if (sent.length <= room) return sent;
    if (this.#decodes && parameter.over_limit === "escape") {
      return sent.slice(0, room) + sent.slice(room).replaceAll("<", "&lt;");
    }
    this.problem = "the value is longer than the client's limit";
    return sent.slice(0, room);
  }
}
