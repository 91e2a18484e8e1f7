/**
 * The contract of plugins: the only module that a file in `plugins/` imports, and all that your own plugin needs. A
 * plugin is a value with a name and hooks. Each hook gets a part of an answer, or a request, and returns what replaces
 * it. A hook that returns nothing changes nothing.
 *
 * A plugin runs with the permissions of the program. If a hook throws or returns an invalid result, or `onRequest` takes longer
 * than `limits.plugin_timeout_ms`, the answer continues without it, and a note names the plugin. The result of another hook
 * is used however long it takes, and a note states the time.
 *
 * @module
 */
import type { ChatRequest } from "../../chat/message/request.ts";
import type { ContentEvent } from "../../engine/event/event.ts";
import type { Reason } from "../../engine/event/reason.ts";
import type { JudgedAnswer, Remedy } from "../exchange/remedies.ts";
import type { Store } from "../store/store.ts";
import type { OfferedTools } from "../../engine/tool/offered.ts";

export type { ChatRequest, RequestMessage } from "../../chat/message/request.ts";
export type { ContentEvent } from "../../engine/event/event.ts";
export type { Reason } from "../../engine/event/reason.ts";
export type { Store, StoreEntry } from "../store/store.ts";
export { matchesGlob } from "../../engine/pattern/glob.ts";
export { describeJson, describePlace, describeRepair, type WrittenCall } from "../../engine/tool/damage.ts";
export { exampleArguments, type ExampleForm, writeExampleCall } from "../../engine/tool/example.ts";
export { type Mistake, MISTAKES } from "./model_errors.ts";
export { isAllowedCommand } from "../../engine/tool/shell.ts";
export { type ArgumentProblems, checkArguments } from "../../engine/tool/validate.ts";
export type { JsonSchema, OfferedTool, OfferedTools } from "../../engine/tool/offered.ts";

/** The type of an option, and its default. */
export interface OptionField {
  /** `texts` is a list of texts, `mapping` a mapping with any values. */
  readonly type: "text" | "texts" | "number" | "boolean" | "mapping";
  /** The default; without one, the option is required. */
  readonly default?: unknown;
  /** For a text: the allowed values. */
  readonly values?: readonly string[];
  /** For a number: the minimum. */
  readonly minimum?: number;
  /** One sentence for people. */
  readonly description?: string;
}

/** A whole call of an answer. */
export interface PluginCall {
  /** The offered tool's own name. */
  readonly tool: string;
  /** The arguments. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The call as the model wrote it; absent if the upstream sent it as its own call. */
  readonly source?: string;
  /** What a wrapper states about the call (`toolId`, `dependsOn`); never part of the arguments. */
  readonly meta: Readonly<Record<string, string>>;
  /** The name of the rule that read the call. */
  readonly rule: string;
  /** The reason codes of the repairs; absent or empty if the call was well formed. */
  readonly repairs?: readonly Reason[];
}

