/** What the sample model prints: an answer with a call of an offered tool, by a template of `answers.json`. @module */
import answers from "./answers.json" with { type: "json" };
import { contentText } from "../../chat/message/read.ts";
import type { ChatRequest, RequestFunction } from "../../chat/message/request.ts";
import { present } from "../../engine/object/present.ts";
import { isRecord } from "../../engine/object/record.ts";

/** How a sample model writes: text before the call, the call, and one parameter of it. */
interface Template {
  readonly before: string;
  readonly call: string;
  readonly parameter: string;
}

const TEMPLATES: Readonly<Record<string, Template>> = answers.models;

export const SAMPLE_MODELS: readonly string[] = ["sample", ...Object.keys(TEMPLATES)];

/** The text of an answer: the request's model selects the dialect, its tools the call. */
export function writeAnswer(request: ChatRequest): string {
  const name = Object.hasOwn(TEMPLATES, request.model ?? "") ? request.model : answers.default;
  const template = TEMPLATES[name ?? answers.default];
  const call = chooseCall(request);
  if (call !== undefined && template?.call) return template.before + fill(template, call);
  const isAnswered = isToolResult(request.messages?.at(-1)?.role);
  return isAnswered ? answers.after_result : answers.plain;
}

function fill(template: Template, call: SampleCall): string {
  const parameters = Object.entries(call.arguments).map(([name, value]) =>
    replace(template.parameter, { name, value: typeof value === "string" ? value : JSON.stringify(value) })
  );
  return replace(template.call, {
    tool: call.name,
    arguments: JSON.stringify(call.arguments),
    parameters: parameters.join(""),
  });
}

function replace(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([a-z]+)\}/g, (hole, name: string) => values[name] ?? hole);
}

interface SampleCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The call for a request; undefined if it offers nothing harmless or contains the result of a call. */
export function chooseCall(request: ChatRequest): SampleCall | undefined {
  const messages = Array.isArray(request.messages) ? request.messages : [];
  const last = messages.at(-1);
  const offered = offeredFunctions(request);
  if (offered.length > 0) return isToolResult(last?.role) ? undefined : callOf(offered);
  const system = messages.map((message) => contentText(message?.content) ?? "").join("\n");
  const { prompt, prompt_done: done } = answers.tools;
  const isAnswered = /^\[[a-z_]+[^]*\] Result:/m.test(contentText(last?.content) ?? "");
  if (isAnswered && system.includes(done.heading)) {
    return { name: done.name, arguments: { [done.argument]: answers.after_result } };
  }
  const tool = prompt.find(({ heading }) => system.includes(heading));
  return tool && { name: tool.name, arguments: present(tool.arguments) };
}

function isToolResult(role: string | undefined): boolean {
  return role === "tool" || role === "function";
}

function offeredFunctions({ tools, functions }: ChatRequest): RequestFunction[] {
  const listed = Array.isArray(tools) ? tools.map((tool) => tool?.function) : [];
  const all = listed.length > 0 ? listed : Array.isArray(functions) ? functions : [];
  return all.filter((tool): tool is RequestFunction => typeof tool?.name === "string");
}

function callOf(offered: readonly RequestFunction[]): SampleCall | undefined {
  const { preferred, never } = answers.tools;
  const harmless = offered.filter(({ name }) => !never.some((word) => isLike(name, word)));
  const tool = preferred.map((word) => harmless.find(({ name }) => isLike(name, word))).find(Boolean) ??
    harmless[0];
  return tool?.name === undefined
    ? undefined
    : { name: tool.name, arguments: argumentsOf(tool.name, tool.parameters) };
}

function isLike(name: string | undefined, word: string): boolean {
  return new RegExp(word, "i").test(name ?? "");
}

function argumentsOf(tool: string, schema: unknown): Record<string, unknown> {
  const properties = recordOf(recordOf(schema).properties);
  const declared = recordOf(schema).required;
  const required = Array.isArray(declared) ? declared.map(String) : [];
  const names = required.length > 0
    ? required
    : Object.keys(properties).filter((name) => recordOf(properties[name]).type === "string");
  return Object.fromEntries(
    names.map((name) => [name, valueOf({ tool, name, schema: recordOf(properties[name]) })]),
  );
}

function valueOf(asked: { tool: string; name: string; schema: Record<string, unknown> }): unknown {
  const { tool, name, schema } = asked;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return false;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return answers.values.find((entry) => isLike(tool, entry.tool ?? "") && isLike(name, entry.parameter))
        ?.value;
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? { ...value } : {};
}
