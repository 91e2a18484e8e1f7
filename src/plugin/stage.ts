/**
 * The plugins of one choice: the stage between the matcher and the renderer. Without a plugin that wants whole calls,
 * arguments flow through untouched.
 *
 * @module
 */
import type { AnswerEvent, ContentEvent, FinishEvent } from "../event/event.ts";
import { isContent, type Sink, type Stage } from "../event/stage.ts";
import type { Reason } from "../event/reason.ts";
import { present } from "../object/present.ts";
import { type Gathered, Gatherer, type WholeCall } from "./gather.ts";
import { guard } from "./guard.ts";
import type { CallDecision, NewCall, Plugin, PluginContext, Verdict } from "./mod.ts";
import { isCallDecision, isEnding, isEventsOrStop, isGroupDecision } from "./result.ts";

/** A plugin with what the configuration says of it. */
export interface LoadedPlugin {
  /** The plugin. */
  readonly plugin: Plugin<unknown>;
  /** Its options, checked. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** What a context has that is not a plugin's own. */
export type SharedContext = Omit<PluginContext, "options" | "state" | "note" | "store"> & {
  /** The store of a plugin. */
  readonly storeOf: (plugin: string) => PluginContext["store"];
};

/** What a stage is made of. */
export interface StageOptions {
  /** The plugins, in order. */
  readonly plugins: readonly LoadedPlugin[];
  /** What they know. */
  readonly shared: SharedContext;
  /** How long a hook may take, in milliseconds. */
  readonly timeoutMs: number;
  /** The time, in milliseconds from any beginning. */
  readonly now: () => number;
}

/** How much text `onAnswerEnd` gets at most, in UTF-16 units. */
const TEXT_LENGTH_MAX = 64 * 1024;

/** Calls that plugins add are numbered from here: no answer has as many of its own. */
const ADDED_CALLS = 1_000_000;

/** What stands in for one gathered thing while the plugins decide about it, one after the other. */
type Item =
  | { readonly kind: "whole"; readonly whole: WholeCall }
  | { readonly kind: "events"; readonly events: readonly ContentEvent[] };

interface Active extends LoadedPlugin {
  readonly context: PluginContext<unknown>;
}

/** Whether any plugin decides about whole calls. */
export function needsWholeCalls(plugins: readonly LoadedPlugin[]): boolean {
  return plugins.some(({ plugin }) => plugin.onCall !== undefined || plugin.onGroup !== undefined);
}

/** The plugins of one choice. */
export class PluginStage implements Stage {
  readonly #options: StageOptions;
  readonly #active: readonly Active[];
  readonly #gatherer: Gatherer | undefined;
  readonly #seesEvents: boolean;
  #notes: ContentEvent[] = [];
  #verdict: Verdict | undefined;
  #callCount = 0;
  #addedCount = 0;
  #text = "";
  #isEnded = false;

