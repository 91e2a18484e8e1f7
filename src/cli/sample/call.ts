/** Chooses the call that the sample model makes: a harmless one that any agent can run. @module */
import { contentText } from "../../chat/message/read.ts";
import type { ChatRequest, RequestFunction } from "../../chat/message/request.ts";
import { present } from "../../engine/object/present.ts";
import { isRecord } from "../../engine/object/record.ts";
import answers from "./answers.json" with { type: "json" };

export interface SampleCall {
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

/** Whether the last message of a conversation is a tool's result. */
export function isToolResult(role: string | undefined): boolean {
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
