/**
 * A wrapper around several calls. Its own text is kept until its first call is certain, because a wrapper without a
 * call is text.
 *
 * @module
 */
import type { Reason } from "../event/reason.ts";
import type { CompiledRule } from "./compiled_rule.ts";
import type { Session } from "./session.ts";

export class Group {
  readonly rule: CompiledRule;
  readonly #session: Session;
  readonly #mode: string | null;
  #hasText = false;
  isOpen = false;

  constructor(rule: CompiledRule, options: { session: Session; mode: string | undefined }) {
    this.rule = rule;
    this.#session = options.session;
    this.#mode = options.mode ?? null;
  }

  /** Items of the inner calls that name the call and aren't arguments. */
  get meta(): readonly string[] {
    return this.rule.body.kind === "group" ? this.rule.body.meta : [];
  }

  /** Announces the group once its first call is certain. */
  open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.#session.emission.push({ kind: "group_start", rule: this.rule.name, mode: this.#mode });
  }

  /** Records text between the calls, which is sent as text. */
  text(text: string): void {
    this.#hasText ||= text.trim() !== "";
  }

  /** Ends the group at its closer or at the end of the answer, and notes errors in the wrapper. */
  close(options: { readonly isClosed: boolean } = { isClosed: true }): void {
    if (!this.isOpen) return;
    if (this.#hasText) this.#note("malformed", "other text in the wrapper");
    if (!options.isClosed) this.#note("closer_missing", "the wrapper was not closed");
    this.#session.emission.push({ kind: "group_end" });
  }

  #note(reason: Reason, detail: string): void {
    const end = this.#session.cursor.offset;
    this.#session.emission.push({ kind: "note", reason, rule: this.rule.name, start: end, end, detail });
  }
}
