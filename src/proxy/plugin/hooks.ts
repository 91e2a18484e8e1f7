/** The hooks of one choice. One that fails counts as returning nothing, and a note names its plugin. @module */
import type { NoteEvent } from "../../engine/event/event.ts";
import type { Reason } from "../../engine/event/reason.ts";
import { present } from "../../engine/object/present.ts";
import { guard } from "./guard.ts";
import type { Plugin, PluginContext } from "./mod.ts";

export interface LoadedPlugin {
  readonly plugin: Plugin<unknown>;
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether a call is refused if the plugin fails while it decides about it; otherwise the call passes. */
  readonly refusesOnFailure?: boolean;
  /** The absolute path of its file; undefined for a built-in one. */
  readonly file?: string | undefined;
}

export type SharedContext = Omit<PluginContext, "options" | "state" | "note" | "store"> & {
  readonly storeOf: (plugin: string) => PluginContext["store"];
};

export interface HookOptions {
  readonly plugins: readonly LoadedPlugin[];
  readonly shared: SharedContext;
  readonly timeoutMs: number;
  readonly now: () => number;
}

export interface ActivePlugin extends LoadedPlugin {
  readonly context: PluginContext<unknown>;
}

interface HookCall<T> {
  /** The hook's name, for the note if it fails. */
  readonly hook: string;
  readonly call: () => unknown;
  /** Whether the hook may return a value; it may always return `undefined`. */
  readonly isResult: (value: unknown) => value is T;
  readonly failed?: (what: string) => void;
}

interface PluginNote {
  readonly detail: string;
  readonly reason?: Reason | undefined;
  readonly tool?: string;
}

export class Hooks {
  readonly #options: HookOptions;
  readonly active: readonly ActivePlugin[];
  #notes: NoteEvent[] = [];

  constructor(options: HookOptions) {
    this.#options = options;
    this.active = options.plugins.map((loaded) => {
      const note: PluginContext["note"] = (detail, reason) => this.note(loaded.plugin, { detail, reason });
      return { ...loaded, context: contextOf(loaded, { shared: options.shared, note }) };
    });
  }

  /** Calls a hook; undefined if it returns nothing or fails. */
  call<T>({ plugin }: ActivePlugin, { hook, call, isResult, failed }: HookCall<T>): T | undefined {
    const { timeoutMs, now } = this.#options;
    const onSlow = (what: string) =>
      this.note(plugin, { detail: `${hook} ${what}`, reason: "plugin_failed" });
    const onFailure = (what: string) => {
      onSlow(what);
      failed?.(`${hook} ${what}`);
    };
    return guard(call, { name: hook, timeoutMs, now, isResult, onFailure, onSlow });
  }

  /** Whether the request offers a tool of exactly this name. */
  offers(tool: string): boolean {
    return this.#options.shared.offered.resolve(tool)?.name === tool;
  }

  note({ name: rule }: Plugin<unknown>, { detail, reason = "plugin_note", tool }: PluginNote): void {
    this.addNote({ kind: "note", reason, rule, start: 0, end: 0, detail, ...present({ tool }) });
  }

  /** Adds a note that isn't about a plugin alone. */
  addNote(note: NoteEvent): void {
    this.#notes.push(note);
  }

  takeNotes(): readonly NoteEvent[] {
    if (this.#notes.length === 0) return [];
    const notes = this.#notes;
    this.#notes = [];
    return notes;
  }
}

export function contextOf(
  { plugin, options }: LoadedPlugin,
  { shared, note }: { shared: SharedContext; note: PluginContext["note"] },
): PluginContext<unknown> {
  const { storeOf, ...rest } = shared;
  return { ...rest, options, store: storeOf(plugin.name), state: new Map(), note };
}
