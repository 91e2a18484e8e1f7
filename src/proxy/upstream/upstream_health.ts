/** Knows which upstreams answered lately: from the requests that pass, and from probes when no request did. @module */
import { inTime } from "../transport/wait.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import { present } from "../../engine/object/present.ts";
import { type ProbeResult, probeUpstream } from "./probe.ts";
import { type RecognizedServer, recognizeServer, type ServerAnswer } from "./recognize_server.ts";
import type { LearnedTools } from "./learned_tools.ts";
import { type LearnedForm, learnedForms } from "./learned_words.ts";
import { type Manner, mannerOf } from "./manner.ts";
import { type KnownServer, Servers } from "./servers.ts";
import type { Service } from "../exchange/service.ts";

interface UpstreamState {
  readonly name: string;
  /** Whether its last request or probe got an answer; undefined if it has had none. */
  readonly answers: boolean | undefined;
  readonly secondsAgo: number | undefined;
  readonly server?: string;
  readonly version?: string;
  /** How requests begin with `tools: auto`, and why. */
  readonly begins?: Manner["begins"];
  readonly why?: string;
  readonly warning?: string;
  /** How many tokens a prompt and its answer may have together. */
  readonly context?: number;
  /** What its models needed; absent until something was learned. */
  readonly learned?: readonly LearnedForm[];
}

export interface Probed {
  readonly upstream: UpstreamConfig;
  readonly result: ProbeResult;
  /** Resolves with the server, once it was asked; undefined if it is unknown. */
  readonly server: Promise<KnownServer | undefined>;
}

export type Upstreams = Pick<Service, "config" | "keys">;

interface ProbeContext {
  readonly key: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly answered?: (models: ServerAnswer) => void;
}

interface RecognizeContext extends Pick<ProbeContext, "key" | "signal"> {
  readonly models: ServerAnswer | undefined;
}

interface UpstreamHealthOptions {
  /** Probes an upstream; never rejects. */
  readonly probe: (upstream: UpstreamConfig, context: ProbeContext) => Promise<ProbeResult>;
  readonly now: () => number;
  /** Asks an upstream which server it is; by default, none is asked. Never rejects. */
  readonly recognize?: (
    upstream: UpstreamConfig,
    context: RecognizeContext,
  ) => Promise<RecognizedServer | undefined>;
  readonly servers?: Servers;
  /** What `tools: auto` has learned. */
  readonly tools?: { entries(): readonly LearnedTools[] } | undefined;
}

const PROBE_MS = 3000;

const RECOGNIZE_MS = 2000;

/** How long an answer counts as lately, in milliseconds. */
const FRESH_MS = 30_000;

/** How long the result of a probe is used instead of another probe, in milliseconds. */
const PROBE_PAUSE_MS = 2000;

/** Questions to an upstream. */
interface Asked<Result> {
  readonly url: string;
  readonly over: Promise<Result>;
}

/** Whether an upstream has answered all questions, if there is one at all. */
async function isSettled(probing: Promise<Probed>): Promise<boolean> {
  const { result, server } = await probing;
  await server;
  return !(result.kind === "silent" && result.isLate);
}

interface Seen {
  readonly answers: boolean;
  readonly at: number;
}

export class UpstreamHealth {
  readonly #options: UpstreamHealthOptions;
  readonly #seen = new Map<string, Seen>();
  readonly #watching: ((name: string, answers: boolean) => void)[] = [];
  readonly #servers: Servers;
  /** Upstream's name → what it was asked, and at which URL; it is asked again after a failure. */
  readonly #recognizing = new Map<string, Asked<unknown>>();
  /** Upstream's name → its last probe with the questions after it. */
  readonly #settling = new Map<string, Asked<boolean>>();
  #probing: Promise<unknown> | undefined;
  #probedAt = -Infinity;

  constructor(options: UpstreamHealthOptions) {
    this.#options = options;
    this.#servers = options.servers ?? new Servers();
  }

