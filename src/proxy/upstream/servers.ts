/** Which server an upstream is: the one that the configuration names, or the one that was recognized. @module */
import { dropOldest } from "../../engine/object/drop_oldest.ts";
import type { HealRules } from "../../chat/compatibility/rules.ts";
import { isJsonEqual } from "../../engine/json/equal.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import { isSince, type Refusal, REFUSALS, rulesFor } from "./profiles/heals.ts";
import { PROFILES, type ServerProfile } from "./profiles/profiles.ts";
import { type RecognizedServer, serverOfHeaders } from "./recognize_server.ts";
import { WithdrawnStrictness } from "./strict.ts";

export interface KnownServer extends Pick<RecognizedServer, "server" | "version"> {
  readonly profile: ServerProfile;
  /** The texts of refusals in the model's template; undefined if the template is unknown. */
  readonly refusals?: readonly string[] | undefined;
  /** For each mark in the model's template, the rules of which one has to read the answers for `raw` to be preferred. */
  readonly rawRules?: readonly (readonly string[])[];
}

/** Whether `tools: auto` begins with `raw` for an upstream, as long as the rules for its template are in use. */
export function beginsRaw(upstream: UpstreamConfig, server: KnownServer | undefined): boolean {
  return upstream.tools === "auto" && upstream.chat_template === undefined &&
    (server?.rawRules?.length ?? 0) > 0;
}

/** The number of models whose refusals are remembered; the one that was learned first is forgotten first. */
const MODELS_MAX = 1000;

export class Servers {
  /** Models whose calls are not constrained any more. */
  readonly withdrawn = new WithdrawnStrictness();
  readonly #recognized = new Map<string, RecognizedServer>();
  /** Upstream, URL and model → the refusals that the server was seen with. */
  readonly #refusals = new Map<string, readonly Refusal[]>();
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
    const profile = server === undefined ? undefined : PROFILES[server];
    if (server === undefined || profile === undefined) return undefined;
    const found = isSame && recognized?.server === server ? recognized : undefined;
    const { version, refusals, marks = [] } = found ?? {};
    const { prefers_raw: preferred } = profile;
    const isKnown = preferred !== undefined && isSince(version, preferred.since);
    const rawRules = isKnown ? marks.map((mark) => preferred.marks[mark] ?? []) : [];
    return { server, profile, version, refusals, rawRules };
  }

  /** What is changed in the requests for a model; `refusals`: those in the template that Dragoman itself applies. */
  healFor(
    upstream: UpstreamConfig,
    { model = "", refusals: applied }: {
      readonly model?: string | undefined;
      readonly refusals?: readonly string[] | undefined;
    } = {},
  ): HealRules {
    const known = this.of(upstream);
    const { version, profile, refusals: shown } = known ?? {};
    const refusals = applied ?? shown;
    // The template decides; if it is unknown, the model's name does, unless nothing is known of the server.
    const byTemplate = refusals === undefined
      ? REFUSALS.filter(({ models }) => known !== undefined && models !== undefined)
      : REFUSALS.filter(({ text }) => refusals.includes(text)).map(forAnyModel);
    const learned = this.#refusals.get(keyOf(upstream, model)) ?? [];
    // A server that completes prompts sees neither tools nor messages.
    const own = upstream.chat_template === undefined ? profile?.heal ?? [] : [];
    return rulesFor([...own, ...byTemplate, ...learned.map(forAnyModel)], { version, model });
  }

  /** Learns from the refusals of a request that the server took after a change. */
  learnRefusals(upstream: UpstreamConfig, { model = "", refusals }: LearnedRefusals): void {
    const key = keyOf(upstream, model);
    const known = this.#refusals.get(key) ?? [];
    this.#refusals.delete(key);
    this.#refusals.set(key, [...new Set([...known, ...refusals])]);
    dropOldest(this.#refusals, MODELS_MAX);
  }

  learn(recognized: RecognizedServer): void {
    const known = this.#recognized.get(recognized.upstream);
    if (known !== undefined && isJsonEqual(known, recognized)) return;
    this.#recognized.set(recognized.upstream, recognized);
    for (const report of this.#reports) report(recognized);
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

interface LearnedRefusals {
  readonly model?: string | undefined;
  readonly refusals: readonly Refusal[];
}

/** The server itself showed the refusal, so it doesn't depend on the model's name. */
function forAnyModel({ models: _, ...refusal }: Refusal): Refusal {
  return refusal;
}

function keyOf({ name, url }: UpstreamConfig, model: string): string {
  return JSON.stringify([name, url, model]);
}
