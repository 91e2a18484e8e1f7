/**
 * Reads a hole that contains items, each with a key and a value:
 *
 *     <function=write_file>
 *     <parameter=path>a.txt</parameter>
 *     ^^^^^^^^^^^^^^^^ item opener
 *                     ^^^^^ value: passed on as soon as it can't be the closer
 *                          ^^^^^^^^^^^^ item closer: counts only before an item or the frame's closer
 *     </function>
 *
 * Only structure can come between two items, so a missing closer is evident there. `TaggedValue` detects a missing
 * closer of the value itself.
 *
 * @module
 */
import { isWord } from "../../json/scalar.ts";
import type { Automaton } from "../../pattern/automaton.ts";
import type { Captures } from "../../pattern/captures.ts";
import { matchesAt, Search } from "../../pattern/search.ts";
import { WRAPPER } from "../../pattern/node.ts";
import type { JsonSchema } from "../../tool/offered.ts";
import { declares, parameterNames, requiredParameters, takesText } from "../../tool/schema.ts";
import type { ArgumentsWriter } from "../arguments_writer.ts";
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
import { FORM } from "../compiled_rule.ts";
import type { RuleAutomata } from "../rule_automata.ts";
import { needsCloser } from "../ending.ts";
import { BETWEEN, type ItemBody } from "../tagged_patterns.ts";
import { leadingSpace, twice } from "./hypothesis.ts";
import { unescapeText } from "./unescape.ts";
import { TaggedValue } from "./tagged_value.ts";
import { readNested } from "./nested.ts";
import { type ItemValue, type ValueNotation, ValueWriter } from "./value_writer.ts";
import { WrappedArguments } from "./wrapped_arguments.ts";
import { elementsToJson } from "./element.ts";

const NOT_AN_ITEM = malformed("neither an item nor the closing tag");

const TOO_LONG: Failure = { reason: "over_limit", detail: "a value is too long" };

interface Item {
  readonly key: string;
  readonly value: ItemValue;
  readonly reader: TaggedValue;
  /** Its opener. */
  readonly opener: string;
}

export class TaggedBody implements BodyReader {
  readonly #sink: Calls;
  readonly #automata: RuleAutomata;
  readonly #body: ItemBody;
  readonly #isWrapped: boolean;
  readonly #writer: ArgumentsWriter;
  readonly #openContainers: string[] = [];
  readonly #usedContainers = new Set<string>();
  #search: Search | undefined;
  #items = 0;
  #item: Item | undefined;
  /** The reason that no call is made. Reading goes on to the end of the call, since calls in its values are examples. */
  #failure: Failure | undefined;
  /** The value before the current position. */
  #previous: TaggedValue | undefined;
  /** The tags between keys and values. */
  readonly #openers = new Set<string>();
  /** Whether the last item begins a line. */
  #isInLines = false;
  /** Whether a value has the beginning of a tag. */
  #hasMarks = false;
  /** Whether the item repeats the previous one. */
  #isAgain = false;
  /** The list that the next item continues: `<p=a>x</p><p=a>y</p>`. */
  #list: ItemValue | undefined;

  constructor(sink: Calls, automata: RuleAutomata, body: ItemBody) {
    this.#sink = sink;
    this.#automata = automata;
    this.#body = body;
    this.#isWrapped = WRAPPER in sink.groups;
    this.#writer = sink.beginNamed();
    this.#writer.begin("object");
  }

  get isHolding(): boolean {
    return this.#item?.reader.isHolding === true;
  }

