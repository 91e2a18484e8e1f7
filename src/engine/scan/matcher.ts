/**
 * Finds tool calls in an answer while it streams. The events don't depend on how the text is cut. The matcher never
 * loses text, never calls a tool that isn't offered, and holds only text that can still be part of a call.
 *
 *     text mode:  I'll write it.\n<tool_call>\n<function=write_file>\n<parameter=path>a.txt
 *                 ^^^^^^^^^^^^^^ sent at once
 *                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held: an opener can begin here
 *     frame:                                                          ^^^ its body reads the rest of the call
 *
 * @module
 */
import type { MatchEvent, NoteEvent, TextEndEvent, TextEvent } from "../event/event.ts";
import type { Reason } from "../event/reason.ts";
import type { Sink, TextStage } from "../event/stage.ts";
import { Automaton } from "../pattern/automaton.ts";
import type { Captures } from "../pattern/captures.ts";
import { isLetter } from "../pattern/characters.ts";
import { isBlank, type Node } from "../pattern/node.ts";
import { HELD_MAXIMUM, Search } from "../pattern/search.ts";
import { type Failure, isFailure, malformed } from "./body_reader.ts";
import { Cursor, PASSED_MAXIMUM } from "./cursor.ts";
import { Emission } from "./emission.ts";
import { Frame, FRAME_MAXIMUM } from "./frame.ts";
import { gateCall } from "./gate.ts";
import { BEFORE, type CompiledRule, RESIDUE } from "./compiled_rule.ts";
import type { Program } from "./program.ts";
import { Quotation } from "./quotation.ts";
import { Reasoning } from "./reasoning.ts";
import { isWorthNoting, type NotedCandidate, Refusals, SILENT } from "./refusals.ts";
import { Region, Regions, type SavedRegions } from "./region.ts";
import type { MatcherOptions, Session } from "./session.ts";
import { type FlowState, TextFlow } from "./text_flow.ts";

export type { MatcherOptions } from "./session.ts";

/** The state before an ambiguous call, to read the answer again from there. */
interface Snapshot {
  readonly rule: CompiledRule;
  readonly offset: number;
  readonly atLineStart: boolean;
  readonly calls: number;
  readonly flow: FlowState;
  readonly noted: NotedCandidate | undefined;
  readonly regions: SavedRegions;
}

export class Matcher implements TextStage {
  readonly #cursor = new Cursor();
  readonly #emission = new Emission();
  readonly #session: Session;
  readonly #regions: Regions;
  #frame: Frame | undefined;
  readonly #refusals: Refusals;
  readonly #quotation: Quotation<Snapshot>;
  readonly #flow: TextFlow;
  /** The closer that the last call's wrapper lacks, and the last offset at which it still counts. */
  #lateCloser: { closer: Node; until: number } | undefined;
  /** The offset of a call that can be a mention in the broken call before it. */
  #ambiguous = -1;
  /** The end of the text, once it arrived. */
  #ending: TextEndEvent | undefined;

  constructor(program: Program, options: MatcherOptions) {
    this.#session = { program, options, calls: 0, cursor: this.#cursor, emission: this.#emission };
    this.#refusals = new Refusals((event) => this.#emission.push(event));
    this.#quotation = new Quotation(program.markdown, options.runsInFences);
    this.#regions = new Regions(this.#session);
    const reasoning = options.reasoning === undefined ? undefined : createReasoning(program, options);
    this.#flow = new TextFlow(this.#session, { quotation: this.#quotation, reasoning });
    const { innermost } = this.#regions;
    if (innermost.isAmbiguous) this.#emission.thought.ambiguity({ waits: options.isWhole ?? false });
  }

