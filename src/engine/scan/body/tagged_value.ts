/**
 * Reads one value of a tagged body. The value is passed on up to the first text that would be structure if a closer was
 * forgotten. From there, the text is held and not announced until evidence decides:
 *
 *     <parameter=a>It printed\n</function>\n</tool_call>\nand went on.\n</parameter>\n</function>\n</tool_call>
 *                  ^^^^^^^^^^ passed on
 *                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held, then content: the value's own closer came
 *
 *     <parameter=a>Paris\n</function>\n</tool_call>\nOne moment.
 *                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held, then structure: the answer ended without it
 *
 * The value's own closer takes precedence, so a well-formed call stays exact whatever its values contain. If an item
 * opens inside a value, both readings are possible, and counting closers distinguishes them.
 *
 * @module
 */
import { capture, type Captures } from "../../pattern/captures.ts";
import { isBlank } from "../../pattern/node.ts";
import { type Found, Search } from "../../pattern/search.ts";
import type { ArgumentsWriter } from "../arguments_writer.ts";
import type { Texts } from "../automata.ts";
import type { CallSink, Failure } from "../call_sink.ts";
import type { Cursor } from "../cursor.ts";
import { isItemKey } from "../gate.ts";
import { hasEdge, isKeyed, NESTED, VALUE, type WrittenValue } from "../tagged_patterns.ts";
import { parameterSchema } from "../../tool/schema.ts";
import {
  countCloser,
  doubtAgain,
  HELD_MAXIMUM,
  isAround,
  isCutShort,
  isOwnCloser,
  leadingSpace,
  NOTHING_HELD,
  type Suspicion,
  twice,
  withoutFinalLineBreak,
} from "./suspicion.ts";
import type { TaggedOptions } from "./tagged.ts";
import { ValueText } from "./value_text.ts";
import type { ItemValue } from "./value_writer.ts";

type Match = Extract<Found, { type: "match" }>;

const TRUNCATED: Failure = { reason: "truncated" };

/** The context of a value. */
export interface ValueOptions extends TaggedOptions, WrittenValue {
  readonly key: string;
  readonly arguments: ArgumentsWriter;
  readonly value: ItemValue;
}

/** Reads a value and its closer. */
export class TaggedValue {
  readonly #sink: CallSink;
  readonly #options: ValueOptions;
  readonly #examples: Texts[] = [];
  #search: Search | undefined;
  /** The position at which the value might end; the text from there is held. */
  suspicion: Suspicion | undefined;
  /** The value's own text. */
  readonly text: ValueText;
  /** Whether the value contains the opener of its own item. */
  holdsItself = false;
  /** Whether the value's own closer was forgotten. */
  isForgotten = false;
  /** Whether the next item is another value of this parameter. */
  isContinued = false;

  constructor(sink: CallSink, options: ValueOptions) {
    this.#sink = sink;
    this.#options = options;
    const { value, body, form, isInline } = options;
    this.text = new ValueText(value, { isEdge: !isInline && hasEdge(body, form) });
  }

  /** Reads on. When it returns `closed`, the cursor is after the value's closer. */
  read(cursor: Cursor): "more" | "closed" | Failure {
    for (;;) {
      this.#search ??= this.#createSearch();
      const found = this.#search.next(cursor);
      if (found.type !== "match") {
        this.#flow(cursor.take(found.type === "held" ? found.start : cursor.text.length));
        if (found.type === "held" || !cursor.isEnd) return "more";
        return this.#end(cursor, "");
      }
      const end = this.#match(cursor, found);
      if (end) return end;
    }
  }

