/** What users give and get, as the engine has it. @module */
import { anyTool, type NoteEvent, offer, type OfferedTools } from "../engine/mod.ts";
import type { Note, Tool } from "./types.ts";

/** The least confidence, unless options have another one. */
export const MINIMUM_CONFIDENCE = 0.9;

/** A note as users see it. */
export function noteOf({ kind: _, ...note }: NoteEvent): Note {
  return note;
}

/** The tools of an answer, with their aliases. */
export function offeredTools(tools: readonly Tool[] | undefined): OfferedTools {
  if (tools === undefined) return anyTool;
  const aliases = tools.flatMap(({ name, aliases = [] }) => aliases.map((alias) => [alias, name] as const));
  return offer(
    tools.map(({ name, parameters }) => ({
      name,
      ...(parameters === undefined ? {} : { schema: parameters }),
    })),
    Object.fromEntries(aliases),
  );
}
