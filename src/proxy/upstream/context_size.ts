/**
 * How many tokens a prompt and its answer may have together, as a server states it for each of its models.
 *
 * @module
 */
import { fieldAt } from "../../engine/object/field_at.ts";
import { parseJson } from "../../engine/object/parse.ts";
import type { ContextPlace } from "./profiles/profiles.ts";

/** Model → tokens; the empty name is every model. */
export type ContextSizes = Readonly<Record<string, number>>;

/** The most models whose size is kept, and the most that are asked about one by one. */
const MODELS_MAX = 1000;
const ASKED_MAX = 8;

interface ContextQuestions {
  /** The list of models, as the server answered. */
  readonly models: string | undefined;
  readonly get: (path: string) => Promise<string | undefined>;
  readonly post: (path: string, body: string) => Promise<string | undefined>;
}

/** The sizes of the first place that has one; undefined if none has. */
export async function readContextSizes(
  places: readonly ContextPlace[],
  { models, get, post }: ContextQuestions,
): Promise<ContextSizes | undefined> {
  for (const place of places) {
    const sizes = place.asks_model === true
      ? await askEach(place, namesIn(models), post)
      : sizesIn(place, place.path === "models" ? models : await get(place.path));
    if (Object.keys(sizes).length > 0) return sizes;
  }
  return undefined;
}

async function askEach(
  place: ContextPlace,
  names: readonly string[],
  post: ContextQuestions["post"],
): Promise<ContextSizes> {
  const found = await Promise.all(
    names.slice(0, ASKED_MAX).map(async (model) => {
      const size = sizesIn(place, await post(place.path, JSON.stringify({ model })))[""];
      return size === undefined ? [] : [[model, size] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}

function namesIn(models: string | undefined): string[] {
  const list = fieldAt(parseJson(models ?? ""), "data");
  const names = (Array.isArray(list) ? list : []).map((entry) => fieldAt(entry, "id"));
  return names.filter((name) => typeof name === "string");
}

function sizesIn({ list, name = "", field, word }: ContextPlace, body: string | undefined): ContextSizes {
  const answer = parseJson(body ?? "");
  if (list === undefined) {
    const size = sizeOf(fieldAt(answer, field), word);
    return size === undefined ? {} : { "": size };
  }
  const entries = fieldAt(answer, list);
  return Object.fromEntries(
    (Array.isArray(entries) ? entries : []).slice(0, MODELS_MAX).flatMap((entry) => {
      const [model, size] = [fieldAt(entry, name), sizeOf(fieldAt(entry, field), word)];
      return typeof model === "string" && size !== undefined ? [[model, size] as const] : [];
    }),
  );
}

function sizeOf(value: unknown, word: string | undefined): number | undefined {
  const stated = word === undefined ? value : Number(lineOf(value, word));
  return typeof stated === "number" && Number.isSafeInteger(stated) && stated > 0 ? stated : undefined;
}

/** What follows a word at the beginning of a line. */
function lineOf(text: unknown, word: string): string | undefined {
  const lines = typeof text === "string" ? text.split("\n") : [];
  return lines.map((line) => line.trim().split(/\s+/)).find(([first]) => first === word)?.[1];
}
