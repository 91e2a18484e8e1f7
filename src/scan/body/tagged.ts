/**
 * The hole is a row of items, each with a key and a value:
 *
 *     <function=write_file>
 *     <parameter=path>a.txt</parameter>
 *     ^^^^^^^^^^^^^^^^ item opener
 *                     ^^^^^ value: flows as soon as it cannot be the closer
 *                          ^^^^^^^^^^^^ item closer: counts only if an item or the frame's closer follows
 *     </function>
 *
 * @module
 */
import { capture, type Captures } from "../../pattern/captures.ts";
import { type Found, Search } from "../../pattern/search.ts";
import { WRAPPER } from "../../pattern/split.ts";
import type { JsonSchema } from "../../tool/offered.ts";
import { declares, parameterSchema, requiredParameters, takesText } from "../../tool/schema.ts";
import type { ArgumentsWriter } from "../arguments_writer.ts";
import { type Automata, BETWEEN, NESTED, type Texts, VALUE } from "../automata.ts";
import type { BodyReader, CallSink, Failure, Progress } from "../call_sink.ts";
import type { Cursor } from "../cursor.ts";
import { isItemKey } from "../gate.ts";
import { type Body, type CompiledRule, FORM } from "../program.ts";
import { elementsToJson } from "./element.ts";
import { readNested } from "./nested.ts";
import { type ValueNotation, ValueWriter } from "./value_writer.ts";
import { WrappedArguments } from "./wrapped_arguments.ts";

type Tagged = Extract<Body, { kind: "tagged" }>;
type Value = ValueWriter | WrappedArguments;
type Match = Extract<Found, { type: "match" }>;

/** What the reader is built from. */
export interface TaggedOptions {
  readonly rule: CompiledRule;
  readonly automata: Automata;
  readonly texts: Texts;
  readonly body: Tagged;
}

/** Reads items. */
export class TaggedBody implements BodyReader {
  readonly #sink: CallSink;
  readonly #options: TaggedOptions;
  readonly #isWrapped: boolean;
  readonly #writer: ArgumentsWriter;
  readonly #openContainers: string[] = [];
  readonly #usedContainers = new Set<string>();
  #search: Search | undefined;
  #items = 0;
  /** The value that is being read, and the examples of calls that are open inside it. */
  #value: Value | undefined;
  #key = "";
  /** What the groups of the item's opener matched: its closer may refer to them. */
  #itemTexts: Texts = {};
  /** In which of its ways the item is written. */
  #form = 0;
  readonly #examples: Texts[] = [];

  constructor(sink: CallSink, options: TaggedOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#isWrapped = WRAPPER in sink.groups;
    this.#writer = sink.beginNamed();
    this.#writer.begin("object");
  }

  read(cursor: Cursor): Progress {
    for (;;) {
      const progress = this.#value ? this.#readValue(cursor, this.#value) : this.#readBetween(cursor);
      if (progress) return progress;
    }
  }

