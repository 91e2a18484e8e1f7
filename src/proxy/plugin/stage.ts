/**
 * The plugins of one choice: the stage between the matcher and the renderer. Without a plugin that decides about whole
 * calls, arguments flow through unchanged.
 *
 *     event ─▶ gather ─▶ onGroup, onCall (decide) ─▶ onEvent ─▶ renderer
 *     finish ─▶ what was gathered ─▶ onAnswerEnd
 *
 * @module
 */
import type { AnswerEvent, FinishEvent } from "../../chat/event/event.ts";
import type { Sink, Stage } from "../../chat/event/stage.ts";
import type { ContentEvent } from "../../engine/event/event.ts";
import { isContent } from "../../engine/event/stage.ts";
import { Decisions } from "./decide.ts";
import { type GatheredItem, Gatherer } from "./gather.ts";
import { type HookOptions, Hooks, type LoadedPlugin } from "./hooks.ts";
import type { Verdict } from "./mod.ts";
import { isEnding, isEventsOrStop } from "./result.ts";

/** The most text that `onAnswerEnd` gets, in UTF-16 units. */
const TEXT_LENGTH_MAX = 64 * 1024;

export function needsWholeCalls(plugins: readonly LoadedPlugin[]): boolean {
  return plugins.some(({ plugin }) => plugin.onCall !== undefined || plugin.onGroup !== undefined);
}

export class PluginStage implements Stage {
  readonly #hooks: Hooks;
  readonly #decisions: Decisions;
  readonly #gatherer: Gatherer | undefined;
  readonly #seesEvents: boolean;
  #callCount = 0;
  #text = "";
  #isEnded = false;

  constructor(options: HookOptions) {
    const { plugins } = options;
    this.#hooks = new Hooks(options);
    this.#decisions = new Decisions(this.#hooks);
    this.#gatherer = needsWholeCalls(plugins)
      ? new Gatherer({ gathersGroups: plugins.some(({ plugin }) => plugin.onGroup !== undefined) })
      : undefined;
    this.#seesEvents = plugins.some(({ plugin }) => plugin.onEvent !== undefined);
  }

  /** Why the answer must stop; nothing passes after it. */
  get verdict(): Verdict | undefined {
    return this.#decisions.verdict;
  }

  /** Lets the plugins decide about text and calls; everything else passes. */
  push(event: AnswerEvent, out: Sink): void {
    if (event.kind === "finish") this.#end(event, out);
    else if (!isContent(event)) out.push(event);
    else if (event.kind === "note") this.#take(this.#decisions.refusals.pass(event), out);
    else this.#take(event, out);
  }

  #take(event: ContentEvent, out: Sink): void {
    if (this.verdict === undefined) {
      if (this.#gatherer === undefined) this.#give(event, out);
      else this.#giveAll(this.#gatherer.take(event), out);
      this.#giveNotes(out);
    }
  }

  /** Ends the choice. What waits is sent first. */
  #end(event: FinishEvent, out: Sink): void {
    if (this.verdict === undefined) this.#giveAll(this.#gatherer?.end() ?? [], out);
    this.#giveNotes(out);
    this.#decisions.refusals.end().forEach((note) => out.push(note));
    const end = { callCount: this.#callCount, text: this.#text, truncated: event.truncated };
    for (const active of this.#isEnded ? [] : this.#hooks.active) {
      const { plugin, context } = active;
      if (plugin.onAnswerEnd === undefined || this.verdict !== undefined) continue;
      const call = () => plugin.onAnswerEnd?.(end, context);
      const ended = this.#hooks.call(active, { hook: "onAnswerEnd", call, isResult: isEnding });
      if (ended === undefined) continue;
      if ("verdict" in ended) this.#decisions.verdict = ended.verdict;
      else ended.events.forEach((event) => out.push(event));
    }
    this.#isEnded = true;
    this.#giveNotes(out);
    out.push(event);
  }

  #giveAll(gathered: readonly GatheredItem[], out: Sink): void {
    for (const one of gathered) {
      if (this.verdict !== undefined) return;
      for (const event of this.#decisions.decide(one)) this.#give(event, out);
    }
  }

  /** Event hooks run last, so that they receive what is really sent. */
  #give(event: ContentEvent, out: Sink): void {
    if (!this.#seesEvents) return this.#send(event, out);
    let events: readonly ContentEvent[] = [event];
    for (const active of this.#hooks.active) {
      const { plugin, context } = active;
      if (plugin.onEvent === undefined) continue;
      events = events.flatMap((event) => {
        const call = () => plugin.onEvent?.(event, context);
        const result = this.#hooks.call(active, { hook: "onEvent", call, isResult: isEventsOrStop });
        if (result === undefined) return [event];
        if (!("verdict" in result)) return result;
        this.#decisions.verdict ??= result.verdict;
        return [];
      });
    }
    for (const event of events) this.#send(event, out);
  }

  #send(event: ContentEvent, out: Sink): void {
    if (event.kind === "call_start") this.#callCount++;
    if (event.kind === "text" && this.#text.length < TEXT_LENGTH_MAX) {
      this.#text = (this.#text + event.text).slice(0, TEXT_LENGTH_MAX);
    }
    out.push(event);
  }

  #giveNotes(out: Sink): void {
    for (const note of this.#hooks.takeNotes()) out.push(note);
  }
}