  #createSearch(): Search {
    const { rule, automata, body, texts, isWrapped, isInline, form } = this.#options;
    const example = this.#examples.at(-1);
    return new Search(
      example
        ? automata.nested(rule, body, example)
        : automata.value(rule, body, texts, { isWrapped, isInline, form }),
    );
  }

  #match(cursor: Cursor, found: Match): "closed" | Failure | undefined {
    const { alternative, start, end, atLineStart } = found;
    const options = { alternative, text: cursor.text, span: { start, end, atLineStart } };
    const captures = capture(this.#search!.automaton, options) ?? { groups: {}, end };
    if (this.#examples.length > 0) return this.#inExample(cursor, found, captures);
    this.#flow(cursor.take(start));
    switch (alternative) {
      case VALUE.closer:
        return this.#closer(cursor, found, captures);
      case VALUE.frame:
        return this.#frame(cursor, found, captures);
      case VALUE.item:
        return this.#item(cursor, found, captures);
      case VALUE.end:
        return this.#end(cursor, cursor.text.slice(start));
      case VALUE.loose:
      case VALUE.prose:
        this.#suspect(cursor, found, {
          kind: alternative === VALUE.prose ? "prose" : "closed",
          resume: cursor.base + captures.end,
        });
        return this.#ownCloser(cursor, captures.end);
      case VALUE.own:
        if (this.suspicion?.kind === "prose") this.suspicion.isAmbiguous = true;
        return this.#ownCloser(cursor, captures.end);
      default:
        return this.#tag(cursor, found, captures);
    }
  }

  /** Handles a tag that closes something around the value. */
  #tag(cursor: Cursor, found: Match, captures: Captures): undefined {
    const before = this.suspicion;
    if (before && isAround(before) && !before.isDirect) before.isAmbiguous = true;
    if (this.#isLineStart(cursor, found) || this.text.isGlued) this.#suspect(cursor, found, { kind: "open" });
    return this.#content(cursor, captures.end, true);
  }

  /** Adds the text up to an index to the value. */
  #content(cursor: Cursor, to: number, isCloser = false): undefined {
    this.text.isDoubtful = true;
    this.#flow(cursor.take(to));
    if (this.suspicion && isCloser) this.suspicion.isDirect = true;
    return void (this.#search = undefined);
  }

  #inExample(cursor: Cursor, found: Match, captures: Captures): undefined {
    if (found.alternative === NESTED.frame) this.#openExample(captures);
    else this.#examples.pop();
    return this.#content(cursor, captures.end, true);
  }

  /** Handles a whole call inside the value. It is an example if the value's own closer follows. */
  #frame(cursor: Cursor, found: Match, captures: Captures): undefined {
    const { key, tool = "" } = captures.groups;
    if (
      this.#options.rule.needsDeclaredKeys &&
      (key === undefined || !this.#isItemKey(key) || !this.#sink.offers(tool))
    ) {
      return void this.#search!.refuse(found.alternative);
    }
    if (this.#isLineStart(cursor, found) || this.text.isGlued) this.#suspect(cursor, found, { kind: "call" });
    this.#openExample(captures);
    return this.#content(cursor, captures.end);
  }

  #openExample({ groups }: Captures): void {
    const { references } = this.#options.rule;
    this.#examples.push(Object.fromEntries(references.map((name) => [name, groups[name] ?? ""])));
  }

  /** Handles the value's own closer when nothing after it confirms that it ends the value. */
  #ownCloser(cursor: Cursor, to: number): undefined {
    if (this.suspicion) countCloser(this.suspicion);
    return this.#content(cursor, to, true);
  }

  /** Handles an item's opener inside the value: the value's closer was forgotten, or the item is part of the value. */
  #item(cursor: Cursor, found: Match, captures: Captures): undefined {
    const { key = "" } = captures.groups;
    const { arguments: all, isInline } = this.#options;
    const isStrong = this.#isLineStart(cursor, found) || (isInline && this.text.isGlued);
    const before = this.suspicion;
    this.holdsItself ||= isStrong && key === this.#options.key;
    if (before?.kind === "repeated" && before.repetition === undefined) {
      before.repetition = before.text.length + captures.end - cursor.at;
    } else if (isStrong && before) before.depth++;
    else if (isStrong && !all.has(key) && parameterSchema(all.tool.schema, key) !== undefined) {
      this.#suspect(cursor, found, { kind: "item", depth: 2 });
    }
    return this.#content(cursor, withoutFinalLineBreak(cursor.text, captures.end));
  }

  /** Handles the value's closer when the text after it confirms it. */
  #closer(cursor: Cursor, found: Match, captures: Captures): "closed" | Failure | undefined {
    const next = captures.groups["key"];
    const { key, arguments: all, body, form, value: { isList } } = this.#options;
    const { suspicion } = this;
    if (suspicion?.kind === "repeated") return this.#repetition(cursor, captures.end);
    if (next !== undefined && (!this.#isItemKey(next) || (all.has(next) && next !== key))) {
      return void this.#search!.refuse(VALUE.closer);
    }
    if (suspicion?.kind === "item" && !isKeyed(body, form) && --suspicion.depth > 0) {
      return next === undefined ? this.#structure(cursor) : this.#content(cursor, captures.end);
    }
    if (next === key && !isList && (suspicion || !this.text.isPlain || !all.isReplaceable(key))) {
      if (suspicion && suspicion.kind !== "prose") return this.#ownCloser(cursor, captures.end);
      this.#suspect(cursor, found, { kind: "repeated", resume: cursor.base + captures.end });
      return this.#content(cursor, captures.end);
    }
    this.#release();
    this.isContinued = next === key && isList;
    cursor.at = captures.end;
    return "closed";
  }

  /** Handles a repeated parameter: equal values count once; of two values that aren't plain, neither is certain. */
  #repetition(cursor: Cursor, to: number): "closed" | Failure {
    const { text, repetition = text.length } = this.suspicion!;
    if (!this.text.isRepeatedBy(text.slice(repetition))) return twice(this.#options.key);
    this.#sink.repair("repeated_parameter", this.#options.key);
    cursor.at = to;
    return "closed";
  }

  #suspect(
    cursor: Cursor,
    found: Match,
    about: { kind: Suspicion["kind"]; resume?: number; depth?: number },
  ): void {
    const start = cursor.base + found.start;
    const { kind, depth = 1, resume = start } = about;
    const before = this.suspicion;
    if (before && !doubtAgain(before, kind)) return;
    this.#release();
    const space = leadingSpace(cursor.text, found.start);
    const isUnsure = kind === "call" ? !this.text.isWhole(space, kind) : this.text.isUnsure(space);
    const isAmbiguous = isOwnCloser(kind) ? before?.isDirect === true : isUnsure;
    const { atLineStart } = found;
    this.suspicion = { kind, start, resume, atLineStart, isAmbiguous, depth, ...NOTHING_HELD };
  }

  /** Ends the answer without the value's own closer. An unfinished closing tag isn't part of the value. */
  #end(cursor: Cursor, space: string): "closed" | Failure {
    if (cursor.isTruncated) return TRUNCATED;
    const cutAt = space === "" ? this.#search?.cutAt : undefined;
    if (this.suspicion) {
      this.#flow(cursor.take(cursor.text.length));
      if (this.suspicion) return isCutShort(this.suspicion, cutAt) ? TRUNCATED : this.#structure(cursor);
    }
    if (cutAt !== undefined || !this.text.isWhole(space, "end")) return TRUNCATED;
    return this.#forget();
  }

  /** Treats the held text as structure: the value ends where that text begins. */
  #structure(cursor: Cursor): "closed" | Failure {
    const { kind, start, resume, atLineStart, isAmbiguous, text } = this.suspicion!;
    if (kind === "repeated" || isAmbiguous) return TRUNCATED;
    if (cursor.isExhausted) return { reason: "over_limit", detail: "read again too often" };
    cursor.restore(text, { offset: start, atLineStart, length: resume - start });
    cursor.at += resume - start;
    return isOwnCloser(kind) ? "closed" : this.#forget();
  }

  /** Accepts a forgotten closer unless the call begins inside a line, where it can be a mention, which must not run. */
  #forget(): "closed" | Failure {
    this.isForgotten = this.#sink.startsLine;
    return this.isForgotten ? "closed" : TRUNCATED;
  }

  /** Treats the held text as content. */
  #release(): void {
    const text = this.suspicion?.text ?? "";
    this.suspicion = undefined;
    this.text.write(text);
  }

  #flow(text: string): void {
    if (text === "") return;
    this.text.see(text);
    if (this.suspicion) {
      this.suspicion.text += text;
      if (!isBlank(text)) this.suspicion.isDirect = false;
      if (this.suspicion.text.length > HELD_MAXIMUM) this.#release();
      return;
    }
    this.text.write(text);
  }

  #isLineStart(cursor: Cursor, { atLineStart, start }: Match): boolean {
    return this.text.isEmpty || atLineStart || "\r\n".includes(cursor.text.charAt(start));
  }

  #isItemKey(key: string): boolean {
    const { rule, arguments: { tool } } = this.#options;
    return isItemKey(rule, key, { tool, meta: this.#sink.meta });
  }
}