  /** Between two items: white space, then an item, a container, or the frame's closer. */
  #readBetween(cursor: Cursor): Progress | undefined {
    const { rule, automata, body, texts } = this.#options;
    this.#search ??= new Search(automata.between(rule, body, texts, this.#isWrapped), true);
    const found = this.#search.next(cursor);
    if (found.type === "held") return "more";
    if (found.type === "nothing") {
      if (cursor.at === cursor.text.length && !cursor.isEnd) return "more";
      if (found.isCut) return { reason: "truncated" };
      return { reason: "malformed", detail: "neither an item nor the closing tag" };
    }
    const captures = this.#capture(this.#search, cursor, found);
    this.#search = undefined;
    switch (found.alternative) {
      case BETWEEN.item:
        return this.#openItem(cursor, captures);
      case BETWEEN.closer:
        return this.#close(cursor, captures);
      case BETWEEN.end:
        return this.#end(cursor);
      default:
        return this.#container(found.alternative - BETWEEN.container, { cursor, captures });
    }
  }

  #openItem(cursor: Cursor, captures: Captures): Failure | undefined {
    this.#items++;
    this.#itemTexts = captures.groups;
    this.#key = captures.groups["key"] ?? "";
    this.#form = formOf(captures);
    cursor.at = captures.end;
    if (this.#isWrapper(this.#key)) {
      this.#value = new WrappedArguments(this.#writer, this.#key);
      return undefined;
    }
    this.#writer.key(this.#key);
    if (this.#writer.isRefused) return { reason: "undeclared_parameter" };
    this.#value = new ValueWriter(this.#writer, this.#key, this.#notation(captures));
    return undefined;
  }

  /** Whether a key's value is an object of parameters. */
  #isWrapper(key: string): boolean {
    const { schema } = this.#writer.tool;
    return this.#options.body.unwrap.includes(key) && schema !== undefined && !declares(schema, key);
  }

  #notation({ groups }: Captures): ValueNotation {
    const { isNested, escapes } = this.#options.body;
    const key = this.#key;
    const { tool } = this.#writer;
    const nested = (text: string, schema: JsonSchema | undefined): string | undefined => {
      const element = readNested(key, text, this.#options);
      return element && element.children.length > 0 ? elementsToJson([element], { schema, tool }) : undefined;
    };
    return { type: groups["type"], escapes, nested: isNested ? nested : undefined };
  }

  #close(cursor: Cursor, captures: Captures): Progress {
    const { rule } = this.#options;
    const { schema } = this.#writer.tool;
    if (this.#items === 0 && rule.needsDeclaredKeys && requiredParameters(schema).length > 0) {
      return { reason: "missing_required" };
    }
    cursor.at = captures.end;
    this.#writer.end();
    this.#sink.finish();
    return "closed";
  }

  /** The answer is over between two items: nothing is lost only if nothing that is required is missing. */
  #end(cursor: Cursor): Progress {
    const isComplete = this.#items > 0 && !cursor.isTruncated &&
      requiredParameters(this.#writer.tool.schema).every((key) => this.#writer.has(key));
    if (!isComplete) return { reason: "truncated" };
    this.#sink.repair("closer_missing");
    cursor.at = cursor.text.length;
    this.#writer.end();
    this.#sink.finish();
    return "closed";
  }

  /** Even alternatives open a container, odd ones close it; each may come once. */
  #container(alternative: number, options: { cursor: Cursor; captures: Captures }): Failure | undefined {
    const name = this.#options.body.containers[alternative >> 1] ?? "";
    const isOpener = alternative % 2 === 0;
    if (isOpener && this.#openContainers.length === 0 && takesText(this.#writer.tool.schema, name)) {
      // The tool has a parameter of this name, whose text holds elements: `<args><file>…</file><file>…</file></args>`.
      return this.#openItem(options.cursor, { ...options.captures, groups: { key: name } });
    }
    if (isOpener ? this.#usedContainers.has(name) : this.#openContainers.at(-1) !== name) {
      return { reason: "malformed", detail: `\`${name}\` stands where it cannot` };
    }
    if (isOpener) this.#openContainers.push(name);
    else this.#openContainers.pop();
    this.#usedContainers.add(name);
    options.cursor.at = options.captures.end;
    return undefined;
  }

  #readValue(cursor: Cursor, value: Value): Progress | undefined {
    this.#search ??= this.#valueSearch();
    const found = this.#search.next(cursor);
    if (found.type === "held") {
      value.write(cursor.take(found.start));
      return "more";
    }
    if (found.type === "nothing") {
      value.write(cursor.take(cursor.text.length));
      return cursor.isEnd ? { reason: "truncated" } : "more";
    }
    const captures = this.#capture(this.#search, cursor, found);
    const isInExample = this.#examples.length > 0;
    if (found.alternative === VALUE.frame) return this.#openExample(cursor, { found, captures, value });
    if (isInExample && found.alternative === NESTED.frameCloser) {
      value.write(cursor.take(captures.end));
      this.#examples.pop();
      this.#search = undefined;
      return undefined;
    }
    if (!isInExample && !this.#endsValue(found, captures)) {
      this.#search.refuse(found.alternative);
      return undefined;
    }
    value.write(cursor.take(found.start));
    return this.#closeItem(cursor, { captures, value });
  }

  #closeItem(cursor: Cursor, options: { captures: Captures; value: Value }): undefined {
    const { isKeptAsText, isRepaired } = options.value.finish();
    if (isKeptAsText) this.#sink.repair("value_kept_as_text", this.#key);
    if (isRepaired) this.#sink.repair("json_repaired", this.#key);
    cursor.at = options.captures.end;
    this.#value = undefined;
    this.#search = undefined;
    this.#examples.length = 0;
    return undefined;
  }

  #valueSearch(): Search {
    const { rule, automata, body, texts } = this.#options;
    const example = this.#examples.at(-1);
    const named = { ...this.#itemTexts, ...texts };
    const written = { isWrapped: this.#isWrapped, form: this.#form };
    return new Search(
      example
        ? automata.nested(rule, body, named, { ...written, inner: example })
        : automata.value(rule, body, named, written),
    );
  }

  /** Whether what was found ends the value: the item that follows must be one. */
  #endsValue(found: Match, captures: Captures): boolean {
    const next = captures.groups["key"];
    if (found.alternative === VALUE.item) return this.#isForgottenCloser(next ?? "");
    return next === undefined || this.#isItemKey(next);
  }

  /**
   * An item's opener at the start of a line while a value is open: its closer was forgotten, if the tool declares
   * that parameter and it has not come yet.
   */
  #isForgottenCloser(key: string): boolean {
    const { rule } = this.#options;
    const { schema } = this.#writer.tool;
    if (rule.needsDeclaredKeys || this.#writer.has(key) || !parameterSchema(schema, key)) return false;
    this.#sink.repair("closer_missing", this.#key);
    return true;
  }

  /** A whole frame inside the value is an example of a call and belongs to the value. */
  #openExample(
    cursor: Cursor,
    options: { found: Match; captures: Captures; value: Value },
  ): undefined {
    const { found, captures, value } = options;
    const { rule } = this.#options;
    const { key, tool = "" } = captures.groups;
    if (rule.needsDeclaredKeys && (key === undefined || !this.#isItemKey(key) || !this.#sink.offers(tool))) {
      this.#search?.refuse(found.alternative);
      return undefined;
    }
    value.write(cursor.take(captures.end));
    this.#examples.push(
      Object.fromEntries(rule.references.map((name) => [name, captures.groups[name] ?? ""])),
    );
    this.#search = undefined;
    return undefined;
  }

  #isItemKey(key: string): boolean {
    const { rule, body } = this.#options;
    if (body.containers.includes(key)) return true;
    return isItemKey(rule, key, { tool: this.#writer.tool, meta: this.#sink.meta });
  }

  #capture(search: Search, cursor: Cursor, found: Match): Captures {
    const { alternative, start, end, atLineStart } = found;
    const span = { start, end, atLineStart };
    return capture(search.automaton, { alternative, text: cursor.text, span }) ?? { groups: {}, end };
  }
}

/** Which of the ways to write an item matched. */
function formOf({ groups }: Captures): number {
  const name = Object.keys(groups).find((group) => group.startsWith(FORM));
  return name === undefined ? 0 : Number(name.slice(FORM.length));
}
