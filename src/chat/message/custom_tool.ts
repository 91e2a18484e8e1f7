/**
 * Custom tools of OpenAI's APIs take raw text instead of JSON. Every other server gets a function with one string:
 *
 *     {"type": "custom", "name": "apply_patch"}  ─▶  function apply_patch(input: string)
 *     call apply_patch, input "*** Begin"        ◀─  call apply_patch, {"input": "*** Begin"}
 *
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";

/** The parameters of the function for a custom tool: its raw text. */
export const INPUT_SCHEMA = {
  type: "object",
  properties: { input: { type: "string", description: "The raw text for the tool" } },
  required: ["input"],
};

/** The description of a custom tool. Its grammar isn't enforced, so the description contains it. */
export function withGrammar(description: unknown, definition: unknown): string {
  const text = typeof description === "string" ? description : "";
  if (typeof definition !== "string") return text;
  return `${text}\n\nThe input has to follow this grammar:\n${definition}`.trim();
}

/**
 * The raw text for a custom tool in a call's arguments. Without a grammar, models sometimes choose another name for the
 * field.
 *
 * @example
 * ```ts
 * import { customInput } from "./custom_tool.ts";
 * console.assert(customInput('{"input": "a"}') === "a" && customInput('{"patch": "a"}') === "a");
 * ```
 */
export function customInput(json: string): string {
  const value: unknown = JSON.parse(json);
  if (!isRecord(value)) return json;
  const texts = Object.values(value).filter((each) => typeof each === "string");
  const input = value["input"] ?? (texts.length === 1 ? texts[0] : undefined);
  return typeof input === "string" ? input : json;
}
