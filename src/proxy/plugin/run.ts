/** The plugins of one request: one hook decides about the request, and each choice of the answer has a stage. @module */
import type { ChatRequest } from "../../chat/message/request.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import type { Sessions, StoreSession } from "../store/session.ts";
import type { Store } from "../store/store.ts";
import { guardAsync } from "./guard.ts";
import type { JudgedAnswer, NewCall, Remedy, Verdict } from "./mod.ts";
import { isRemedyDecision, isRequestDecision } from "./result.ts";
import { contextOf, Hooks, type LoadedPlugin, type SharedContext } from "./hooks.ts";
import { PluginStage } from "./stage.ts";

export interface PluginHost {
  readonly plugins: readonly LoadedPlugin[];
  readonly timeoutMs: number;
  readonly sessions: Sessions;
  readonly now: () => number;
  /** Resolves after N milliseconds, or when it is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface RequestResult {
  /** The body for the model; the client's own object where nothing changed. */
  readonly body: ChatRequest;
  /** The calls that are the answer, without the model. */
  readonly calls: readonly NewCall[] | undefined;
  readonly notes: readonly NoteEvent[];
}

/** The most text that is kept for another attempt, in UTF-16 units. */
const ANSWER_TEXT_MAXIMUM = 64 * 1024;

/** The most times that plugins are asked about a request while other requests take the same values. */
const CLAIMS_MAXIMUM = 3;

type PluginRequest = Omit<SharedContext, "storeOf">;

export class RequestPlugins {
  readonly #host: PluginHost;
  readonly #shared: SharedContext;
  #session: StoreSession;
  #stages: PluginStage[] = [];
  #answerText = "";

  constructor(host: PluginHost, context: PluginRequest) {
    this.#host = host;
    this.#session = host.sessions.begin();
    this.#shared = { ...context, storeOf: (plugin) => ownKeys(this.#session.store, plugin) };
  }

  createStage(): PluginStage {
    const { plugins, timeoutMs, now } = this.#host;
    const stage = new PluginStage({ plugins, timeoutMs, now, shared: this.#shared });
    this.#stages.push(stage);
    return stage;
  }

  /** Why the answer must not reach the client. */
  get verdict(): Verdict | undefined {
    return this.#stages.find(({ verdict }) => verdict !== undefined)?.verdict;
  }

  /** The model's text in this attempt, up to a limit. */
  get answerText(): string {
    return this.#answerText;
  }

  takeText(text: string): void {
    if (this.#answerText.length < ANSWER_TEXT_MAXIMUM) this.#answerText += text;
  }

  /** Forgets the text, because the model is asked again. */
  forget(): void {
    this.#stages = [];
    this.#answerText = "";
  }

  /**
   * Asks the plugins about the request. They own the values that they take only if no other request, on any replica, took
   * those meanwhile. Otherwise they are asked again with what is left, and finally the model is asked.
   */
  async ask(): Promise<RequestResult> {
    for (let attempts = 1;; attempts++) {
      this.#session = await this.#host.sessions.open(this.#shared.conversation);
      const result = await this.#askOnce();
      const isOwn = await this.#session.claim() ?? true;
      if (isOwn) return result;
      // A call that another request has taken must not be made twice.
      if (attempts === CLAIMS_MAXIMUM) return { ...result, calls: undefined };
    }
  }

  /** What is done with an answer instead, as the last plugin wants that decides about it; undefined: it stays. */
  judge(judged: JudgedAnswer, note: (note: NoteEvent) => void): Remedy | undefined {
    const { plugins, timeoutMs, now } = this.#host;
    if (!plugins.some(({ plugin }) => plugin.onAnswerJudged !== undefined)) return undefined;
    const hooks = new Hooks({ plugins, timeoutMs, now, shared: this.#shared });
    const isResult = isRemedyDecision(judged.possible);
    let remedy: Remedy | undefined;
    for (const active of hooks.active) {
      const { plugin, context } = active;
      const call = () => plugin.onAnswerJudged?.({ ...judged, remedy: remedy ?? judged.remedy }, context);
      remedy = hooks.call(active, { hook: "onAnswerJudged", call, isResult })?.remedy ?? remedy;
    }
    hooks.takeNotes().forEach(note);
    return remedy;
  }

  /** Saves what the plugins have put into the memory; undefined if there is nothing to wait for. */
  save(): Promise<void> | undefined {
    return this.#session.save();
  }

  async #askOnce(): Promise<RequestResult> {
    const notes: NoteEvent[] = [];
    let body = this.#shared.request;
    for (const loaded of this.#host.plugins) {
      const { plugin } = loaded;
      if (plugin.onRequest === undefined) continue;
      const note = (detail: string, reason: NoteEvent["reason"] = "plugin_note") =>
        void notes.push({ kind: "note", reason, rule: plugin.name, start: 0, end: 0, detail });
      const context = contextOf(loaded, { shared: this.#shared, note });
      const decision = await guardAsync(() => plugin.onRequest?.(body, context), {
        name: "onRequest",
        timeoutMs: this.#host.timeoutMs,
        wait: this.#host.wait,
        isResult: isRequestDecision,
        onFailure: (what) => note(`onRequest ${what}`, "plugin_failed"),
      });
      if (decision === undefined) continue;
      if ("body" in decision) body = decision.body;
      else if (this.#areOffered(decision.calls)) return { body, calls: decision.calls, notes };
      else note("onRequest answered with a call to a tool that is not offered", "plugin_failed");
    }
    return { body, calls: undefined, notes };
  }

  #areOffered(calls: readonly NewCall[]): boolean {
    return calls.length > 0 && calls.every(({ tool }) => this.#shared.offered.resolve(tool)?.name === tool);
  }
}

function ownKeys(store: Store, plugin: string): Store {
  const own = `${plugin}/`;
  return {
    get: (key) => store.get(own + key),
    put: (key, value, options) => store.put(own + key, value, options),
    add: (key, by, options) => store.add(own + key, by, options),
    take: (key) => store.take(own + key),
    entries: () =>
      store.entries().filter(({ key }) => key.startsWith(own))
        .map((entry) => ({ ...entry, key: entry.key.slice(own.length) })),
  };
}
