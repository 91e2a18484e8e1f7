/** Chooses the renderer for a request. @module */
import type { RecognizedRequest } from "../client/recognize.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import type { Renderer } from "./renderer.ts";
import { TextRenderer } from "./text.ts";
import { ToolCallRenderer } from "./tool_calls.ts";

interface RendererOptions {
  readonly newId: () => string;
  readonly dialectsOf?: (rule: string) => readonly string[];
  /** Whether a rule that is on reads the client's own dialect; if not, its calls are text and stay as they are. */
  readonly readsOwnDialect?: boolean;
  readonly notes?: readonly NoteEvent[];
}

export function createRenderer(recognized: RecognizedRequest, options: RendererOptions): Renderer {
  const { client, documented, model, isLegacy, takenIds, isOneCall } = recognized;
  const { newId, ...forText } = options;
  if (client.writes === "text") return new TextRenderer({ client, documented, model, ...forText });
  return new ToolCallRenderer(newId, { takenIds, isOneCall, isLegacy });
}
