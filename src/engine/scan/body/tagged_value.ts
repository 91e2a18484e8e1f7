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
import type { Captures } from "../../pattern/captures.ts";
import { isBlank, WRAPPER } from "../../pattern/node.ts";
import { type Match, Search } from "../../pattern/search.ts";
import type { ArgumentsWriter } from "../arguments_writer.ts";
import { EXHAUSTED, type Failure, malformed, TRUNCATED } from "../body_reader.ts";
import type { Calls } from "../calls.ts";
import type { Cursor } from "../cursor.ts";
import { FORM } from "../compiled_rule.ts";
import type { RuleAutomata } from "../rule_automata.ts";
import {
  CALL_AGAIN,
  hasEdge,
  isKeyed,
  type ItemBody,
  NESTED,
  VALUE,
  type WrittenValue,
} from "../tagged_patterns.ts";
import { needsCloser } from "../ending.ts";
import { declares, parameterSchema } from "../../tool/schema.ts";
import { Examples } from "./examples.ts";
import {
  ambiguousAgain,
  countCloser,
  HELD_MAXIMUM,
  type Hypothesis,
  isAround,
  isCutShort,
  isOwnCloser,
  leadingSpace,
  type Mention,
  type PossibleEnd,
  twice,
  withoutFinalLineBreak,
} from "./hypothesis.ts";
import { ValueText } from "./value_text.ts";
import type { ItemValue } from "./value_writer.ts";

interface ValueOptions extends WrittenValue {
  /** Its texts include the groups of the item's opener, to which an item's closer can refer. */
  readonly automata: RuleAutomata;
  readonly body: ItemBody;
  readonly key: string;
  readonly arguments: ArgumentsWriter;
  readonly value: ItemValue;
  readonly isFirst: boolean;
  /** The whitespace before the item, which shows how the call is laid out, if it is known. */
  readonly space: string | undefined;
}

export class TaggedValue {
  readonly #sink: Calls;
  readonly #options: ValueOptions;
  readonly #examples: Examples;
  #search: Search | undefined;
  /** The position at which the value might end; the text from there is held. */
  #hypothesis: Hypothesis | undefined;
  /** The position at which the value ends if the example around it only mentions a call. */
  #mention: Mention | undefined;
  /**
   * What else the value can be: the part before an earlier closer, as in `<p=a>x</p><p=</p>` and, with an optional closer of
   * the call, in `x</p>y</p>`; or the rest after the opener of its own item, as in `<p=a><p=a>x</p>`.
   */
  #alternative: "none" | "part" | "rest" = "none";
  /** The number of items that are open in the value: 1 at the end of `see <p=b>x`. */
  #openItems = 0;
  readonly text: ValueText;
  /** Whether a call inside the value can be the next one, so that it isn't mentioned: `<p=a>x</f>⟨next⟩<f><p=a>y</p></f>`. */
  #holdsNextCall = false;
  /** The text of the closer that ended the value. */
  closer = "";
  /** The reason that the value makes no call, although it is closed. */
  failure: Failure | undefined;
  /** Whether its item opens again in the value: `<p=a>x⏎<p=a>y</p>`. */
  opensAgain = false;
  /** How the value ended: with its closer, with its closer before another value of the parameter, or without it. */
  ending: "closed" | "continued" | "forgotten" = "closed";

  constructor(sink: Calls, options: ValueOptions) {
    this.#sink = sink;
    this.#options = options;
    const { value, automata, body, form, isInline, isFirst } = options;
    this.#examples = new Examples(automata.rule.references, automata.texts);
    this.text = new ValueText(value, { isEdge: !isInline && hasEdge(body, form), isFirst });
  }

  /** Whether text is held that can be structure. */
  get isHolding(): boolean {
    return this.#hypothesis !== undefined || this.#mention !== undefined;
  }

  /** Whether nothing closes an item that opens in the value, so that the value's closer can be the item's: `see <p=b>x</p>`. */
  get holdsOpenItem(): boolean {
    return this.#openItems > 0;
  }

