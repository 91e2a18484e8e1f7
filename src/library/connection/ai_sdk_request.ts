/**
 * What a request of the AI SDK offers, and the reader of its answer.
 *
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { createReader } from "../reader.ts";
import type { Reader, ReaderOptions, Tool } from "../types.ts";
import { quotableTexts } from "./ai_sdk_parts.ts";
import type { Connection } from "./options.ts";

/** What a model was asked, and how its answer is read. */
export interface AskedModel {
  /** The request, with its tools. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly connection: Connection;
}

/** A function that creates the reader of an answer; undefined if the request offers no tool. */
export function readerOf(
  { request, connection }: AskedModel,
  { wholeCalls }: { readonly wholeCalls: boolean },
): ((again: boolean) => Reader) | undefined {
  const tools = offeredTools(request);
  if (tools.length === 0) return undefined;
  const { beginsInReasoning } = connection;
  const options: ReaderOptions = {
    ...connection,
    tools,
    wholeCalls,
    quotable: quotableTexts(request["prompt"]),
  };
  return (again) => createReader({ ...options, beginsInReasoning: beginsInReasoning && !again });
}

/** The tools that the answer can call. */
function offeredTools({ tools, toolChoice }: Readonly<Record<string, unknown>>): Tool[] {
  const choice = isRecord(toolChoice) ? toolChoice : {};
  if (choice["type"] === "none") return [];
  const chosen = choice["type"] === "tool" ? choice["toolName"] : undefined;
  return (Array.isArray(tools) ? tools : []).filter(isRecord).flatMap((tool): Tool[] => {
    const { type, name, inputSchema } = tool;
    if (type !== "function" || typeof name !== "string" || (chosen !== undefined && name !== chosen)) {
      return [];
    }
    return [{ name, parameters: isRecord(inputSchema) ? inputSchema : undefined }];
  });
}