  /** @param options the plugins and what they know */
  constructor(options: StageOptions) {
    this.#options = options;
    const { plugins } = options;
    this.#gatherer = needsWholeCalls(plugins)
      ? new Gatherer({ gathersGroups: plugins.some(({ plugin }) => plugin.onGroup !== undefined) })
      : undefined;
    this.#seesEvents = plugins.some(({ plugin }) => plugin.onEvent !== undefined);
    this.#active = plugins.map((loaded) => ({
      ...loaded,
      context: contextOf(loaded, {
        shared: options.shared,
        note: (detail, reason) => this.#note(loaded.plugin.name, { detail, reason }),
      }),
    }));
  }

  /** Why the answer must not go on; nothing passes after it. */
  get verdict(): Verdict | undefined {
    return this.#verdict;
  }

  /** Lets the plugins decide about text and calls; everything else passes. */
  push(event: AnswerEvent, out: Sink): void {
    if (event.kind === "finish") this.#end(event, out);
    else if (!isContent(event)) out.push(event);
    else if (this.#verdict === undefined) {
      if (this.#gatherer === undefined) this.#give(event, out);
      else this.#giveAll(this.#gatherer.take(event), out);
      this.#giveNotes(out);
    }
  }

  /** The choice is over: what waits goes out first. */
  #end(event: FinishEvent, out: Sink): void {
    if (this.#verdict === undefined) this.#giveAll(this.#gatherer?.end() ?? [], out);
    this.#giveNotes(out);
    const end = { callCount: this.#callCount, text: this.#text, truncated: event.truncated };
    for (const active of this.#isEnded ? [] : this.#active) {
      const { plugin, context } = active;
      if (plugin.onAnswerEnd === undefined || this.#verdict !== undefined) continue;
      const ended = this.#guard(active, {
        hook: "onAnswerEnd",
        call: () => plugin.onAnswerEnd?.(end, context),
        isResult: isEnding,
      });
      if (ended === undefined) continue;
      if ("verdict" in ended) this.#verdict = ended.verdict;
      else ended.events.forEach((event) => out.push(event));
    }
    this.#isEnded = true;
    this.#giveNotes(out);
    out.push(event);
  }

  #giveAll(gathered: readonly Gathered[], out: Sink): void {
    for (const one of gathered) {
      for (const event of this.#decide(one)) this.#give(event, out);
    }
  }

  /** Event hooks come last: they see what really goes out. */
  #give(event: ContentEvent, out: Sink): void {
    if (!this.#seesEvents) return this.#send(event, out);
    let events: readonly ContentEvent[] = [event];
    for (const active of this.#active) {
      const { plugin, context } = active;
      if (plugin.onEvent === undefined) continue;
      events = events.flatMap((event) => {
        const result = this.#guard(active, {
          hook: "onEvent",
          call: () => plugin.onEvent?.(event, context),
          isResult: isEventsOrStop,
        });
        if (result === undefined) return [event];
        if (!("verdict" in result)) return result;
        this.#verdict ??= result.verdict;
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

  #decide(gathered: Gathered): ContentEvent[] {
    if (this.#verdict !== undefined) return [];
    if (gathered.kind === "event") return [gathered.event];
    const isGroup = gathered.kind === "group";
    let items: Item[] = (isGroup ? gathered.calls : [gathered.whole]).map((whole) => ({
      kind: "whole",
      whole,
    }));
    for (const active of this.#active) {
      if (isGroup) items = this.#decideGroup(active, { items, mode: gathered.start.mode });
      items = items.flatMap((item) => item.kind === "whole" ? this.#decideCall(active, item.whole) : [item]);
      if (this.#verdict !== undefined) return [];
    }
    const events = items.flatMap((item) => item.kind === "whole" ? item.whole.events : item.events);
    return isGroup ? [gathered.start, ...events, { kind: "group_end" }] : events;
  }

  #decideGroup(active: Active, { items, mode }: { items: Item[]; mode: string | null }): Item[] {
    const { plugin, context } = active;
    if (plugin.onGroup === undefined) return items;
    const wholes = items.flatMap((item) => item.kind === "whole" ? [item] : []);
    const decision = this.#guard(active, {
      hook: "onGroup",
      call: () => plugin.onGroup?.({ mode, calls: wholes.map(({ whole }) => whole.call) }, context),
      isResult: isGroupDecision(wholes.length),
    });
    if (decision === undefined) return items;
    // Text of a refused call keeps its place among the calls that are left.
    const ordered = decision.order.flatMap((index) => wholes[index] ?? []);
    const placed = items.flatMap((item): readonly Item[] =>
      item.kind === "whole" ? ordered.splice(0, 1) : [item]
    );
    return [...placed, ...ordered];
  }

  #decideCall(active: Active, whole: WholeCall): Item[] {
    const { plugin, context } = active;
    const keep: Item[] = [{ kind: "whole", whole }];
    if (plugin.onCall === undefined || this.#verdict !== undefined) return keep;
    const decision = this.#guard(active, {
      hook: "onCall",
      call: () => plugin.onCall?.(whole.call, context),
      isResult: isCallDecision,
    });
    return decision === undefined ? keep : this.#apply(decision, { active, whole }) ?? keep;
  }

  #apply(
    decision: CallDecision,
    { active, whole }: { active: Active; whole: WholeCall },
  ): Item[] | undefined {
    const { name } = active.plugin;
    if ("verdict" in decision) {
      this.#verdict = decision.verdict;
      return [];
    }
    if ("refuse" in decision) {
      const { refuse: detail, reason = "plugin_refused" } = decision;
      this.#note(name, { detail, reason, tool: whole.call.tool });
      const text = whole.call.source ?? "";
      return text === "" ? [] : [{ kind: "events", events: [{ kind: "text", text }] }];
    }
    const isChange = "arguments" in decision;
    const calls = isChange ? [{ tool: whole.call.tool, arguments: decision.arguments }] : decision.replace;
    const unknown = calls.find(({ tool }) => this.#options.shared.offered.resolve(tool)?.name !== tool);
    if (unknown !== undefined) {
      this.#note(name, {
        detail: "onCall made a call of a tool that is not offered",
        reason: "plugin_failed",
      });
      return undefined;
    }
    this.#note(name, {
      detail: isChange ? "changed the arguments" : `${calls.length} calls instead`,
      reason: "plugin_changed",
      tool: whole.call.tool,
    });
    return calls.map((call, index): Item => {
      const number = index === 0 ? undefined : ADDED_CALLS + this.#addedCount++;
      return { kind: "whole", whole: rewritten(whole, { call, number }) };
    });
  }

  #guard<T>(
    { plugin }: Active,
    { hook, call, isResult }: {
      hook: string;
      call: () => unknown;
      isResult: (value: unknown) => value is T;
    },
  ): T | undefined {
    const { timeoutMs, now } = this.#options;
    return guard(call, {
      timeoutMs,
      now,
      isResult,
      onFailure: (what) => this.#note(plugin.name, { detail: `${hook} ${what}`, reason: "plugin_failed" }),
    });
  }

  #note(
    plugin: string,
    said: { readonly detail: string; readonly reason?: Reason | undefined; readonly tool?: string },
  ): void {
    const { detail, reason = "plugin_note", tool } = said;
    this.#notes.push({
      kind: "note",
      reason,
      rule: plugin,
      start: 0,
      end: 0,
      detail,
      ...present({ tool }),
    });
  }

  #giveNotes(out: Sink): void {
    if (this.#notes.length === 0) return;
    const notes = this.#notes;
    this.#notes = [];
    for (const note of notes) out.push(note);
  }
}

/** What a plugin is told beside what a hook is about. */
export function contextOf(
  { plugin, options }: LoadedPlugin,
  { shared, note }: { shared: SharedContext; note: PluginContext["note"] },
): PluginContext<unknown> {
  const { storeOf, ...rest } = shared;
  return { ...rest, options, store: storeOf(plugin.name), state: new Map(), note };
}

/** The first call keeps its number; none keeps the model's text, which says something else now. */
function rewritten(
  { call: { source: _, ...old }, events: [first] }: WholeCall,
  { call, number }: { call: NewCall; number: number | undefined },
): WholeCall {
  const known = first?.kind === "call_start" ? first : { call: 0, confidence: 1 };
  const own = number ?? known.call;
  return {
    call: { ...old, ...call },
    events: [
      { ...known, kind: "call_start", call: own, tool: call.tool, rule: old.rule },
      { kind: "arguments", call: own, json: JSON.stringify(call.arguments) },
      { kind: "call_end", call: own },
    ],
  };
}