/** A call that a plugin makes. */
export interface NewCall {
  /** An offered tool's name. */
  readonly tool: string;
  /** The arguments. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Why an answer must not reach the client. */
export interface Verdict {
  /** `reject`: the client gets the error; `retry`: the model is asked again, unseen by the client. */
  readonly kind: "reject" | "retry";
  /** A short name of the error, for programs: `SCHEMA_VALIDATION`. */
  readonly code: string;
  /** What is wrong and how to correct it, for the model. */
  readonly message: string;
}

/** Stops the whole answer here. */
export interface Stop {
  /** Why. */
  readonly verdict: Verdict;
}

/** The decision about a call. */
export type CallDecision =
  /** Make it with these arguments. */
  | { readonly arguments: Readonly<Record<string, unknown>> }
  /** Don't make it: its text stays text. `refuse` is the reason, without contents of the answer. */
  | { readonly refuse: string; readonly reason?: Reason }
  /** Make these calls instead; an empty list leaves it out. */
  | { readonly replace: readonly NewCall[] }
  | Stop;

/** Calls that the model put in one wrapper. */
export interface CallGroup {
  /** How they relate, as the model wrote it (`parallel`, `sequential`), or null. */
  readonly mode: string | null;
  /** The calls, as the model ordered them. */
  readonly calls: readonly PluginCall[];
}

/** The decision about a group. */
export interface GroupDecision {
  /** The calls to make now, in order: positions in `calls`. */
  readonly order: readonly number[];
}

/** How an answer ended. */
export interface AnswerEnd {
  /** How many calls the client got. */
  readonly callCount: number;
  /** All text that isn't a call, up to 64 Ki characters. */
  readonly text: string;
  /** Whether the answer was cut off. */
  readonly truncated: boolean;
}

/** An answer that has nothing to send, or an error in its place, and what is done with it. */
export type { AnswerKind, JudgedAnswer, Remedy } from "../exchange/remedies.ts";

/** The decision about it: one of those that are possible. */
export interface RemedyDecision {
  /** What is done instead. */
  readonly remedy: Remedy;
}

/** The decision about a request. */
export type RequestDecision =
  /** Send this body to the model. */
  | { readonly body: ChatRequest }
  /** Answer with these calls, without the model. */
  | { readonly calls: readonly NewCall[] };

/** What every hook knows. */
export interface PluginContext<Options = Readonly<Record<string, unknown>>> {
  /** The plugin's options, checked, with their defaults. */
  readonly options: Options;
  /** The request's tools. */
  readonly offered: OfferedTools;
  /** The client. */
  readonly client: string;
  /** How many calls the client accepts in one message; undefined: any number. */
  readonly callsPerMessage: number | undefined;
  /** The request as the client sent it. */
  readonly request: ChatRequest;
  /** The same for all requests of one conversation, as long as its first message and its client key stay. */
  readonly conversation: string;
  /** The memory between requests; every plugin has its own keys. */
  readonly store: Store;
  /** The memory of this plugin in this choice of this answer. */
  readonly state: Map<string, unknown>;
  /** A fresh id. */
  readonly newId: () => string;
  /**
   * A correct call of an offered tool as the prompt teaches it: the client's own, or Dragoman's with `tools: prompted`.
   * Absent if the model gets the tools natively.
   */
  readonly writeExample?: (tool: string) => string | undefined;
  /** A correct call of an offered tool in a rule's own notation; undefined if the rule isn't spoken (`speak`) or isn't on. */
  readonly writeCall?: (tool: string, rule: string) => string | undefined;
  /** The required parameters that a call lacks, as the client finds them under all its names; absent likewise. */
  readonly missingParameters?: (call: NewCall) => readonly string[];
  /** Adds a note to the log and changes nothing. */
  note(detail: string, reason?: Reason): void;
}

/**
 * A plugin.
 *
 * @example
 * ```ts
 * import type { Plugin } from "./mod.ts";
 * const careful: Plugin<{ words: string[] }> = {
 *   name: "careful",
 *   options: { words: { type: "texts", default: ["rm"] } },
 *   onCall(call, { options }) {
 *     const command = String(call.arguments["command"]);
 *     return options.words.includes(command) ? { refuse: "a forbidden word" } : undefined;
 *   },
 * };
 * console.assert(careful.name === "careful");
 * ```
 */
export interface Plugin<Options = Readonly<Record<string, unknown>>> {
  /** Its name, for the log and for `requires` of others. */
  readonly name: string;
  /** What it does, without a final period. */
  readonly description?: string;
  /** Its options by name. */
  readonly options?: Readonly<Record<string, OptionField>>;
  /** Plugins that must be in the configuration too; they run before this one. */
  readonly requires?: readonly string[];
  /** Receives every event and can return others instead. It is called for every piece of text, so it must be fast. */
  onEvent?(event: ContentEvent, context: PluginContext<Options>): readonly ContentEvent[] | Stop | undefined;
  /** Decides about a whole call. With this hook, calls are sent only when they are whole. */
  onCall?(call: PluginCall, context: PluginContext<Options>): CallDecision | undefined;
  /** Decides about the calls of one wrapper, before `onCall` decides about each. */
  onGroup?(group: CallGroup, context: PluginContext<Options>): GroupDecision | undefined;
  /** Receives the end of the answer. It can still stop the answer or release what it held. */
  onAnswerEnd?(
    end: AnswerEnd,
    context: PluginContext<Options>,
  ): Stop | { readonly events: readonly ContentEvent[] } | undefined;
  /**
   * Decides what is done with an answer that can't be sent as it is: it has nothing, has a call that no rule can read, is
   * an error of the server's parser, or didn't come. Nothing of it was shown, except thoughts.
   */
  onAnswerJudged?(judged: JudgedAnswer, context: PluginContext<Options>): RemedyDecision | undefined;
  /** Decides about a request before the model is asked. The only hook that may be async. */
  onRequest?(
    request: ChatRequest,
    context: PluginContext<Options>,
  ): RequestDecision | undefined | Promise<RequestDecision | undefined>;
}
