/**
 * Watches the thoughts of a streamed answer, which the client sees while the model has them. If nothing follows them, or
 * they don't end, the answer's end is held: the model is asked again with its thoughts, and the stream goes on with that
 * answer.
 *
 *     thoughts ─▶ a text or a call ─▶ nothing is watched any more
 *        ├─▶ the end ──────────────▶ held: only thoughts
 *        ╰─▶ over the budget, or the same again and again ─▶ stopped
 *
 * @module
 */
import type { AnswerEvent, FinishEvent } from "../../chat/event/event.ts";
import { inOrder, type Sink, type Stage } from "../../chat/event/stage.ts";
import type { AnswerOptions } from "../../chat/pipeline/pipeline.ts";
import type { AskedChat } from "./asked_chat.ts";
import { isCut } from "./blank_answer.ts";
import { thoughtsMax } from "./thought_budget.ts";
import { Repetition } from "./repetition.ts";

/** The longest thoughts that are kept, in characters; longer ones are sent as they are. */
const THOUGHTS_MAX = 256 * 1024;

interface ThoughtLimits {
  /** How long thoughts may be, in characters; undefined: any length. */
  readonly lengthMax?: number | undefined;
  /** Whether thoughts that repeat themselves are ended. */
  readonly endsRepetition: boolean;
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
        this.#isOver = event.text.trim() !== "";
        break;
      case "call_start":
      case "error":
        this.#isOver = true;
        break;
      case "reasoning":
        this.#think(event.text);
        break;
      case "finish":
        if (this.thoughts !== "" && !isCut(event.reason)) this.#held = event;
    }
  }

  #think(text: string): void {
    this.thoughts += text;
    const { lengthMax = Infinity, endsRepetition } = this.#limits;
    if (this.thoughts.length > lengthMax) this.stopped = `after ${this.thoughts.length} characters`;
    else if (endsRepetition && this.#repetition.isIn(this.thoughts)) {
      this.stopped = "they repeated themselves";
    } else if (this.thoughts.length > THOUGHTS_MAX) this.#isOver = true;
  }
}

/** What watches the thoughts of an answer; undefined if no question can follow them. */
export function thoughtWatch(
  { askAgain, question, request, service, upstream, sending }: AskedChat,
): ThoughtWatch | undefined {
  const isWatched = (request.n ?? 1) === 1 && askAgain?.canFollowThoughts(question) === true;
  const endsRepetition = service.config.policy.repeated_thoughts === "end";
  const { config } = service;
  const lengthMax = thoughtsMax({ request, upstream, config, profile: sending.profile });
  return isWatched ? new ThoughtWatch({ endsRepetition, lengthMax }) : undefined;
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
