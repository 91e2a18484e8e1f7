/** Which server an upstream is: the one that the configuration names, or the one that was recognized. @module */
import { putLast } from "../../engine/object/drop_oldest.ts";
import type { HealRules } from "../../chat/compatibility/refused_forms.ts";
import { isJsonEqual } from "../../engine/json/equal.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import { EVERY_SERVER, type HealEntry, isSince, NEWEST, REFUSALS, rulesFor } from "./profiles/heals.ts";
import { PROFILES, type ServerProfile, type SightQuestion } from "./profiles/profiles.ts";
import type { RouteMemory } from "./prompt_route.ts";
import { type RecognizedServer, serverOfHeaders } from "./recognize_server.ts";
import { type RequestRefusals, StayingRefusals } from "./staying_refusals.ts";
import { WithdrawnStrictness } from "./strict.ts";

export interface KnownServer extends Pick<RecognizedServer, "server" | "version"> {
  readonly profile: ServerProfile;
  /** The version that rules about versions are compared with. */
  readonly comparedVersion?: string | undefined;
  /** The texts of refusals in the model's template; undefined if the template is unknown. */
  readonly refusals?: readonly string[] | undefined;
  /** For each mark in the model's template, the rules of which one has to read the answers for `raw` to be preferred. */
  readonly rawRules?: readonly (readonly string[])[];
  /** Whether a route that shows prompts is known to be open, which is enough for `raw` to be preferred. */
  readonly opensRoute?: boolean;
  /** Whether all such routes are known to be closed. */
  readonly closesRoutes?: boolean;
}

/** The number of models whose refusals are remembered; the one that was learned first is forgotten first. */
const MODELS_MAX = 1000;

export class Servers {
  /** Models whose calls are not constrained any more. */
  readonly withdrawn = new WithdrawnStrictness();
  readonly #recognized = new Map<string, RecognizedServer>();
  /** Upstream, URL and model → the changes after which the server accepted requests. */
  readonly #learned = new Map<string, LearnedChanges>();
  /** Upstream and URL → the routes of the server that are closed. */
  readonly #closed = new Map<string, Set<string>>();
  /** Upstream, URL and model → the size of the context that an error stated. */
  readonly #contexts = new Map<string, { readonly upstream: string; readonly context: number }>();
  readonly #changeReports: ((learned: LearnedChanges) => void)[] = [];
  /** Upstream, URL and model, if the model has answered. */
  readonly #answered = new Map<string, true>();
  /** Upstream, URL and model → whether the model sees images. */
  readonly #sights = new Map<string, { readonly upstream: string; readonly sees: boolean }>();
  readonly #staying = new StayingRefusals();
  readonly #forgetReports: ((upstream: string) => void)[] = [];
  readonly #reports: ((recognized: RecognizedServer) => void)[] = [];

  /** Reports each server when it is recognized, and again if it is another one. */
  watch(report: (recognized: RecognizedServer) => void): void {
    this.#reports.push(report);
  }

  /** The server of an upstream; undefined if it is unknown. */
  of(upstream: UpstreamConfig): KnownServer | undefined {
    const recognized = this.#recognized.get(upstream.name);
    const isSame = recognized?.url === upstream.url;
    const server = upstream.server !== "auto" ? upstream.server : isSame ? recognized?.server : undefined;
    const known = server === undefined ? undefined : PROFILES[server];
    if (server === undefined || known === undefined) return undefined;
    const found = isSame && recognized?.server === server ? recognized : undefined;
    const profile = withMarkedFields(known, found?.marks ?? []);
    const { version: stated, refusals, marks = [], open } = found ?? {};
    const isNewest = profile.version?.newest?.some((start) => stated?.startsWith(start)) === true;
    const version = isNewest ? NEWEST : stated;
    const { prefers_raw: preferred } = profile;
    const isKnown = preferred?.marks !== undefined &&
      (preferred.since === undefined || isSince(version, preferred.since));
    const rawRules = isKnown
      ? marks.flatMap((mark) => preferred.marks?.[mark] === undefined ? [] : [preferred.marks[mark]])
      : [];
    const isAsked = preferred?.routes === true && open !== undefined;
    const opensRoute = isAsked && open.some((path) => this.routesOf(upstream).isOpen(path));
    const closesRoutes = isAsked && !opensRoute;
    const routes = { opensRoute, closesRoutes };
    return { server, profile, version: stated, comparedVersion: version, refusals, rawRules, ...routes };
  }