  /** Whether the closer of the previous value was forgotten. */
  get #isForgotten(): boolean {
    return this.#previous?.ending === "forgotten";
  }

  /**
   * Whether the end of the previous value is ambiguous where more is missing: an unopened closing tag ends it, which can be
   * the missing tag, or an item opens in it, whose closer the value's can be.
   */
  get #isEndAmbiguous(): boolean {
    return this.#previous?.text.endsWithTag === true || this.#previous?.holdsOpenItem === true;
  }

  /** Whether nothing ended the last value, or only a line break after several lines, so that more of it can be missing. */
  get #endsInLines(): boolean {
    const { closer = "x", ending, text } = this.#previous ?? {};
    const isOpen = ending === "closed" && closer === "" || closer.trim() === "" && text?.hasLines === true;
    return isOpen && needsCloser(this.#automata.rule) && text?.isComplete({ isDelimited: true }) === false;
  }

  read(cursor: Cursor): Progress {
    for (;;) {
      const progress = this.#item ? this.#readItem(cursor, this.#item) : this.#readBetween(cursor);
      if (progress && progress !== "more" && this.#failure) return { ...this.#failure, isTorn: true };
      if (progress) return progress;
    }
  }

  /** Reads between two items: whitespace, then an item, a container, or the frame's closer. */
  #readBetween(cursor: Cursor): Progress | undefined {
    this.#search ??= new Search(this.#automata.between(this.#body, this.#isWrapped), true);
    const found = this.#search.next(cursor);
    if (found.type === "held") return "more";
    if (found.type === "nothing") {
      if (cursor.at === cursor.text.length && !cursor.isEnd) return "more";
      if (found.isCut) return this.#endHalf(cursor);
      return NOT_AN_ITEM;
    }
    const captures = this.#search.capture(found, cursor.text);
    if (found.alternative === BETWEEN.item && this.#isNextCall(captures)) {
      this.#search.refuse(BETWEEN.item);
      return undefined;
    }
    this.#search = undefined;
    switch (found.alternative) {
      case BETWEEN.item:
        return this.#openItem(cursor, captures);
      case BETWEEN.closer:
        return this.#close(cursor, captures);
      case BETWEEN.end:
        return this.#end(cursor, this.#isWhole(cursor.text.slice(-1)));
      case BETWEEN.wrapper:
      case BETWEEN.opener:
      case BETWEEN.prose:
        if (this.#items === 0) return NOT_AN_ITEM;
        return this.#isHalfItem(cursor) ? TRUNCATED : this.#repair(cursor, captures, "closer_missing");
      case BETWEEN.repeated:
        return this.#repair(cursor, captures, "closer_repeated");
      case BETWEEN.loose:
        return this.#repair(cursor, captures, "wrapper_closer_missing");
      case BETWEEN.foreign:
        if (cursor.isTruncated) return TRUNCATED;
        return this.#items === 0 || this.#isCloserAgain(cursor)
          ? malformed("a different closing tag instead of the call's")
          : this.#repair(cursor, captures, "closer_replaced");
      default:
        return this.#container(found.alternative - BETWEEN.container, { cursor, captures });
    }
  }

  /** Whether an item is the next call. If tags look like HTML, an item with an undeclared name can be one. */
  #isNextCall({ groups: { key = "" } }: Captures): boolean {
    if (this.#body.containers.includes(key) || this.#items === 0) return false;
    return this.#sink.offers(key) && !this.#sink.isItemKey(key);
  }

  /** Whether the closer of the previous value comes again. One of the two can be part of the value. */
  #isCloserAgain(cursor: Cursor): boolean {
    return cursor.text.slice(cursor.at).trimStart().startsWith((this.#previous?.closer ?? "").trim());
  }

  #openItem(cursor: Cursor, captures: Captures): Failure | undefined {
    const automata = this.#automata;
    const space = leadingSpace(cursor.text, cursor.at);
    this.#isInLines = cursor.isLineStart(cursor.at + space.length);
    const key = unescapeText(captures.groups["key"] ?? "", automata.rule.nameEscapes);
    const opener = cursor.text.slice(cursor.at, captures.end).trim();
    if (holdsMark(key) && !declares(this.#writer.tool.schema, key)) {
      return malformed(`\`${key}\` holds half a mark`);
    }
    cursor.at = captures.end;
    if (!this.#list) {
      this.#isAgain = this.#writer.has(key);
      if (this.#isAgain && !this.#writer.isReplaceable(key)) return twice(key);
      this.#items++;
      if (!this.#isWrapper(key)) this.#writer.key(key);
      if (this.#writer.isRefused) return { reason: "undeclared_parameter" };
      this.#sink.sentTo = cursor.offset;
    }
    const value = this.#list ??
      (this.#isWrapper(key)
        ? new WrappedArguments(this.#writer, key)
        : new ValueWriter(this.#writer, key, this.#notation(captures)));
    const reader = new TaggedValue(this.#sink, {
      automata: automata.with({ ...captures.groups, ...automata.texts }),
      body: this.#body,
      key,
      value,
      isFirst: this.#items === 1,
      // The opener of a call can take the whitespace after it in.
      space: this.#items > 1 || space !== "" ? space : undefined,
      arguments: this.#writer,
      isInline: cursor.text.charCodeAt(captures.end - 1) !== 0x0a,
      isWrapped: this.#isWrapped,
      form: formOf(captures),
      containers: [...this.#openContainers],
    });
    this.#item = { key, value, reader, opener };
    return undefined;
  }

  /** Whether a key's value is an object of parameters. */
  #isWrapper(key: string): boolean {
    const { schema } = this.#writer.tool;
    return this.#body.unwrap.includes(key) && schema !== undefined && !declares(schema, key);
  }

  #notation({ groups }: Captures): ValueNotation {
    const { isNested, escapes } = this.#body;
    const { key = "" } = groups;
    const { tool } = this.#writer;
    const nested = (text: string, schema: JsonSchema | undefined): string | undefined => {
      const element = readNested(key, text, { automata: this.#automata, body: this.#body });
      return element && element.children.length > 0 ? elementsToJson([element], { schema, tool }) : undefined;
    };
    return { type: groups["type"] ?? groups["string"], escapes, nested: isNested ? nested : undefined };
  }

  #readItem(cursor: Cursor, { key, value, reader, opener }: Item): Progress | undefined {
    const progress = reader.read(cursor);
    // A mention in a sentence has no item that is closed.
    if (isFailure(progress) && progress.reason === "truncated" && this.#items > 1) {
      return { ...progress, isTorn: true };
    }
    if (progress !== "closed") return progress;
    this.#item = undefined;
    this.#failure ??= reader.failure ?? this.#ambiguity(key, { reader, opener });
    // After a missing closer, one of two openers of this item can belong to the previous value.
    if (this.#isForgotten && reader.opensAgain) {
      return malformed(`\`${key}\` opens twice`);
    }
    if (this.#isAgain && (reader.ending === "forgotten" || !reader.text.isPlain)) return twice(key);
    this.#previous = reader;
    this.#list = reader.ending === "continued" ? value : undefined;
    if (this.#list) return void this.#list.next();
    const { isKeptAsText, isRepaired } = value.finish();
    this.#sink.sentTo = cursor.offset;
    if (this.#writer.isRefused) return TOO_LONG;
    if (isKeptAsText && (this.#isForgotten || reader.text.isAmbiguous)) {
      return malformed(`\`${key}\` is not closed`);
    }
    if (isKeptAsText && reader.text.isNearlyJson) this.#failure ??= malformed(`\`${key}\` isn't JSON`);
    if (isKeptAsText) this.#sink.repair("value_kept_as_text", key);
    if (isRepaired) this.#sink.repair("json_repaired", key);
    if (this.#isForgotten) this.#sink.repair("value_closer_missing", key);
    return undefined;
  }

  /** Why a value can hold more than itself. */
  #ambiguity(key: string, { reader, opener }: Pick<Item, "reader" | "opener">): Failure | undefined {
    const { schema } = this.#writer.tool;
    const [before, after] = around(key, opener);
    if (after.includes("<")) this.#openers.add(after.slice(after.lastIndexOf("<")));
    // What a container holds as a value are tags.
    this.#hasMarks ||= reader.text.hasMark && !this.#body.containers.includes(key);
    const surroundings = {
      closer: reader.closer,
      openers: [...this.#openers],
      before,
      after,
      parameters: parameterNames(schema).filter((name) => !this.#writer.has(name)),
      tools: this.#sink.spellings,
    };
    const isDamaged = this.#sink.isDamaged(reader.text.searched, surroundings);
    return isDamaged || reader.text.holdsDamagedMark(surroundings)
      ? malformed(`\`${key}\` may contain a damaged marker`)
      : undefined;
  }

  #close(cursor: Cursor, captures: Captures): Progress {
    const { schema } = this.#writer.tool;
    if (this.#items === 0 && this.#automata.rule.needsDeclaredKeys && requiredParameters(schema).length > 0) {
      return { reason: "missing_required" };
    }
    if (this.#isForgotten && !this.#writer.hasRequired) return TRUNCATED;
    cursor.at = captures.end;
    return this.#finish();
  }

  /**
   * Whether no item can be missing at the end of the answer, although nothing closes the call. In a line, a whole item ends a
   * call that has what is required, unless a wrapper is open, too. In lines, a line break ends one that closes no item, either.
   */
  #isWhole(last: string): boolean {
    if (" \t".includes(last)) return false;
    if (this.#items === 0) return (last === "\n" || this.#isWrapped) && this.#writer.canEnd(false);
    return this.#writer.canEnd(this.#isForgotten ? last === "\n" : !this.#isInLines && !this.#isWrapped);
  }

  /**
   * Ends the answer between two items. A call without an item must start a line, because otherwise it could be the last word
   * of a sentence.
   */
  #end(cursor: Cursor, isWhole: boolean): Progress {
    if (this.#isEndAmbiguous || this.#endsInLines) return { ...TRUNCATED, isTorn: true };
    const isEvident = this.#items > 0 || this.#sink.startsLine;
    if (!isEvident || cursor.isTruncated) return TRUNCATED;
    // What isn't whole with its wrapper isn't without it.
    if (!isWhole) return this.#isWrapped ? { ...TRUNCATED, isTorn: true } : TRUNCATED;
    this.#sink.repair("closer_missing");
    cursor.at = cursor.text.length;
    return this.#finish();
  }

  /** Ends the answer inside a tag between two items. Half of the call's closer is one; half of an item is a lost one. */
  #endHalf(cursor: Cursor): Progress {
    const isCloser = this.#items > 0 && endsIn(this.#automata.text(), cursor);
    return isCloser && !this.#isHalfItem(cursor) ? this.#end(cursor, this.#writer.hasRequired) : TRUNCATED;
  }

  /** Whether the answer ends inside the opener of an item. */
  #isHalfItem(cursor: Cursor): boolean {
    return endsIn(this.#automata.item(this.#body), cursor);
  }

  #repair(
    cursor: Cursor,
    captures: Captures,
    reason: "closer_missing" | "closer_repeated" | "closer_replaced" | "wrapper_closer_missing",
  ): Progress {
    // A repair never makes a call without a required parameter. After two errors, any closing tag could be the value's, and the end of the call is ambiguous.
    const isSecond = this.#isForgotten && reason !== "closer_missing";
    if (!this.#writer.hasRequired || this.#isEndAmbiguous || isSecond) {
      const failure = malformed("more than a closing tag is missing");
      return this.#isEndAmbiguous ? { ...failure, isTorn: true } : failure;
    }
    this.#sink.repair(reason);
    cursor.at = captures.end;
    return this.#finish();
  }

  #finish(): "closed" | Failure {
    if (this.#failure) return this.#failure;
    if (this.#hasMarks && !this.#writer.hasRequired) {
      return malformed("a parameter is missing, and a value has tags");
    }
    this.#writer.end();
    this.#sink.finish();
    return "closed";
  }

  /** Opens a container (even alternatives) or closes it (odd ones). Each can occur once. */
  #container(alternative: number, options: { cursor: Cursor; captures: Captures }): Failure | undefined {
    const name = this.#body.containers[alternative >> 1] ?? "";
    const isOpener = alternative % 2 === 0;
    if (isOpener && this.#openContainers.length === 0 && takesText(this.#writer.tool.schema, name)) {
      // The tool has a parameter of this name, whose text contains elements:
      // `<args><file>…</file><file>…</file></args>`.
      return this.#openItem(options.cursor, { ...options.captures, groups: { key: name } });
    }
    if (isOpener ? this.#usedContainers.has(name) : this.#openContainers.at(-1) !== name) {
      return malformed(`\`${name}\` is in the wrong place`);
    }
    if (isOpener) this.#openContainers.push(name);
    else this.#openContainers.pop();
    this.#usedContainers.add(name);
    options.cursor.at = options.captures.end;
    return undefined;
  }
}

/** Whether the answer ends inside a pattern. */
function endsIn(automaton: Automaton, { isEnd, text, spaceEnd }: Cursor): boolean {
  return isEnd && matchesAt(automaton, text, spaceEnd) === undefined;
}

/** What is before and after a key in an item's opener. */
function around(key: string, opener: string): readonly [before: string, after: string] {
  for (let at = opener.indexOf(key); at >= 0; at = opener.indexOf(key, at + 1)) {
    const end = at + key.length;
    if (isWord(opener.charCodeAt(at - 1)) || isWord(opener.charCodeAt(end))) continue;
    return [opener.slice(0, at), opener.slice(end)];
  }
  return ["", ""];
}

/** Whether a key has a character of marks, so that it isn't a name. */
function holdsMark(key: string): boolean {
  return [..."<>\"'="].some((one) => key.includes(one));
}

function formOf({ groups }: Captures): number {
  const name = Object.keys(groups).find((group) => group.startsWith(FORM));
  return name === undefined ? 0 : Number(name.slice(FORM.length));
}
