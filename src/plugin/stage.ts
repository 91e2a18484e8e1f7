/**
 * The plugins' place in one choice of an answer, between the matcher and the renderer. In: events. Out: the
 * events that the plugins leave. Without a plugin that wants whole calls, arguments flow through untouched.
 *
 * @module
 */
import type { Event } from "../event/event.ts";
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
  | { readonly kind: "events"; readonly events: readonly Event[] };

interface Active extends LoadedPlugin {
  readonly context: PluginContext<unknown>;
}

/** Whether any plugin decides about whole calls. */
export function needsWholeCalls(plugins: readonly LoadedPlugin[]): boolean {
  return plugins.some(({ plugin }) => plugin.onCall !== undefined || plugin.onGroup !== undefined);
}

/** The plugins of one choice. */
export class PluginStage {
  readonly #options: StageOptions;
  readonly #active: readonly Active[];
  readonly #gatherer: Gatherer | undefined;
  #notes: Event[] = [];
  #verdict: Verdict | undefined;
  #callCount = 0;
  #addedCount = 0;
  #text = "";

  /** @param options the plugins and what they know */
  constructor(options: StageOptions) {
    this.#options = options;
    const { plugins } = options;
    this.#gatherer = needsWholeCalls(plugins)
      ? new Gatherer({ gathersGroups: plugins.some(({ plugin }) => plugin.onGroup !== undefined) })
      : undefined;
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

  /** Takes the next events and gives those that go on. */
  pass(events: readonly Event[]): Event[] {
    if (this.#verdict !== undefined) return [];
    const gathered = this.#gatherer?.take(events);
    return this.#finish(gathered === undefined ? [...events] : gathered.flatMap((one) => this.#decide(one)));
  }

  /** The answer is over. */
  end({ truncated }: { readonly truncated: boolean }): Event[] {
    if (this.#verdict !== undefined) return [];
    const rest = this.#finish((this.#gatherer?.end() ?? []).flatMap((one) => this.#decide(one)));
    if (this.#verdict !== undefined) return rest;
    const end = { callCount: this.#callCount, text: this.#text, truncated };
    for (const active of this.#active) {
      const { plugin, context } = active;
      if (plugin.onAnswerEnd === undefined || this.#verdict !== undefined) continue;
      const ended = this.#guard(active, {
        hook: "onAnswerEnd",
        call: () => plugin.onAnswerEnd?.(end, context),
        isResult: isEnding,
      });
      if (ended === undefined) continue;
      if ("verdict" in ended) this.#verdict = ended.verdict;
      else rest.push(...ended.events);
    }
    return [...rest, ...this.#takeNotes()];
  }

  /** Event hooks come last: they see what really goes out. */
  #finish(events: readonly Event[]): Event[] {
    const out: Event[] = [];
    for (const event of events) {
      let now: readonly Event[] = [event];
      for (const active of this.#active) {
        const { plugin, context } = active;
        if (plugin.onEvent === undefined) continue;
        now = now.flatMap((event) => {
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
      out.push(...now);
    }
    for (const event of out) {
      if (event.kind === "call_start") this.#callCount++;
      if (event.kind === "text") this.#text = (this.#text + event.text).slice(0, TEXT_LENGTH_MAX);
    }
    return [...out, ...this.#takeNotes()];
  }

  #decide(gathered: Gathered): Event[] {
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
    const others = items.filter(({ kind }) => kind !== "whole");
    return [...others, ...decision.order.flatMap((index) => wholes[index] ?? [])];
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

  #takeNotes(): Event[] {
    const notes = this.#notes;
    if (notes.length > 0) this.#notes = [];
    return notes;
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