  /** Reads on. When it returns `closed`, the cursor is after the value's closer. */
  read(cursor: Cursor): "more" | "closed" | Failure {
    for (;;) {
      this.#search ??= this.#createSearch();
      const found = this.#search.next(cursor);
      if (found.type !== "match") {
        this.#flow(cursor, found.type === "held" ? found.start : cursor.text.length);
        if (found.type === "held" || !cursor.isEnd) return "more";
        return this.#end(cursor, "");
      }
      const end = this.#match(cursor, found);
      if (end) return end;
    }
  }

  #createSearch(): Search {
    const { automata, body } = this.#options;
    const inExample = this.#examples.texts;
    return new Search(
      inExample ? automata.with(inExample).nested(body, this.#options) : automata.value(body, this.#options),
    );
  }

  #match(cursor: Cursor, found: Match): "closed" | Failure | undefined {
    const { alternative, start } = found;
    const captures = this.#search!.capture(found, cursor.text);
    this.#flow(cursor, start);
    if (this.#options.body.escapes === "backslash" && this.text.isEscaping && alternative !== VALUE.end) {
      return this.#content(cursor, start + 1);
    }
    // An empty closer is at every place: only what follows it shows that it is one.
    if (captures.end === start && alternative !== VALUE.closer && alternative !== VALUE.end) {
      return void this.#search!.refuse(alternative);
    }
    if (this.#examples.texts) return this.#inExample(cursor, found, captures);
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
      case VALUE.own:
        // The answer can end inside a tag that would confirm the closer.
        if (alternative !== VALUE.own || this.#search!.cutAt === cursor.base + start) {
          this.#suspect(cursor, found, {
            kind: alternative === VALUE.loose ? "closed" : "prose",
            resume: cursor.base + captures.end,
          });
        } else if (this.#hypothesis?.kind === "prose") this.#hypothesis.isAmbiguous = true;
        return this.#ownCloser(cursor, captures.end);
      case VALUE.restart:
        // Half of an opener with another name is more damage than a closer in the value.
        return this.#ownCloser(cursor, captures.end, this.#isDeclared(captures.groups["torn"]));
      case VALUE.again:
        // After an item that can be content, the item's closer alone shows that what closes the call can be, too.
        if (CALL_AGAIN in captures.groups || this.#hypothesis?.kind === "item") {
          return ambiguousEnd(this.#options.key, "repeated closers");
        }
        return void this.#search!.refuse(alternative);
      case VALUE.twice:
        return this.#closedTwice(cursor, captures);
      default:
        return this.#tag(cursor, found, captures);
    }
  }

  /**
   * Handles the value's closer several times in a row. If nothing in the value opens what the first one closes, the model
   * wrote one too many, or the value ends in a closer; only the value's type can tell.
   */
  #closedTwice(cursor: Cursor, { groups: { key: next }, end }: Captures): "closed" | undefined {
    const { key, arguments: all } = this.#options;
    const mayEnd = next === undefined ||
      (this.#sink.isItemKey(next) && !all.has(next) && !this.#isAmbiguous(next, { cursor, end }));
    if (mayEnd && this.#openItems === 0 && !this.#opensTag(cursor, end)) {
      if (!this.#hypothesis && this.text.isComplete({ isDelimited: true })) {
        this.#sink.repair("closer_repeated", key);
      } else this.failure = ambiguousEnd(key, "repeated closers");
      // Without the closers in the value, another reader can go on from what was sent of it.
      this.#release(cursor);
      return this.#close(cursor, end);
    }
    return void this.#search!.refuse(VALUE.twice);
  }

  /** Handles a tag that closes something around the value. */
  #tag(cursor: Cursor, found: Match, captures: Captures): undefined {
    const before = this.#hypothesis;
    if (before && isAround(before) && !before.endsInCloser) before.isAmbiguous = true;
    if (this.#isLineStart(cursor, found) || this.text.isGlued) this.#suspect(cursor, found, { kind: "open" });
    return this.#content(cursor, captures.end, true);
  }

  /** Adds the text up to an index to the value. */
  #content(cursor: Cursor, to: number, isCloser = false): undefined {
    this.text.isAmbiguous = true;
    this.#flow(cursor, to);
    if (this.#hypothesis && isCloser) this.#hypothesis.endsInCloser = true;
    return void (this.#search = undefined);
  }

  #inExample(cursor: Cursor, found: Match, captures: Captures): "closed" | undefined {
    switch (found.alternative) {
      case NESTED.closer:
        if (this.#closesMention(cursor, found, captures)) return "closed";
        break;
      case NESTED.frame:
        this.#examples.open(captures.groups);
        break;
      case NESTED.frameCloser:
        this.#examples.close();
        break;
      case NESTED.own:
        if (this.#examples.openers > 0) this.#examples.openers--;
        break;
      default:
        this.#examples.openers++;
    }
    return this.#content(cursor, captures.end, true);
  }

  /**
   * Handles the value's closer inside an example. It ends the value if the example only mentions a call. If it can
   * belong to the example, the text is held: it is part of the value if the value's closer follows the example.
   */
  #closesMention(cursor: Cursor, found: Match, { groups: { key }, end }: Captures): boolean {
    const { body, form, arguments: all } = this.#options;
    const isNext = key === undefined || (this.#sink.isItemKey(key) && !all.has(key) && this.#isDeclared(key));
    if (!isNext) return false;
    // If the value ended before an item that now comes again, the call has it twice, or it holds half of an example.
    if (key !== undefined && this.#hypothesis?.keys.has(key)) this.#hypothesis.isAmbiguous = true;
    const { base } = cursor;
    const examples = this.#examples;
    const isSurplus = examples.openers === 0;
    const isCertain = isKeyed(body, form) ? isSurplus : !examples.hasOwn && key === undefined;
    if (examples.openers > 0) examples.openers--;
    if (isCertain && !this.#mention) {
      this.#release(cursor);
      this.#close(cursor, end);
      return true;
    }
    const { start, atLineStart } = found;
    const callEnd = key === undefined ? base + found.end : undefined;
    if (this.#mention) this.#mention.end ??= callEnd;
    else if (!this.#holdsNextCall) {
      this.#mention = {
        start: base + start,
        resume: base + end,
        end: callEnd,
        atLineStart,
        isAmbiguous: false,
        isSurplus,
        text: "",
      };
    }
    if (key === undefined) examples.dropMentions();
    return false;
  }

  /**
   * Whether an item after a closer can be content: a half tag that takes the next one for a part of its key, or an
   * undeclared item after nothing, after a tag that the closer closes, or where no item of the call would be.
   */
  #isAmbiguous(next: string, { cursor, end }: { cursor: Cursor; end: number }): boolean {
    if (next.includes("<")) return true;
    if (this.#isDeclared(next)) return false;
    const isUnknown = this.#options.space === undefined;
    return this.text.isEmpty || (isUnknown && this.text.hasMark) || this.#isElsewhere(cursor, end) ||
      this.#opensTag(cursor, end);
  }

  /** Whether the value opens more tags that a closer at the cursor closes than it closes. */
  #opensTag(cursor: Cursor, end: number): boolean {
    return this.text.opens(cursor.text.slice(cursor.at, end));
  }

  /** Whether other whitespace follows than the one before the item. */
  #isElsewhere(cursor: Cursor, end: number): boolean {
    const { space } = this.#options;
    return space !== undefined && leadingSpace(cursor.text, end) !== space;
  }

  #isDeclared(key: string | undefined): boolean {
    const { automata: { rule }, arguments: { tool } } = this.#options;
    return key === undefined || rule.needsDeclaredKeys || declares(tool.schema, key);
  }

  /**
   * Treats a mention as ambiguous if more than calls follow it: then the example can be whole, and the value that holds it torn.
   */
  #contest(mention: Mention, text: string, to: number): void {
    if (mention.end === undefined || mention.isSurplus || this.#examples.texts) return;
    const after = text.slice(Math.max(0, mention.end - (to - text.length)));
    if (!isBlank(after)) mention.isAmbiguous = true;
  }

  /** Ends the value where its closer came inside an example that was never closed. */
  #endAtMention(cursor: Cursor, mention: Mention): "closed" | Failure {
    // A call that begins inside a line can be a mention itself, whose values are the answer's text.
    const ended = this.#sink.startsLine ? this.#endAt(cursor, mention) : TRUNCATED;
    if (ended !== "closed") return ended;
    if (!mention.isSurplus) this.#openItems++;
    this.#mention = undefined;
    this.#release(cursor);
    return "closed";
  }

  /** Ends the value at a position, and reads the text from there again. */
  #endAt(cursor: Cursor, { start, resume, atLineStart, isAmbiguous, text }: PossibleEnd): "closed" | Failure {
    if (isAmbiguous) return TRUNCATED;
    if (cursor.isExhausted) return EXHAUSTED;
    const length = resume - start;
    cursor.restore(text, { offset: start, atLineStart, length });
    return this.#close(cursor, cursor.at + length);
  }

  #close(cursor: Cursor, to: number): "closed" {
    this.closer = cursor.take(to);
    return "closed";
  }

  /** Handles a whole call inside the value. It is an example if the value's own closer follows. */
  #frame(cursor: Cursor, found: Match, captures: Captures): undefined {
    const { key, tool = "" } = captures.groups;
    if (
      key?.includes("<") ||
      this.#options.automata.rule.needsDeclaredKeys &&
        (key === undefined || !this.#sink.isItemKey(key) || !this.#sink.offers(tool))
    ) {
      return void this.#search!.refuse(found.alternative);
    }
    const isStrong = this.#isLineStart(cursor, found) || this.text.isGlued;
    const mayFollow = this.#hypothesis
      ? isStrong || this.#hypothesis.endsInCloser
      : isStrong && this.#isAlike(captures.groups);
    this.#holdsNextCall ||= mayFollow && this.#hasParameter(captures.groups);
    if (isStrong) this.#suspect(cursor, found, { kind: "call" });
    this.#examples.open(captures.groups);
    return this.#content(cursor, captures.end);
  }

  /** Whether the tool of a call in the value has the call's first parameter. */
  #hasParameter({ tool = "", key }: Captures["groups"]): boolean {
    const isContainer = key !== undefined && this.#options.body.containers.includes(key);
    return this.#sink.offers(tool, isContainer ? undefined : key);
  }

  /** Whether a call in the value begins as the call around it does, up to the same parameter. */
  #isAlike(groups: Captures["groups"]): boolean {
    const { key, isFirst, isWrapped } = this.#options;
    return isFirst && groups["key"] === key && WRAPPER in groups === isWrapped &&
      this.#examples.isOwn(groups);
  }

  /** Handles the value's own closer when nothing after it confirms that it ends the value. */
  #ownCloser(cursor: Cursor, to: number, isBeforeItem = false): undefined {
    if (this.#hypothesis) countCloser(this.#hypothesis);
    // Where nothing closes the call, text after the value and more of the value look the same.
    const mayEnd = !needsCloser(this.#options.automata.rule) || (isBeforeItem && this.#openItems === 0);
    if (mayEnd) this.#alternative = "part";
    else if (this.#alternative === "rest") this.#alternative = "none";
    this.#closeItem();
    return this.#content(cursor, to, true);
  }

  /** Counts a closer that is part of the value. */
  #closeItem(): void {
    if (this.#openItems > 0) this.#openItems--;
  }

  /** Handles an item's opener inside the value: the value's closer was forgotten, or the item is part of the value. */
  #item(cursor: Cursor, found: Match, captures: Captures): undefined {
    const { key = "" } = captures.groups;
    const { arguments: all, isInline, body, form } = this.#options;
    const isStrong = this.#isLineStart(cursor, found) || (isInline && this.text.isGlued);
    const before = this.#hypothesis;
    if (key.includes("<")) return void this.#search!.refuse(found.alternative);
    const isOwnForm = FORM + form in captures.groups;
    if (isOwnForm && (!isKeyed(body, form) || key === this.#options.key)) this.#openItems++;
    const isStuttering = isOwnForm && this.text.isEmpty && key === this.#options.key && !isKeyed(body, form);
    if (isStuttering && this.#alternative === "none") this.#alternative = "rest";
    this.opensAgain ||= isStrong && key === this.#options.key;
    if (before?.kind === "repeated" && before.repetition === undefined) {
      before.repetition = before.text.length + captures.end - cursor.at;
    } else if (isStrong && before) {
      before.depth++;
      before.keys.add(key);
    } else if (isStrong && !all.has(key) && parameterSchema(all.tool.schema, key) !== undefined) {
      this.#suspect(cursor, found, { kind: "item", depth: 2 });
      this.#hypothesis?.keys.add(key);
    }
    return this.#content(cursor, withoutFinalLineBreak(cursor.text, captures.end));
  }

  /** Handles the value's closer when the text after it confirms it. */
  #closer(cursor: Cursor, found: Match, captures: Captures): "closed" | Failure | undefined {
    const next = captures.groups["key"];
    const { key, arguments: all, body, form, value: { isList } } = this.#options;
    const hypothesis = this.#hypothesis;
    if (hypothesis?.kind === "repeated" && hypothesis.depth > 0) {
      return this.#repetition(cursor, captures.end);
    }
    const rest = this.#endOfText(cursor, captures.end);
    if (rest !== undefined) {
      this.#flow(cursor, rest);
      return void (this.#search = undefined);
    }
    if (next !== undefined && (!this.#sink.isItemKey(next) || (all.has(next) && next !== key))) {
      return void this.#search!.refuse(VALUE.closer);
    }
    if (next !== undefined && this.#isAmbiguous(next, { cursor, end: captures.end })) {
      return this.#ownCloser(cursor, captures.end, true);
    }
    if (hypothesis?.kind === "item" && !isKeyed(body, form) && --hypothesis.depth > 0) {
      if (next === undefined) return this.#structure(cursor, hypothesis);
      hypothesis.whole ??= cursor.offset;
      this.#closeItem();
      return hypothesis.keys.has(next) ? this.#wholeAgain(cursor) : this.#content(cursor, captures.end);
    }
    const isCertain = this.text.isPlain && !this.#isElsewhere(cursor, captures.end) && all.isReplaceable(key);
    if (next === key && !isList && (hypothesis || !isCertain)) {
      if (hypothesis && hypothesis.kind !== "prose") return this.#ownCloser(cursor, captures.end);
      this.#suspect(cursor, found, { kind: "repeated", resume: cursor.base + captures.end });
      this.#closeItem();
      return this.#content(cursor, captures.end);
    }
    if (this.#alternative !== "none") this.failure = ambiguousEnd(key, "another item");
    this.#release(cursor);
    if (next === key && isList) this.ending = "continued";
    return this.#close(cursor, captures.end);
  }

  /**
   * Where a text of several lines goes on, if the whitespace at its end is not the closer's: only the last of several
   * line breaks closes it, unless the call's items have empty lines between them; and items that touch have no space of
   * their own.
   */
  #endOfText(cursor: Cursor, end: number): number | undefined {
    const closer = cursor.text.slice(cursor.at, end);
    const { space, value } = this.#options;
    const hasLines = this.text.hasLines || this.#hypothesis?.text.includes("\n") === true;
    if (closer.trim() !== "" || !hasLines || !value.isText) return undefined;
    const after = leadingSpace(cursor.text, end);
    if (closer === "") return space === "" && after !== "" ? end + after.length : undefined;
    return after.includes("\n") && after !== space ? end : undefined;
  }

  /**
   * Reads again from the closer before which the items in the value are content, because one of them comes twice
   * otherwise: a closer that is missing and a repeated item are more damage than an item that the value mentions.
   */
  #wholeAgain(cursor: Cursor): Failure | undefined {
    const { text, start, whole = start } = this.#hypothesis!;
    if (cursor.isExhausted) return EXHAUSTED;
    this.#hypothesis = undefined;
    this.#write(text.slice(0, whole - start), whole);
    const rest = text.slice(whole - start);
    cursor.restore(rest, { offset: whole, atLineStart: false, length: rest.length });
    return void (this.#search = undefined);
  }

  /** Handles a repeated parameter: equal values count once; of two values that aren't plain, neither is certain. */
  #repetition(cursor: Cursor, to: number): "closed" {
    const { text, repetition = text.length } = this.#hypothesis!;
    if (this.text.isRepeatedBy(text.slice(repetition))) {
      this.#sink.repair("repeated_parameter", this.#options.key);
    } else this.failure = twice(this.#options.key);
    cursor.at = to;
    return "closed";
  }

  #suspect(
    cursor: Cursor,
    found: Match,
    about: { kind: Hypothesis["kind"]; resume?: number; depth?: number },
  ): void {
    const start = cursor.base + found.start;
    const { kind, depth = 1, resume = start } = about;
    if (this.#mention) return;
    const before = this.#hypothesis;
    if (before && !ambiguousAgain(before, kind)) return;
    this.#release(cursor);
    const space = leadingSpace(cursor.text, found.start);
    const isUnsure = kind === "call" ? !this.text.isWhole(space, kind) : this.text.isUnsure(space);
    const isAmbiguous = isOwnCloser(kind) ? before?.endsInCloser === true || this.holdsOpenItem : isUnsure;
    const { atLineStart } = found;
    this.#hypothesis = {
      kind,
      start,
      resume,
      atLineStart,
      isAmbiguous,
      endsInCloser: false,
      depth,
      keys: new Set(),
      text: "",
    };
  }

  /** Ends the answer without the value's own closer. An unfinished closing tag isn't part of the value. */
  #end(cursor: Cursor, space: string): "closed" | Failure {
    if (cursor.isTruncated) return TRUNCATED;
    if (this.#mention) {
      this.#flow(cursor, cursor.text.length);
      return this.#endAtMention(cursor, this.#mention);
    }
    const cutAt = space === "" ? this.#search?.cutAt : undefined;
    if (this.#hypothesis) {
      this.#flow(cursor, cursor.text.length);
      if (this.#hypothesis) {
        // A call that nothing closes is as well an example in a value that is torn.
        const isOpen = this.#hypothesis.kind === "call" && this.#examples.texts !== undefined;
        return isOpen || isCutShort(this.#hypothesis, cutAt)
          ? TRUNCATED
          : this.#structure(cursor, this.#hypothesis);
      }
    }
    if (cutAt !== undefined || !this.text.isWhole(space, "end")) return TRUNCATED;
    return this.#forget();
  }

  /** Treats the held text as structure: the value ends where that text begins. */
  #structure(cursor: Cursor, hypothesis: Hypothesis): "closed" | Failure {
    if (hypothesis.kind === "repeated") return TRUNCATED;
    hypothesis.text += this.#mention?.text ?? "";
    const ended = this.#endAt(cursor, hypothesis);
    return ended !== "closed" || isOwnCloser(hypothesis.kind) ? ended : this.#forget();
  }

  /** Accepts a forgotten closer unless the call begins inside a line, where it can be a mention, which must not run. */
  #forget(): "closed" | Failure {
    // A string needs its closer: its text can hold what closes the call.
    const { body, key, value } = this.#options;
    if (body.escapes !== "none" && value.isText) return malformed(`nothing closes the string \`${key}\``);
    if (this.text.endsWithHalfTag) {
      return malformed(`\`${this.#options.key}\` might end with part of its closing tag`);
    }
    if (!this.#sink.startsLine) return TRUNCATED;
    this.ending = "forgotten";
    return "closed";
  }

  /** Treats the held text as content. */
  #release(cursor: Cursor): void {
    const text = (this.#hypothesis?.text ?? "") + (this.#mention?.text ?? "");
    this.#hypothesis = this.#mention = undefined;
    this.#write(text, cursor.offset);
  }

  /** Adds text, which ends at an offset, to the value. */
  #write(text: string, end: number): void {
    this.text.write(text);
    const { unsent } = this.#options.value;
    if (unsent !== undefined) this.#sink.sentTo = end - unsent;
  }

  /** Adds the text up to an index to the value, or to what is held. */
  #flow(cursor: Cursor, to: number): void {
    const text = cursor.take(to);
    if (text === "") return;
    this.text.see(text);
    if (this.#mention) {
      this.#contest(this.#mention, text, cursor.offset);
      this.#mention.text += text;
      if (this.#mention.text.length > HELD_MAXIMUM) this.#release(cursor);
      return;
    }
    if (this.#hypothesis) {
      this.#hypothesis.text += text;
      if (!isBlank(text)) this.#hypothesis.endsInCloser = false;
      if (this.#hypothesis.text.length > HELD_MAXIMUM) this.#release(cursor);
      return;
    }
    this.#write(text, cursor.offset);
  }

  #isLineStart(cursor: Cursor, { atLineStart, start }: Match): boolean {
    return this.text.isEmpty || atLineStart || "\r\n".includes(cursor.text.charAt(start));
  }
}

function ambiguousEnd(key: string, before: string): Failure {
  return malformed(`\`${key}\` may end before ${before}`);
}
