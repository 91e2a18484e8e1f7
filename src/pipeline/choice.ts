/**
 * One choice of an answer on its way: its text goes through a matcher, the calls that the upstream sends itself
 * through a reader of theirs, the events of both through a renderer. Choices of an answer know nothing of each
 * other.
 *
 * @module
 */
import type { ArgumentParts } from "../chat/same_calls.ts";
import type { ChoiceOutcome } from "../chat/write.ts";
import type { Event } from "../event/event.ts";
import type { Reason } from "../event/reason.ts";
import { NATIVE_RULE } from "../native/call.ts";
import { type NativeInput, type NativeOptions, NativeReader } from "../native/reader.ts";
import type { Delta, Renderer } from "../render/renderer.ts";
import { JoinedCalls, type Origin } from "./joined_calls.ts";

/** What finds the calls in a text: the matcher, seen from here. */
export interface EventSource {
  /** Takes the next text, in any cut. */
  feed(text: string): Event[];
  /** Takes the model's reasoning, where the upstream keeps it apart from the text. */
  reason(text: string): void;
  /** The text is over; `truncated`: it was cut off; `isAnswered`: the upstream made calls of its own. */
  end(options: { readonly truncated: boolean; readonly isAnswered?: boolean }): Event[];
}

/** What may change the events on their way to the renderer: the plugins, seen from here. */
export interface EventStage {
  /** Takes the next events and gives those that go on. */
  pass(events: readonly Event[]): Event[];
  /** The choice is over: gives what was kept back. */
  end(options: { readonly truncated: boolean }): Event[];
}

/** What a choice is made of. */
export interface ChoiceParts {
  /** What finds the calls in a text; asked again where a text is over and another begins. */
  readonly createSource: () => EventSource;
  /** What stands between them and the renderer. */
  readonly stage?: EventStage | undefined;
  /** What says them to the client. */
  readonly renderer: Renderer;
  /** What is known of the request, for the upstream's own calls. */
  readonly native?: NativeOptions | undefined;
  /** Hears of every event that decides something: calls and notes, never texts or arguments. */
  readonly observe: (event: Event) => void;
}

/** What came for a choice. */
export interface ChoiceInput extends NativeInput {
  /** Its new text. */
  readonly text?: string | undefined;
  /** Its new reasoning. */
  readonly reasoning?: string | undefined;
  /** The role, where it came. */
  readonly role?: string | undefined;
  /** The upstream's finish reason, null while the choice goes on. */
  readonly reason: string | null;
}

/** Finish reasons of answers that were cut off. */
const CUT_REASONS: ReadonlySet<string> = new Set(["length", "content_filter"]);

/** Finish reasons that say that a call was made. */
const CALL_REASONS: ReadonlySet<string> = new Set(["tool_calls", "function_call"]);

/** The state of one choice. */
export class Choice {
  readonly #parts: ChoiceParts;
  readonly #native: NativeReader;
  readonly #joined = new JoinedCalls();
  #source: EventSource;
  #hasRole = false;
  #hasCall = false;
  #isEnded = false;
  #isSilenced = false;
  #hasDoubleFinish = false;
  /** Whether a call was said that no finish reason has spoken of. */
  #isCallUnfinished = false;

  /**
   * The state before the first text.
   *
   * @param parts the matcher and the renderer, both fresh
   */
  constructor(parts: ChoiceParts) {
    this.#parts = parts;
    this.#source = parts.createSource();
    this.#native = new NativeReader(parts.native);
  }

  /** True once the client has been told that the choice is over. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** True once the choice was ended for the client's sake, whatever its upstream still says. */
  get isSilenced(): boolean {
    return this.#isSilenced;
  }

  /** True once the client has heard of a call. */
  get hasCall(): boolean {
    return this.#hasCall;
  }

  /** Whether the end of some arguments waits to see what follows. */
  get owes(): boolean {
    return this.#parts.stage === undefined && this.#native.owed.size > 0;
  }

