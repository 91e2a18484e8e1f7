/**
 * One candidate between its opener and its closer, as a state machine. Until the client knows of the call its
 * events wait and its text is kept, so that on any failure the text comes back unchanged.
 *
 *     <tool_call><function=f><parameter=a>x … </function></tool_call>
 *     ^^^^^^^^^^^^^^^^^^^^^^^ collecting: events wait, the text is kept
 *                            ^ the commit point of most rules: the first item
 *                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ committed: events leave as they come
 *
 *     collecting ── commit point ──▶ committed ──────────────────────── closer ──▶ closed
 *          ├─────── commit point, but the request says the same ──▶ due ──▶ committed
 *          └─────── closer, and `where: last` ──▶ awaiting_end ── end of the answer ──▶ closed
 *
 * @module
 */
import { HELD_MAXIMUM } from "../pattern/search.ts";
import type { OfferedTool } from "../tool/offered.ts";
import { createBody } from "./body/body.ts";
import type { BodyReader, Failure, Progress } from "./call_sink.ts";
import { Calls } from "./calls.ts";
import type { Cursor } from "./cursor.ts";
import type { EchoCheck } from "./echo_guard.ts";
import type { Group } from "./group.ts";
import type { CompiledRule } from "./program.ts";
import type { Session } from "./session.ts";

/** The longest text of a call that is kept before the client knows of it. */
export const FRAME_MAXIMUM = 1024 * 1024;

/** A match of a rule's opener. */
export interface Opening {
  readonly rule: CompiledRule;
  readonly groups: Readonly<Record<string, string>>;
  /** The tool, if the opener or the rule names it. */
  readonly tool: OfferedTool | undefined;
  /** Where in the answer the opener stands. */
  readonly offset: number;
  readonly atLineStart: boolean;
  /** The group that the call stands in. */
  readonly group: Group | undefined;
  /** Whether what follows the call decides if it is meant: then nothing is sent before it is whole. */
  readonly isDoubtful?: boolean;
}

type State = "collecting" | "due" | "committed" | "awaiting_end";

/** A call that is being read. */
export class Frame {
  readonly opening: Opening;
  readonly #session: Session;
  readonly #calls: Calls;
  readonly #body: BodyReader;
  #state: State = "collecting";
  #raw = "";
  #openerLength = 0;
  /** Whether the text so far repeats the request; nobody asks once the call is committed. */
  #echo: EchoCheck | undefined;
  /** Where in the answer the text begins that comes back on a failure. */
  offset: number;
  atLineStart: boolean;

  constructor(opening: Opening, session: Session) {
    this.opening = opening;
    this.offset = opening.offset;
    this.atLineStart = opening.atLineStart;
    this.#session = session;
    this.#echo = session.options.echoGuard?.follow();
    this.#calls = new Calls(opening, session);
    this.#body = createBody(this.#calls, { rule: opening.rule, automata: session.program.automata });
  }

  /** Whether the client may know of a call of this frame. */
  get isCommitted(): boolean {
    return this.#state === "committed";
  }

  /** The text of the call so far, as long as it is kept. */
  get raw(): string {
    return this.#raw;
  }

  /** The opener's own text belongs to the call. */
  open(text: string): void {
    this.#openerLength = text.length;
    this.#keep(text);
  }

  #keep(text: string): void {
    if (!this.isCommitted || this.#wantsSource) this.#raw += text;
    this.#echo?.feed(text);
  }

  /** The body reads again from an earlier place: what came after it is not part of the call yet. */
  #rewind(length: number): void {
    this.#raw = this.#raw.slice(0, -length);
    if (!this.#echo) return;
    this.#echo = this.#session.options.echoGuard?.follow();
    this.#echo?.feed(this.#raw.slice(0, this.#openerLength));
    this.#echo?.feed(this.#raw.slice(this.#openerLength));
  }

