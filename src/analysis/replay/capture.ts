/** A recorded answer: the model's text, the offered tools, and what was found; without keys and secret values. @module */
import * as z from "zod";
import type { RequestTool } from "../../chat/message/request.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";

const call = z.object({
  tool: z.string(),
  rule: z.string(),
  arguments: z.string().describe("JSON, without secrets"),
}).readonly();

export const captureSchema = z.object({
  v: z.literal(1).describe("The format"),
  time: z.string().describe("When the request arrived, ISO 8601 in UTC"),
  request: z.string().describe("The request's own id"),
  client: z.string(),
  model: z.string().nullable().describe("The model that the client names, or null"),
  tools: z.array(z.custom<RequestTool>(isRecord)).readonly(),
  system: z.string().nullable().describe("The system prompt, if it lists the tools"),
  user: z.string().nullable().optional()
    .describe(
      "The user's last message, without secrets, if the person who recorded wanted it; null: there was none",
    ),
  text: z.string().describe("The model's text, without secrets"),
  calls: z.array(call).readonly().describe("The calls that were found"),
  refused: z.array(z.string()).readonly().describe(
    "Why other candidates were refused: reason codes, in order",
  ),
  healed: z.array(z.string()).readonly().optional()
    .describe("What was changed in the request for its server, one line each; absent: nothing"),
}).readonly();

export type Capture = z.infer<typeof captureSchema>;

export type CapturedCall = Capture["calls"][number];

/** The capture that a text is; undefined if it is another text. */
export function parseCapture(text: string): Capture | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  return captureSchema.safeParse(parseJson(text)).data;
}
