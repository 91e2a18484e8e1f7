/**
 * One value of a tagged body. It flows until something comes that is structure if a closer was forgotten; from there
 * on the text is held, and nothing of it is announced, until evidence decides:
 *
 *     <parameter=a>It printed\n</function>\n</tool_call>\nand went on.\n</parameter>\n</function>\n</tool_call>
 *                  ^^^^^^^^^^ flows
 *                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held, then content: the value's own closer came
 *
 *     <parameter=a>Paris\n</function>\n</tool_call>\nOne moment.
 *                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held, then structure: the answer ended without it
 *
 * The value's own closer always comes first, so a well-formed call stays exact whatever its values hold. If an item
 * opens inside a value, both readings fit; closers are counted to tell them apart.
 *
 * @module
 */
import { capture, type Captures } from "../../pattern/captures.ts";
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
  isBlank,
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

/** What a value belongs to. */
export interface ValueOptions extends TaggedOptions, WrittenValue {
  readonly key: string;
  readonly arguments: ArgumentsWriter;
  readonly value: ItemValue;
}

/** Reads one value and its closer. */
export class TaggedValue {
  readonly #sink: CallSink;
  readonly #options: ValueOptions;
  readonly #examples: Texts[] = [];
  #search: Search | undefined;
  /** Where the value may end: text is held. */
  suspicion: Suspicion | undefined;
  /** The value's own text. */
  readonly text: ValueText;
  /** Whether the value holds the opener of its own item. */
  holdsItself = false;
  /** Whether the value's own closer was forgotten. */
  isForgotten = false;
  /** Whether the next item is one more of this parameter's values. */
  isContinued = false;

  constructor(sink: CallSink, options: ValueOptions) {
    this.#sink = sink;
    this.#options = options;
    const { value, body, form, isInline } = options;
    this.text = new ValueText(value, { isEdge: !isInline && hasEdge(body, form) });
  }

  /** Reads on; once it is closed the cursor stands after its closer. */
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

  /** A tag that closes something around the value. */
  #tag(cursor: Cursor, found: Match, captures: Captures): undefined {
    const before = this.suspicion;
    if (before && isAround(before) && !before.isDirect) before.isAmbiguous = true;
    if (this.#isLineStart(cursor, found) || this.text.isGlued) this.#suspect(cursor, found, { kind: "open" });
    return this.#content(cursor, captures.end, true);
  }

  /** The text up to an index belongs to the value, and so does what stands in it. */
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

  /** A whole call inside the value is an example and belongs to it, if the value's own closer comes after it. */
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

  /** The value's own closer: nothing after it makes sure that it ends the value, but it may. */
  #ownCloser(cursor: Cursor, to: number): undefined {
    if (this.suspicion) countCloser(this.suspicion);
    return this.#content(cursor, to, true);
  }

  /** An item's opener while the value is open: the value's closer was forgotten, or the item belongs to the value. */
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

  /** The value's closer, and something after it that makes it one. */
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

  /** The same parameter came twice in a row: the same value counts once; of two that aren't plain neither is certain. */
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
    const isUnsure = this.text.isUnsure(leadingSpace(cursor.text, found.start));
    const isAmbiguous = isOwnCloser(kind) ? before?.isDirect === true : isUnsure;
    const { atLineStart } = found;
    this.suspicion = { kind, start, resume, atLineStart, isAmbiguous, depth, ...NOTHING_HELD };
  }

  /** The answer is over without the value's own closer. Half a closing tag is not part of the value. */
  #end(cursor: Cursor, space: string): "closed" | Failure {
    if (cursor.isTruncated) return TRUNCATED;
    const cutAt = space === "" ? this.#search?.cutAt : undefined;
    if (this.suspicion) {
      this.#flow(cursor.take(cursor.text.length));
      if (this.suspicion) return isCutShort(this.suspicion, cutAt) ? TRUNCATED : this.#structure(cursor);
    }
    if (cutAt !== undefined || this.text.isUnsure(space)) return TRUNCATED;
    return this.#forget();
  }

  /** What was held is structure: the value ends where it began. */
  #structure(cursor: Cursor): "closed" | Failure {
    const { kind, start, resume, atLineStart, isAmbiguous, text } = this.suspicion!;
    if (kind === "repeated" || isAmbiguous) return TRUNCATED;
    if (cursor.isExhausted) return { reason: "over_limit", detail: "read again too often" };
    cursor.restore(text, { offset: start, atLineStart, length: resume - start });
    cursor.at += resume - start;
    return isOwnCloser(kind) ? "closed" : this.#forget();
  }

  /** In the middle of a line this may be a mention, whose sentence must not run: `Use <run><command> for that.` */
  #forget(): "closed" | Failure {
    this.isForgotten = this.#sink.startsLine;
    return this.isForgotten ? "closed" : TRUNCATED;
  }

  /** What was held is content. */
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