  /** The offset, in UTF-16 units, from which the answer's text can still be part of a candidate. */
  get citedFrom(): number {
    const from = this.#regions.group?.opening?.offset ?? this.#frame?.offset ?? this.#cursor.offset;
    return Math.min(this.#quotation.suspense?.snapshot.offset ?? from, from);
  }

  /** Reads text and reasoning. A `text_end` ends the answer and isn't passed on; other events pass. */
  push(event: MatchEvent, out: Sink): void {
    switch (event.kind) {
      case "text":
        return this.#feed(event, out);
      case "text_end":
        this.#ending = event;
        return this.#end(event, out);
      case "reasoning":
        // The upstream separates reasoning itself, so the text is the answer.
        if (this.#regions.innermost.isPrefilled && this.#emission.thought.isUnbegun) {
          this.#endExpectation(out);
        }
        // Reasoning is never held, because its calls count only if the answer is empty.
        this.#flow.reasoning?.feed(event.text);
    }
    out.push(event);
  }

  #feed(event: TextEvent, out: Sink): void {
    this.#emission.begin(out, event);
    if (this.#passes(event.text)) this.#emission.pass(event);
    else {
      this.#cursor.queue(event.text);
      this.#run();
    }
    this.#emission.end();
  }

  /** Whether nothing is held and no match can begin in the text, as in most of an answer. */
  #passes(text: string): boolean {
    if (text.length > PASSED_MAXIMUM || this.#frame) return false;
    if (!this.#flow.sawAnswer || this.#regions.innermost.group || this.#refusals.isExhausted) return false;
    if (
      this.#quotation.suspense || this.#flow.followsCall ||
      !this.#regions.innermost.passes(text, this.#cursor)
    ) return false;
    this.#cursor.pass(text);
    this.#flow.see(text);
    if (!this.#regions.innermost.isThought) this.#quotation.text(text);
    return true;
  }

  #end(event: TextEndEvent, out: Sink): void {
    this.#emission.begin(out);
    if (event.truncated) this.#dropHeld();
    this.#cursor.finish(event.truncated);
    this.#run();
    if (!event.truncated && !event.isAnswered) this.#flow.recover();
    this.#flow.reasoning?.release();
    const isPeaceful = !event.truncated && !event.isAnswered && this.#session.calls === 0;
    if (!isPeaceful || !this.#giveBackThought()) this.#remarkThought(this.#regions.innermost);
    this.#regions.end();
    this.#emission.finish(event);
    this.#emission.end();
  }

  /** The text is the answer from here on: what a prompt was thought to have opened isn't open. */
  #beginAnswer(): void {
    this.#emission.settle();
    this.#regions.leave();
  }

  /** The upstream separates the reasoning itself, so the answer doesn't begin in it. */
  #endExpectation(out: Sink): void {
    const { name: rule } = this.#regions.innermost.opening!.rule;
    this.#beginAnswer();
    out.push({ kind: "note", reason: "reasoning_separated", rule, start: 0, end: 0 });
  }

  /** Sends reasoning that ends in peace, without its closer, as the answer that it must be; false if there is none. */
  #giveBackThought(): boolean {
    const { innermost } = this.#regions;
    if (!innermost.isAmbiguous) return false;
    const text = this.#emission.thought.giveBack();
    if (isBlank(text)) return true;
    const { rule } = innermost.opening!;
    this.#remark("reasoning_not_closed", { rule: rule.name, start: 0, end: this.#cursor.offset });
    this.#emission.text(text);
    return true;
  }

  /** Reads all text that has arrived. */
  #run(): void {
    for (;;) {
      const goesOn = this.#frame ? this.#readFrame(this.#frame) : this.#readRegion();
      if (!goesOn && this.#cursor.isEnd) this.#quotation.end(this.#cursor.isTruncated);
      if (this.#settle() || goesOn) continue;
      if (!this.#cursor.isBehind) return;
      this.#cursor.extend();
    }
  }

  /** Sends ambiguous calls if all are meant. If one is quoted, returns true, to read again without it. */
  #settle(): boolean {
    const settled = this.#quotation.settle();
    if (settled === undefined) return false;
    const raw = this.#cursor.takeKept();
    if (settled === "meant") {
      this.#emission.release();
      return false;
    }
    this.#emission.discard();
    this.#frame = undefined;
    this.#lateCloser = undefined;
    this.#session.calls = settled.calls;
    this.#flow.restore(settled.flow);
    this.#refusals.restore(settled.noted);
    this.#regions.restore(settled.regions);
    this.#cursor.restore(raw, settled);
    this.#checkExhausted({ offset: settled.offset, opening: settled }, settled.offset + raw.length);
    return true;
  }

  /** The state before a call of a rule, whose opener begins at an index. */
  #save(rule: CompiledRule, at: number): Snapshot {
    return {
      rule,
      offset: this.#cursor.base + at,
      atLineStart: this.#cursor.isLineStart(at),
      calls: this.#session.calls,
      flow: this.#flow.state,
      noted: this.#refusals.noted,
      regions: this.#regions.state,
    };
  }

