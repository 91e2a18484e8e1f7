/**
 * Decodes arguments that are JSON in a JSON string:
 *
 *     {"name": "f", "arguments": "{\"city\": \"Oslo\"}"}   →   {"city": "Oslo"}
 *
 * @module
 */
import { JsonReader } from "../../json/reader.ts";
import type { ArgumentsWriter } from "../arguments_writer.ts";
import type { Failure } from "../body_reader.ts";
import type { Calls } from "../calls.ts";
import { noteRepairs } from "./json.ts";

/**
 * Writes the arguments.
 *
 * @param encoded the inside of the string, still escaped
 * @returns the failure if they aren't arguments
 */
export function writeEncoded(
  encoded: string,
  { writer, calls }: { writer: ArgumentsWriter; calls: Calls },
): Failure | undefined {
  const text = (JSON.parse(`"${encoded}"`) as string).trim();
  const reader = new JsonReader(writer);
  const end = reader.read(text === "" ? "{}" : text, 0);
  if (reader.state !== "done" || end < text.length || writer.isRefused) {
    return { reason: "invalid_arguments", detail: "a string without a JSON object" };
  }
  if (text === "") return undefined;
  calls.repair("arguments_decoded");
  noteRepairs(calls, reader);
}