  /** Takes what became of a request: whether the upstream, and not a gateway in front of it, answered. */
  see(name: string, answers: boolean): void {
    const isNews = !answers || this.#seen.get(name)?.answers !== true;
    this.learn(name, answers);
    if (isNews) { for (const tell of this.#watching) tell(name, answers); }
  }

  /** Takes what another thread saw. */
  learn(name: string, answers: boolean): void {
    this.#seen.set(name, { answers, at: this.#options.now() });
    if (!answers) {
      this.#servers.lose(name);
      this.#recognizing.delete(name);
      this.#settling.delete(name);
    }
  }

  /** Calls a function for each failure, and when an upstream answers again. */
  watch(tell: (name: string, answers: boolean) => void): void {
    this.#watching.push(tell);
  }

  probe(upstreams: Upstreams, signal?: AbortSignal): Promise<Probed[]> {
    this.#probedAt = this.#options.now();
    const probing = this.#probeAll(upstreams, signal);
    this.#probing = probing;
    return probing;
  }

  async #probeAll({ config, keys }: Upstreams, signal: AbortSignal | undefined): Promise<Probed[]> {
    return await Promise.all(config.upstreams.map((upstream) => {
      const probing = this.#probeOne(upstream, { key: keys.get(upstream.name), signal });
      this.#settling.set(upstream.name, { url: upstream.url, over: isSettled(probing) });
      return probing;
    }));
  }

  async #probeOne(
    upstream: UpstreamConfig,
    { key, signal }: Pick<ProbeContext, "key" | "signal">,
  ): Promise<Probed> {
    let models: ServerAnswer | undefined;
    const answered = (answer: ServerAnswer) => void (models = answer);
    const result = await this.#options.probe(upstream, { key, signal, answered });
    if (!signal?.aborted) {
      this.see(upstream.name, result.kind === "answers" || result.kind === "refuses_key");
    }
    const asked = result.kind === "answers" ? this.#recognize(upstream, { key, signal, models }) : undefined;
    const server = Promise.resolve(asked).then(() => this.#servers.of(upstream));
    return { upstream, result, server };
  }

  /** Waits until the upstream's server is known, or shows no sign. False: its answers take too long. */
  async settle(upstream: UpstreamConfig, key: string | undefined): Promise<boolean> {
    const { name, url } = upstream;
    const isKnown = upstream.server !== "auto" || this.#servers.of(upstream) !== undefined;
    if (isKnown || this.#options.recognize === undefined) return true;
    let asked = this.#settling.get(name);
    if (asked?.url !== url) {
      const probing = this.#probeOne(upstream, { key, signal: undefined });
      asked = { url, over: isSettled(probing) };
      this.#settling.set(name, asked);
    }
    return await inTime(asked.over, RECOGNIZE_MS) ?? false;
  }

  /** Asks an upstream which server it is, or what more there is to know of the one that is named. No one waits for that. */
  #recognize(upstream: UpstreamConfig, context: RecognizeContext): Promise<unknown> | undefined {
    const { recognize } = this.#options;
    if (upstream.server === "none" || recognize === undefined) return undefined;
    const { name, url } = upstream;
    const known = this.#recognizing.get(name);
    if (known?.url === url) return known.over;
    const over = recognize(upstream, context).then((found) => found && this.#servers.learn(found));
    this.#recognizing.set(name, { url, over });
    return over;
  }

  /** Whether one of the upstreams answered lately. If none is known to, they are probed first. */
  async isReady(upstreams: Upstreams): Promise<boolean> {
    const isFresh = () => upstreams.config.upstreams.some(({ name }) => this.#answeredLately(name));
    if (isFresh()) return true;
    const isDue = this.#options.now() - this.#probedAt >= PROBE_PAUSE_MS;
    // A probe that still runs, such as that of the start, is the answer.
    await (isDue ? this.probe(upstreams) : this.#probing);
    return isFresh();
  }

  /** Whether the last request or probe of an upstream failed within this time. */
  isDown(name: string, withinMs: number): boolean {
    const seen = this.#seen.get(name);
    return seen !== undefined && !seen.answers && this.#options.now() - seen.at < withinMs;
  }

  states(upstreams: readonly UpstreamConfig[]): UpstreamState[] {
    const changes = this.#servers.learnedChanges();
    const tools = this.#options.tools?.entries() ?? [];
    return upstreams.map((upstream) => {
      const { name } = upstream;
      const known = this.#servers.of(upstream);
      const { server, version } = known ?? {};
      const seen = this.#seen.get(name);
      const secondsAgo = seen && Math.round((this.#options.now() - seen.at) / 1000);
      const manner = mannerOf(upstream, known);
      const context = this.#servers.contextOf(upstream);
      return {
        name,
        answers: seen?.answers,
        secondsAgo,
        ...present({ server, version, context }),
        ...manner,
        ...present({ learned: learnedForms(name, { changes, tools }) }),
      };
    });
  }

  #answeredLately(name: string): boolean {
    const seen = this.#seen.get(name);
    return seen !== undefined && seen.answers && this.#options.now() - seen.at < FRESH_MS;
  }
}

export function createUpstreamHealth(
  servers: Servers = new Servers(),
  tools?: UpstreamHealthOptions["tools"],
): UpstreamHealth {
  return new UpstreamHealth({
    servers,
    tools,
    recognize: (upstream, context) =>
      recognizeServer(upstream, { ...context, send: fetch, timeoutMs: RECOGNIZE_MS }),
    probe: (upstream, context) => probeUpstream(upstream, { ...context, send: fetch, timeoutMs: PROBE_MS }),
    now: () => performance.now(),
  });
}