  /** Reads a frame's body. Returns whether more can be read. */
  #readFrame(frame: Frame): boolean {
    const progress = frame.read(this.#cursor);
    if (progress === "more") return false;
    this.#frame = undefined;
    if (progress === "closed") {
      this.#flow.isCutCall = false;
      this.#flow.followsCall = true;
      this.#flow.last = " ";
      const closer = frame.missingCloser;
      this.#lateCloser = closer && { closer, until: this.#cursor.offset + LATE_MAXIMUM };
      this.#quotation.closeCall({ offset: frame.opening.offset, end: this.#cursor.offset });
      this.#checkExhausted(frame, this.#cursor.offset);
      return true;
    }
    const { offset, tool, opening: { rule } } = frame;
    if (this.#cursor.isTruncated && !frame.isCommitted) {
      this.#dropCut(frame.raw, { isSure: frame.offset > frame.opening.offset });
    }
    const isLost = this.#flow.isCutCall || undefined;
    this.#refusals.note(progress, { rule, offset, end: frame.failedAt(this.#cursor), tool, isLost });
    frame.abort(progress);
    if (progress.mayHoldNext) this.#ambiguous = this.#cursor.offset;
    if (!frame.isCommitted && !progress.isTorn) this.#giveBack(frame);
    else if (!frame.isCommitted) this.#passTorn(frame.raw);
    // The calls before the one that failed stay ambiguous.
    if (frame.offset > frame.opening.offset) {
      this.#quotation.closeCall({ offset: frame.opening.offset, end: frame.offset });
    } else this.#quotation.suspense?.ambiguities.drop(frame.opening.offset);
    return true;
  }

