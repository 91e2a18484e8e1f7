/**
 * A candidate between its opener and its closer, as a state machine. Until the client can know about the call, its
 * events wait and its text is kept, so that a failure returns the text unchanged.
 *
 *     <tool_call><function=f><parameter=a>x … </function></tool_call>
 *     ^^^^^^^^^^^^^^^^^^^^^^^ collecting: events wait, the text is kept
 *                            ^ the commit point of most rules: the first item
 *                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ committed: events are sent at once
 *
 *     collecting ── commit point ──▶ committed ──────────────────────── closer ──▶ closed
 *          ├─────── commit point inside text that repeats the request ──▶ due ──▶ committed
 *          └─────── closer, `followed_by: nothing` ──▶ awaiting_end ── end of the answer ──▶ closed
 *
 * @module
 */
import type { Node } from "../pattern/node.ts";
import { HELD_MAXIMUM } from "../pattern/search.ts";
import { createBody } from "./body/body.ts";
import { type BodyReader, type Failure, type Progress, TRUNCATED } from "./body_reader.ts";
import { Calls, type Opening } from "./calls.ts";
import type { Cursor } from "./cursor.ts";
import type { EchoCheck } from "./echo_guard.ts";
import type { CompiledRule } from "./compiled_rule.ts";
import type { Session } from "./session.ts";

/** The longest text of a call, in characters, that is kept before the commit point. */
export const FRAME_MAXIMUM = 1024 * 1024;

type State = "collecting" | "due" | "committed" | "awaiting_end";

export class Frame {
  readonly opening: Opening;
  readonly #session: Session;
  readonly #calls: Calls;
  readonly #body: BodyReader;
  #state: State = "collecting";
  #raw = "";
  /** The end of the text of a committed call, from `sentTo` on. */
  #unsent = "";
  #openerLength = 0;
  /** Compares the text so far with the request; undefined once the call is committed. */
  #echo: EchoCheck | undefined;
  /** The offset in the answer of the text that a failure returns. */
  offset: number;
  atLineStart: boolean;

  constructor(opening: Opening, session: Session) {
    this.opening = opening;
    this.offset = opening.offset;
    this.atLineStart = opening.atLineStart;
    this.#session = session;
    this.#echo = session.options.echoGuard?.follow();
    this.#calls = new Calls(opening, session);
    this.#body = createBody(this.#calls, { rule: opening.rule, program: session.program });
  }

  /** Whether the client can know about a call of this frame. */
  get isCommitted(): boolean {
    return this.#state === "committed";
  }

  /** The offset up to which the text shows why a call failed. A refusal comes while a piece is read, so the opener counts. */
  failedAt(cursor: Cursor): number {
    return this.#calls.refused ? this.offset + this.#openerLength : cursor.offset;
  }

  get tool(): string | undefined {
    return this.#calls.tool;
  }

  /** The closer that the call's wrapper still lacks. */
  get missingCloser(): Node | undefined {
    return this.#calls.lacksWrapperCloser ? this.opening.rule.wrapperCloser : undefined;
  }

  get raw(): string {
    return this.#raw;
  }

  open(text: string): void {
    this.#openerLength = text.length;
    this.#calls.sentTo = this.#session.cursor.offset;
    this.#keep(text);
  }

  #keep(text: string): void {
    if (!this.isCommitted || this.#wantsSource) this.#raw += text;
    if (this.isCommitted) this.#keepUnsent(this.#unsent + text);
    this.#echo?.feed(text);
  }