  /** Reads on; the limit falls on the same character however the answer was cut. */
  read(cursor: Cursor): Progress {
    const limit = this.#limit;
    const room = Math.max(limit - cursor.base, cursor.at);
    if (this.isCommitted || cursor.text.length <= room) return this.#step(cursor);
    cursor.defer(room);
    const progress = this.#step(cursor);
    if (progress !== "more" || this.isCommitted || this.#limit > limit) return progress;
    return { reason: "over_limit", detail: "the call is too long" };
  }

  /** Where in the answer the text of the call must end if it is kept; nearer where the tool has to be named first. */
  get #limit(): number {
    const isUnnamed = this.#body.beginsWithName === true && this.#calls.reached === "nothing";
    return this.offset + (isUnnamed ? HELD_MAXIMUM : FRAME_MAXIMUM);
  }

  /** The frame has failed. */
  abort(failure: Failure): void {
    this.#calls.abort(failure);
  }

  #step(cursor: Cursor): Progress {
    for (;;) {
      const from = cursor.offset;
      const isAwaiting = this.#state === "awaiting_end";
      const progress = isAwaiting ? awaitEnd(cursor) : this.#body.read(cursor);
      if (cursor.offset < from) this.#rewind(from - cursor.offset);
      else this.#keep(cursor.text.slice(from - cursor.base, cursor.at));
      // As long as text is held, nobody knows whether it belongs to the call and ends an echo.
      const isOpen = progress === "more" && this.#echo && this.#body.isHolding;
      if (!isOpen && this.#isDue()) this.#commit();
      if (this.#calls.refused) return this.#calls.refused;
      if (progress !== "closed" && progress !== "checkpoint") return progress;
      if (this.#isWholeEcho()) return { reason: "echo" };
      if (progress === "checkpoint") this.#checkpoint(cursor);
      else if (isAwaiting || this.opening.rule.where !== "last") return this.#close();
      else this.#state = "awaiting_end";
    }
  }

  /** Whether the commit point has been reached. */
  #isDue(): boolean {
    if (this.#state !== "collecting" && this.#state !== "due") return false;
    const { reached } = this.#calls;
    return this.#commitPoint === "open"
      ? reached !== "nothing"
      : this.#commitPoint === "first_item" && reached === "item";
  }

  /** Where a group wants identifiers, or the client wants whole calls, nothing is sent before the close. */
  get #commitPoint(): CompiledRule["commit"] {
    const { rule, group } = this.opening;
    if (this.#calls.flows) return "first_item";
    const waits = this.#calls.waits || this.#session.options.wholeCalls || group || rule.where === "last" ||
      this.opening.isDoubtful;
    return waits ? "close" : rule.commit;
  }

  /** Whether the call's own text leaves with its end. */
  get #wantsSource(): boolean {
    return this.#session.options.wholeCalls && !this.#calls.flows;
  }

  #commit(): void {
    this.#state = this.#echo?.isEcho ? "due" : "committed";
    if (this.#state === "due") return;
    this.#echo = undefined;
    this.opening.group?.open();
    this.#calls.release();
    if (!this.#wantsSource) this.#raw = "";
  }

  #close(): "closed" {
    this.#calls.close(this.#wantsSource ? this.#raw : undefined);
    if (!this.isCommitted) this.#commit();
    return "closed";
  }

  /** The calls so far stand, and the next one is collected anew; a call that must be last has to wait for all. */
  #checkpoint(cursor: Cursor): void {
    if (this.opening.rule.where === "last") return;
    this.#close();
    this.#calls.checkpoint();
    this.#state = "collecting";
    this.#raw = "";
    this.#openerLength = 0;
    this.offset = cursor.offset;
    this.atLineStart = cursor.isLineStart(cursor.at);
    this.#echo = this.#session.options.echoGuard?.follow();
  }

  /** Whether the call, which is whole now, stands in the request. */
  #isWholeEcho(): boolean {
    this.#echo?.end();
    return this.#echo?.isEcho ?? false;
  }
}

/** `where: last`: only white space may follow in the answer. */
function awaitEnd(cursor: Cursor): Progress {
  cursor.at = cursor.spaceEnd;
  if (cursor.at < cursor.text.length) return { reason: "text_follows" };
  if (!cursor.isEnd) return "more";
  return cursor.isTruncated ? { reason: "truncated" } : "closed";
}
