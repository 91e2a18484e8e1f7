/**
 * Reads the tools of Anthropic's Messages API.
 *
 * @see https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
 * @module
 */
import { isRecord } from "../../object/record.ts";
import { withoutNulls } from "../chat_body.ts";
import type { JsonObject } from "../wire.ts";

/** The functions of a chat request. Tools that Anthropic's own servers execute have no schema and are left out. */
export function readTools(tools: unknown): JsonObject[] {
  if (!Array.isArray(tools)) return [];
  return tools.filter(isRecord).flatMap(({ name, description, input_schema: parameters, strict }) => {
    if (typeof name !== "string" || !isRecord(parameters)) return [];
    return [{ type: "function", function: { name, parameters, ...withoutNulls({ description, strict }) } }];
  });
}

/**
 * The types of the tools if Anthropic's own servers would have to run all of them: the model could then do nothing of
 * what the request is for. Empty if the request has another tool, or none.
 */
export function serverToolsAlone(tools: unknown): string[] {
  if (!Array.isArray(tools) || readTools(tools).length > 0) return [];
  return tools.filter(isRecord).flatMap(({ type }) => typeof type === "string" ? [type] : []);
}

/** The fields of a chat request that name which tool the model has to call. */
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
