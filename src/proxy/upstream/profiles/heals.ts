/** What is changed in requests, as data: for a kind of server, a template's refusals, and the texts of refusals. @module */
import { type HealRules, mergeRules } from "../../../chat/compatibility/refused_forms.ts";
import { matchesGlob } from "../../../engine/pattern/glob.ts";
import everyServer from "./every_server.json" with { type: "json" };
import refusals from "./refusals.json" with { type: "json" };

export interface HealEntry extends HealRules {
  readonly source: string;
  /** Versions of the server: those before this one, and an unknown one; or this one and later ones. */
  readonly before?: string;
  readonly since?: string;
  /** Names of models, with `*`; absent: all of them. */
  readonly models?: readonly string[];
  readonly except?: readonly string[];
  /** Hosts that take the request as it is, with `*`. */
  readonly except_hosts?: readonly string[];
}

/** Whether the host of a URL knows tools that aren't functions. */
export function knowsEveryTool(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? "";
  return everyServer.every_tool.hosts.some((glob) => matchesGlob(glob, host));
}

/** A change that a text shows: in a template, or in a server's error. */
export interface Refusal extends HealEntry {
  readonly text: string;
}

interface HealedModel {
  readonly version: string | undefined;
  readonly model: string;
  readonly host: string;
}

/** What is changed for every server, whichever it is. */
export const EVERY_SERVER: readonly HealEntry[] = everyServer.heal as readonly HealEntry[];

/** Every known refusal. A known server's `models` count as their template, as long as it doesn't show it. */
export const REFUSALS: readonly Refusal[] = refusals as readonly Refusal[];

/** The refusals whose text is in an error's message, or in a template. */
export function refusalsIn(text: string): readonly Refusal[] {
  return REFUSALS.filter((refusal) => text.includes(refusal.text));
}

export function rulesFor(entries: readonly HealEntry[], asked: HealedModel): HealRules {
  return entries.filter((entry) => concerns(entry, asked))
    .map(({ thoughts, fields, schemas, messages, ids, tool_choice }) =>
      ({ thoughts, fields, schemas, messages, ids, tool_choice }) as HealRules
    )
    .reduce<HealRules>(mergeRules, {});
}

function concerns(
  { before, since, models, except, except_hosts: hosts = [] }: HealEntry,
  { version, model, host }: HealedModel,
): boolean {
  const isOlder = version === undefined || before === undefined || compare(version, before) < 0;
  const isNewer = since === undefined || isSince(version, since);
  const names = (globs: readonly string[]) => globs.some((glob) => matchesGlob(glob, model.toLowerCase()));
  if (hosts.some((glob) => matchesGlob(glob, host))) return false;
  return isOlder && isNewer && (models === undefined || names(models)) && !names(except ?? []);
}

/** The version of a server that is newer than all that are known. */
export const NEWEST = "999999999";

export function isSince(version: string | undefined, first: string): boolean {
  return version !== undefined && compare(version, first) >= 0;
}

/** Compares the numbers of two versions: b10547-749f688 comes after b9656, 0.9 before 0.28. */
function compare(one: string, other: string): number {
  const numbers = (version: string) => (version.match(/\d+/g) ?? []).map(Number);
  const left = numbers(one);
  for (const [at, number] of numbers(other).entries()) {
    const difference = (left[at] ?? 0) - number;
    if (difference !== 0) return difference;
  }
  return 0;
}
