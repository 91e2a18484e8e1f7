/** Chooses the dialect that a model is spoken to in. @module */
import { matchesGlob } from "../../engine/pattern/glob.ts";
import type { Speech } from "../../engine/rule/speech.ts";
import { Speaker, type SpeakerOptions } from "./speaker.ts";

/** The dialect with the longest pattern that matches a name of the model, in any case. Only `*` matches no name. */
export function dialectOf<Spoken extends Speech>(
  models: readonly string[],
  dialects: readonly Spoken[],
): Spoken | undefined {
  const names = [...models, ""].map((name) => name.toLowerCase());
  const candidates = dialects.flatMap((dialect) =>
    dialect.speak.models.filter((pattern) => names.some((name) => matchesGlob(pattern.toLowerCase(), name)))
      .map((pattern) => ({ dialect, length: pattern.length }))
  );
  return candidates.sort((a, b) => b.length - a.length)[0]?.dialect;
}

/** The speaker of a dialect, with the one that it names for calls that it can't carry. */
export function createSpeaker(
  dialect: Speech,
  { dialects, ...options }: Omit<SpeakerOptions, "otherwise"> & { readonly dialects: readonly Speech[] },
): Speaker {
  const other = dialects.find(({ rule }) => rule === dialect.speak.otherwise);
  return new Speaker(dialect, { ...options, otherwise: other && new Speaker(other, options) });
}
