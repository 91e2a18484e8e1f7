/**
 * A wrapper around several calls. Its own text is kept until the first call in it is certain: a wrapper without
 * a call is text.
 *
 * @module
 */
import type { CompiledRule } from "./program.ts";
import type { Session } from "./session.ts";

/** One open wrapper. */
export class Group {
  readonly rule: CompiledRule;
  readonly #session: Session;
  readonly #mode: string | null;
  isOpen = false;

  constructor(rule: CompiledRule, options: { session: Session; mode: string | undefined }) {
    this.rule = rule;
    this.#session = options.session;
    this.#mode = options.mode ?? null;
  }

  /** Items of the inner calls that name the call and are no arguments. */
  get meta(): readonly string[] {
    return this.rule.body.kind === "group" ? this.rule.body.meta : [];
  }

  /** The first call in it is certain. */
  open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.#session.emission.push({ kind: "group_start", rule: this.rule.name, mode: this.#mode });
  }

  /** The wrapper's closer, or the end of the answer, has come. */
  close(): void {
    if (this.isOpen) this.#session.emission.push({ kind: "group_end" });
  }
}
