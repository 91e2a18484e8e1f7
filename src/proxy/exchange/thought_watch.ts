/**
 * Watches the thoughts of a streamed answer, which the client sees while the model has them. If nothing follows them, or
 * they don't end, the answer's end is held: the model is asked again with its thoughts, and the stream goes on with that
 * answer.
 *
 *     thoughts ─▶ a text or a call ─▶ nothing is watched any more
 *        ├─▶ the end ──────────────▶ held: only thoughts, or only their marks
 *        ╰─▶ over the budget, or the same again and again ─▶ stopped
 *
 * A whole answer is read in the same way, if it is asked for as a stream (`whole_thoughts.ts`).
 *
 * @module
 */
import type { AnswerEvent, FinishEvent } from "../../chat/event/event.ts";
import { inOrder, type Sink, type Stage } from "../../chat/event/stage.ts";
import type { AnswerOptions } from "../../chat/pipeline/pipeline.ts";
import type { AskedChat } from "./asked_chat.ts";
import { isBlankText, isCut, isEnd } from "./blank_answer.ts";
import { type BudgetedChat, isLimitedHere, thoughtsMax } from "./thought_budget.ts";
import { REPEATED, Repetition } from "./repetition.ts";

/** The longest thoughts that are kept, in characters; longer ones are sent as they are. */
const THOUGHTS_MAX = 256 * 1024;

interface ThoughtLimits {
  /** How long thoughts may be, in characters; undefined: any length. */
  readonly lengthMax?: number | undefined;
  readonly endsRepetition: boolean;
  readonly holdsEnd: boolean;
  /** Whether thoughts may be ended now; if not, they go on, and nothing asks again. */
  readonly mayEnd: () => boolean;
}

export class ThoughtWatch implements Stage {
  thoughts = "";
  /** Why thoughts were stopped before their end. */
  stopped: string | undefined;
  readonly #limits: ThoughtLimits;
  readonly #repetition = new Repetition();
  #isOver = false;
  #held: FinishEvent | undefined;

  constructor(limits: ThoughtLimits) {
    this.#limits = limits;
  }

  /** What is held of the answer, so that nothing more of it is sent: its end, or all that follows. */
  get held(): "end" | "now" | undefined {
    if (this.#held !== undefined) return "end";
    return this.stopped === undefined ? undefined : "now";
  }

  /** The finish reason that the client gets if nothing better comes. */
  get finish(): string {
    return this.#held?.reason ?? (this.stopped === undefined ? "stop" : "length");
  }

  /** From here on, the answer goes on as it is. */
  release(): void {
    this.#isOver = true;
    this.#held = this.stopped = undefined;
  }

  push(event: AnswerEvent, out: Sink): void {
    if (!this.#isOver) this.#see(event);
    if (this.#held !== event) out.push(event);
  }

  #see(event: AnswerEvent): void {
    switch (event.kind) {
      case "text":
        this.#isOver = !isBlankText(event.text);
        break;
      case "call_start":
      case "error":
        this.#isOver = true;
        break;
      case "reasoning":
        this.#think(event.text);
        break;
      case "finish":
        if (this.#limits.holdsEnd && this.#isHeld(event)) this.#held = event;
    }
  }

  #isHeld({ reason, truncated }: FinishEvent): boolean {
    return this.thoughts === "" ? isEnd(reason) && !truncated : !isCut(reason);
  }

  #think(text: string): void {
    this.thoughts += text;
    const why = this.#whyEnded();
    if (why === undefined) this.#isOver = this.thoughts.length > THOUGHTS_MAX;
    else if (this.#limits.mayEnd()) this.stopped = why;
    else this.#isOver = true;
  }

  #whyEnded(): string | undefined {
    const { lengthMax = Infinity, endsRepetition } = this.#limits;
    if (this.thoughts.length > lengthMax) return `after ${this.thoughts.length} characters`;
    return endsRepetition && this.#repetition.isIn(this.thoughts) ? REPEATED : undefined;
  }
}

/** What watches the thoughts of an answer; undefined if no question can follow them. */
export function thoughtWatch(asked: AskedChat): ThoughtWatch | undefined {
  const { askAgain, question, request, service } = asked;
  if (askAgain === undefined || (request.n ?? 1) !== 1) return undefined;
  const holdsEnd = askAgain.canFollow("thoughts_only", question);
  const canEnd = askAgain.canFollow("endless_thoughts", question);
  const endsRepetition = canEnd && service.config.policy.repeated_thoughts === "end";
  const lengthMax = canEnd ? thoughtsMax(budgeted(asked)) : undefined;
  if (!holdsEnd && !endsRepetition && lengthMax === undefined) return undefined;
  const mayEnd = () => askAgain.endsThoughts(question);
  return new ThoughtWatch({ endsRepetition, lengthMax, holdsEnd, mayEnd });
}

/** Whether a whole answer is asked for as a stream, because only Dragoman limits its thoughts. */
export function needsStream(asked: AskedChat): boolean {
  const { askAgain, question, request } = asked;
  const isWhole = request.stream !== true && (request.n ?? 1) === 1;
  return isWhole && question.isRaw !== true && isLimitedHere(budgeted(asked)) &&
    askAgain?.canFollow("endless_thoughts", question) === true;
}

function budgeted({ request, upstream, service: { config }, sending: { profile } }: AskedChat): BudgetedChat {
  return { request, upstream, config, profile };
}

export function watched(options: AnswerOptions, watch: ThoughtWatch | undefined): AnswerOptions {
  if (watch === undefined) return options;
  const { createPlugins } = options;
  return {
    ...options,
    createPlugins: () => createPlugins === undefined ? watch : inOrder(createPlugins(), watch),
    held: () => watch.held,
  };
}
