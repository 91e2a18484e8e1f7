/**
 * Tools as an answer shows them: by their names and the names of their parameters.
 *
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import type { OfferedTool } from "../../engine/tool/offered.ts";

export interface KnownTool {
  readonly name: string;
  readonly keys: readonly string[];
}

export function knownTools(tools: readonly OfferedTool[]): KnownTool[] {
  return tools.map(({ name, schema }) => ({ name, keys: keysOf(schema) }));
}

function keysOf(schema: unknown): string[] {
  return isRecord(schema) && isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [];
}

/** The places of a word that no letter touches. */
export function words(text: string, word: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isPart = isWordCharacter(text[at - 1]) || isWordCharacter(text[at + word.length]);
    if (!isPart) found.push(at);
  }
  return found;
}

/** The last place of a word that no letter touches; -1 if there is none. */
export function lastWord(text: string, word: string): number {
  return words(text, word).at(-1) ?? -1;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}
