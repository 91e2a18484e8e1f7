/** The text that tells a model its tools and how to call them: the same bytes for the same tools, which stay cached. @module */
import type { RequestFunction } from "../message/request.ts";
import { isRecord } from "../../engine/object/record.ts";
import { asText } from "../../engine/object/text.ts";
import { fill } from "../../engine/rule/placeholder.ts";
import type { Speak } from "../../engine/rule/speak_schema.ts";
import { writeJson } from "./json_text.ts";

export interface CallTerms {
  /** `none`: it must not call; `any`: it must; a list: it must call one of these; absent: as it likes. */
  readonly choice?: "none" | "any" | readonly string[] | undefined;
  /** The only tools that it can call. */
  readonly only?: readonly string[] | undefined;
  /** Whether it can make only one call an answer. */
  readonly isOneCall?: boolean;
}

export function announce(
  tools: readonly RequestFunction[],
  { speak, terms }: { readonly speak: Speak; readonly terms: CallTerms },
): string {
  const announced = tools.map((tool) => announceTool(tool, speak)).join(speak.between_tools);
  return [fill(speak.announce, { tools: announced }), ...termsInWords(terms)].join("\n\n");
}

/** The request's terms as sentences, which follow the announcement: tools alone decide its beginning. */
export function termsInWords({ choice, only = [], isOneCall = false }: CallTerms): string[] {
  const words: string[] = [];
  if (choice === "none") words.push("Do not call a tool in your next answer. Answer in text.");
  if (choice === "any") words.push("Your next answer must contain a tool call.");
  if (Array.isArray(choice)) words.push(`Your next answer must contain a call to ${oneOf(choice)}.`);
  if (only.length > 0) words.push(`Call only these tools: ${only.join(", ")}.`);
  if (isOneCall && choice !== "none") words.push("Make at most one tool call in an answer.");
  return words.length === 0 ? [] : [words.join(" ")];
}

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? `the tool \`${names[0]}\`` : `one of these tools: ${names.join(", ")}`;
}

function announceTool(tool: RequestFunction, speak: Speak): string {
  const { name = "", description = "", parameters } = tool;
  const schema = isRecord(parameters) ? parameters : {};
  const { type: _, properties, ...others } = schema;
  const declared = Object.entries(isRecord(properties) ? properties : {});
  const json = (value: unknown) => writeJson(value, speak.json);
  return fill(speak.tool, {
    tool: json({ type: "function", function: tool }),
    function: json(tool),
    name,
    description: asText(description ?? ""),
    parameters: json(schema),
    each_parameter: declared.map(([key, field]) => announceParameter(key, { field, speak })).join(""),
    fields: fieldsOf(others, speak),
  });
}

function announceParameter(
  name: string,
  { field, speak }: { readonly field: unknown; readonly speak: Speak },
): string {
  const { type, description, ...others } = isRecord(field) ? field : {};
  const ordered = {
    ...(type === undefined ? {} : { type }),
    ...(description ? { description } : {}),
    ...others,
  };
  return fill(speak.parameter ?? "", { name, fields: fieldsOf(ordered, speak) });
}

function fieldsOf(fields: Readonly<Record<string, unknown>>, speak: Speak): string {
  return Object.entries(fields).map(([key, value]) =>
    fill(speak.field ?? "", {
      key,
      value: typeof value === "string" ? value : writeJson(value, speak.json),
    })
  ).join("");
}
