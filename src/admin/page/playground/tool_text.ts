/**
 * Reads the offered tools in the forms in which people have them: a whole request, a list of tools or names in JSON, or the
 * short form of a rule's examples.
 *
 *     {"model": …, "messages": […], "tools": […]}
 *     ["read_file", "write_file"]
 *     read_file: { path: string, line: integer? }
 *
 * @module
 */
import type { RequestMessage, RequestTool } from "../../../chat/message/request.ts";
import { contentText, isSystemRole } from "../../../chat/message/read.ts";
import defer * as yaml from "../../../engine/document/yaml_tree.ts";
import { parseJson } from "../../../engine/object/parse.ts";
import { isRecord } from "../../../engine/object/record.ts";
import { parseTools } from "../../../analysis/replay/tool_list.ts";
import { readOffer } from "../../../engine/rule/offer.ts";
import type { Problem } from "./protocol.ts";

/** What a text shows of a request; without tools, they are unknown. */
interface KnownTools {
  readonly tools?: readonly RequestTool[];
  readonly system?: string;
}

/** Reads a text; an empty one shows nothing. */
export function readToolText(text: string): KnownTools | Problem {
  if (text.trim() === "") return {};
  const value = parseJson(text);
  if (value !== undefined) return fromJson(text, value);
  const { plain, diagnostics } = yaml.parseTree({ file: "tools", text });
  const short = plain?.value;
  if (typeof short === "string") return { tools: named(short.split(/[\s,]+/).filter((name) => name !== "")) };
  if (Array.isArray(short) && short.every((name) => typeof name === "string")) return { tools: named(short) };
  if (
    isRecord(short) && Object.values(short).every((parameters) => parameters === null || isRecord(parameters))
  ) {
    return fromShortForm(short);
  }
  return { problem: diagnostics[0]?.message ?? "The tools can't be read", help: FORMS };
}

const FORMS = "paste a request or its `tools` as JSON, list names, or write `read_file: { path: string }`";

function fromJson(text: string, value: unknown): KnownTools | Problem {
  const messages: readonly RequestMessage[] = isRecord(value) && Array.isArray(value["messages"])
    ? value["messages"]
    : [];
  const prompt = messages.find((message) => isSystemRole(message?.role));
  const system = contentText(prompt?.content) ?? undefined;
  const tools = parseTools(text);
  if (tools === undefined && system === undefined) {
    return { problem: "The JSON contains no tools", help: FORMS };
  }
  // The prompt matters only if it lists the tools.
  if (tools !== undefined && tools.length > 0) return { tools };
  return { ...(system === undefined ? { tools: tools ?? [] } : { system }) };
}

function named(names: readonly string[]): RequestTool[] {
  return names.map((name) => ({ type: "function", function: { name } }));
}

function fromShortForm(short: Readonly<Record<string, unknown>>): KnownTools | Problem {
  const offers = Object.entries(short).map(([name, parameters]) => [name, parameters ?? {}] as const);
  const { offered, unknownTypes: [unknown] } = readOffer(Object.fromEntries(offers) as Record<string, never>);
  if (unknown !== undefined) {
    return { problem: `Type \`${unknown.type}\` of ${unknown.path.join(".")} does not exist`, help: FORMS };
  }
  const tools = offered.names.map((name) => ({
    type: "function",
    function: { name, parameters: offered.resolve(name)?.schema },
  }));
  return { tools };
}
