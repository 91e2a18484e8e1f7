/**
 * Finds tool calls in an answer while it comes. It takes text in any cuts and gives events that do not depend on the
 * cuts. It never loses text, never calls a tool that is not offered, and holds back no more than could still be part
 * of a call.
 *
 *     text mode:  I'll write it.\n<tool_call>\n<function=write_file>\n<parameter=path>a.txt
 *                 ^^^^^^^^^^^^^^ leaves at once
 *                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held: an opener may be beginning
 *     frame:                                                          ^^^ its body reads on; the calls are the frame's
 *
 * @module
 */
import type { AnswerEvent, TextEndEvent, TextEvent } from "../event/event.ts";
import type { Sink, Stage } from "../event/stage.ts";
import { capture, type Captures } from "../pattern/captures.ts";
import type { OfferedTool } from "../tool/offered.ts";
import { type Failure, isFailure } from "./call_sink.ts";
import { Cursor } from "./cursor.ts";
import { Emission } from "./emission.ts";
import { Frame, FRAME_MAXIMUM } from "./frame.ts";
import { gateTarget, gateTool } from "./gate.ts";
import type { CompiledRule, Program } from "./program.ts";
import { Reasoning } from "./reasoning.ts";
import { reasoningOf, Region } from "./region.ts";
import type { MatcherOptions, Session } from "./session.ts";

export type { MatcherOptions } from "./session.ts";

/** Where a rule has failed already: it is not tried again there. */
interface Refusal {
  readonly offset: number;
  readonly ranks: Set<number>;
}

/** One choice of one answer. */
export class Matcher implements Stage {
  readonly #cursor = new Cursor();
  readonly #emission = new Emission();
  readonly #session: Session;
  /** The innermost region is last; the first is the answer itself. */
  readonly #regions: Region[];
  #region: Region;
  #frame: Frame | undefined;
  #refusal: Refusal = { offset: -1, ranks: new Set() };
  #isExhausted = false;
  /** Whether text came that is not the model's reasoning. */
  #sawAnswer = false;
  readonly #reasoning: Reasoning | undefined;
  /** What was said last of a candidate that is none: its inner beginnings are not said again. */
  #noted: { rule: CompiledRule; end: number } | undefined;

