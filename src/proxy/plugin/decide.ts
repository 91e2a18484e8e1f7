/** The decisions of plugins about whole calls: groups first, then calls, each plugin after those before it. @module */
import type { ContentEvent, NoteEvent } from "../../engine/event/event.ts";
import { isDecision, type Reason } from "../../engine/event/reason.ts";
import { present } from "../../engine/object/present.ts";
import type { GatheredItem, WholeCall } from "./gather.ts";
import type { ActivePlugin, Hooks } from "./hooks.ts";
import type { CallDecision, NewCall, Verdict } from "./mod.ts";
import { isCallDecision, isGroupDecision } from "./result.ts";

/** What a plugin did if its calls can't be made. */
const UNOFFERED = "onCall made a call to a tool that is not offered";

/** The first number of calls that plugins add; no answer has as many calls. */
const ADDED_CALLS = 1_000_000;

/** A call, or the events that replace it. */
type Item =
  | { readonly kind: "whole"; readonly whole: WholeCall }
  | { readonly kind: "events"; readonly events: readonly ContentEvent[] };

export class Decisions {
  readonly #hooks: Hooks;
  readonly refusals = new RefusalNotes();
  #addedCount = 0;
  verdict: Verdict | undefined;

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  /** Returns the events of what was gathered, as the plugins changed them; none after a verdict. */
  decide(gathered: GatheredItem): ContentEvent[] {
    if (gathered.kind === "event") return [gathered.event];
    const isGroup = gathered.kind === "group";
    const calls = isGroup ? gathered.calls : [gathered.whole];
    let items: Item[] = calls.map((whole) => ({ kind: "whole", whole }));
    for (const active of this.#hooks.active) {
      if (isGroup) items = this.#decideGroup(active, { items, mode: gathered.start.mode });
      items = items.flatMap((item) => item.kind === "whole" ? this.#decideCall(active, item.whole) : [item]);
      if (this.verdict !== undefined) return [];
    }
    const events = items.flatMap((item) => item.kind === "whole" ? item.whole.events : item.events);
    return isGroup ? [gathered.start, ...events, { kind: "group_end" }] : events;
  }

  #decideGroup(active: ActivePlugin, { items, mode }: { items: Item[]; mode: string | null }): Item[] {
    const { plugin, context } = active;
    if (plugin.onGroup === undefined) return items;
    const wholes = items.filter((item) => item.kind === "whole");
    const failures: string[] = [];
    const decision = this.#hooks.call(active, {
      hook: "onGroup",
      call: () => plugin.onGroup?.({ mode, calls: wholes.map(({ whole }) => whole.call) }, context),
      isResult: isGroupDecision(wholes.length),
      failed: (what) => failures.push(what),
    });
    const [refuse] = failures;
    if (decision === undefined && refuse !== undefined && active.refusesOnFailure === true) {
      return items.flatMap((item) =>
        item.kind === "whole" ? this.#refuse({ refuse }, { active, whole: item.whole }) : [item]
      );
    }
    if (decision === undefined) return items;
    // The text of a refused call keeps its place among the remaining calls.
    const ordered = decision.order.flatMap((index) => wholes[index] ?? []);
    const placed = items.flatMap((item): readonly Item[] =>
      item.kind === "whole" ? ordered.splice(0, 1) : [item]
    );
    return [...placed, ...ordered];
  }

  #decideCall(active: ActivePlugin, whole: WholeCall): Item[] {
    const { plugin, context } = active;
    const keep: Item[] = [{ kind: "whole", whole }];
    if (plugin.onCall === undefined || this.verdict !== undefined) return keep;
    const failures: string[] = [];
    const decision = this.#hooks.call(active, {
      hook: "onCall",
      call: () => plugin.onCall?.(whole.call, context),
      isResult: isCallDecision,
      failed: (what) => failures.push(what),
    });
    const items = decision && this.#apply(decision, { active, whole });
    if (items !== undefined || active.refusesOnFailure !== true) return items ?? keep;
    const [failure = UNOFFERED] = failures;
    const hasFailed = decision !== undefined || failures.length > 0;
    return hasFailed ? this.#refuse({ refuse: failure }, { active, whole }) : keep;
  }

  #refuse(
    { refuse, reason = "plugin_refused" }: { readonly refuse: string; readonly reason?: Reason | undefined },
    { active: { plugin }, whole }: { active: ActivePlugin; whole: WholeCall },
  ): Item[] {
    const { tool, source = "" } = whole.call;

    const [first] = whole.events;
    const call = first?.kind === "call_start" ? first.call : undefined;
    // The decision replaces the one about the rule's candidate, so the call has only one.
    const detail = `${plugin.name}: ${refuse}`;
    const about = { reason, rule: whole.call.rule, tool, ...present({ call }) };
    const note = this.refusals.refuse({ kind: "note", ...about, start: 0, end: 0, detail });
    if (note !== undefined) this.#hooks.addNote(note);
    return source === "" ? [] : [{ kind: "events", events: [{ kind: "text", text: source }] }];
  }

  #apply(
    decision: CallDecision,
    { active, whole }: { active: ActivePlugin; whole: WholeCall },
  ): Item[] | undefined {
    const { plugin } = active;
    const { tool } = whole.call;
    if ("verdict" in decision) {
      this.verdict = decision.verdict;
      return [];
    }
    if ("refuse" in decision) return this.#refuse(decision, { active, whole });
    const isChange = "arguments" in decision;
    const calls = isChange ? [{ tool, arguments: decision.arguments }] : decision.replace;
    if (!calls.every(({ tool }) => this.#hooks.offers(tool))) {
      this.#hooks.note(plugin, { detail: UNOFFERED, reason: "plugin_failed" });
      return undefined;
    }
    const detail = isChange ? "changed the arguments" : `${calls.length} calls instead`;
    this.#hooks.note(plugin, { detail, reason: "plugin_changed", tool });
    return calls.map((call, index): Item => {
      const number = index === 0 ? undefined : ADDED_CALLS + this.#addedCount++;
      return { kind: "whole", whole: rewritten(whole, { call, number }) };
    });
  }
}

/** The first call keeps its number. None keeps the model's text, which belongs to another call. */
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

/**
 * Gives a refused call one decision instead of two. The matcher's note that it read the call usually follows the call; it
 * then becomes the note of the refusal:
 *
 *     call_end      a plugin refuses the call         nothing yet
 *     note          transformed, 10..42               plugin_refused, 10..42
 */
export class RefusalNotes {
  readonly #noted = new Set<number>();
  readonly #waiting = new Map<number, NoteEvent>();

  /** The note to send for a refused call; undefined if the matcher's note is still to come. */
  refuse(note: NoteEvent): NoteEvent | undefined {
    const { call } = note;
    if (call === undefined || this.#noted.has(call)) return note;
    this.#waiting.set(call, note);
    return undefined;
  }

  /** The note to send instead of one that passes. */
  pass(note: NoteEvent): NoteEvent {
    const { call } = note;
    if (call === undefined || !isDecision(note.reason)) return note;
    this.#noted.add(call);
    const refusal = this.#waiting.get(call);
    if (refusal === undefined) return note;
    this.#waiting.delete(call);
    return { ...refusal, start: note.start, end: note.end };
  }

  /** The notes about calls that the matcher doesn't note, such as those of the upstream. */
  end(): readonly NoteEvent[] {
    const notes = [...this.#waiting.values()];
    this.#waiting.clear();
    return notes;
  }
}
