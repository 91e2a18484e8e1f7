/**
 * Reads the tools of Anthropic's Messages API.
 *
 * @see https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { withoutNulls } from "../chat_body.ts";
import type { JsonObject, ServerTool } from "../wire.ts";

/** The functions of a chat request. Anthropic's own tools have a type instead of a schema. */
export function readTools(tools: readonly JsonObject[]): JsonObject[] {
  return tools.flatMap(({ name, description, input_schema: parameters, strict }) => {
    if (typeof name !== "string" || !isRecord(parameters)) return [];
    return [{ type: "function", function: { name, parameters, ...withoutNulls({ description, strict }) } }];
  });
}

/** The tools that only Anthropic's API has. */
export function readServerTools(tools: readonly JsonObject[], choice: unknown): ServerTool[] {
  const chosen = isRecord(choice) && choice["type"] === "tool" ? choice["name"] : undefined;
  return tools.flatMap((entry) => {
    const { type, name, input_schema: schema } = entry;
    if (typeof type !== "string" || isRecord(schema)) return [];
    return [{ name: type, entry, isChosen: chosen !== undefined && chosen === name }];
  });
}

/** The fields of a chat request that state which tool the model has to call. */
export function toolChoice(
  choice: unknown,
): { readonly tool_choice?: unknown; readonly parallel_tool_calls?: false } {
  if (!isRecord(choice)) return {};
  const parallel = choice["disable_parallel_tool_use"] === true
    ? { parallel_tool_calls: false as const }
    : {};
  switch (choice["type"]) {
    case "auto":
    case "none":
      return { tool_choice: choice["type"], ...parallel };
    case "any":
      return { tool_choice: "required", ...parallel };
    case "tool":
      return { tool_choice: { type: "function", function: { name: choice["name"] } }, ...parallel };
    default:
      return parallel;
  }
}