  /** The upstream with its only model as the name for a model that has none there; the same one if the name stays. */
  withOnlyModel(upstream: UpstreamConfig, model: string | undefined): UpstreamConfig {
    const only = this.#onlyModel(upstream);
    if (only === undefined || model === undefined || model === only) return upstream;
    if (Object.hasOwn(upstream.model_names, model)) return upstream;
    return { ...upstream, model_names: { ...upstream.model_names, [model]: only } };
  }

  #onlyModel(upstream: UpstreamConfig): string | undefined {
    const recognized = this.#recognized.get(upstream.name);
    if (!upstream.one_model || recognized?.url !== upstream.url) return undefined;
    return PROFILES[recognized.server]?.default_model ?? recognized.model;
  }

  /** How many tokens a prompt and its answer may have together; undefined if nothing states it. */
  contextOf(upstream: UpstreamConfig, model = ""): number | undefined {
    if (upstream.context_tokens !== undefined) return upstream.context_tokens;
    const recognized = this.#recognized.get(upstream.name);
    const stated = recognized?.url === upstream.url ? recognized.contexts ?? {} : {};
    const sizes = Object.values(stated);
    return this.#contexts.get(keyOf(upstream, model))?.context ?? stated[model] ?? stated[""] ??
      (sizes.length === 1 ? sizes[0] : undefined);
  }

  /** Takes the size that an error of the server stated. */
  learnContext(upstream: UpstreamConfig, { model = "", context }: LearnedContext): void {
    putLast(this.#contexts, keyOf(upstream, model), { upstream: upstream.name, context }, MODELS_MAX);
  }

  modelOf({ name, url }: UpstreamConfig, model: string): { readonly name: string; hasAnswered: boolean } {
    const answered = this.#answered;
    const key = keyOf({ name, url }, model);
    return {
      name: model,
      get hasAnswered() {
        return answered.has(key);
      },
      set hasAnswered(_: boolean) {
        putLast(answered, key, true, MODELS_MAX);
      },
    };
  }

  /** The question whether a model sees images; undefined if it is answered, or the server needs none. */
  sightOf(upstream: UpstreamConfig, model: string): AskedSight | undefined {
    const question = this.of(upstream)?.profile.sight;
    const key = keyOf(upstream, model);
    if (question === undefined || this.#sights.has(key)) return undefined;
    return {
      question,
      learn: (sees) => {
        putLast(this.#sights, key, { upstream: upstream.name, sees }, MODELS_MAX);
      },
    };
  }

  /** Refusals that stay in all forms of a kind. */
  stayingOf({ name, url }: UpstreamConfig, model: string, forms: "plainer" | "prompted"): RequestRefusals {
    return this.#staying.ofRequest(name, [url, model, forms]);
  }

  /** The routes of an upstream's server; all are open until they are known to be closed. */
  routesOf({ name, url }: UpstreamConfig): RouteMemory {
    const key = JSON.stringify([name, url]);
    return {
      isOpen: (path) => this.#closed.get(key)?.has(path) !== true,
      close: (path) => {
        const closed = this.#closed.get(key) ?? new Set();
        this.#closed.set(key, closed.add(path));
      },
    };
  }

  /** What is changed in the requests for a model; `refusals`: those in the template that Dragoman itself applies. */
  healFor(upstream: UpstreamConfig, { model = "", refusals: applied }: {
    readonly model?: string | undefined;
    readonly refusals?: readonly string[] | undefined;
  } = {}): HealRules {
    const known = this.of(upstream);
    const { comparedVersion: version, profile, refusals: shown } = known ?? {};
    const refusals = applied ?? shown;
    // The template decides; if it is unknown, the model's name does, unless nothing is known of the server.
    const byTemplate = refusals === undefined
      ? REFUSALS.filter(({ models }) => known !== undefined && models !== undefined)
      : REFUSALS.filter(({ text }) => refusals.includes(text)).map(forAnyModel);
    const learned = this.#learned.get(keyOf(upstream, model))?.changes ?? [];
    // A server that completes prompts sees neither tools nor messages.
    const own = upstream.chat_template === undefined ? profile?.heal ?? [] : [];
    const isBlind = this.#sights.get(keyOf(upstream, model))?.sees === false;
    const { sight } = profile ?? {};
    const blind = isBlind && sight ? [{ source: sight.source, messages: sight.blind }] : [];
    const entries = [...EVERY_SERVER, ...own, ...byTemplate, ...learned.map(forAnyModel), ...blind];
    return rulesFor(entries, { version, model, host: hostOf(upstream) });
  }

  /** Learns what a request needed that the server took after it. */
  learnChanges(upstream: UpstreamConfig, { model = "", changes }: LearnedFrom): void {
    this.takeChanges({ upstream: upstream.name, url: upstream.url, model, changes });
  }

  /** Takes what another worker learned. */
  takeChanges(learned: LearnedChanges): void {
    const key = keyOf({ name: learned.upstream, url: learned.url }, learned.model);
    const known = this.#learned.get(key)?.changes ?? [];
    const all = new Map([...known, ...learned.changes].map((change) => [JSON.stringify(change), change]));
    putLast(this.#learned, key, { ...learned, changes: [...all.values()] }, MODELS_MAX);
    if (all.size > known.length) { for (const report of this.#changeReports) report(learned); }
  }

  /** Reports each change when it is learned. */
  watchChanges(report: (learned: LearnedChanges) => void): void {
    this.#changeReports.push(report);
  }

  learnedChanges(): readonly LearnedChanges[] {
    return [...this.#learned.values()];
  }

  learn(recognized: RecognizedServer): void {
    const known = this.#recognized.get(recognized.upstream);
    if (known !== undefined && isJsonEqual(known, recognized)) return;
    // It was started again, perhaps with another size.
    forgetIn(this.#contexts, recognized.upstream);
    this.#recognized.set(recognized.upstream, recognized);
    this.#closed.delete(JSON.stringify([recognized.upstream, recognized.url]));
    // Another server, version or model can need something else.
    const isOther = known !== undefined && (known.server !== recognized.server ||
      known.version !== recognized.version || known.model !== recognized.model);
    if (isOther) this.#forget(recognized.upstream);
    for (const report of this.#reports) report(recognized);
  }

  /** An upstream stopped answering. If no one knows which server it is, another one can be there when it answers again. */
  lose(upstream: string): void {
    if (!this.#recognized.has(upstream)) this.#forget(upstream);
  }

  /** Reports each upstream about which all that was learned is forgotten. */
  watchForgotten(report: (upstream: string) => void): void {
    this.#forgetReports.push(report);
  }

  #forget(upstream: string): void {
    forgetIn(this.#learned, upstream);
    forgetIn(this.#sights, upstream);
    this.#staying.forget(upstream);
    for (const report of this.#forgetReports) report(upstream);
  }

  /** Learns from the headers of any answer, as long as the server is unknown. */
  see(upstream: UpstreamConfig, headers: Headers): void {
    if (upstream.server !== "auto" || this.of(upstream) !== undefined) return;
    const server = serverOfHeaders(headers);
    if (server !== undefined) this.learn({ upstream: upstream.name, url: upstream.url, server });
  }

  entries(): readonly RecognizedServer[] {
    return [...this.#recognized.values()];
  }
}

/** The profile whose switch has the fields that the marks in the model's template need; the same one without such marks. */
function withMarkedFields(profile: ServerProfile, marks: readonly string[]): ServerProfile {
  const { raw } = profile;
  const needed = marks.flatMap((mark) => raw?.marked_fields?.[mark] ?? []);
  if (raw === undefined || needed.length === 0) return profile;
  return { ...profile, raw: { ...raw, fields: Object.assign({}, raw.fields, ...needed) } };
}

/** Forgets what is known of an upstream. */
function forgetIn(known: Map<string, { readonly upstream: string }>, upstream: string): void {
  for (const [key, about] of known) {
    if (about.upstream === upstream) known.delete(key);
  }
}

interface LearnedContext {
  readonly model?: string | undefined;
  readonly context: number;
}

export interface AskedSight {
  readonly question: SightQuestion;
  learn(sees: boolean): void;
}

interface LearnedFrom {
  readonly model?: string | undefined;
  readonly changes: readonly HealEntry[];
}

export interface LearnedChanges {
  readonly upstream: string;
  readonly url: string;
  readonly model: string;
  readonly changes: readonly HealEntry[];
}

/** The server itself showed the refusal, so it doesn't depend on the model's name. */
function forAnyModel({ models: _, ...entry }: HealEntry): HealEntry {
  return entry;
}

function hostOf({ url }: UpstreamConfig): string {
  return URL.parse(url)?.hostname ?? "";
}

function keyOf({ name, url }: Pick<UpstreamConfig, "name" | "url">, model: string): string {
  return JSON.stringify([name, url, model]);
}
