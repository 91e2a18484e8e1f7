/**
 * One choice of an answer on its way: its text goes through a matcher, the events through a renderer. Choices of
 * an answer know nothing of each other.
 *
 * @module
 */
import type { ToolCallDelta } from "../chat/chunk.ts";
import type { ChoiceOutcome } from "../chat/write.ts";
import type { Event } from "../event/event.ts";
import type { Delta, Renderer } from "../render/renderer.ts";

/** What finds the calls in a text: the matcher, seen from here. */
export interface EventSource {
  /** Takes the next text, in any cut. */
  feed(text: string): Event[];
  /** The text is over; `truncated`: it was cut off. */
  end(options: { readonly truncated: boolean }): Event[];
}

/** What a choice is made of. */
export interface ChoiceParts {
  /** What finds the calls. */
  readonly source: EventSource;
  /** What says them to the client. */
  readonly renderer: Renderer;
  /** Hears of every event that decides something: calls and notes, never texts or arguments. */
  readonly observe: (event: Event) => void;
}

/** What came for a choice. */
export interface ChoiceInput {
  /** Its new text. */
  readonly text?: string | undefined;
  /** The role, where it came. */
  readonly role?: string | undefined;
  /** Calls that the upstream itself sends. */
  readonly native?: readonly ToolCallDelta[] | null | undefined;
  /** The upstream's finish reason, null while the choice goes on. */
  readonly reason: string | null;
}

/** The state of one choice. */
export class Choice {
  readonly #parts: ChoiceParts;
  #hasRole = false;
  #isEnded = false;
  #isSilenced = false;
  #finishReason: string | null = null;

  /**
   * The state before the first text.
   *
   * @param parts the matcher and the renderer, both fresh
   */
  constructor(parts: ChoiceParts) {
    this.#parts = parts;
  }

  /** True once the client has been told that the choice is over. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** True once the choice was ended for the client's sake, whatever its upstream still says. */
  get isSilenced(): boolean {
    return this.#isSilenced;
  }

  /** Takes what came and says what the client gets. */
  read(input: ChoiceInput): ChoiceOutcome {
    if (this.#isSilenced) return { deltas: [], finishReason: null, isSilenced: true };
    if (this.#isEnded) return this.#readAfterEnd(input);
    const { source, renderer } = this.#parts;
    if (input.native?.length) renderer.noticeNative?.(input.native);
    const deltas = input.text ? this.#render(source.feed(input.text)) : [];
    if (input.reason !== null) {
      deltas.push(...this.#render(source.end({ truncated: input.reason === "length" })));
    }
    return this.#outcome(deltas, input);
  }

  /** The answer is over and no finish reason came. */
  end(options: { readonly truncated: boolean }): ChoiceOutcome {
    if (this.#isEnded) return { deltas: [], finishReason: null };
    const deltas = this.#render(this.#parts.source.end(options));
    const finish = this.#parts.renderer.finish(null);
    this.#isEnded = true;
    this.#finishReason = finish.finishReason;
    return this.#withRole({ deltas: [...deltas, ...finish.deltas], finishReason: finish.finishReason });
  }

  #render(events: readonly Event[]): Delta[] {
    for (const event of events) {
      if (event.kind !== "text" && event.kind !== "arguments") this.#parts.observe(event);
    }
    return this.#parts.renderer.render(events);
  }

  #outcome(deltas: Delta[], input: ChoiceInput): ChoiceOutcome {
    if (input.role !== undefined) this.#hasRole = true;
    const { renderer } = this.#parts;
    this.#isSilenced = renderer.finished && input.reason === null;
    if (input.reason === null && !this.#isSilenced) return this.#withRole({ deltas, finishReason: null });
    const finish = renderer.finish(input.reason ?? "stop");
    this.#isEnded = true;
    this.#finishReason = finish.finishReason;
    return this.#withRole({ deltas: [...deltas, ...finish.deltas], finishReason: finish.finishReason });
  }

  /** An upstream that goes on after its end: its text passes, its reason cannot contradict ours. */
  #readAfterEnd(input: ChoiceInput): ChoiceOutcome {
    const deltas = input.text ? [{ content: input.text }] : [];
    return { deltas, finishReason: input.reason === null ? null : this.#finishReason };
  }

  #withRole(outcome: ChoiceOutcome): ChoiceOutcome {
    if (this.#hasRole || outcome.deltas.length === 0) return outcome;
    // Text that passes untouched leaves without a role, as it came; a call must not be the first to lack it.
    if (outcome.deltas.every((delta) => delta.tool_calls === undefined)) return outcome;
    this.#hasRole = true;
    return { ...outcome, role: "assistant" };
  }
}
