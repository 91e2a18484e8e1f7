/**
 * The tools that an Anthropic request offers the model now. A tool with `defer_loading` is offered after a search of the
 * client has found it, and messages can add and remove tools:
 *
 *     tools: [search, deploy (deferred)]                                     ─▶ search
 *     … tool_result of search: [{type: tool_reference, tool_name: deploy}]   ─▶ search, deploy
 *     … {type: tool_removal, tool: {type: tool_reference, name: deploy}}     ─▶ search
 *
 * @see https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
 * @see https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/tool-search-tool
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { recordsIn, withoutNulls } from "../chat_body.ts";
import type { JsonObject, ServerTool } from "../wire.ts";

/** The beginning of the type of Anthropic's own tool search. */
const SERVER_SEARCH = "tool_search_tool_";

/** The entries of `tools` and of the messages that the model is offered. */
export function offeredTools({ tools, tool_choice: choice, messages }: JsonObject): JsonObject[] {
  const all = [...recordsIn(tools)];
  // Without Anthropic's servers, their search would never find these tools.
  const isFindable = !all.some(({ type }) => String(type).startsWith(SERVER_SEARCH));
  const hidden = new Set(
    all.filter((tool) => isFindable && tool["defer_loading"] === true).map(({ name }) => name),
  );
  forEachBlock(messages, (block) => {
    const { type, tool } = block;
    if (type === "tool_use") hidden.delete(block["name"]);
    if (type === "tool_reference") hidden.delete(block["tool_name"]);
    if (!isRecord(tool)) return;
    const { definition, name } = tool;
    if (type === "tool_removal") hidden.add(name);
    if (type !== "tool_addition") return;
    hidden.delete(isRecord(definition) ? definition["name"] : name);
    if (isRecord(definition)) replace(all, definition);
  });
  if (isRecord(choice)) hidden.delete(choice["name"]);
  return all.filter(({ name }) => name === undefined || !hidden.has(name));
}

/** Visits the blocks of all messages, and those in results. A text has none that matter here. */
function forEachBlock(messages: unknown, visit: (block: JsonObject) => void): void {
  for (const { content } of recordsIn(messages)) {
    for (const block of recordsIn(content)) {
      visit(block);
      recordsIn(block["content"]).forEach(visit);
    }
  }
}

/** Replaces the tool of the same name, or adds the tool at the end. */
function replace(all: JsonObject[], tool: JsonObject): void {
  const at = all.findIndex(({ name }) => name === tool["name"]);
  all.splice(at < 0 ? all.length : at, 1, tool);
}

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
