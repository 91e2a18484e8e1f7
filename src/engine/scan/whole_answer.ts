/**
 * Reads an answer that arrives whole. If it has the closer of reasoning that nothing opened, the model's prompt opened
 * it, so the answer is read again as one that begins inside.
 *
 *     The user wants … </think>\n\nI look.   ─▶   reasoning "The user wants …", text "I look."
 *
 * @module
 */
import type { MatchEvent } from "../event/event.ts";
import type { Sink, TextStage } from "../event/stage.ts";
import { Matcher } from "./matcher.ts";
import type { Program } from "./program.ts";
import type { MatcherOptions } from "./session.ts";

/** What reads an answer: the matcher, which splits one that arrives whole at a closer that nothing opened. */
export function openAnswer(program: Program, options: MatcherOptions): TextStage {
  const { isWhole, separatesReasoning, beginsInReasoning = false } = options;
  if (!isWhole || !separatesReasoning) return new Matcher(program, options);
  const create: WholeOptions["create"] = (beginning) => new Matcher(program, { ...options, ...beginning });
  return new WholeAnswer({ beginsInReasoning, create });
}

interface WholeOptions {
  /** Whether it is known that the answer begins inside the reasoning. */
  readonly beginsInReasoning: boolean;
  /** Creates what reads the answer. */
  readonly create: (beginning: { readonly beginsInReasoning: boolean }) => TextStage;
}

export class WholeAnswer implements TextStage {
  readonly #create: WholeOptions["create"];
  #reader: TextStage;
  /** What was read and found, as long as the answer can begin inside its reasoning; undefined: it is decided. */
  #read: { readonly events: MatchEvent[]; readonly found: MatchEvent[] } | undefined;

  /** @param options how the answer is read */
  constructor({ beginsInReasoning, create }: WholeOptions) {
    this.#create = create;
    this.#reader = create({ beginsInReasoning });
    if (!beginsInReasoning) this.#read = { events: [], found: [] };
  }

  get citedFrom(): number {
    return this.#read === undefined ? this.#reader.citedFrom ?? 0 : 0;
  }

  push(event: MatchEvent, out: Sink): void {
    // The upstream's own reasoning shows that the text is the answer.
    if (event.kind === "reasoning" && this.#read?.events.length === 0) this.#read = undefined;
    if (this.#read === undefined) return this.#reader.push(event, out);
    const { events, found } = this.#read;
    events.push(event);
    this.#reader.push(event, { push: (one) => void found.push(one) });
    if (event.kind === "text_end") this.#decide({ events, found }, out);
  }

  #decide(
    { events, found }: { readonly events: readonly MatchEvent[]; readonly found: readonly MatchEvent[] },
    out: Sink,
  ): void {
    this.#read = undefined;
    const closer = found.find((event) => event.kind === "note" && event.reason === "reasoning_not_opened");
    if (closer === undefined) {
      for (const event of found) out.push(event);
      return;
    }
    out.push(closer);
    this.#reader = this.#create({ beginsInReasoning: true });
    for (const event of events) this.#reader.push(event, out);
  }
}
