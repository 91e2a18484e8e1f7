/**
 * Reads offered tools from JSON in the forms that people have: a list of OpenAI tools, of functions or of names, or the
 * whole request.
 *
 * @module
 */
import type { RequestTool } from "../chat/request.ts";
import { parseJson } from "../object/parse.ts";
import { isRecord } from "../object/record.ts";
import type { OfferedTool } from "../tool/offered.ts";

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
  return typeof called.name === "string"
    ? { type: "function", function: { ...called, name: called.name } }
    : undefined;
}

/** A tool of a request, as an offered one. */
export function offeredTool({ function: called }: RequestTool): OfferedTool {
  const schema = called?.parameters;
  return {
    name: called?.name ?? "",
    ...(schema === undefined ? {} : { schema: schema as OfferedTool["schema"] & object }),
  };
}
