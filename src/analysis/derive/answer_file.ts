/**
 * Recorded answers as people have them: a file of `--record`, JSON lines, or the model's text alone.
 *
 * @module
 */
import type { OfferedTool } from "../../engine/tool/offered.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { RecordedAnswer } from "./from_answers.ts";

/**
 * The answers of a file. A JSON object with `text` and `tools`, one or one on each line, carries its own tools; any
 * other text is one answer, with the tools given next to it.
 *
 * @param text the file's text
 * @param tools the tools for answers that name none
 *
 * @example
 * ```ts
 * import { readAnswers } from "./answer_file.ts";
 * const [answer] = readAnswers("<go>", [{ name: "go" }]);
 * console.assert(answer?.text === "<go>" && answer.tools[0]?.name === "go");
 * ```
 */
export function readAnswers(text: string, tools: readonly OfferedTool[]): RecordedAnswer[] {
  const whole = recordOf(text);
  const records = whole === undefined
    ? text.split("\n").filter((line) => line.trim() !== "").map(recordOf)
    : [whole];
  if (!records.every((record) => record !== undefined)) return [{ text, tools }];
  return records.map((record) => {
    const own = toolsOf(record["tools"]);
    return { text: String(record["text"]), tools: own.length > 0 ? own : tools };
  });
}

function recordOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  const value = parseJson(text);
  return isRecord(value) && typeof value["text"] === "string" ? value : undefined;
}

/** Tools in OpenAI's form, or with name and schema side by side. */
function toolsOf(list: unknown): OfferedTool[] {
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown): OfferedTool[] => {
    const called = isRecord(entry) && isRecord(entry["function"]) ? entry["function"] : entry;
    if (!isRecord(called) || typeof called["name"] !== "string") return [];
    const { name, parameters } = called;
    return [{ name: String(name), ...(isRecord(parameters) ? { schema: parameters } : {}) }];
  });
}
