/**
 * Messages of a chat about the tool `read_file`.
 *
 * @module
 */
import { functionCall } from "./chat_tools.ts";

export const user = (content: unknown) => ({ role: "user", content });

export const system = (content: string) => ({ role: "system", content });

/** A message of the model, with a call for each id. */
export const assistant = (content: unknown, ...ids: string[]) => ({
  role: "assistant",
  content,
  ...ids.length === 0 ? {} : { tool_calls: ids.map((id) => readCall(id, '{"path":"b"}')) },
});

/** A call of the tool, its arguments as JSON. */
export const readCall = (id: string, args: string) => (functionCall(id, "read_file", args));

export const result = (id: string, content = "found") => ({ role: "tool", tool_call_id: id, content });

/** The tool, with other fields next to its parameters. */
export const readFile = (parameters: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
  type: "function",
  function: { name: "read_file", ...more, parameters },
});