  /** Takes what came and says what the client gets. */
  read(input: ChoiceInput): ChoiceOutcome {
    if (this.#isSilenced) return { deltas: [], finishReason: null, isSilenced: true };
    if (input.role) this.#hasRole = true;
    const owedBefore = this.#native.owed;
    if (this.#isEnded) return this.#withOwed(this.#readAfterEnd(input), owedBefore);
    if (input.reasoning) this.#source.reason(input.reasoning);
    const deltas = input.text ? this.#render("text", this.#source.feed(input.text)) : [];
    deltas.push(...this.#readNative(input));
    if (input.reason !== null) deltas.push(...this.#close(input.reason));
    return this.#withOwed(this.#outcome(deltas, input), owedBefore);
  }

  /** The answer is over and no finish reason came. */
  end(options: { readonly truncated: boolean }): ChoiceOutcome {
    if (this.#isEnded) return { deltas: [], finishReason: null };
    const owedBefore = this.#native.owed;
    const deltas = this.#close(options.truncated ? "length" : "stop");
    const finish = this.#parts.renderer.finish(null);
    this.#isEnded = true;
    const outcome = { deltas: [...deltas, ...finish.deltas], finishReason: finish.finishReason };
    return this.#withOwed(this.#withRole(outcome), owedBefore);
  }

  #readNative(input: ChoiceInput): Delta[] {
    if (input.toolCalls == null && input.functionCall == null) return [];
    const events = this.#native.read(input);
    const isWhole = this.#parts.native?.wholeCalls === true &&
      events.some(({ kind }) => kind === "call_start");
    return [...(isWhole ? this.#closeText() : []), ...this.#render("native", events)];
  }

  /** A call that the client reads in the text: the text before it is over. */
  #closeText(): Delta[] {
    const deltas = this.#render("text", this.#source.end({ truncated: false, isAnswered: true }));
    this.#source = this.#parts.createSource();
    return deltas;
  }

  /** Nothing more comes of the upstream. */
  #close(reason: string): Delta[] {
    const isCut = CUT_REASONS.has(reason);
    return [
      ...this.#render("text", this.#source.end({ truncated: isCut, isAnswered: this.#native.hasCalls })),
      ...this.#render("native", this.#native.end({ isCut })),
      ...this.#say(this.#joined.end()),
      ...this.#tell(this.#parts.stage?.end({ truncated: isCut }) ?? []),
    ];
  }

  #render(origin: Origin, events: readonly Event[]): Delta[] {
    return events.length === 0 ? [] : this.#say(this.#joined.join(origin, events));
  }

  #say(events: readonly Event[]): Delta[] {
    if (events.length === 0) return [];
    return this.#tell(this.#parts.stage?.pass(events) ?? events);
  }

  #tell(events: readonly Event[]): Delta[] {
    if (events.length === 0) return [];
    for (const event of events) {
      if (event.kind !== "text" && event.kind !== "arguments") this.#parts.observe(event);
      if (event.kind === "call_start") this.#hasCall = this.#isCallUnfinished = true;
    }
    return this.#parts.renderer.render(events);
  }

  #outcome(deltas: Delta[], input: ChoiceInput): ChoiceOutcome {
    const { renderer } = this.#parts;
    this.#isSilenced = renderer.finished && input.reason === null;
    if (input.reason === null && !this.#isSilenced) return this.#withRole({ deltas, finishReason: null });
    const finish = renderer.finish(input.reason ?? "stop");
    this.#isEnded = true;
    this.#isCallUnfinished = false;
    this.#noteFinish(input.reason, finish.finishReason);
    return this.#withRole({ deltas: [...deltas, ...finish.deltas], finishReason: finish.finishReason });
  }

  /** An upstream that goes on after its end: what it says passes, its reason cannot contradict ours. */
  #readAfterEnd(input: ChoiceInput): ChoiceOutcome {
    const deltas: Delta[] = [...(input.text ? [{ content: input.text }] : []), ...this.#readNative(input)];
    if (input.reason === null || !this.#hasCall) {
      return this.#withRole({ deltas, finishReason: input.reason });
    }
    if (!this.#isCallUnfinished) {
      if (!this.#hasDoubleFinish) this.#note("double_finish");
      this.#hasDoubleFinish = true;
      return this.#withRole({ deltas, finishReason: null });
    }
    deltas.push(...this.#close(input.reason));
    this.#isCallUnfinished = false;
    return this.#withRole({ deltas, finishReason: this.#parts.renderer.finish(input.reason).finishReason });
  }

  #noteFinish(came: string | null, said: string | null): void {
    if (came === null || came === said) return;
    if (this.#native.hasCalls || CALL_REASONS.has(came)) this.#note("finish_reason_mended");
  }

  #withOwed(outcome: ChoiceOutcome, owedBefore: ArgumentParts): ChoiceOutcome {
    // A stage may keep calls back or change them: nothing of the upstream's own words is reused then.
    if (this.#parts.stage !== undefined) return outcome;
    const owedAfter = this.#native.owed;
    return {
      ...outcome,
      ...(owedBefore.size > 0 ? { owedBefore } : {}),
      ...(owedAfter.size > 0 ? { owedAfter } : {}),
    };
  }

  #withRole(outcome: ChoiceOutcome): ChoiceOutcome {
    if (this.#hasRole || outcome.deltas.length === 0) return outcome;
    // Text that passes untouched leaves without a role, as it came; a call must not be the first to lack it.
    if (
      outcome.deltas.every((delta) => delta.tool_calls === undefined && delta.function_call === undefined)
    ) {
      return outcome;
    }
    this.#hasRole = true;
    if (this.#native.hasCalls) this.#note("role_missing");
    return { ...outcome, role: "assistant" };
  }

  #note(reason: Reason): void {
    this.#parts.observe({ kind: "note", reason, rule: NATIVE_RULE, start: 0, end: 0 });
  }
}
