/**
 * Chooses the renderer for a request.
 *
 * @module
 */
import type { Recognised } from "../client/recognise.ts";
import type { NoteEvent } from "../event/event.ts";
import { FunctionCallRenderer } from "./function_call.ts";
import type { Renderer } from "./renderer.ts";
import { TextRenderer } from "./text.ts";
import { ToolCallRenderer } from "./tool_calls.ts";

/** What a renderer needs besides the request. */
export interface RendererOptions {
  /** Gives a fresh call id. */
  readonly newId: () => string;
  /** The dialects that a rule reads. */
  readonly dialectsOf?: (rule: string) => readonly string[];
  /** Receives the renderer's decisions. */
  readonly note?: (note: NoteEvent) => void;
}

/** Creates a renderer for one choice of the answer. */
export function createRenderer(recognised: Recognised, options: RendererOptions): Renderer {
  const { client, documented, model, isLegacy, takenIds, isOneCall } = recognised;
  const { newId, ...observed } = options;
  if (client.writes === "text") return new TextRenderer({ client, documented, model, ...observed });
  return isLegacy
    ? new FunctionCallRenderer(observed)
    : new ToolCallRenderer(newId, { takenIds, isOneCall, ...observed });
}
