/**
 * Recognizes a capture by its text.
 *
 * @module
 */
import * as z from "zod";
import type { Capture } from "./capture.ts";
import { parseJson } from "../../engine/object/parse.ts";

/** What a capture has to contain. */
export const captureSchema = z.object({
  v: z.literal(1),
  time: z.string(),
  request: z.string(),
  client: z.string(),
  model: z.string().nullable(),
  tools: z.array(z.looseObject({})),
  system: z.string().nullable(),
  user: z.string().nullable().optional(),
  text: z.string(),
  calls: z.array(z.object({ tool: z.string(), rule: z.string(), arguments: z.string() })),
  refused: z.array(z.string()),
  healed: z.array(z.string()).optional(),
});

/** The capture that a text is; undefined if it is another text. */
export function parseCapture(text: string): Capture | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  return captureSchema.safeParse(parseJson(text)).data as Capture | undefined;
}
