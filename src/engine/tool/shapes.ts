/** Repairs the shape of arguments by the tool's schema; an option of the matcher, so that bundles can lack it. @module */
import type { JsonHandler } from "../json/handler.ts";
import { ArgumentsFitter, loneValueAsJson } from "./arguments_fitter.ts";
import type { JsonSchema, OfferedTool } from "./offered.ts";

export interface ArgumentShapes {
  /** Fits arguments in JSON while they arrive; afterward it states what it changed, or why they can't be meant. */
  fit(out: JsonHandler, tool: OfferedTool): JsonHandler & Pick<ArgumentsFitter, "change" | "refusal">;
  /** The arguments that one string is, for a tool that requires one. */
  ofString(json: string, schema: JsonSchema | undefined): string | undefined;
}

export const SHAPES: ArgumentShapes = {
  fit: (out, { name, schema }) => new ArgumentsFitter(out, () => schema, (text) => text === name),
  ofString: loneValueAsJson,
};