  /** Keeps the end of a text, which ends at the cursor, as far as it isn't sent. */
  #keepUnsent(text: string): void {
    const length = this.#session.cursor.offset - this.#calls.sentTo;
    this.#unsent = length <= 0 ? "" : length < text.length ? text.slice(-length) : text;
  }

  /** Removes text that the body will read again. */
  #rewind(length: number): void {
    this.#raw = this.#raw.slice(0, -length);
    this.#keepUnsent(this.#unsent.slice(0, -length));
    if (!this.#echo) return;
    this.#echo = this.#session.options.echoGuard?.follow();
    this.#echo?.feed(this.#raw.slice(0, this.#openerLength));
    this.#echo?.feed(this.#raw.slice(this.#openerLength));
  }

  /** Reads the body. The limit applies at the same character for every cut of the answer. */
  read(cursor: Cursor): Progress {
    const limit = this.#limit;
    const room = Math.max(limit - cursor.base, cursor.at);
    if (this.isCommitted || cursor.text.length <= room) return this.#step(cursor);
    cursor.defer(room);
    const progress = this.#step(cursor);
    if (progress !== "more" || this.isCommitted || this.#limit > limit) return progress;
    return { reason: "over_limit", detail: "the call is too long" };
  }

  /** The offset in the answer that the call's text can't exceed; lower until the tool is named. */
  get #limit(): number {
    const isUnnamed = this.#body.beginsWithName === true && this.#calls.reached === "nothing";
    return this.offset + (isUnnamed ? HELD_MAXIMUM : FRAME_MAXIMUM);
  }

  abort(failure: Failure): void {
    this.#calls.abort(failure, { unsent: this.#unsent, offset: this.offset });
  }

  #step(cursor: Cursor): Progress {
    for (;;) {
      const from = cursor.offset;
      const isAwaiting = this.#state === "awaiting_end";
      const progress = isAwaiting ? awaitEnd(cursor) : this.#body.read(cursor);
      if (cursor.offset < from) this.#rewind(from - cursor.offset);
      else this.#keep(cursor.text.slice(from - cursor.base, cursor.at));
      // While text is held, the echo check can't tell whether that text belongs to the call.
      const isOpen = progress === "more" && this.#echo && this.#body.isHolding;
      if (!isOpen && this.#isDue()) this.#commit();
      if (this.#calls.refused) return this.#calls.refused;
      if (progress !== "closed" && progress !== "checkpoint") return progress;
      if (this.#isWholeEcho()) return { reason: "echo" };
      if (progress === "checkpoint") this.#checkpoint(cursor);
      else if (isAwaiting || this.opening.rule.followedBy !== "nothing") return this.#close();
      else this.#state = "awaiting_end";
    }
  }

  #isDue(): boolean {
    if (this.#state !== "collecting" && this.#state !== "due") return false;
    const { reached } = this.#calls;
    return this.#commitPoint === "open"
      ? reached !== "nothing"
      : this.#commitPoint === "first_item" && reached === "item";
  }

  /** The commit point of this call. If a group needs ids or the client wants whole calls, it is the close. */
  get #commitPoint(): CompiledRule["commit"] {
    const { rule, group } = this.opening;
    if (this.#calls.flows) return "first_item";
    const waits = this.#calls.waits || this.#session.options.wholeCalls || group ||
      rule.followedBy === "nothing" ||
      this.opening.isAmbiguous;
    return waits ? "close" : rule.commit;
  }

  /** Whether `call_end` contains the call's source text. */
  get #wantsSource(): boolean {
    return this.#session.options.wholeCalls && !this.#calls.flows;
  }

  #commit(): void {
    this.#state = this.#echo?.isEcho ? "due" : "committed";
    if (this.#state === "due") return;
    this.#echo = undefined;
    this.opening.group?.open();
    this.#keepUnsent(this.#raw);
    this.#calls.release();
    if (!this.#wantsSource) this.#raw = "";
  }

  #close(): "closed" {
    this.#calls.close(this.#wantsSource ? this.#raw : undefined);
    if (!this.isCommitted) this.#commit();
    return "closed";
  }

  /** Closes the calls so far and collects the next one. A call that must be last waits for all of them. */
  #checkpoint(cursor: Cursor): void {
    if (this.opening.rule.followedBy === "nothing") return;
    this.#close();
    this.#calls.checkpoint();
    this.#state = "collecting";
    this.#raw = "";
    this.#openerLength = 0;
    this.offset = cursor.offset;
    this.atLineStart = cursor.isLineStart(cursor.at);
    this.#echo = this.#session.options.echoGuard?.follow();
  }

  /** Whether the request contains the whole call. */
  #isWholeEcho(): boolean {
    this.#echo?.end();
    return this.#echo?.isEcho ?? false;
  }
}

/** Reads the text after a call with `followed_by: nothing`: only whitespace can follow. */
function awaitEnd(cursor: Cursor): Progress {
  cursor.at = cursor.spaceEnd;
  if (cursor.at < cursor.text.length) return { reason: "text_follows" };
  if (!cursor.isEnd) return "more";
  return cursor.isTruncated ? TRUNCATED : "closed";
}