  /** Passes on the text of a torn call; in a group without a call, after the group's own text. */
  #passTorn(raw: string): void {
    const region = this.#regions.innermost;
    if (region.group?.isOpen === false) {
      region.raw += raw;
      this.#giveUpGroup(region);
      return;
    }
    this.#flow.text(raw, region);
    region.restart();
  }

  /** The text from here on leaves the answer if it is the beginning of a call, which the answer's end cut off. */
  #dropCut(text: string, { isSure = false } = {}): boolean {
    const { dropsCutCalls } = this.#session.options;
    if (dropsCutCalls !== true || this.#flow.isCutCall || this.#regions.innermost.isThought) return false;
    if (!isSure && !isBegunMark(text)) return false;
    this.#emission.dropOpener();
    return this.#flow.isCutCall = true;
  }

  /** Drops what is held at the end of an answer that was cut off, if it begins a call. */
  #dropHeld(): void {
    const { offset, text, at } = this.#cursor;
    const length = this.#session.options.dropsCutCalls ? this.#emission.dropOpener() : 0;
    const isDropped = this.#frame === undefined && this.#dropCut(text.slice(at));
    if (!isDropped && length === 0) return;
    this.#remark("truncated", {
      ...{ rule: NO_RULE, start: offset - length, end: offset + text.length - at },
      isLost: true,
    });
  }

  /** Returns a candidate's text to be read again without the rule that failed. */
  #giveBack(
    frame: { raw: string; offset: number; atLineStart: boolean; opening: { rule: CompiledRule } },
  ): void {
    const { opening: { rule }, offset, raw } = frame;
    this.#refusals.add(rule, offset);
    this.#cursor.restore(raw, frame);
    this.#regions.innermost.restart();
    this.#checkExhausted(frame, offset + raw.length);
  }

  /** Treats the rest of the answer as text if too much was read again. */
  #checkExhausted(frame: { offset: number; opening: { rule: CompiledRule } }, end: number): void {
    const { offset, opening: { rule } } = frame;
    if (this.#cursor.isExhausted) this.#refusals.exhaust({ rule, offset, end, tool: undefined });
  }

  /** Reads text up to the region's closer or an opener. Returns whether more can be read. */
  #readRegion(): boolean {
    const cursor = this.#cursor;
    const region = this.#regions.innermost;
    if (this.#flow.hasBegun) region.passStart(this.#session);
    if (this.#refusals.isExhausted) {
      this.#text(cursor.text.length);
      return false;
    }
    if (region.group?.isOpen === false && !this.#text(cursor.spaceEnd)) return true;
    const found = region.search.next(cursor);
    if (found.type !== "match") {
      const isKept = this.#text(found.type === "held" ? found.start : cursor.text.length);
      if (found.type === "held") this.#emission.expire(cursor.base + cursor.text.length);
      if (!isKept) return true;
      return cursor.isEnd && region.group?.isOpen === false && this.#giveUpGroup(region);
    }
    const { alternative, start, end } = found;
    // The text before the match decides first whether a group is valid.
    if (!this.#text(start)) return true;
    const captures = region.search.capture(found, cursor.text);
    if (region.isCloser(alternative)) return this.#closeRegion(captures.end);
    if (region.isLoneCloser(alternative)) {
      if (!this.#endThought(region, captures.end)) region.search.refuse(alternative);
      return true;
    }
    const rule = region.rule(alternative);
    const opened = this.#open(rule, { captures, start });
    if (!isFailure(opened)) return true;
    if (isWorthNoting(rule, opened)) {
      const tool = captures.groups["tool"];
      this.#refusals.note(opened, { rule, offset: cursor.base + start, end: cursor.base + end, tool });
    }
    region.search.refuse(alternative);
    return true;
  }

  /** Sends text up to an index. Returns false if that text shows that an open group without a call is only text. */
  #text(to: number): boolean {
    const cursor = this.#cursor;
    if (to === cursor.at) return true;
    const region = this.#regions.innermost;
    if (region.group?.isOpen === false) {
      const end = Math.min(to, cursor.spaceEnd, cursor.at + FRAME_MAXIMUM - region.raw.length);
      region.raw += cursor.take(end);
      if (end < to) this.#giveUpGroup(region);
      return end === to;
    }
    this.#flow.text(cursor.take(to), region);
    return true;
  }

  #giveUpGroup(region: Region): boolean {
    const opening = region.opening;
    if (!opening) return false;
    this.#regions.leave();
    if (this.#cursor.isEnd && this.#cursor.isTruncated) this.#dropCut(region.raw);
    const candidate = { ...opening, end: this.#cursor.offset, tool: undefined };
    this.#refusals.note(malformed("a wrapper without a call"), candidate);
    this.#giveBack({ raw: region.raw, ...opening, opening });
    return true;
  }

  #closeRegion(end: number): boolean {
    const region = this.#regions.innermost;
    if (region.group) {
      if (!region.group.isOpen) return this.#giveUpGroup(region);
      this.#quotation.closeRegion(region);
      this.#cursor.at = end;
      this.#flow.followsCall = true;
      region.group.close();
    } else {
      this.#quotation.closeRegion(region);
      const mark = this.#cursor.take(end);
      this.#flow.mark(mark, region);
      if (region.isAmbiguous) this.#emission.settle();
      this.#remarkThought(region, mark);
      this.#flow.separate(region);
      if (region.isSentApart) this.#flow.followsReasoning = true;
    }
    this.#regions.leave();
    return true;
  }

  /** Takes the closer of reasoning that nothing opened, unless it is quoted or mentioned: the answer begins after it. */
  #endThought(region: Region, end: number): boolean {
    const cursor = this.#cursor;
    const { markdown, isShown } = this.#quotation;
    const isMentioned = !cursor.isLineStart(cursor.at) && this.#flow.hasBegun &&
      MENTION_ENDS.includes(markdown.last) && !SENTENCE_ENDS.includes(markdown.lineEnd);
    if (isShown || markdown.mayBeInSpan || isMentioned) return false;
    const rule = this.#session.program.automata.prefilled!;
    this.#remark("reasoning_not_opened", { rule: rule.name, start: cursor.offset, end: cursor.base + end });
    cursor.at = end;
    this.#flow.begin();
    region.begin(this.#session);
    return true;
  }

  /** Names the marks of reasoning that leaves the text; `closer`: the answer's end if nothing closed it. */
  #remarkThought({ opening, isSentApart }: Region, closer = "the end"): void {
    if (!isSentApart || opening === undefined || !this.#session.options.separatesReasoning) return;
    const { rule, offset, mark = "the prompt" } = opening;
    const detail = `${mark.trim()} … ${closer.trim()}`;
    this.#remark("reasoning_in_text", { rule: rule.name, start: offset, end: this.#cursor.offset, detail });
  }

  #remark(reason: Reason, about: Pick<NoteEvent, "rule" | "start" | "end" | "detail" | "isLost">): void {
    this.#emission.push({ kind: "note", reason, ...about });
  }

  /** Whether a line, a sentence or the answer ends before a position. */
  #isAlone(start: number): boolean {
    const { last } = this.#quotation.markdown;
    return this.#cursor.isLineStart(start) || !this.#flow.hasBegun || SENTENCE_ENDS.includes(last);
  }

  /** Whether a text is the closer of the last call's wrapper, a few words later than it should be. */
  #isLateCloser(offset: number, text: string): boolean {
    const late = this.#lateCloser;
    if (!late || offset > late.until) return false;
    const search = new Search(new Automaton([{ node: late.closer, priority: 0 }]), true);
    const found = search.next({ text, base: 0, at: 0, atLineStart: false, isEnd: true });
    if (found.type !== "match" || found.end !== text.length) return false;
    this.#lateCloser = undefined;
    return true;
  }

  /** Opens a region or a frame for a match of an opener, or returns why it is refused. */
  #open(rule: CompiledRule, options: { captures: Captures; start: number }): Failure | undefined {
    const { groups, end } = options.captures;
    const cursor = this.#cursor;
    // Text that only introduces the call remains text.
    const before = groups[BEFORE] ?? (this.#isAlone(options.start) ? undefined : groups[RESIDUE]);
    const start = options.start + (before?.length ?? 0);
    const offset = cursor.base + start;
    const atLineStart = cursor.isLineStart(start);
    if (this.#refusals.has(rule, offset)) return SILENT;
    if ((rule.begins === "line" || rule.begins === "paragraph") && !atLineStart) return SILENT;
    if (rule.begins === "paragraph" && MARKUP_ENDS.includes(this.#flow.last)) return SILENT;
    if (rule.begins === "answer" && this.#flow.hasBegun) return SILENT;
    if (rule.begins === "after_reasoning" && (!this.#flow.followsReasoning || this.#flow.hasBegun)) {
      return SILENT;
    }
    if (rule.begins === "after_call" && !this.#flow.followsCall) return SILENT;
    if (rule.body.kind === "opaque" && isRemainder(rule.body.region)) {
      return this.#openRemainder(rule, { region: rule.body.region, groups, start, end });
    }
    if (rule.body.kind === "opaque" || rule.body.kind === "group") {
      if (this.#quotation.showsTag(rule)) return SILENT;
      if (this.#regions.innermost.isPrefilled) {
        if (!this.#emission.thought.isUnbegun) return SILENT;
        this.#beginAnswer();
      }
      const isSeparated = this.#session.options.separatesReasoning && rule.body.kind === "opaque" &&
        rule.body.sendsAs === "reasoning" && this.#isAlone(start);
      const mark = cursor.take(end);
      const region = new Region(this.#session, { rule, offset, atLineStart, isSeparated, mark }, groups);
      if (region.group) region.raw = mark;
      else this.#flow.mark(mark, region);
      this.#flow.separate(region);
      if (region.isAmbiguous) {
        this.#emission.thought.ambiguity({ waits: this.#session.options.isWhole ?? false });
        this.#emission.keep(mark);
      }
      this.#regions.enter(region);
      return undefined;
    }
    const tool = gateCall(rule, groups, this.#session.options);
    if (isFailure(tool)) return tool;
    const ambiguities = this.#quotation.ambiguitiesOf(rule, { offset, region: this.#regions.innermost });
    if (ambiguities === "shown") return { reason: "quoted" };
    if (this.#ambiguous >= 0 && offset <= this.#ambiguous + HELD_MAXIMUM) {
      ambiguities.push({ kind: "ending" });
    }
    this.#emission.expire(this.#regions.innermost.search.offset);
    this.#flow.reasoning?.release();
    const isAmbiguous = ambiguities.length > 0;
    // From the opener of an ambiguous call on, everything waits, because it can be read again.
    if (isAmbiguous && this.#quotation.suspend(() => this.#save(rule, options.start))) {
      cursor.keep();
      this.#emission.hold();
    }
    if (!this.#text(start)) return undefined;
    this.#ambiguous = -1;
    if (isAmbiguous) this.#quotation.suspense?.ambiguities.add(offset, ambiguities);
    const group = this.#regions.innermost.group;
    const isInFence = rule.inCode === "never" && ambiguities.some(({ kind }) => kind === "code");
    const opening = { rule, groups, tool, offset, atLineStart, group, isAmbiguous, isInFence };
    this.#frame = new Frame(opening, this.#session);
    this.#frame.open(cursor.take(end));
    this.#regions.innermost.restart();
    return undefined;
  }

  /** Leaves out a remainder next to a call, or opens a result that the model invents after one. */
  #openRemainder(
    rule: CompiledRule,
    { region, groups, start, end }: {
      region: string;
      groups: Captures["groups"];
      start: number;
      end: number;
    },
  ): Failure | undefined {
    const cursor = this.#cursor;
    const offset = cursor.base + start;
    const atLineStart = cursor.isLineStart(start);
    const isLeak = region === "leak";
    if (isLeak && this.#session.options.offered.resolve(groups["tool"] ?? "") === undefined) return SILENT;
    const follows = region !== "opener" && !isLeak &&
      (this.#flow.followsCall || (this.#ending?.isAnswered === true && cursor.isEnd) ||
        this.#isLateCloser(offset, cursor.text.slice(start, end)));
    // After a candidate that isn't a call, its closer and the text around it belong together.
    const isApart = region === "opener" || isLeak || this.#refusals.noted === undefined;
    const canPrecede = region !== "result" && isApart &&
      this.#regions.innermost.kind === "answer" &&
      !this.#quotation.isShown && (isLeak || this.#isAlone(start));
    if (!follows && !canPrecede) return SILENT;
    if (!this.#text(start)) return undefined;
    const reach = isLeak ? LEAK_REACH : region === "opener" ? OPENER_REACH : 0;
    if (!follows) this.#flow.remainder(cursor.take(end), { offset, reach, isLeak });
    cursor.at = Math.max(cursor.at, end);
    if (region === "result") {
      this.#regions.enter(new Region(this.#session, { rule, offset, atLineStart, mark: "" }, groups));
    } else this.#regions.innermost.restart();
    return undefined;
  }
}

/** The most characters between the opener of a wrapper and a call that lost it. */
const OPENER_REACH = 256;

/** The most characters of a leaked call and what follows it that wait for the upstream's own calls. */
const LEAK_REACH = 512;

/** Whether a kind of region is next to a call and leaves with it. */
function isRemainder(region: string): boolean {
  return ["residue", "opener", "leak", "result"].includes(region);
}

/** The most characters between a call and the closer of its wrapper. */
const LATE_MAXIMUM = 64;

const MARKUP_ENDS = ">}],{[";

/** The rule of a note that concerns none. */
const NO_RULE = "none";

/** Whether a text that can begin a call begins with a mark that isn't prose: a tag, a token or a word in brackets. */
function isBegunMark(text: string): boolean {
  const second = text.charCodeAt(1);
  if (text.startsWith("<")) return "|｜".includes(text[1] ?? " ") || (text.length > 2 && isLetter(second));
  return text.startsWith("]<]") || (text.startsWith("[") && isLetter(second) && isUpperCase(text[1]!));
}

function isUpperCase(letter: string): boolean {
  return letter === letter.toUpperCase() && letter !== letter.toLowerCase();
}

/** Characters before a mark that is mentioned, such as one in quotation marks. */
const MENTION_ENDS = " \t\"'`([{“‘«";

/** Characters that end a sentence, and marks that end a call or a tag. */
const SENTENCE_ENDS = ".:!?)>]…。：！？）";

/** Only whole calls are recovered from reasoning, so none is announced early. */
function createReasoning(program: Program, options: MatcherOptions): Reasoning {
  const { reasoning: _, beginsInReasoning: __, canFlow: ___, separatesReasoning: ____, ...own } = options;
  return new Reasoning(new Matcher(program, { ...own, wholeCalls: true }));
}
