/** Reads offered tools from JSON in people's forms: OpenAI's or Anthropic's tools, functions, names, or a request. @module */
import type { RequestTool } from "../../chat/message/request.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { present } from "../../engine/object/present.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { OfferedTool } from "../../engine/tool/offered.ts";

/** The tools of a JSON text in any common form, or undefined. */
export function parseTools(json: string): RequestTool[] | undefined {
  const value = parseJson(json);
  const list = isRecord(value) ? value.tools ?? value.functions : value;
  if (!Array.isArray(list)) return undefined;
  const tools = list.map(readTool);
  return tools.every((tool) => tool !== undefined) ? tools : undefined;
}

function readTool(entry: unknown): RequestTool | undefined {
  if (typeof entry === "string") return { type: "function", function: { name: entry } };
  if (!isRecord(entry)) return undefined;
  const called = isRecord(entry.function) ? entry.function : entry;
  const { name, input_schema: parameters, ...others } = called;
  return typeof name === "string"
    ? { type: "function", function: { ...present({ parameters }), ...others, name } }
    : undefined;
}

export function offeredTool({ function: called }: RequestTool): OfferedTool {
  const schema = called?.parameters;
  return {
    name: called?.name ?? "",
    ...(schema === undefined ? {} : { schema: schema as OfferedTool["schema"] & object }),
  };
}