  constructor(program: Program, options: MatcherOptions) {
    this.#session = {
      program,
      options,
      calls: 0,
      cursor: this.#cursor,
      emission: this.#emission,
    };
    this.#region = Region.root(program, options.offered);
    this.#regions = [this.#region];
    if (options.reasoning === "recover") {
      const { reasoning: _, beginsInReasoning: __, ...own } = options;
      // Only whole calls are recovered, so nothing of them is announced before they are.
      this.#reasoning = new Reasoning(new Matcher(program, { ...own, wholeCalls: true }));
    }
    if (options.beginsInReasoning) this.#beginInReasoning();
  }

  /** From where on the answer's text can still be part of a candidate: an offset in UTF-16 units. */
  get citedFrom(): number {
    const group = this.#regions.find((region) => region.group);
    return group?.opening?.offset ?? this.#frame?.offset ?? this.#cursor.offset;
  }

  /** Reads text and reasoning; `text_end` ends the answer and goes no further. Other events pass. */
  push(event: AnswerEvent, out: Sink): void {
    switch (event.kind) {
      case "text":
        return this.#feed(event, out);
      case "text_end":
        return this.#end(event, out);
      case "reasoning":
        // It is never held: what it holds counts only if the answer comes to nothing.
        this.#reasoning?.feed(event.text);
    }
    out.push(event);
  }

  #feed(event: TextEvent, out: Sink): void {
    this.#emission.begin(out, event);
    if (this.#passes(event.text)) this.#emission.pass(event);
    else {
      this.#cursor.append(event.text);
      this.#run();
    }
    this.#emission.end();
  }

  /** Whether nothing is held and nothing in the text can begin a match: most of an answer is like that. */
  #passes(text: string): boolean {
    if (this.#frame || !this.#sawAnswer || this.#region.group || this.#isExhausted) return false;
    if (!this.#region.search.ignores(text, this.#cursor)) return false;
    this.#cursor.pass(text);
    return true;
  }

  #end(event: TextEndEvent, out: Sink): void {
    this.#emission.begin(out);
    this.#cursor.isEnd = true;
    this.#cursor.isTruncated = event.truncated;
    this.#run();
    for (const region of this.#regions.reverse()) region.group?.close({ isClosed: false });
    if (!event.truncated && !event.isAnswered) this.#recover();
    this.#emission.finish();
    this.#emission.end();
  }

  /** The answer came to nothing: what was thought last is done. */
  #recover(): void {
    if (!this.#reasoning || this.#session.calls > 0 || this.#sawAnswer) return;
    for (const event of this.#reasoning.end()) {
      if (event.kind === "call_start") this.#session.calls++;
      this.#emission.push(event);
    }
  }

  #beginInReasoning(): void {
    const rule = reasoningOf(this.#session.program);
    if (!rule) return;
    this.#region = Region.open(rule, { session: this.#session, groups: {}, offset: 0, atLineStart: true });
    this.#regions.push(this.#region);
  }

  #run(): void {
    let goesOn = true;
    while (goesOn) goesOn = this.#frame ? this.#readFrame(this.#frame) : this.#readRegion();
  }

  /** In a call: its body reads on. Whether there is more to do. */
  #readFrame(frame: Frame): boolean {
    const progress = frame.read(this.#cursor);
    if (progress === "more") return false;
    this.#frame = undefined;
    if (progress === "closed") {
      this.#checkExhausted(frame);
      return true;
    }
    const { rule, tool } = frame.opening;
    this.#noteRefusal(progress, { rule, offset: frame.offset, end: this.#cursor.offset, tool: tool?.name });
    frame.abort(progress);
    if (!frame.isCommitted) this.#giveBack(frame);
    return true;
  }

  /** The candidate's text is text again; the rule that read it is not tried again at this place. */
  #giveBack(
    frame: { raw: string; offset: number; atLineStart: boolean; opening: { rule: CompiledRule } },
  ): void {
    if (this.#refusal.offset !== frame.offset) this.#refusal = { offset: frame.offset, ranks: new Set() };
    this.#refusal.ranks.add(frame.opening.rule.rank);
    const end = frame.offset + frame.raw.length;
    this.#cursor.restore(frame.raw, frame);
    this.#region.restart();
    this.#checkExhausted(frame, end);
  }

  /** Once too much was read again, the rest of the answer is text. */
  #checkExhausted(
    { opening: { rule }, offset }: { opening: { rule: CompiledRule }; offset: number },
    end = this.#cursor.offset,
  ): void {
    if (!this.#cursor.isExhausted || this.#isExhausted) return;
    this.#isExhausted = true;
    this.#noted = undefined;
    const failure: Failure = { reason: "over_limit", detail: "read again too often" };
    this.#noteRefusal(failure, { rule, offset, end, tool: undefined });
  }

  /** In text: looks for the region's closer and for openers. Whether there is more to do. */
  #readRegion(): boolean {
    const cursor = this.#cursor;
    const region = this.#region;
    if (this.#sawAnswer || this.#session.calls > 0) region.passStart(this.#session);
    if (this.#isExhausted) {
      this.#text(cursor.text.length);
      return false;
    }
    if (region.group?.isOpen === false && !this.#text(cursor.spaceEnd)) return true;
    const found = region.search.next(cursor);
    if (found.type !== "match") {
      const stands = this.#text(found.type === "held" ? found.start : cursor.text.length);
      if (!stands) return true;
      return cursor.isEnd && region.group?.isOpen === false && this.#giveUpGroup(region);
    }
    const { alternative, start, end, atLineStart } = found;
    // The text before the match decides first whether the region stands at all.
    if (!this.#text(start)) return true;
    const span = { start, end, atLineStart };
    const captures = capture(region.search.automaton, { alternative, text: cursor.text, span });
    if (region.isCloser(alternative)) return this.#closeRegion(captures?.end ?? end);
    const rule = region.rule(alternative);
    const opened = captures
      ? this.#open(rule, { captures, start, atLineStart })
      : { reason: "malformed" as const };
    if (!isFailure(opened)) return true;
    if (isWorthNoting(rule, opened)) {
      const tool = captures?.groups["tool"];
      this.#noteRefusal(opened, { rule, offset: cursor.base + start, end: cursor.base + end, tool });
    }
    region.search.refuse(alternative);
    return true;
  }

  /** Text up to an index leaves. Whether the region stands: a group that has no call yet is none if text is in it. */
  #text(to: number): boolean {
    const cursor = this.#cursor;
    if (to === cursor.at) return true;
    const region = this.#region;
    if (region.group?.isOpen === false) {
      const end = Math.min(to, cursor.spaceEnd, cursor.at + FRAME_MAXIMUM - region.raw.length);
      region.raw += cursor.take(end);
      if (end < to) this.#giveUpGroup(region);
      return end === to;
    }
    const text = cursor.take(to);
    region.group?.text(text);
    const isThought = region.kind === "reasoning";
    if (region.shows !== "nothing") this.#flow(text, isThought);
    if (isThought) this.#reasoning?.feed(text);
    return true;
  }

  #flow(text: string, isThought: boolean): void {
    if (!this.#sawAnswer && text.trim() !== "") this.#sawAnswer = !isThought;
    this.#emission.text(text);
  }

  /** What opens or closes an opaque region: some are part of what is said, some only mark it. */
  #mark(region: Region, to: number): void {
    const text = this.#cursor.take(to);
    if (region.shows === "all") this.#flow(text, region.kind === "reasoning");
  }

  #giveUpGroup(region: Region): boolean {
    const opening = region.opening;
    if (!opening) return false;
    this.#leaveRegion();
    const { rule, offset } = opening;
    const end = this.#cursor.offset;
    this.#noteRefusal({ reason: "malformed", detail: "a wrapper without a call" }, {
      rule,
      offset,
      end,
      tool: undefined,
    });
    this.#giveBack({ raw: region.raw, ...opening, opening });
    return true;
  }

  #leaveRegion(): void {
    this.#regions.pop();
    this.#region = this.#regions.at(-1)!;
  }

  #closeRegion(end: number): boolean {
    const region = this.#region;
    if (region.group) {
      if (!region.group.isOpen) return this.#giveUpGroup(region);
      this.#cursor.at = end;
      region.group.close();
    } else this.#mark(region, end);
    this.#leaveRegion();
    this.#region.restart();
    return true;
  }

  /** A match of an opener: a region or a frame opens, or it is refused. */
  #open(
    rule: CompiledRule,
    options: { captures: Captures; start: number; atLineStart: boolean },
  ): Failure | undefined {
    const { captures, start, atLineStart } = options;
    const cursor = this.#cursor;
    const offset = cursor.base + start;
    if (this.#refusal.offset === offset && this.#refusal.ranks.has(rule.rank)) return SILENT;
    if (rule.at === "line" && !atLineStart) return SILENT;
    if (rule.at === "start" && (this.#sawAnswer || this.#session.calls > 0)) return SILENT;
    const { groups } = captures;
    if (rule.body.kind === "opaque" || rule.body.kind === "group") {
      const region = Region.open(rule, { session: this.#session, groups, offset, atLineStart });
      if (region.group) region.raw = cursor.take(captures.end);
      else this.#mark(region, captures.end);
      this.#regions.push(region);
      this.#region = region;
      return undefined;
    }
    const tool = this.#gate(rule, groups);
    if (isFailure(tool)) return tool;
    if (!this.#region.reads(rule)) return { reason: "quoted" };
    const group = this.#region.group;
    this.#frame = new Frame({ rule, groups, tool, offset, atLineStart, group }, this.#session);
    this.#frame.keep(cursor.take(captures.end));
    this.#region.restart();
    return undefined;
  }

  #gate(rule: CompiledRule, groups: Readonly<Record<string, string>>): OfferedTool | Failure | undefined {
    const { offered, minimumConfidence } = this.#session.options;
    const named = groups["tool"];
    const tool = rule.tools
      ? gateTarget(rule, offered)
      : named === undefined
      ? undefined
      : gateTool(rule, named, offered);
    if (isFailure(tool)) return tool;
    return rule.confidence < minimumConfidence ? { reason: "below_confidence" } : tool;
  }

  /** A candidate is no call. Where its tail looks like a candidate of the same rule, it is not said twice. */
  #noteRefusal(
    failure: Failure,
    about: { rule: CompiledRule; offset: number; end: number; tool: string | undefined },
  ): void {
    const { rule, offset, end, tool } = about;
    if (this.#noted?.rule === rule && offset < this.#noted.end) return;
    this.#noted = { rule, end };
    this.#emission.push({
      kind: "note",
      reason: failure.reason,
      rule: rule.name,
      ...(tool === undefined ? {} : { tool }),
      start: offset,
      end,
      ...(failure.detail === undefined ? {} : { detail: failure.detail }),
    });
  }
}

/** A refusal that says nothing of the text: it has been noted already, or the place is wrong. */
const SILENT: Failure = { reason: "malformed", detail: "" };

/** Every tag of a page would be an "unknown tool" of a rule whose tags look like HTML. */
function isWorthNoting(rule: CompiledRule, failure: Failure): boolean {
  return failure !== SILENT && !(rule.needsDeclaredKeys && failure.reason === "unknown_tool");
}
